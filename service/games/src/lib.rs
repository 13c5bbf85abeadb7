//! The **service layer** between rules and stores: loads games, validates requests, commits entries and streams
//! changes, generic over [`Wire`](gamekeeper_wire::Wire).
//!
//! * `heart`: the core: games in memory, loading, validation, commits, stored records, and permissions;
//! * `verbs`: calls about one game. Each builds on the core and is independent of the others;
//! * `streams`: watches, exports and self-plays, all with the same limits on their lifetime;
//! * `registry`: the games of all rulesets, with the types erased;
//! * `across`: calls about several games, or games of several rulesets.
//!
//! A process keeps decoded games in a bounded cache, which may be stale: the store's compare-and-set decides, and no
//! call is refused or answered from the cache alone.

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

pub use across::check_games::Tally;
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
