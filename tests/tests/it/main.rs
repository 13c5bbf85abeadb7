//! Tests of whole processes.

mod bad_input;
mod full_game;
mod permissions;
mod retries;
mod stores;
mod two_servers;
mod watching;
