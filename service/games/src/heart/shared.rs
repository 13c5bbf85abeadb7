//! What the games of all rulesets share in one process.

use std::sync::Arc;

use gamekeeper_store::{GameId, GameStore};
use gamekeeper_telemetry::Metrics;
use quick_cache::sync::Cache;
use tokio_util::sync::CancellationToken;

use crate::heart::access::{Caller, Role, SeatTokens};
use crate::heart::clock::Clock;
use crate::heart::due::DueNow;
use crate::heart::limits::{SelfPlayLimits, WatchLimits};
use crate::heart::problem::Problem;
use crate::heart::record::open_birth_head;
use crate::heart::settings::Settings;
use crate::heart::turns::Turns;

/// The ruleset of a game takes so little room that it is kept for more games than are cached themselves.
const RULESETS_PER_GAME: usize = 8;

/// What the games of all rulesets share in one process.
pub struct Shared {
    /// Where games are kept.
    pub store: Arc<dyn GameStore>,
    /// Makes the tokens of seats.
    pub tokens: Arc<dyn SeatTokens>,
    /// The operator's settings.
    pub settings: Settings,
    /// Canceled when streams must end.
    pub closing: CancellationToken,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    pub(crate) watches: WatchLimits,
    pub(crate) self_plays: SelfPlayLimits,
    /// What is due at once in games of this process.
    pub(crate) due_now: DueNow,
    /// Bots that think, and those that wait for it.
    pub(crate) turns: Arc<Turns>,
    /// The rulesets of games that this process has met. An id keeps its ruleset as long as the game lives; one that is
    /// used again after the game was deleted is found out when the game is read.
    pub(crate) rulesets: Cache<GameId, &'static str>,
}

impl Shared {
    /// Puts together what games need.
    #[must_use]
    pub fn new(
        store: Arc<dyn GameStore>,
        tokens: Arc<dyn SeatTokens>,
        settings: Settings,
        closing: CancellationToken,
        metrics: Arc<Metrics>,
    ) -> Arc<Self> {
        let watches = WatchLimits::new(&settings);
        let self_plays = SelfPlayLimits::new(&settings);
        let turns = Turns::new(settings.max_thinking_bots);
        let rulesets = Cache::new(
            settings
                .cached_games
                .max(1)
                .saturating_mul(RULESETS_PER_GAME),
        );
        Arc::new(Self {
            store,
            tokens,
            settings,
            closing,
            metrics,
            clock: Clock::default(),
            watches,
            self_plays,
            due_now: DueNow::new(),
            turns,
            rulesets,
        })
    }

    /// The problem that a caller sees for a game that cannot be read. A foreign game looks like a missing one.
    pub(crate) async fn problem_for(
        &self,
        caller: &Caller,
        id: GameId,
        problem: Problem,
    ) -> Problem {
        if !problem.is_of_record() {
            return problem;
        }
        let knows = match &caller.role {
            Role::Open | Role::Operator => true,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game == id,
            Role::Tenant(tenant) => self.owner(id).await.as_ref() == Some(tenant),
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
        let head = open_birth_head(&entries.first()?.bytes).ok()?;
        Some(head.tenant)
    }
}
