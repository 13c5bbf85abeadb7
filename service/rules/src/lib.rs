//! The rules of Gamekeeper's board games: pure state machines.
//!
//! No async, no clock, no network, no protobuf, no floats, no hash maps: the same options, actions
//! and luck give the same game everywhere and always.
//!
//! * [`ruleset`]: the interface that every ruleset has;
//! * [`starts`]: games that do not begin at the set-up;
//! * [`table`]: seats, viewers, luck, ranking, and the other types that all tables share;
//! * [`bots`]: policies that play, using tables that are possible for a seat;
//! * [`life`]: what happens at a table beyond the rules: players leave, clocks run out;
//! * `conformance`: the random-play suite that every ruleset passes;
//! * one module per ruleset, with the same file names in each.

#![deny(clippy::float_arithmetic)]

pub mod bots;
pub mod caylus;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod dominion;
pub mod kingsburg;
mod layout;
pub mod life;
pub mod mythotopia;
pub mod rulebook;
pub mod ruleset;
pub mod starts;
pub mod table;
pub mod terra_mystica;

pub use layout::layout;
