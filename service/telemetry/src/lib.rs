//! Metrics and traces: the instruments and spans that all crates of the server use. The server decides which are
//! exported, and where.
//!
//! Metrics and traces contain no game id, token, key or seed.

mod backups;
mod calls;
mod codes;
mod connections;
mod measured;
mod metrics;
mod seldom;
mod store;
mod table;
mod traces;

pub use backups::BackupMetrics;
pub use calls::{CallMetrics, Method, OTHER_METHOD};
pub use connections::{ConnectionMetrics, NoConnection};
pub use measured::MeasuredStore;
pub use metrics::{CommitOutcome, Metrics, OpenFeed, OpenWatch, RulesetMetrics};
pub use seldom::{Seldom, SharedSeldom};
pub use store::{StoreMetrics, StoreOperation};
pub use table::TableEvent;
pub use traces::{TARGET, Traces, finish, traced};
#[doc(hidden)]
pub use tracing;
