//! Tests of the rules, one file per theme. Names of acceptance cases (CAY-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod activation;
mod board;
mod bots;
mod building;
mod castle;
mod changes;
mod clarifications;
mod conformance;
mod document;
mod favors;
mod figures;
mod luck;
mod placement;
mod playthroughs;
mod positions;
mod prices;
mod scoring;
mod setup;
mod special;
mod table;

use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::conformance::{Plan, Suite};

gamekeeper_rules::suite! {
    Caylus,
    Suite {
        plan: Plan { games: 30, ..Plan::SHORT },
        ends: true,
        largest_state: 400,
        left: 2,
        drawn_every: 9,
        drawn: (4, 150),
        story: (3, 11),
        seed: 1,
        refused_every: 40,
        weighed_every: 15,
    },
    two_players: 2, 7,
    three_players: 3, 11,
    four_players_with_simplified_favors: 4, 8,
}
