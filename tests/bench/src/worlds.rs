//! Sampled worlds per second, compared with copies of the table.

use std::collections::BTreeMap;
use std::time::Duration;

use gamekeeper_rules::ruleset::{Ruleset, apply, create};
use gamekeeper_rules::table::{Chance, Seat, Seed};
use serde::Serialize;

use crate::clock::{Spread, per_second};
use crate::play::Recording;
use crate::report::{row, table, write};

/// How much is measured on tables of random games.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Plan {
    /// How often each figure is measured
    #[arg(long, default_value_t = 5)]
    pub(crate) rounds: usize,
    /// How long each time, in milliseconds
    #[arg(long, default_value_t = 300)]
    pub(crate) millis: u64,
    /// Games of each ruleset
    #[arg(long, default_value_t = 16)]
    pub(crate) games: u64,
    /// Actions of each game at most
    #[arg(long, default_value_t = 400)]
    pub(crate) max_moves: usize,
}

/// The figures of one ruleset.
#[derive(Debug, Serialize)]
struct Figures {
    worlds_per_second: Spread,
    copies_per_second: Spread,
}

/// Measures sampling on one core: worlds for the seat to move, on the tables of random games.
pub fn run(plan: Plan) {
    let mut rulesets = BTreeMap::new();
    gamekeeper_rules::of_each_ruleset!(R => { rulesets.insert(R::INFO.id, figures::<R>(plan)); });
    let mut rows = vec![row(["ruleset", "worlds/s", "copies/s"])];
    for (ruleset, figures) in &rulesets {
        rows.push(vec![
            (*ruleset).to_owned(),
            figures.worlds_per_second.to_string(),
            figures.copies_per_second.to_string(),
        ]);
    }
    table(&rows);
    write("worlds", &rulesets);
}

fn figures<R: Ruleset>(plan: Plan) -> Figures {
    let positions: Vec<(R::State, Seat)> = (1..=plan.games)
        .flat_map(|seed| positions(&Recording::<R>::new(seed, plan.max_moves)))
        .collect();
    let mut chance = Chance::from_seed(&Seed::from_number(1));
    let mut turn = positions.iter().cycle();
    let mut next = || turn.next().expect("a position");
    let mut measure = |work: &mut dyn FnMut(&R::State, Seat) -> R::State| {
        let millis = Duration::from_millis(plan.millis);
        per_second(plan.rounds, millis, || {
            let (state, seat) = next();
            std::hint::black_box(work(state, *seat));
            1
        })
    };
    Figures {
        worlds_per_second: measure(&mut |state, seat| R::sample_world(state, seat, &mut chance)),
        copies_per_second: measure(&mut |state, _| state.clone()),
    }
}

/// Returns the tables of a game, each with the seat to move.
pub(crate) fn positions<R: Ruleset>(game: &Recording<R>) -> Vec<(R::State, Seat)> {
    let mut now = create::<R>(&game.options, game.luck());
    let mut positions = Vec::new();
    for (seat, action) in &game.moves {
        positions.push((now.state.clone(), *seat));
        if let Ok(next) = apply::<R>(&now.state, &now.chance, *seat, action) {
            now = next;
        }
    }
    positions
}
