//! Tests of the rules, one file per theme. Names of acceptance cases (CAY-12) begin with their ids.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod activation;
mod board;
mod bots;
mod building;
mod castle;
mod clarifications;
mod conformance;
mod document;
mod drawings;
mod favors;
mod figures;
mod luck;
mod placement;
mod playthroughs;
mod prices;
mod records;
mod scoring;
mod setup;
mod special;
mod table;
