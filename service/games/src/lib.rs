//! Load, judge, save, publish: the one meeting point of rules and store, generic over [`Wire`].
//!
//! A process keeps decoded games in a bounded cache. The cache is only a guess: the store's compare-and-set
//! decides, and no call is refused or answered from the cache alone.

pub mod access;
mod age_limit;
mod append;
mod apply;
pub mod audit;
mod batch;
mod changing;
mod check;
mod clock;
mod create;
mod events;
mod export;
mod feed;
mod fork;
#[cfg(test)]
mod future_sizes;
mod game;
pub mod jitter;
mod legal;
mod listing;
mod load;
mod manage;
mod news;
mod own;
mod page;
mod past;
mod permissions;
pub mod problem;
#[cfg(test)]
mod process;
mod query;
mod recent;
mod record;
mod registry;
mod replay;
mod retold;
mod rules;
mod seats;
mod self_play;
mod settings;
mod shared;
mod show;
mod table_life;
mod tags;
mod update;
#[cfg(test)]
mod upgrades;
mod watch;
mod watch_games;
mod watches;
mod yielding;

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

pub use check::{Finding, Listener, Tally, Verdict};
use futures_util::Stream;
use game::Game;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_store::GameId;
use gamekeeper_telemetry::RulesetMetrics;
use gamekeeper_wire::contract::action_kinds;
use gamekeeper_wire::{Malformed, Wire, option_infos};
pub use news::Message;
pub use page::Page;
use quick_cache::sync::Cache;
pub use registry::{ErasedGames, Registry};
pub use self_play::Permit;
pub use settings::Settings;
pub use shared::Shared;
pub use table_life::TableRequest;
use tokio::sync::Mutex;
use uuid::Uuid;
pub use watch_games::{Change, Changes, FollowedGame, GamesUpdate, Look};

use crate::problem::Problem;

/// A stream of answers that may end with a problem.
pub type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Problem>> + Send>>;

/// The games of one ruleset.
pub struct Games<W: Wire> {
    shared: Arc<Shared>,
    cache: Cache<GameId, Arc<Slot<W>>>,
    feeds: Arc<feed::Feeds<W>>,
    metrics: RulesetMetrics,
    /// Parsed when a rule is first requested.
    rulebook: OnceLock<Rulebook>,
    /// The options that creators may choose, read from the contract once.
    options: Vec<pb::OptionInfo>,
    /// The kinds of actions, by the names that the contract gives them.
    action_kinds: Vec<String>,
}

/// A slot of the cache; `None`: the game is not loaded yet. Locked while a call works on the game, so that
/// calls of one process do not race each other to the store.
type Slot<W> = Mutex<Option<Game<W>>>;

impl<W: Wire> Games<W> {
    /// The games of this ruleset, before any is read.
    #[must_use]
    pub fn new(shared: Arc<Shared>) -> Self {
        let cache = Cache::new(shared.settings.cached_games.max(1));
        let metrics = shared.metrics.of_ruleset(W::SHEET.id);
        Self {
            shared,
            cache,
            feeds: Arc::default(),
            metrics,
            rulebook: OnceLock::new(),
            options: option_infos::<W>(),
            action_kinds: action_kinds::<W>(),
        }
    }
}

/// Parses the game id of a request.
fn parse_id(text: &str) -> Result<GameId, Problem> {
    if text.is_empty() {
        return Err(Malformed::missing("game_id").into());
    }
    Uuid::try_parse(text).map_err(|_| Problem::no_such_game(text))
}
