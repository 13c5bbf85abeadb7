//! The games of one ruleset in this process: the cache, and data that follows from the ruleset.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use futures_util::Stream;
use gamekeeper_learn::Space;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw::Catalogue;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::table::MAX_SEATS;
use gamekeeper_store::GameId;
use gamekeeper_telemetry::RulesetMetrics;
use gamekeeper_wire::contract::action_kinds;
use gamekeeper_wire::{Wire, option_infos};
use quick_cache::sync::Cache;
use tokio::sync::Mutex;

use crate::aggregate::game::Game;
use crate::broadcast::registry;
use crate::context::app_context::AppContext;
use crate::errors::ServiceError;

/// A stream of responses, which may end with an error.
pub type ResponseStream<T> = Pin<Box<dyn Stream<Item = Result<T, ServiceError>> + Send>>;

/// The ratio of the capacity of `cache` to that of `last_streamed`.
const CACHED_PER_STREAMED: usize = 4;

/// The games of one ruleset in this process.
pub struct GameService<W: Wire> {
    pub(crate) context: Arc<AppContext>,
    pub(crate) cache: Cache<GameId, Arc<CacheSlot<W>>>,
    pub(crate) broadcasts: Arc<registry::BroadcastRegistry<W>>,
    /// The tables that tenant feeds reported last. The next entry is applied to them, so that a feed need not load the
    /// game again.
    pub(crate) last_streamed: Cache<GameId, Arc<Game<W>>>,
    pub(crate) metrics: RulesetMetrics,
    /// The rulebook, parsed when a rule is first requested.
    pub(crate) rulebook: OnceLock<Rulebook>,
    /// The catalogue, made when it is first requested: looking up its rules takes milliseconds.
    pub(crate) catalogue: OnceLock<Catalogue>,
    /// The options that creators may choose, derived from the contract once.
    pub(crate) options: Vec<pb::OptionInfo>,
    /// The kinds of actions, by their names in the contract.
    pub(crate) action_kinds: Vec<String>,
    /// The observation and action spaces for programs that learn, by number of seats. Each is computed when first
    /// requested.
    pub(crate) spaces: [OnceLock<Arc<Space>>; MAX_SEATS + 1],
}

/// A slot of the cache. Is `None` until the game is loaded. It is locked while a call works on the game, so that calls
/// of one process do not race each other to the store.
pub(crate) type CacheSlot<W> = Mutex<Option<Game<W>>>;

impl<W: Wire> GameService<W> {
    /// Creates an empty cache for the games of this ruleset.
    #[must_use]
    pub fn new(context: Arc<AppContext>) -> Self {
        let cache = Cache::new(context.settings.cached_games.max(1));
        let last_streamed =
            Cache::new((context.settings.cached_games / CACHED_PER_STREAMED).max(1));
        let metrics = context.metrics.of_ruleset(W::INFO.id);
        Self {
            context,
            cache,
            broadcasts: Arc::default(),
            last_streamed,
            metrics,
            rulebook: OnceLock::new(),
            catalogue: OnceLock::new(),
            options: option_infos::<W>(),
            action_kinds: action_kinds::<W>(),
            spaces: [const { OnceLock::new() }; MAX_SEATS + 1],
        }
    }
}
