//! Self-play: many games in memory over one stream, for every ruleset.

mod asking;
mod every_ruleset;
mod moves;
mod worlds;

use gamekeeper_proto::gamekeeper::v1;
use pb::self_play_move::Choice;

use every_ruleset::dominion::{Line, pb};

/// Shows all there is to show.
const ALL: v1::SelfPlayShow = v1::SelfPlayShow {
    view: true,
    actions: true,
    action_count: true,
    pending: true,
    events: true,
    text: true,
    world: false,
};

fn plan(games: u32) -> pb::SelfPlayPlan {
    pb::SelfPlayPlan {
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
