//! The tests of the rule document: a file for each theme of chapter 12.

mod bench;
mod building;
mod conformance;
mod end_of_game;
mod exhaustive;
mod figures;
mod invading;
mod listing;
mod paying;
mod playthroughs;
mod refusals;
mod saying;
mod second;
mod setting_up;
mod tokens;
mod turns;
mod viewing;
mod wars;
mod worlds;
