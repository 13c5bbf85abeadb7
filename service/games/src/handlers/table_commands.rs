//! **Table life**: what happens at a table outside the rules (resignations, clocks, pauses, take-backs) is validated,
//! stored and answered like actions.

mod event;
mod request;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{Seat, TextContext, Viewer, encode};
use gamekeeper_rules::table_life::{self, Proposal, TableEvent, TableLife};
use gamekeeper_wire::Wire;
pub use request::TableRequest;
use uuid::Uuid;

use self::event::ensure_can_be_filled;
use self::request::TableCommand;
use crate::aggregate::game::{EntryOf, Game};
use crate::aggregate::idempotency::IdempotencyKey;
use crate::authz::{Caller, Permission};
use crate::commit::append::PreparedEntry;
use crate::commit::mutation::{AppendCommand, NewCommand};
use crate::errors::ServiceError;
use crate::log::{EntryKind, RequestFingerprint, TableEntry};
use crate::rendering::projection::Projection;
use crate::requests::ids::check_request_id;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;
use crate::service::seats::ensure_seat_exists;

/// A decoded [`TableRequest`].
struct IdentifiedTableCommand {
    command: TableCommand,
    fingerprint: RequestFingerprint,
}

impl<W: Wire> GameService<W> {
    /// Validates a request and, if the table allows it, carries it out. The call is idempotent: requests with the same
    /// id and body are carried out once and get the same response.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the table refuses, or the store fails.
    pub async fn apply_table_command(
        &self,
        caller: &Caller,
        id: Uuid,
        request: TableRequest,
        request_id: &str,
    ) -> Result<pb::GameInfo, ServiceError> {
        let command = match IdentifiedTableCommand::decode(request, request_id) {
            Ok(command) => command,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        self.mutate(caller, id, &AppendCommand(&command)).await
    }

    /// Returns the state that a take-back restores, with its encoding for the log.
    async fn load_undo_state(
        &self,
        game: &Game<W>,
        event: &TableEvent,
    ) -> Result<(Option<W::State>, Vec<u8>), ServiceError> {
        let TableEvent::TakenBack {
            seat, to_version, ..
        } = event
        else {
            return Ok((None, Vec::new()));
        };
        // Replaying the log is expensive, so do it only for a take-back that the table may allow.
        let table_life = game.table_life.as_deref();
        let proposal = table_life.and_then(TableLife::open_proposal);
        let may_undo = table_life.is_some_and(|table_life| {
            table_life
                .undoable_versions(*seat)
                .any(|version| version == *to_version)
        });
        let requested = Proposal::TakeBack {
            to_version: *to_version,
        };
        if !may_undo && proposal.is_none_or(|open| open.proposal != requested) {
            return Ok((None, Vec::new()));
        }
        let earlier = Box::pin(self.at_version(game.id, *to_version)).await?;
        let bytes = encode(&earlier.state);
        Ok((Some(earlier.state), bytes))
    }
}

impl IdentifiedTableCommand {
    fn decode(request: TableRequest, request_id: &str) -> Result<Self, ServiceError> {
        check_request_id(request_id)?;
        let (command, body) = TableCommand::decode(request)?;
        let fingerprint = RequestFingerprint::new(request_id, &body);
        Ok(Self {
            command,
            fingerprint,
        })
    }

    /// Returns the seat that makes the request. Returns `None` for the owner. The actor of the resulting event is the
    /// same.
    fn requesting_seat<W: Wire>(&self, caller: &Caller, game: &Game<W>) -> Option<Seat> {
        match self.command {
            TableCommand::Resign(seat)
            | TableCommand::TakeBack { seat, .. }
            | TableCommand::AnswerProposal { seat, .. } => Some(seat),
            TableCommand::ClaimTimeout(_) => acting_seat(caller, game, None),
            TableCommand::FillSeat(..) | TableCommand::AddTime { .. } => None,
            TableCommand::Pause(requested)
            | TableCommand::Resume(requested)
            | TableCommand::End {
                seat: requested, ..
            } => acting_seat(caller, game, requested),
        }
    }

    /// Returns the seat that the request is about, and the permission that the caller needs.
    fn required_permission<W: Wire>(
        &self,
        caller: &Caller,
        game: &Game<W>,
    ) -> (Option<Seat>, Permission) {
        match self.command {
            TableCommand::Resign(seat)
            | TableCommand::TakeBack { seat, .. }
            | TableCommand::AnswerProposal { seat, .. } => (Some(seat), Permission::Act(seat)),
            TableCommand::ClaimTimeout(seat) => (Some(seat), Permission::Claim),
            TableCommand::FillSeat(seat, _) => (Some(seat), Permission::Manage),
            TableCommand::AddTime { seats, .. } => (seats.iter().next_back(), Permission::Manage),
            TableCommand::Pause(requested)
            | TableCommand::Resume(requested)
            | TableCommand::End {
                seat: requested, ..
            } => match acting_seat(caller, game, requested) {
                Some(seat) => (Some(seat), Permission::Act(seat)),
                None => (None, Permission::Manage),
            },
        }
    }
}

impl<W: Wire> NewCommand<W> for IdentifiedTableCommand {
    type Response = pb::GameInfo;

    fn idempotency_key(&self, caller: &Caller, game: &Game<W>) -> IdempotencyKey {
        let actor = self.requesting_seat(caller, game);
        let fingerprint = self.fingerprint;
        IdempotencyKey { actor, fingerprint }
    }

    fn show(&self) -> Projection {
        Projection::public_only(Viewer::Spectator)
    }

    fn may_exceed_limits(&self, caller: &Caller, game: &Game<W>) -> bool {
        let is_end = matches!(self.command, TableCommand::End { .. });
        is_end && self.requesting_seat(caller, game).is_none()
    }

    fn authorize(&self, caller: &Caller, game: &Game<W>) -> Result<(), ServiceError> {
        let (seat, permission) = self.required_permission(caller, game);
        if let Some(seat) = seat {
            let is_list = matches!(self.command, TableCommand::AddTime { .. });
            let field = if is_list { "seats" } else { "seat" };
            ensure_seat_exists(caller, game, seat, field)?;
        }
        caller.authorize(game.access_target(), permission)
    }

    async fn prepare(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<Box<PreparedEntry<W>>>, ServiceError> {
        let event = self.command.event_at(caller, game)?;
        let bot = self.command.bot(service, game)?;
        if let Some(table_life) = &game.table_life {
            table_life
                .check_quota(&event)
                .map_err(ServiceError::RefusedByTable)?;
        }
        let (state, undo_state) = service.load_undo_state(game, &event).await?;
        let time_ms = service.next_time_ms(game);
        let new_state =
            table_life::apply_table_event(game.table(), &event, state, game.next_stamp(time_ms))
                .map_err(ServiceError::RefusedByTable)?;
        if let TableCommand::FillSeat(seat, _) = &self.command {
            ensure_can_be_filled(game, *seat)?;
            // Revoke the old token first, and detach the seat from its user: they must never be able to act alongside
            // the substitute. If the game has moved on, the request may be refused, and must then revoke nothing.
            let head = Some(game.head());
            let mut tags = game.metadata.tags().clone();
            tags.set_user(*seat, "");
            let metadata = game
                .metadata
                .with_rotated_token(Some(*seat))
                .with_bot(*seat, bot)
                .with_tags(tags);
            if !service.update_metadata(game, metadata, head).await? {
                return Ok(None);
            }
        }
        let kind = EntryKind::Table(TableEntry { event, undo_state });
        Ok(Some(PreparedEntry::new(
            game,
            kind,
            new_state,
            self.fingerprint,
            time_ms,
        )))
    }

    fn response(
        &self,
        caller: &Caller,
        game: &Game<W>,
        _entry: Option<(&EntryOf<W>, TextContext)>,
    ) -> Result<pb::GameInfo, ServiceError> {
        Ok(game.info_for(caller))
    }
}

/// Returns the seat that makes the request: the named one, the seat of the caller's token, or the first seat of a user.
/// Returns `None` for the owner.
fn acting_seat<W: Wire>(caller: &Caller, game: &Game<W>, requested: Option<Seat>) -> Option<Seat> {
    let of_user = || game.metadata.tags().seats_of(caller.user()?).next();
    requested.or(caller.seat()).or_else(of_user)
}

#[cfg(test)]
mod tests;
