//! Tests of the rules, one file per theme. Names of acceptance cases (GOO-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod bots;
mod conformance;
mod drawings;
mod examples;
mod figures;
mod playthroughs;
mod records;
mod refusals;
mod table;
mod worlds;
