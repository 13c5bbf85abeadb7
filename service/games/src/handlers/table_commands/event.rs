//! Table events: what a command would change at its table.

use gamekeeper_rules::table::Seat;
use gamekeeper_rules::table_life::{
    OpenProposal, Proposal, TableEvent, TableLife, TableRefusal, TakeBack,
};
use gamekeeper_store::Version;
use gamekeeper_wire::{Malformed, Wire};

use super::acting_seat;
use super::request::TableCommand;
use crate::aggregate::game::Game;
use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::metadata::Bot;
use crate::service::game_service::GameService;

/// Checks that a seat may get another player: its own has left, or is a bot.
pub(super) fn ensure_can_be_filled<W: Wire>(
    game: &Game<W>,
    seat: Seat,
) -> Result<(), ServiceError> {
    let left = game.table_life.as_deref().map_or(&[][..], TableLife::left);
    if left.contains(&seat) || game.metadata.bot(seat).is_some() {
        Ok(())
    } else {
        Err(ServiceError::RefusedByTable(TableRefusal::HasNotLeft(seat)))
    }
}

impl TableCommand {
    /// Decodes the bot that gets a seat. Returns `None` if none does.
    ///
    /// # Errors
    /// If it is malformed, or this process cannot play it.
    pub(super) fn bot<W: Wire>(
        &self,
        service: &GameService<W>,
        game: &Game<W>,
    ) -> Result<Option<Bot>, Malformed> {
        let Self::FillSeat(_, Some(bot)) = self else {
            return Ok(None);
        };
        let seats = W::seats(&game.genesis.options);
        let learned = &service.context.settings.policies;
        Bot::from_request::<W>(bot, (seats, learned), "bot").map(Some)
    }

    /// Returns the table event that this request would carry out at this table.
    ///
    /// # Errors
    /// If it answers a proposal other than the open one, or the owner asks to end the game by points.
    pub(super) fn event_at<W: Wire>(
        &self,
        caller: &Caller,
        game: &Game<W>,
    ) -> Result<TableEvent, ServiceError> {
        Ok(match *self {
            Self::Resign(seat) => TableEvent::Resigned { seat },
            Self::FillSeat(seat, _) => TableEvent::SeatFilled { seat },
            Self::ClaimTimeout(seat) => TableEvent::TimedOut {
                seat,
                claimed_by: acting_seat(caller, game, None),
            },
            Self::AddTime { seats, ms } => {
                let resigned = game.table_life.as_deref().map_or(&[][..], TableLife::left);
                let all = Seat::all(W::seats(&game.genesis.options));
                let seats = match seats.is_empty() {
                    true => all.filter(|seat| !resigned.contains(seat)).collect(),
                    false => seats,
                };
                TableEvent::TimeAdded { seats, ms }
            }
            Self::Pause(requested) => match acting_seat(caller, game, requested) {
                Some(seat) => propose(seat, Proposal::Pause),
                None => TableEvent::Paused { agreed_by: None },
            },
            Self::Resume(requested) => TableEvent::Resumed {
                seat: acting_seat(caller, game, requested),
            },
            Self::End {
                seat: requested,
                scored,
            } => match acting_seat(caller, game, requested) {
                Some(seat) => propose(seat, Proposal::End { scored }),
                None if scored => return Err(scored_without_seat().into()),
                None => TableEvent::Ended {
                    agreed_by: None,
                    scored: false,
                },
            },
            Self::TakeBack { seat, to_version } => undo_event(game, seat, to_version),
            Self::AnswerProposal {
                seat,
                number,
                agrees,
            } => answer_event(game, (seat, number), agrees)?,
        })
    }
}

/// Returns the error for an owner who asks to end the game by points. Only players can agree to that.
fn scored_without_seat() -> Malformed {
    let text = "is only for proposals of players: the owner ends a game without a result";
    Malformed::new("scored", text)
}

fn propose(seat: Seat, proposal: Proposal) -> TableEvent {
    TableEvent::Proposed { seat, proposal }
}

/// Returns the table event of a seat that wants to return to a version: a take-back if the seat may do so alone,
/// otherwise a proposal.
fn undo_event<W: Wire>(game: &Game<W>, seat: Seat, to_version: Version) -> TableEvent {
    let table_life = game.table_life.as_deref();
    let policy = table_life.map_or(TakeBack::Never, |table_life| table_life.options().take_back);
    let undoable_version = table_life.and_then(|table_life| {
        let mut versions = table_life.undoable_versions(seat);
        match to_version {
            0 => versions.next_back(),
            requested => versions.find(|version| *version == requested),
        }
    });
    match (policy, undoable_version) {
        (TakeBack::Agreed, _) | (TakeBack::UnseenOrAgreed, None) => {
            let to_version = match to_version {
                0 => game.version.saturating_sub(1),
                to_version => to_version,
            };
            propose(seat, Proposal::TakeBack { to_version })
        }
        (TakeBack::Never | TakeBack::Unseen | TakeBack::UnseenOrAgreed, _) => {
            TableEvent::TakenBack {
                seat,
                to_version: undoable_version.unwrap_or(to_version),
                agreed_by: None,
            }
        }
    }
}

/// Returns the table event of a seat that answers a proposal. If it is the last seat to agree, the proposal is carried
/// out.
///
/// # Errors
/// If this is not the open proposal.
fn answer_event<W: Wire>(
    game: &Game<W>,
    (seat, number): (Seat, u64),
    agrees: bool,
) -> Result<TableEvent, ServiceError> {
    let table_life = game.table_life.as_deref();
    let is_last_to_agree =
        table_life.is_some_and(|table_life| table_life.seats_to_agree().only() == Some(seat));
    let proposal = table_life.and_then(TableLife::open_proposal);
    if proposal.is_some_and(|open| open.number != number) {
        return Err(ServiceError::RefusedByTable(TableRefusal::NoOpenProposal(
            seat,
        )));
    }
    Ok(match proposal {
        Some(proposal) if agrees && is_last_to_agree => agreed_event(*proposal, seat),
        Some(_) | None => TableEvent::Answered { seat, agrees },
    })
}

/// Returns the table event that carries out a proposal, once the last seat has agreed.
fn agreed_event(proposal: OpenProposal, seat: Seat) -> TableEvent {
    let agreed_by = Some(seat);
    match proposal.proposal {
        Proposal::TakeBack { to_version } => TableEvent::TakenBack {
            seat: proposal.seat,
            to_version,
            agreed_by,
        },
        Proposal::Pause => TableEvent::Paused { agreed_by },
        Proposal::End { scored } => TableEvent::Ended { agreed_by, scored },
    }
}
