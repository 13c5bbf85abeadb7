//! Tests of the rules, one file per theme. Names of acceptance cases (MYT-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod building;
mod conformance;
mod end;
mod exhaustive;
mod figures;
mod invading;
mod listing;
mod map;
mod memory;
mod paying;
mod playthroughs;
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

use gamekeeper_rules::conformance::Suite;
use gamekeeper_rules::mythotopia::Mythotopia;

gamekeeper_rules::suite! {
    Mythotopia,
    Suite {
        drawn_every: 29,
        drawn: (4, 160),
        story: (2, 3),
        seed: 1,
        refused_every: 40,
        weighed_every: 12,
    }
}
