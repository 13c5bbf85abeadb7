//! A **test fixture**: a process with the games of one ruleset over a store, and a clock that the test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{self as pb, GetGameRequest, ListLegalActionsRequest};
use gamekeeper_proto::raw::{self, ApplyActionRequest, CreateGameRequest};
use gamekeeper_rules::life::No;
use gamekeeper_store::{GameStore, MemoryStore};
use gamekeeper_telemetry::Metrics;
use gamekeeper_wire::Wire;
use opentelemetry::metrics::MeterProvider;
use opentelemetry::metrics::noop::NoopMeterProvider;
use pb::TableOptions;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::heart::access::{Caller, NoTokens};
use crate::heart::clock::Clock;
use crate::heart::games::Games;
use crate::heart::outages::Outages;
use crate::heart::problem::Problem;
use crate::heart::settings::Settings;
use crate::heart::shared::Shared;
use crate::verbs::table_life::TableRequest;

/// The time at which the games of these tests are created, in milliseconds since the Unix epoch.
pub(crate) const BEGUN: u64 = 1_700_000_000_000;

/// Returns the default settings of a server without authentication.
fn settings() -> Settings {
    Settings {
        snapshot_every: 16,
        cached_games: 10_000,
        allow_seeds: true,
        serve_examples: true,
        seat_token_lifetime: None,
        outage_after: None,
        bookmark_every: Duration::from_secs(15),
        watch_patience: Duration::from_secs(30),
        max_games_per_tenant: None,
        watch_age: None,
        rate: None,
        max_watches: 10_000,
        plan_timeout: Duration::from_secs(5),
        max_self_plays: 16,
        max_thinking_bots: 2,
        max_self_play_games: 1_024,
    }
}

/// A process with a clock of its own.
pub(crate) struct Process<W: Wire> {
    pub(crate) games: Games<W>,
    clock: Arc<AtomicU64>,
}

/// Creates a store that several processes can share.
pub(crate) fn store() -> Arc<dyn GameStore> {
    Arc::new(MemoryStore::new())
}

/// Creates the context of games, with the default settings of a server without authentication.
pub(crate) fn shared(store: Arc<dyn GameStore>) -> Arc<Shared> {
    let meters = NoopMeterProvider::new();
    Shared::new(
        store,
        Arc::new(NoTokens),
        settings(),
        CancellationToken::new(),
        Metrics::new(meters.meter("test")),
    )
}

impl<W: Wire> Process<W> {
    pub(crate) fn over(store: &Arc<dyn GameStore>) -> Self {
        let mut shared = shared(Arc::clone(store));
        let clock = Arc::new(AtomicU64::new(BEGUN));
        Arc::get_mut(&mut shared).unwrap().clock = Clock::Set(Arc::clone(&clock));
        let games = Games::new(shared);
        Self { games, clock }
    }

    /// Creates a process like [`Process::over`], for which a gap of more than a minute between heartbeats is an outage.
    pub(crate) fn minding_outages(store: &Arc<dyn GameStore>) -> Self {
        let mut shared = shared(Arc::clone(store));
        let clock = Arc::new(AtomicU64::new(BEGUN));
        let own = Arc::get_mut(&mut shared).unwrap();
        own.clock = Clock::Set(Arc::clone(&clock));
        own.outages = Outages::new(Arc::clone(store), Some(Duration::from_mins(1)));
        let games = Games::new(shared);
        Self { games, clock }
    }

    /// Sets the clock to this many milliseconds after `BEGUN`.
    pub(crate) fn at(&self, ms: u64) -> &Self {
        self.clock.store(BEGUN + ms, Ordering::Relaxed);
        self
    }

    pub(crate) async fn create(&self, players: usize, table: TableOptions) -> pb::GameInfo {
        let player = |name: &&str| pb::Player {
            name: (*name).to_owned(),
            ..Default::default()
        };
        let call = CreateGameRequest {
            players: ["Ada", "Bob", "Cyd"][..players]
                .iter()
                .map(player)
                .collect(),
            table: Some(table),
            ..Default::default()
        };
        let created = self.games.create(&Caller::OPEN, call).await.unwrap();
        created.table.unwrap().game.unwrap()
    }

    /// Creates a game of these users as this caller. Each player is named like the user's id.
    pub(crate) async fn create_of(&self, caller: &Caller, users: &[&str]) -> pb::GameInfo {
        let player = |user: &&str| pb::Player {
            name: (*user).to_owned(),
            user: (*user).to_owned(),
            ..Default::default()
        };
        let call = CreateGameRequest {
            players: users.iter().map(player).collect(),
            ..Default::default()
        };
        let created = self.games.create(caller, call).await.unwrap();
        created.table.unwrap().game.unwrap()
    }

    pub(crate) async fn ask(
        &self,
        game: &pb::GameInfo,
        ask: TableRequest,
    ) -> Result<pb::GameInfo, Problem> {
        self.named(game, ask, "").await
    }

    pub(crate) async fn named(
        &self,
        game: &pb::GameInfo,
        ask: TableRequest,
        id: &str,
    ) -> Result<pb::GameInfo, Problem> {
        let game = Uuid::try_parse(&game.game_id).unwrap();
        self.games.change_table(&Caller::OPEN, game, ask, id).await
    }

    pub(crate) async fn refused(&self, game: &pb::GameInfo, ask: TableRequest) -> No {
        match self.ask(game, ask).await {
            Err(Problem::Table(no)) => no,
            Err(problem) => panic!("{problem}"),
            Ok(game) => panic!("{game:?}"),
        }
    }

    /// Plays the first legal action of the first seat with a pending decision.
    pub(crate) async fn act(&self, game: &pb::GameInfo) -> pb::GameInfo {
        let (game_id, seat) = (game.game_id.clone(), game.pending[0].seat);
        let call = ListLegalActionsRequest {
            game_id: game_id.clone(),
            seat,
            page_size: 1,
            ..Default::default()
        };
        let legal = self.games.legal(&Caller::OPEN, call).await.unwrap();
        let call = ApplyActionRequest {
            game_id,
            seat,
            action: legal
                .actions
                .into_iter()
                .next()
                .and_then(|legal| legal.action),
            ..Default::default()
        };
        let applied = self
            .games
            .apply(&Caller::OPEN, Box::new(call))
            .await
            .unwrap();
        applied.table.unwrap().game.unwrap()
    }

    pub(crate) async fn info(&self, game: &pb::GameInfo) -> pb::GameInfo {
        let id = Uuid::try_parse(&game.game_id).unwrap();
        self.games.info(&Caller::OPEN, id).await.unwrap()
    }

    pub(crate) async fn view(&self, game: &pb::GameInfo) -> Option<raw::View> {
        let call = GetGameRequest {
            game_id: game.game_id.clone(),
            show: Some(pb::Show {
                view: true,
                ..Default::default()
            }),
            ..Default::default()
        };
        let seen = self.games.look(&Caller::OPEN, call).await.unwrap();
        seen.table.unwrap().view
    }
}
