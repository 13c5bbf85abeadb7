//! **Admission control**: concurrency limits, blocked accounts, and the limits of a tenant.

mod blocklist;
mod concurrency;
mod tenant_limits;

pub use blocklist::{Blocklist, BlocklistFull};
pub(crate) use blocklist::{MAX_BLOCKS, StreamGuard};
pub(crate) use concurrency::TenantMax;
pub use concurrency::{ConcurrencyLimiter, ConcurrencyPermit};
pub use tenant_limits::{TenantLimitTable, TenantLimits};
