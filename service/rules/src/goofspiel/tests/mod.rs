//! Tests of the rules, one file per theme. Names of acceptance cases (GOO-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod bots;
mod examples;
mod figures;
mod positions;
mod refusals;
mod table;
mod worlds;

use gamekeeper_rules::conformance::{Plan, Suite};
use gamekeeper_rules::goofspiel::Goofspiel;

gamekeeper_rules::suite! {
    Goofspiel,
    Suite {
        plan: Plan::SHORT,
        ends: true,
        largest_state: 50,
        left: 4,
        drawn_every: 5,
        drawn: (3, 16),
        story: (2, 3),
        seed: 2,
        refused_every: 40,
        weighed_every: 2,
    },
    three_players: 3, 2,
}
