//! Tests of the rules, one file per theme. Names of acceptance cases (DOM-12) begin with their ids.
//!
//! Seats are numbered from 1: P0 of the rule document is `P1` here.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]
#![expect(clippy::expect_used, reason = "a test stops at what it does not get")]
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for one kind of event"
)]

mod board;
mod bots;
mod clarifications;
mod dead_positions;
mod edges;
mod examples;
mod figures;
mod further_cases;
mod groups_of_cards;
mod known_cards;
mod memory;
mod movements;
mod playthroughs;
mod positions;
mod previews;
mod prices;
mod published;
mod refusals;
mod secrecy;
mod shuffles;
mod strategies;
mod table;
mod worlds;

use gamekeeper_rules::conformance::{Plan, Suite};
use gamekeeper_rules::dominion::Dominion;

gamekeeper_rules::suite! {
    Dominion,
    Suite {
        plan: Plan { games: 5, ..Plan::SHORT },
        ends: true,
        largest_state: 400,
        left: 3,
        drawn_every: 9,
        drawn: (4, 160),
        story: (3, 2),
        seed: 2,
        refused_every: 40,
        weighed_every: 15,
    }
}
