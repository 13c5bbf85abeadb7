//! **Optimistic concurrency**: every change of a game is first tried on the cached game, and again after a refresh if
//! the game turns out to have moved on. The store decides, so nothing is refused on the basis of a game that may be
//! stale, and nothing is shown before it is stored.

use gamekeeper_rules::table::TextContext;
use gamekeeper_rules::table_life::{self, TableEvent, TableLife};
use gamekeeper_store::{GameId, Version};
use gamekeeper_telemetry::{child_span, traced};
use gamekeeper_wire::Wire;

use crate::aggregate::game::{EntryOf, Game};
use crate::aggregate::idempotency::{DedupResult, IdempotencyKey};
use crate::authz::{Account, Caller};
use crate::commit::append::PreparedEntry;
use crate::context::outages::OutageCredit;
use crate::errors::ServiceError;
use crate::log::{EntryKind, RequestFingerprint, TableEntry};
use crate::rendering::projection::Projection;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;
use crate::service::target_context::TargetContext;

/// The maximum number of attempts when concurrent writers keep winning.
const MAX_ATTEMPTS: usize = 16;

/// A decoded request that changes a game.
pub(crate) trait Mutation<W: Wire>: Sync {
    /// The response of the call.
    type Response: Send;

    /// Tries once, on the cached game. Returns `None` if the game had moved on and was refreshed.
    fn attempt(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> impl Future<Output = Result<Option<Self::Response>, ServiceError>> + Send;
}

/// A change that appends an entry to the log: an action, or something outside the rules. It is idempotent: requests
/// of one seat, or of the owner, with the same id and body are carried out once and get the same response.
pub(crate) trait NewCommand<W: Wire>: Sync {
    /// The response of the call.
    type Response: Send;

    /// Returns the key by which the request is recognized when this caller repeats it.
    fn idempotency_key(&self, caller: &Caller, game: &Game<W>) -> IdempotencyKey;

    /// Returns the parts of the game that the response shows.
    fn show(&self) -> Projection;

    /// Returns the version that the request expects to act on. Returns 0 if it acts on the newest version, whichever
    /// that is.
    fn expected_version(&self) -> Version {
        0
    }

    /// Returns whether the request is only to be validated (a dry run).
    fn validate_only(&self) -> bool {
        false
    }

    /// Returns whether the change may still be made when the log of the game has reached a limit: its owner ends it.
    fn may_exceed_limits(&self, _caller: &Caller, _game: &Game<W>) -> bool {
        false
    }

    /// Checks that the caller may make this change.
    fn authorize(&self, caller: &Caller, game: &Game<W>) -> Result<(), ServiceError>;

    /// Validates the request and applies it to a copy of the game. Returns `None` if the game had moved on and was
    /// refreshed.
    fn prepare(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> impl Future<Output = Result<Option<Box<PreparedEntry<W>>>, ServiceError>> + Send;

    /// Builds the response from the game after the entry. `entry` holds the entry and the scene before it, and is
    /// `None` if the request was only validated.
    fn response(
        &self,
        caller: &Caller,
        game: &Game<W>,
        entry: Option<(&EntryOf<W>, TextContext)>,
    ) -> Result<Self::Response, ServiceError>;
}

/// The verdict on a request that was not refused.
enum CommandOutcome<W: Wire> {
    Prepared(Box<PreparedEntry<W>>),
    Duplicate(Version),
    Refreshed,
}

impl<W: Wire> GameService<W> {
    /// Carries out a change of a game.
    ///
    /// # Errors
    /// If the change is refused on the newest version, concurrent writers keep winning, or the store fails.
    pub(crate) async fn mutate<C: Mutation<W>>(
        &self,
        caller: &Caller,
        id: GameId,
        mutation: &C,
    ) -> Result<C::Response, ServiceError> {
        let mut game = self.lock_cached(caller, id).await?;
        for _ in 0..MAX_ATTEMPTS {
            match mutation.attempt(self, caller, &mut game).await {
                Ok(Some(response)) => return Ok(response),
                Ok(None) => {}
                // The cached game may be stale, so refuse only on the basis of the newest version.
                Err(problem) if may_be_stale(&problem) && self.refresh(&mut game).await? => {}
                Err(problem) => {
                    if matches!(problem, ServiceError::Store(_) | ServiceError::Damaged(_)) {
                        self.evict(id);
                    }
                    return Err(problem);
                }
            }
        }
        Err(ServiceError::TooManyConflicts)
    }

    async fn decide<E: NewCommand<W>>(
        &self,
        caller: &Caller,
        game: &mut LockedGame<W>,
        command: &E,
    ) -> Result<CommandOutcome<W>, ServiceError> {
        command.authorize(caller, game)?;
        let key = command.idempotency_key(caller, game);
        match self
            .find_duplicate(game, key, command.expected_version())
            .await?
        {
            DedupResult::Duplicate(version) => return Ok(CommandOutcome::Duplicate(version)),
            DedupResult::IdReused => return Err(ServiceError::RequestIdReused),
            DedupResult::Unknown => {}
        }
        let (expected, current) = (command.expected_version(), game.version);
        if expected != 0 && expected != current {
            return Err(ServiceError::StaleVersion { expected, current });
        }
        if !command.may_exceed_limits(caller, game) {
            game.ensure_not_full()?;
        }
        let prepared = command.prepare(self, caller, game).await?;
        Ok(prepared.map_or(CommandOutcome::Refreshed, CommandOutcome::Prepared))
    }

    /// Repeats the response to a request that was played as this version.
    async fn repeat_response<E: NewCommand<W>>(
        &self,
        caller: &Caller,
        game: &mut LockedGame<W>,
        command: &E,
        version: Version,
    ) -> Result<Option<E::Response>, ServiceError> {
        // The token must be valid now, and the log must still have that version.
        if self.refresh(game).await? {
            return Ok(None);
        }
        let key = command.idempotency_key(caller, game);
        let duplicate = self.replay_duplicate(game, key, version);
        let duplicate = duplicate.await?;
        let Some((replayed, entry)) = duplicate else {
            return Ok(None);
        };
        let target = command
            .show()
            .wants_text()
            .then(|| TargetContext::of_game(&replayed))
            .flatten();
        let scene = self.rebuild_scene(replayed.id, version - 1, target).await?;
        command
            .response(caller, &replayed, Some((&entry, scene)))
            .map(Some)
    }
}

impl<W: Wire> GameService<W> {
    /// Returns whether any clocks of a game are running.
    fn clocks_running(&self, game: &Game<W>) -> bool {
        let clock = game.table_life.as_deref().and_then(TableLife::clock);
        clock.is_some_and(|clock| !clock.is_paused()) && !game.is_over()
    }

    fn outages_are_fresh(&self) -> bool {
        let context = &self.context;
        context.outages.is_fresh(context.clock.now_ms())
    }

    /// Returns the time that a game must be credited for outages and blocks. Returns `None` if there is none, or its clocks are
    /// not running.
    pub(crate) fn outage_credit(&self, game: &Game<W>) -> Option<OutageCredit> {
        if !self.clocks_running(game) {
            return None;
        }
        let context = &self.context;
        let since_ms = game.time_ms.max(game.genesis.created_ms());
        let first_game = game.root_game().unwrap_or(game.id);
        let account = Account::of_game(&game.genesis.tenant, first_game);
        let blocks = &context.shared_blocks;
        let lost = blocks.lost_since(account, since_ms, context.clock.now_ms());
        context.outages.credit_since(since_ms, &lost)
    }

    /// Credits a game with the time of outages, by an entry of its own. The time of that entry marks the credit as
    /// made. If another process comes first, the game is refreshed.
    pub(crate) async fn credit_outage(
        &self,
        game: &mut LockedGame<W>,
        credit: OutageCredit,
    ) -> Result<(), ServiceError> {
        let seats = game
            .pending()
            .iter()
            .map(|decision| decision.seat)
            .collect();
        let event = TableEvent::OutagePassed {
            seats,
            ms: credit.ms,
        };
        let time_ms = self.next_time_ms(game).max(credit.until_ms);
        let new_state =
            table_life::apply_table_event(game.table(), &event, None, game.next_stamp(time_ms));
        let new_state = new_state.map_err(ServiceError::RefusedByTable)?;
        let undo_state = Vec::new();
        let kind = EntryKind::Table(TableEntry { event, undo_state });
        let prepared = PreparedEntry::new(
            game,
            kind,
            new_state,
            RequestFingerprint::new("", &[]),
            time_ms,
        );
        self.append(game, prepared).await.map(drop)
    }
}

/// A change that appends a new entry.
pub(crate) struct AppendCommand<'a, E>(pub(crate) &'a E);

impl<W: Wire, E: NewCommand<W>> Mutation<W> for AppendCommand<'_, E> {
    type Response = E::Response;

    async fn attempt(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<E::Response>, ServiceError> {
        if !self.0.validate_only() && service.clocks_running(game) && !service.outages_are_fresh() {
            Box::pin(
                service
                    .context
                    .outages
                    .heartbeat(service.context.clock.now_ms()),
            )
            .await?;
        }
        if let Some(credit) = service
            .outage_credit(game)
            .filter(|_| !self.0.validate_only() && game.ensure_not_full().is_ok())
        {
            Box::pin(service.credit_outage(game, credit)).await?;
            return Ok(None);
        }
        let deciding = service.decide(caller, game, self.0);
        match traced(child_span!("judge"), deciding).await? {
            CommandOutcome::Refreshed => Ok(None),
            CommandOutcome::Prepared(prepared) if self.0.validate_only() => {
                drop(prepared);
                // The verdict must hold for the newest version.
                if service.refresh(game).await? {
                    return Ok(None);
                }
                self.0.response(caller, game, None).map(Some)
            }
            CommandOutcome::Prepared(prepared) => {
                // Only sentences need the scene before the entry.
                let show = self.0.show();
                let scene = show.wants_text().then(|| Box::new(show.scene(game)));
                let Some(entry) = service.append(game, prepared).await? else {
                    return Ok(None);
                };
                let scene = scene.map_or_else(TextContext::default, |scene| *scene);
                self.0
                    .response(caller, game, Some((&entry, scene)))
                    .map(Some)
            }
            CommandOutcome::Duplicate(version) => {
                // Boxed: repeated requests are rare, and must not enlarge the future of every call.
                Box::pin(service.repeat_response(caller, game, self.0, version)).await
            }
        }
    }
}

/// Returns whether the call could succeed, or fail differently, if the cached game was stale.
fn may_be_stale(problem: &ServiceError) -> bool {
    matches!(
        problem,
        ServiceError::RefusedByRules(_)
            | ServiceError::RefusedByTable(_)
            | ServiceError::StaleVersion { .. }
            | ServiceError::InvalidToken(_)
            | ServiceError::TokenReplaced(_)
            | ServiceError::GameNotOver
            | ServiceError::GameFull { .. }
            | ServiceError::PermissionDenied(_)
            | ServiceError::RequestIdReused
            // The user may have been given a seat.
            | ServiceError::NoSuchGame { .. }
    )
}
