//! Tests of whole processes.

#![expect(
    clippy::expect_used,
    reason = "what a test needs and does not get is to stop it"
)]
#![expect(
    clippy::unwrap_used,
    reason = "what a test needs and does not get is to stop it"
)]

mod bad_input;
mod caylus;
mod cli;
mod every_ruleset;
mod full_game;
mod looking;
mod operations;
mod permissions;
mod readme;
mod retries;
mod stores;
mod telemetry;
mod two_servers;
mod watching;
