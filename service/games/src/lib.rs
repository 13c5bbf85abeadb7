//! The **service layer** between rules and stores: loads games, validates requests, commits entries and streams
//! changes, generic over [`Wire`](gamekeeper_wire::Wire).
//!
//! From the bottom up (a room imports only rooms before it):
//!
//! * `errors`, `timing`, `hashed_id`, `raster`, `requests`: what everything else uses;
//! * `metadata`, `authz`, `admission`, `scheduling`: who may do what, and how much of it at a time;
//! * `log`: the stored format of entries and snapshots; `aggregate`: one game in memory;
//! * `context`: what all games of a process share;
//! * `rendering`, `index`, `broadcast`: what viewers, lists and watchers are sent;
//! * `service`: the games of one ruleset, cached and loaded; `commit`: changes, stored with a compare-and-set;
//! * `handlers`: calls about one game, named after their methods and independent of each other;
//! * `streams`: watches, exports and self-plays, all with the same limits on their lifetime;
//! * `registry`: the games of all rulesets, with the types erased;
//! * `multi_game`: calls about several games, or games of several rulesets; `background`: work that no call asks for.
//!
//! A process keeps decoded games in a bounded cache, which may be stale: the store's compare-and-set decides, and no
//! call is refused or answered from the cache alone.

pub mod admission;
mod aggregate;
pub mod authz;
mod background;
mod broadcast;
mod commit;
mod context;
pub mod errors;
#[cfg(test)]
mod future_sizes;
mod handlers;
mod hashed_id;
mod index;
mod log;
pub mod metadata;
mod multi_game;
mod raster;
mod registry;
mod rendering;
mod requests;
pub mod scheduling;
mod service;
#[cfg(test)]
mod simulation;
mod streams;
#[cfg(test)]
mod test_server;
mod timing;
#[cfg(test)]
mod upgrades;

pub use aggregate::due::BotTask;
pub use aggregate::game_limits::GameLimits;
pub use broadcast::update::Message;
pub use context::app_context::{AppContext, GameLocation};
pub use context::settings::Settings;
pub use handlers::check_game::{ReplayMismatch, ReplayReport};
pub use handlers::import_game::ImportRequest;
pub use handlers::system_commands::DueWork;
pub use handlers::table_commands::TableRequest;
pub use multi_game::check_games::ReplayTally;
pub use multi_game::games_update::GamesUpdate;
pub use registry::{DynGameService, Registry};
pub use requests::page::PageRequest;
pub use service::game_service::{GameService, ResponseStream};
pub use streams::feed_game::{FeedGameRequest, FeedGameUpdates};
pub use streams::watched_game::{VersionChange, VersionChanges, ViewerSelector, WatchedGame};
pub use timing::jitter;
pub use timing::yielder::Yielder;
