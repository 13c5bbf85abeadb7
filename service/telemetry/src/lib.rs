//! Metrics and traces: the instruments and spans that all crates of the server use. The server decides which are
//! exported, and where.
//!
//! Metrics and traces contain no game id, token, key or seed.

mod backups;
mod calls;
mod codes;
mod connections;
mod left_bots;
mod log_rate_limit;
mod measured_store;
mod metrics;
mod store;
mod table_events;
mod traces;

pub use backups::BackupMetrics;
pub use calls::{CallMetrics, Method, OTHER_METHOD};
pub use connections::{ConnectionMetrics, RejectReason};
pub use left_bots::LeftBot;
pub use log_rate_limit::{LogRateLimiter, SharedLogRateLimiter};
pub use measured_store::MeasuredStore;
pub use metrics::{CommitOutcome, Metrics, OpenFeed, OpenWatch, RulesetMetrics};
pub use store::{StoreMetrics, StoreOperation};
pub use table_events::TableEventLabel;
pub use traces::{TARGET, Traces, finish, traced};
#[doc(hidden)]
pub use tracing;
