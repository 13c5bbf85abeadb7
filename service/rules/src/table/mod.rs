//! The **domain types** that all tables share: seats, viewers, luck, an event log, a ranking.
//!
//! Nothing here depends on a ruleset. A ruleset uses these types and [`crate::ruleset`], and nothing else of this
//! crate.

mod chance;
mod codec;
mod component;
mod decision;
mod draw;
mod exec_context;
mod fallback;
mod holdings;
mod ids;
mod journal;
mod kind;
mod listing;
mod movement;
mod names;
mod number_in;
mod option;
mod options;
mod outcome;
mod pending;
pub mod picture;
mod position;
mod ranking;
mod refusal;
mod seat;
mod seats;
mod settle;
mod term;
pub mod text;
mod turn_check;
mod words;

// What the documentation does not show is for this crate: it is public for the tests in `src/tests` (tests/circles.py).
pub use chance::{Chance, Seed, SeedCommitment};
pub use codec::{DecodeError, Fingerprint, decode, encode, fingerprint};
pub use component::Component;
pub use decision::DecisionWords;
#[doc(hidden)]
pub use decision::decisions;
#[doc(hidden)]
pub use draw::drawn;
pub(crate) use draw::drawn_label;
pub use draw::{Draw, DrawValue, ScriptFault};
pub use exec_context::ExecContext;
pub use fallback::{Fallback, Try};
pub use holdings::{Amount, Flow, Holdings, Price, Resource};
pub use ids::ClosedSet;
#[doc(hidden)]
pub use ids::{ids, last};
pub use journal::{Automatic, Journal, events_with_forced};
pub use kind::Kind;
pub use listing::{ActionCursor, ActionEnumerator, Counted, Detail, VisitFlow, Wanted};
pub use movement::Movement;
pub use names::{Names, TextContext};
pub use number_in::NumberIn;
#[doc(hidden)]
pub use option::first_repeated;
pub use option::{Field, MaybeKnown, OptionRule, OptionalParam, Values};
pub use options::OptionType;
#[doc(hidden)]
pub use options::options;
pub use pending::{Pending, PendingList};
pub use position::PositionError;
#[doc(hidden)]
pub use ranking::sources;
pub use ranking::{Ranking, Score, ScoreItem, Source, Standing};
#[doc(hidden)]
pub use refusal::refusals;
pub use refusal::{CommonRefusal, CommonRefusals, Fault, Refusal, Refused, RefusedOption};
pub use seat::{MAX_SEATS, PerSeat, Seat, Viewer};
pub use seats::SeatSet;
pub use settle::{MAX_AUTOMATIC_STEPS, invariant_violated, run_to_decision};
pub use term::Term;
#[doc(hidden)]
pub use term::{actions, titled};
pub use turn_check::{Permit, pending_decision, player_count, wrong_decision};
pub use words::GameEvent;
pub use words::{Count, JoinAnd};
#[doc(hidden)]
pub use words::{JoinCommas, events};
