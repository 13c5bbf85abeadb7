//! What every table has: seats, viewers, luck, a log of what happened, a ranking.
//!
//! Nothing here knows a ruleset. A ruleset uses these nouns and [`crate::ruleset`], and nothing else
//! of this crate.

mod chance;
mod codec;
mod draw;
mod journal;
mod listing;
mod pending;
mod ranking;
mod refusal;
mod seat;
mod settle;
mod words;

pub use chance::{Chance, Seed, SeedCommitment};
pub use codec::{DecodeError, Fingerprint, decode, encode, fingerprint};
pub use draw::{Draw, DrawValue, ScriptFault};
pub use journal::{Automatic, Journal};
pub use listing::{Detail, Visit};
pub use pending::{Pending, PendingList};
pub use ranking::{Ranking, Score, ScoreItem, Standing};
pub use refusal::{Fault, Refusal};
pub use seat::{MAX_SEATS, PerSeat, Seat, Viewer};
pub use settle::{SETTLE_LIMIT, settle};
pub(crate) use words::{And, Commas, Count, Who};
