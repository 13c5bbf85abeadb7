//! **Timers** of a game: what the service does by itself once it is due. It is validated and stored like a call, so it
//! happens once, whichever process does it.

mod bot_turn;

use gamekeeper_rules::table::{Seat, TextContext, Viewer};
use gamekeeper_rules::table_life::{self, TableEvent, TableLife, TableRefusal};
use gamekeeper_store::Version;
use gamekeeper_store::metering;
use gamekeeper_telemetry::LeftBot;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::aggregate::due::BotTask;
use crate::aggregate::game::{EntryOf, Game};
use crate::aggregate::idempotency::IdempotencyKey;
use crate::authz::Caller;
use crate::commit::append::PreparedEntry;
use crate::commit::mutation::{AppendCommand, Mutation, NewCommand};
use crate::context::unattended::UnattendedWork;
use crate::errors::ServiceError;
use crate::log::{EntryKind, RequestFingerprint, TableEntry};
use crate::metadata::Bot;
use crate::rendering::projection::Projection;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;

/// The next thing that is due in a game.
pub enum DueWork {
    /// Nothing is due, or no longer.
    Nothing,
    /// An outage must be credited to the clocks of the game.
    CreditOutage,
    /// A seat has run out of time.
    TimeOut,
    /// A bot must act.
    BotTask(BotTask),
}

/// An entry that the service appends by itself.
enum SystemCommand<W: Wire> {
    /// The decision of a seat that has run out of time is ended.
    TimeOut,
    /// The action that a bot chose at this version is played.
    PlayBotAction(Version, Seat, W::Action),
}

impl<W: Wire> GameService<W> {
    /// Returns what is due in a game now.
    ///
    /// # Errors
    /// If the game cannot be read, or the store fails.
    pub async fn due_work(&self, caller: &Caller, id: Uuid) -> Result<DueWork, ServiceError> {
        let game = self.lock_current(caller, id).await?;
        // Bots and clocks rest in a full game, which waits for its owner to end it.
        if game.ensure_not_full().is_err() {
            return Ok(DueWork::Nothing);
        }
        if self.outage_credit(&game).is_some() {
            return Ok(DueWork::CreditOutage);
        }
        let at_ms = game.next_stamp(self.next_time_ms(&game)).at_ms;
        let table_life = game.table_life.as_deref();
        let is_overdue =
            table_life.is_some_and(|life| !life.overdue_seats(&game.pending(), at_ms).is_empty());
        Ok(match game.next_bot_task(|bot| self.can_decide(bot)) {
            _ if is_overdue => DueWork::TimeOut,
            Some(task) => DueWork::BotTask(task),
            None => DueWork::Nothing,
        })
    }

    /// Credits a game with the time of outages.
    ///
    /// # Errors
    /// If the game cannot be read, or the store fails.
    pub async fn credit_outages(&self, caller: &Caller, id: Uuid) -> Result<(), ServiceError> {
        self.mutate(caller, id, &CreditOutages).await
    }

    /// Ends the decision of a seat that has run out of time.
    ///
    /// # Errors
    /// If no seat has run out of time, the game cannot be read, or the store fails.
    pub async fn time_out_overdue(&self, caller: &Caller, id: Uuid) -> Result<(), ServiceError> {
        self.mutate(caller, id, &AppendCommand(&SystemCommand::TimeOut))
            .await
    }

    /// Lets a bot decide for its seat. The bot searches in sampled worlds (determinization), never in the true state, or
    /// asks its network what to do with what the seat knows; on a thread of its own, whose processor time the owner
    /// pays. Does nothing if this process lacks the bot's policy.
    ///
    /// # Errors
    /// If an operator has blocked the owner, the game has moved on or cannot be read, the network fails, or the store fails.
    pub async fn play_bot_turn(
        &self,
        caller: &Caller,
        id: Uuid,
        (seat, bot): (Seat, Bot),
    ) -> Result<(), ServiceError> {
        let context = &self.context;
        let mut permit = context
            .begin_unattended(caller, id, UnattendedWork::BotThinking)
            .await?;
        let Some(turn) = self.bot_turn(caller, id, (seat, &bot)).await? else {
            return Ok(());
        };
        let (expected, closing) = (turn.version, context.shutdown.clone());
        let thinking = metering::blocking(move || turn.choose(&closing));
        let thought = thinking.await;
        let (action, time) = thought.map_err(|error| ServiceError::Fault(error.to_string()))?;
        let time = time.take();
        context.charge_thinking(caller, time);
        permit.record(time);
        drop(permit);
        let action = action.inspect_err(|_| self.leave_move(&bot, LeftBot::Failed))?;
        let action = action.ok_or(ServiceError::RefusedByTable(
            TableRefusal::NoPendingDecision(seat),
        ))?;
        let command = SystemCommand::PlayBotAction(expected, seat, action);
        self.mutate(caller, id, &AppendCommand(&command)).await
    }
}

/// The change that credits a game with the time of outages.
struct CreditOutages;

impl<W: Wire> Mutation<W> for CreditOutages {
    type Response = ();

    async fn attempt(
        &self,
        service: &GameService<W>,
        _caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<()>, ServiceError> {
        let Some(credit) = service.outage_credit(game) else {
            return Ok(Some(()));
        };
        service.credit_outage(game, credit).await?;
        Ok(None)
    }
}

impl<W: Wire> SystemCommand<W> {
    /// Ends the decision of the first seat that has run out of time.
    fn prepare_timeout(
        service: &GameService<W>,
        game: &Game<W>,
        fingerprint: RequestFingerprint,
    ) -> Result<Box<PreparedEntry<W>>, ServiceError> {
        let time_ms = service.next_time_ms(game);
        let stamp = game.next_stamp(time_ms);
        let table_life: Option<&TableLife> = game.table_life.as_deref();
        let overdue = table_life.map(|life| life.overdue_seats(&game.pending(), stamp.at_ms));
        let seat = overdue.and_then(|overdue| overdue.iter().next());
        let seat = seat.ok_or(ServiceError::RefusedByTable(TableRefusal::NoClock))?;
        let event = TableEvent::TimedOut {
            seat,
            claimed_by: None,
        };
        let new_state = table_life::apply_table_event(game.table(), &event, None, stamp)
            .map_err(ServiceError::RefusedByTable)?;
        let undo_state = Vec::new();
        let kind = EntryKind::Table(TableEntry { event, undo_state });
        Ok(PreparedEntry::new(
            game,
            kind,
            new_state,
            fingerprint,
            time_ms,
        ))
    }
}

/// Returns a fingerprint without a request id. Entries by timers need no idempotency key, since no client retries them.
fn no_idempotency_key() -> RequestFingerprint {
    RequestFingerprint::new("", &[])
}

impl<W: Wire> NewCommand<W> for SystemCommand<W> {
    type Response = ();

    fn idempotency_key(&self, _caller: &Caller, _game: &Game<W>) -> IdempotencyKey {
        let fingerprint = no_idempotency_key();
        IdempotencyKey {
            actor: None,
            fingerprint,
        }
    }

    fn show(&self) -> Projection {
        Projection::public_only(Viewer::Spectator)
    }

    fn expected_version(&self) -> Version {
        match self {
            Self::TimeOut => 0,
            Self::PlayBotAction(expected_version, ..) => *expected_version,
        }
    }

    fn authorize(&self, _caller: &Caller, _game: &Game<W>) -> Result<(), ServiceError> {
        Ok(())
    }

    async fn prepare(
        &self,
        service: &GameService<W>,
        _caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<Box<PreparedEntry<W>>>, ServiceError> {
        let prepared = match self {
            Self::TimeOut => Self::prepare_timeout(service, game, no_idempotency_key()),
            // The bot may have been replaced while it was thinking.
            Self::PlayBotAction(_, seat, _) if game.metadata.bot(*seat).is_none() => Err(
                ServiceError::RefusedByTable(TableRefusal::NoPendingDecision(*seat)),
            ),
            Self::PlayBotAction(_, seat, action) => {
                service.prepare_action(game, (*seat, action), no_idempotency_key())
            }
        };
        prepared.map(Some)
    }

    fn response(
        &self,
        _caller: &Caller,
        _game: &Game<W>,
        _entry: Option<(&EntryOf<W>, TextContext)>,
    ) -> Result<(), ServiceError> {
        Ok(())
    }
}
