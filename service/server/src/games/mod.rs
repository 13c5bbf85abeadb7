//! Load, judge, save, publish: the one meeting point of rules and store, generic over [`Wire`].
//!
//! A process keeps decoded games in a bounded cache. The cache is only a guess: the store's compare-and-set
//! decides, and no call is refused or answered from the cache alone.

mod aged;
mod allowed;
mod append;
mod apply;
mod batch;
mod breath;
mod create;
mod decode;
mod events;
mod export;
mod feed;
mod fork;
#[cfg(test)]
mod future_sizes;
mod game;
mod keeper;
mod legal;
mod listing;
mod load;
mod manage;
mod many;
mod news;
mod packed;
mod page;
#[cfg(test)]
mod process;
mod query;
mod recent;
mod record;
mod rules;
mod seated;
mod self_play;
mod show;
mod table_life;
mod tagged;
mod update;
mod watch;
mod watches;

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use futures_util::Stream;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_wire::{Malformed, Wire, option_infos};
use quick_cache::sync::Cache;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub use keeper::{Keeper, Registry};
pub use many::{Change, Changes, Followed, Sight, Told};
pub use news::Message;
pub use packed::PackedGames;
pub use page::Page;
pub use table_life::{TableOutcome, TableRequest};

use crate::auth::{Authority, Caller};
use crate::clock::{Clock, now_ms};
use crate::problem::Problem;
pub use crate::settings::Settings;
use crate::store::{GameId, GameStore};
use crate::telemetry::{Metrics, RulesetMetrics};
use game::Game;

/// What the games of all rulesets share in one process.
pub struct House {
    /// Where games are kept.
    pub store: Arc<dyn GameStore>,
    /// Issues and checks tokens.
    pub authority: Arc<Authority>,
    /// The operator's settings.
    pub settings: Settings,
    /// Canceled when streams must end.
    pub closing: CancellationToken,
    metrics: Arc<Metrics>,
    clock: Clock,
    watches: watches::Watches,
    self_plays: self_play::Places,
}

impl House {
    /// A house without games.
    #[must_use]
    pub fn new(
        store: Arc<dyn GameStore>,
        authority: Arc<Authority>,
        settings: Settings,
        closing: CancellationToken,
        metrics: Arc<Metrics>,
    ) -> Arc<Self> {
        let watches = watches::Watches::new(&settings);
        let self_plays = self_play::Places::new(&settings);
        Arc::new(Self {
            store,
            authority,
            settings,
            closing,
            metrics,
            clock: Clock::default(),
            watches,
            self_plays,
        })
    }
}

impl House {
    /// The problem that a caller sees for a game that cannot be read. A foreign game looks like a missing one.
    async fn told_to(&self, caller: &Caller, id: GameId, problem: Problem) -> Problem {
        if !problem.is_of_record() {
            return problem;
        }
        let knows = match caller {
            Caller::Open | Caller::Operator => true,
            Caller::Seat { game, .. } | Caller::Spectator { game, .. } => *game == id,
            Caller::Tenant(tenant) => self.owner(id).await.as_ref() == Some(tenant),
        };
        if knows {
            problem
        } else {
            Problem::no_such_game(id)
        }
    }

    /// The owner of a game, if its first entry can be read.
    async fn owner(&self, id: GameId) -> Option<String> {
        let entries = self.store.log(id, 0, 1).await.ok()??;
        let head = record::open_birth_head(&entries.first()?.bytes).ok()?;
        Some(head.tenant)
    }
}

/// A stream of answers that may end with a problem.
pub type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Problem>> + Send>>;

/// The games of one ruleset.
pub struct Games<W: Wire> {
    house: Arc<House>,
    cache: Cache<GameId, Arc<Slot<W>>>,
    feeds: Arc<feed::Feeds<W>>,
    metrics: RulesetMetrics,
    /// Parsed when a rule is first requested.
    rulebook: OnceLock<Rulebook>,
    /// The options that creators may choose, read from the contract once.
    options: Vec<pb::OptionInfo>,
}

/// A slot of the cache; `None`: the game is not loaded yet. Locked while a call works on the game, so that
/// calls of one process do not race each other to the store.
type Slot<W> = Mutex<Option<Game<W>>>;

impl<W: Wire> Games<W> {
    /// The games of this ruleset in a house.
    #[must_use]
    pub fn new(house: Arc<House>) -> Self {
        let cache = Cache::new(house.settings.cached_games.max(1));
        let metrics = house.metrics.of_ruleset(W::SHEET.id);
        Self {
            house,
            cache,
            feeds: Arc::default(),
            metrics,
            rulebook: OnceLock::new(),
            options: option_infos::<W>(),
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
