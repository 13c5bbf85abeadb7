//! Tests of the rules, one file per theme. Names of acceptance cases (KIN-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for one kind of event among all"
)]

mod aid_and_envoy;
mod automatic;
mod board;
mod conformance;
mod drawings;
mod edges;
mod end;
mod examples;
mod figures;
mod help;
mod influence;
mod luck;
mod paragraphs;
mod positions;
mod prices;
mod refusals;
mod roll;
mod season;
mod secrecy;
mod setup;
mod table;
mod winter;
mod worlds;

use gamekeeper_rules::conformance::{Plan, Suite};
use gamekeeper_rules::kingsburg::Kingsburg;

gamekeeper_rules::suite! {
    Kingsburg,
    Suite {
        plan: Plan { games: 10, closely_every: 29, ..Plan::SHORT },
        ends: true,
        largest_state: 300,
        left: 2,
        drawn_every: 9,
        drawn: (4, 150),
        story: (3, 1),
        seed: 1,
        refused_every: 90,
        weighed_every: 12,
    },
    two_players: 2, 1,
    three_players: 3, 1,
    four_players: 4, 1,
    five_players: 5, 1,
}
