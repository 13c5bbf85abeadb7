//! Tests of the rules, one file per theme. Cases of KIN-12 begin with the id of the case.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for one kind of event among all"
)]

mod aid_and_envoy;
mod automatic;
mod conformance;
mod creation;
mod edges;
mod end;
mod examples;
mod figures;
mod help;
mod influence;
mod luck;
mod playthroughs;
mod refusals;
mod roll;
mod season;
mod secrecy;
mod table;
mod winter;
mod worlds;
