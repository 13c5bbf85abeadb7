//! Tests of the rules, one file per theme. Names of acceptance cases (TM-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]
#![expect(clippy::expect_used, reason = "a test stops at what it does not get")]

mod board;
mod changes;
mod clarifications;
mod conformance;
mod edges;
mod events;
mod examples;
mod figures;
mod legal;
mod map;
mod positions;
mod prices;
mod promos;
mod refusals;
mod rich;
mod round_end;
mod setup;
mod spades;
mod table;
mod words;
mod worth;

use gamekeeper_rules::conformance::{Plan, Suite};
use gamekeeper_rules::terra_mystica::TerraMystica;

gamekeeper_rules::suite! {
    TerraMystica,
    Suite {
        plan: Plan { games: 8, closely_every: 97, ..Plan::SHORT },
        ends: true,
        largest_state: 700,
        left: 1,
        drawn_every: 19,
        drawn: (4, 100),
        story: (3, 43),
        seed: 1,
        refused_every: 400,
        weighed_every: 12,
    },
    two_players: 2, 42,
    three_players: 3, 43,
    four_players: 4, 44,
    five_players: 5, 45,
}
