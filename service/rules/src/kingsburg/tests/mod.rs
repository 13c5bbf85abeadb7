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
mod playthroughs;
mod prices;
mod records;
mod refusals;
mod roll;
mod season;
mod secrecy;
mod setup;
mod table;
mod winter;
mod worlds;
