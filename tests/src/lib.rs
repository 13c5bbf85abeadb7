//! Helpers for tests of whole processes.

#![expect(
    clippy::expect_used,
    reason = "what a test needs and does not get is to stop it"
)]

pub mod balancer;
pub mod certificates;
pub mod chance;
pub mod cli;
pub mod collector;
pub mod contract;
pub mod disguise;
pub mod dominion;
pub mod evidence;
pub mod fleet;
pub mod history;
pub mod hostile;
pub mod http;
pub mod http1;
pub mod process;
pub mod proxy;
pub mod raw;
pub mod recording;
pub mod redis;
pub mod retrying;
pub mod room;
pub mod server;
mod server_log;
pub mod store;
pub mod stored;
pub mod terminal;
pub mod tokens;
pub mod turns;
pub mod waiting;
pub mod webhooks;
pub mod writing;
