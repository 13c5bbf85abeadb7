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
mod playthroughs;
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

use gamekeeper_rules::conformance::Suite;
use gamekeeper_rules::terra_mystica::TerraMystica;

gamekeeper_rules::suite! {
    TerraMystica,
    Suite {
        drawn_every: 19,
        drawn: (4, 100),
        story: (3, 43),
        seed: 1,
        refused_every: 400,
        weighed_every: 12,
    }
}
