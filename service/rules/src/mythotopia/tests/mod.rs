//! Tests of the rules, one file per theme. Names of acceptance cases (MYT-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod building;
mod end;
mod exhaustive;
mod figures;
mod invading;
mod listing;
mod map;
mod memory;
mod paying;
mod positions;
mod prices;
mod refusals;
mod second;
mod secrecy;
mod setup;
mod table;
mod tokens;
mod turns;
mod wars;
mod words;
mod worlds;

use gamekeeper_rules::conformance::{Plan, Suite};
use gamekeeper_rules::mythotopia::Mythotopia;

gamekeeper_rules::suite! {
    Mythotopia,
    Suite {
        plan: Plan { games: 6, max_actions: 1_500, closely_every: 31, ..Plan::SHORT },
        ends: false,
        largest_state: 800,
        left: 2,
        drawn_every: 29,
        drawn: (4, 160),
        story: (2, 3),
        seed: 1,
        refused_every: 40,
        weighed_every: 12,
    },
    two_players: 2, 3,
    three_players: 3, 3,
    four_players: 4, 3,
}
