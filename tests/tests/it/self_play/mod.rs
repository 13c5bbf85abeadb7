//! Self-play: many games in memory over one stream, for every ruleset.

mod asking;
mod every_ruleset;
mod line;
mod moves;
mod numbers;
mod worlds;

use gamekeeper_proto::gamekeeper::v1 as pb;
use pb::self_play_move::Choice;

use self::line::Line;

/// Requests all optional parts of observations.
const ALL: pb::SelfPlayShow = pb::SelfPlayShow {
    view: true,
    actions: true,
    action_count: true,
    pending: true,
    events: true,
    text: true,
    world: false,
    numbers: 0,
    names: false,
};

/// Builds a plan for games of Dominion.
fn plan(games: u32) -> pb::SelfPlayPlan {
    pb::SelfPlayPlan {
        ruleset: String::from("dominion"),
        seats: 2,
        games,
        ..Default::default()
    }
}

fn choose(slot: u32, version: u64, choice: Option<Choice>) -> pb::SelfPlayMove {
    pb::SelfPlayMove {
        slot,
        version,
        choice,
    }
}
