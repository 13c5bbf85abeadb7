//! Tests of whole processes.

#![expect(
    clippy::expect_used,
    reason = "what a test needs and does not get is to stop it"
)]
#![expect(
    clippy::unwrap_used,
    reason = "what a test needs and does not get is to stop it"
)]

mod altered;
mod anonymous;
mod audit;
mod backup;
mod bad_input;
mod balancers;
mod bot_doors;
mod cli;
mod cli_bots;
mod compression;
mod conformance;
mod cost_of_a_call;
mod disk;
mod drawings;
mod erasing;
mod every_ruleset;
mod evidence;
mod examples;
mod exporting;
mod fan_out;
mod faults;
mod full_game;
mod hostile;
mod http1;
mod importing;
mod isolation;
mod json;
mod limits;
mod load;
mod looking;
mod luck;
mod my_games;
mod old_data;
mod one_round_trip;
mod operations;
mod options;
mod permissions;
mod positions;
mod promised;
mod readme;
mod readme_console;
mod retries;
mod rolling_update;
mod rulebook;
mod ruleset_pages;
mod secrecy;
mod secrets;
mod self_play;
mod signed_records;
mod soak;
mod stopping;
mod stores;
mod table_life;
mod telemetry;
mod terminal;
mod token_ends;
mod watching;
mod webhooks;
mod who_may_call;
mod words;
