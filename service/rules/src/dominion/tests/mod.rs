//! The rule document's acceptance cases (DOM-12), its clarifications, and random play.
//!
//! Seats are numbered from 1: P0 of the rule document is `P1` here.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for one kind of event"
)]

mod board;
mod clarifications;
mod conformance;
mod edge_cases;
mod further_cases;
mod groups_of_cards;
mod hidden_information;
mod illegal_actions;
mod printed_figures;
mod scene;
mod shuffles;
mod worked_examples;
mod worlds;
