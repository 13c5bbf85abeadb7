//! The server of Gamekeeper: connections, access, the services, telemetry and configuration, on top of the games and
//! the store that the operator chose.

mod accounts;
pub mod admin;
mod audit;
pub mod auth;
pub mod backup;
mod certificates;
mod check_games;
mod coalescing;
pub mod config;
mod connection;
mod connection_limiter;
mod disconnect;
mod fd_limit;
pub mod grpc;
pub mod health;
mod hosts;
mod hot_reload;
mod http1;
mod migrate;
mod playground;
pub mod serve;
mod serve_error;
mod settings;
pub mod start;
pub mod stores;
pub mod telemetry;
mod tenant_limits;
mod tenant_metrics;
mod top;
mod transport;
pub mod version;
mod workers;
