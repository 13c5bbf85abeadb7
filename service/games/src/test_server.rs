//! A **test fixture**: a process with the games of one ruleset over a store, and a clock that the test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gamekeeper_policies::PolicyLibrary;
use gamekeeper_proto::gamekeeper::v1::{self as pb, GetGameRequest, ListLegalActionsRequest};
use gamekeeper_proto::raw::{self, ApplyActionRequest, CreateGameRequest};
use gamekeeper_rules::table_life::TableRefusal;
use gamekeeper_store::{GameStore, MemoryStore};
use gamekeeper_telemetry::{MeasuredStore, Metrics};
use gamekeeper_wire::Wire;
use opentelemetry::metrics::MeterProvider;
use opentelemetry::metrics::noop::NoopMeterProvider;
use pb::TableOptions;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::aggregate::game_limits::GameLimits;
use crate::authz::{Caller, NoTokens};
use crate::context::app_context::AppContext;
use crate::context::outages::Outages;
use crate::context::settings::Settings;
use crate::errors::ServiceError;
use crate::handlers::table_commands::TableRequest;
use crate::service::game_service::GameService;
use crate::timing::clock::Clock;

/// The time at which the games of these tests are created, in milliseconds since the Unix epoch.
pub(crate) const START_MS: u64 = 1_700_000_000_000;

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
        slow_consumer_timeout: Duration::from_secs(30),
        max_games_per_tenant: None,
        max_bytes_per_tenant: None,
        game_limits: GameLimits::default(),
        max_watch_age: None,
        rate: None,
        max_watches: 10_000,
        plan_timeout: Duration::from_secs(5),
        max_self_plays: 16,
        max_thinking_bots: 2,
        max_painting: 1,
        max_self_play_games: 1_024,
        policies: PolicyLibrary::default(),
    }
}

/// A process with a clock of its own.
pub(crate) struct TestServer<W: Wire> {
    pub(crate) games: GameService<W>,
    clock: Arc<AtomicU64>,
}

/// Creates a store that several processes can share.
pub(crate) fn store() -> Arc<dyn GameStore> {
    Arc::new(MemoryStore::new())
}

/// Creates the context of games, with the default settings of a server without authentication.
pub(crate) fn shared(store: Arc<dyn GameStore>) -> Arc<AppContext> {
    let metrics = Metrics::new(NoopMeterProvider::new().meter("test"));
    AppContext::new(
        Arc::new(MeasuredStore::new(store, metrics.of_store("memory"))),
        Arc::new(NoTokens),
        settings(),
        CancellationToken::new(),
        metrics,
    )
}

impl<W: Wire> TestServer<W> {
    pub(crate) fn new(store: &Arc<dyn GameStore>) -> Self {
        let mut shared = shared(Arc::clone(store));
        let clock = Arc::new(AtomicU64::new(START_MS));
        Arc::get_mut(&mut shared).unwrap().clock = Clock::Manual(Arc::clone(&clock));
        let games = GameService::new(shared);
        Self { games, clock }
    }

    /// Creates a process like [`TestServer::new`], with these limits of one game.
    pub(crate) fn with_game_limits(store: &Arc<dyn GameStore>, limits: GameLimits) -> Self {
        let mut shared = shared(Arc::clone(store));
        let clock = Arc::new(AtomicU64::new(START_MS));
        let context = Arc::get_mut(&mut shared).unwrap();
        context.clock = Clock::Manual(Arc::clone(&clock));
        context.settings.game_limits = limits;
        let games = GameService::new(shared);
        Self { games, clock }
    }

    /// Creates a process like [`TestServer::new`], for which a gap of more than a minute between heartbeats is an
    /// outage.
    pub(crate) fn with_outages(store: &Arc<dyn GameStore>) -> Self {
        let mut shared = shared(Arc::clone(store));
        let clock = Arc::new(AtomicU64::new(START_MS));
        let context = Arc::get_mut(&mut shared).unwrap();
        context.clock = Clock::Manual(Arc::clone(&clock));
        context.outages = Outages::new(Arc::clone(store), Some(Duration::from_mins(1)));
        let games = GameService::new(shared);
        Self { games, clock }
    }

    /// Sets the clock to this many milliseconds after `START_MS`.
    pub(crate) fn set_clock(&self, ms: u64) -> &Self {
        self.clock.store(START_MS + ms, Ordering::Relaxed);
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
        let created = self
            .games
            .create_game(&Caller::UNAUTHENTICATED, call)
            .await
            .unwrap();
        created.table.unwrap().game.unwrap()
    }

    /// Creates a game of these users as this caller. Each player is named like the user's id.
    pub(crate) async fn create_with_users(&self, caller: &Caller, users: &[&str]) -> pb::GameInfo {
        let player = |user: &&str| pb::Player {
            name: (*user).to_owned(),
            user: (*user).to_owned(),
            ..Default::default()
        };
        let call = CreateGameRequest {
            players: users.iter().map(player).collect(),
            ..Default::default()
        };
        let created = self.games.create_game(caller, call).await.unwrap();
        created.table.unwrap().game.unwrap()
    }

    pub(crate) async fn change_table(
        &self,
        game: &pb::GameInfo,
        request: TableRequest,
    ) -> Result<pb::GameInfo, ServiceError> {
        self.change_table_with_id(game, request, "").await
    }

    pub(crate) async fn change_table_with_id(
        &self,
        game: &pb::GameInfo,
        request: TableRequest,
        id: &str,
    ) -> Result<pb::GameInfo, ServiceError> {
        let game = Uuid::try_parse(&game.game_id).unwrap();
        self.games
            .apply_table_command(&Caller::UNAUTHENTICATED, game, request, id)
            .await
    }

    pub(crate) async fn change_table_refused(
        &self,
        game: &pb::GameInfo,
        request: TableRequest,
    ) -> TableRefusal {
        match self.change_table(game, request).await {
            Err(ServiceError::RefusedByTable(refusal)) => refusal,
            Err(problem) => panic!("{problem}"),
            Ok(game) => panic!("{game:?}"),
        }
    }

    /// Builds the request that plays the first legal action of the first seat with a pending decision.
    pub(crate) async fn first_legal_call(&self, game: &pb::GameInfo) -> ApplyActionRequest {
        let (game_id, seat) = (game.game_id.clone(), game.pending[0].seat);
        let call = ListLegalActionsRequest {
            game_id: game_id.clone(),
            seat,
            page_size: 1,
            ..Default::default()
        };
        let page = self
            .games
            .list_legal_actions(&Caller::UNAUTHENTICATED, call)
            .await
            .unwrap();
        ApplyActionRequest {
            game_id,
            seat,
            action: page
                .actions
                .into_iter()
                .next()
                .and_then(|legal| legal.action),
            ..Default::default()
        }
    }

    /// Plays the first legal action of the first seat with a pending decision.
    pub(crate) async fn play_first_legal(&self, game: &pb::GameInfo) -> pb::GameInfo {
        let call = self.first_legal_call(game).await;
        let response = self
            .games
            .apply_action(&Caller::UNAUTHENTICATED, Box::new(call))
            .await
            .unwrap();
        response.table.unwrap().game.unwrap()
    }

    pub(crate) async fn info(&self, game: &pb::GameInfo) -> pb::GameInfo {
        let id = Uuid::try_parse(&game.game_id).unwrap();
        self.games.info(&Caller::UNAUTHENTICATED, id).await.unwrap()
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
        let response = self
            .games
            .get_game(&Caller::UNAUTHENTICATED, call)
            .await
            .unwrap();
        response.table.unwrap().view
    }
}
