//! Gamekeeper's server: everything that waits, stores or talks.
//!
//! `grpc -> games -> {wire, store}`: thin services, one meeting point of rules and store, and stores
//! that know bytes and versions, not games.

pub mod admin;
pub mod auth;
mod clock;
pub mod config;
pub mod games;
pub mod grpc;
pub mod health;
mod lanes;
mod playground;
pub mod problem;
pub mod serve;
pub mod start;
pub mod store;
pub mod telemetry;
mod transport;
pub mod version;
mod workers;
