//! Tests of the rules, one file per theme. Names of acceptance cases (MYT-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod building;
mod conformance;
mod drawings;
mod end;
mod exhaustive;
mod figures;
mod invading;
mod listing;
mod map;
mod memory;
mod paying;
mod playthroughs;
mod prices;
mod records;
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
