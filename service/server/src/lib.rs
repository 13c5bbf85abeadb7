//! Gamekeeper's server: everything that waits, stores or talks.
//!
//! `grpc -> games -> {wire, store}`: thin services, one meeting point of rules and store, and stores
//! that know bytes and versions, not games.

pub mod admin;
mod audit;
pub mod auth;
pub mod backup;
mod check_games;
mod clock;
pub mod config;
mod connection;
mod descriptors;
mod doorway;
pub mod games;
mod gathered;
pub mod grpc;
pub mod health;
mod hosts;
mod playground;
pub mod problem;
pub mod serve;
mod serve_error;
mod settings;
pub mod start;
pub mod store;
pub mod telemetry;
mod transport;
pub mod version;
mod workers;
