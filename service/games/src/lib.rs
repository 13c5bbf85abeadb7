//! Load, judge, keep, follow: the one meeting point of rules and stores, generic over
//! [`Wire`](gamekeeper_wire::Wire).
//!
//! * `heart`: games in memory, loading, judging, appending, recording, and who may do what;
//! * `verbs`: what callers do with one game. Each stands on the heart and knows no other;
//! * `streams`: watches, exports and self-plays, all within the same bounds;
//! * `registry`: the games of all rulesets, without their types;
//! * `across`: calls about the games of all rulesets.
//!
//! A process keeps decoded games in a bounded cache. The cache is only a guess: the store's compare-and-set
//! decides, and no call is refused or answered from the cache alone.

mod across;
#[cfg(test)]
mod future_sizes;
mod heart;
#[cfg(test)]
mod process;
mod registry;
#[cfg(test)]
mod simulation;
mod streams;
#[cfg(test)]
mod upgrades;
mod verbs;

pub use across::check_games::{Listener, Tally};
pub use across::games_update::GamesUpdate;
pub use heart::due::BotTurn;
pub use heart::games::{Answers, Games};
pub use heart::news::Message;
pub use heart::page::Page;
pub use heart::settings::Settings;
pub use heart::shared::{Home, Shared};
pub use heart::{access, fair, jitter, problem};
pub use registry::{ErasedGames, Registry};
pub use streams::followed::{Change, Changes, FollowedGame, Look};
pub use streams::marked::{Marked, MarkedGame};
pub use verbs::check::{Finding, Verdict};
pub use verbs::due::Due;
pub use verbs::table_life::TableRequest;
