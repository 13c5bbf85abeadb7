//! The **domain types** that all tables share: seats, viewers, luck, an event log, a ranking.
//!
//! Nothing here depends on a ruleset. A ruleset uses these types and [`crate::ruleset`], and nothing else of this
//! crate.

mod chance;
mod codec;
mod component;
mod decision;
mod draw;
mod fallback;
mod gate;
mod holdings;
mod ids;
mod journal;
mod kind;
mod listing;
mod names;
mod option;
mod outcome;
mod pending;
pub mod picture;
mod play;
mod ranking;
mod refusal;
mod seat;
mod seats;
mod settle;
mod term;
pub mod text;
mod words;

pub use chance::{Chance, Seed, SeedCommitment};
pub use codec::{DecodeError, Fingerprint, decode, encode, fingerprint};
pub use component::Component;
pub use decision::DecisionWords;
pub(crate) use decision::decisions;
pub use draw::{Draw, DrawValue, ScriptFault};
pub use fallback::{Fallback, Try};
pub use gate::{owed, player_count, wrong_decision};
pub use holdings::{Amount, Holdings, Price, Resource};
pub use ids::Id;
pub(crate) use ids::{ids, last};
pub use journal::{Automatic, Journal, told};
pub use kind::Kind;
pub use listing::{Counted, Detail, Lister, Place, Visit, Wanted};
pub use names::{Names, Scene};
pub(crate) use option::first_repeated;
pub use option::{Field, Given, Named, OptionRule, Values};
pub use pending::{Pending, PendingList};
pub use play::Play;
pub(crate) use ranking::sources;
pub use ranking::{Ranking, Score, ScoreItem, Source, Standing};
pub(crate) use refusal::refusals;
pub use refusal::{Fault, Refusal, Refused, RefusedOption, SharedRefusal, Shares};
pub use seat::{MAX_SEATS, PerSeat, Seat, Viewer};
pub use seats::SeatSet;
pub use settle::{SETTLE_LIMIT, broken, settle};
pub use term::Term;
pub(crate) use term::{actions, titled};
pub use words::Happening;
pub use words::{And, Count};
pub(crate) use words::{Commas, events};
