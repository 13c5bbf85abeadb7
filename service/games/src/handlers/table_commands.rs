//! **Table life**: what happens at a table outside the rules (resignations, clocks, pauses, take-backs) is validated,
//! stored and answered like actions.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{Seat, SeatSet, TextContext, Viewer, encode};
use gamekeeper_rules::table_life::{self, Proposal, TableEvent, TableLife, TableRefusal, TakeBack};
use gamekeeper_store::Version;
use gamekeeper_store::clock::millis;
use gamekeeper_wire::{Malformed, Wire};
use prost::Message as _;
use uuid::Uuid;

use crate::aggregate::game::{EntryOf, Game};
use crate::aggregate::idempotency::IdempotencyKey;
use crate::authz::{Caller, Permission};
use crate::commit::append::PreparedEntry;
use crate::commit::mutation::{AppendCommand, NewCommand};
use crate::errors::ServiceError;
use crate::log::{EntryKind, RequestFingerprint, TableEntry};
use crate::metadata::Bot;
use crate::rendering::projection::Projection;
use crate::requests::ids::check_request_id;
use crate::requests::times;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;
use crate::service::seats::{ensure_seat_exists, parse_seat};

/// A request to change table life.
#[derive(Clone, Debug)]
pub enum TableRequest {
    /// A player leaves.
    Resign {
        /// The seat, from 1.
        seat: u32,
    },
    /// A bot or a new player takes over a seat whose player has left, or which a bot has.
    FillSeat {
        /// The seat, from 1.
        seat: u32,
        /// The bot that plays the seat from then on. Is `None` if a person does.
        bot: Option<pb::Bot>,
    },
    /// A seat is reported to have run out of time.
    ClaimTimeout {
        /// The seat, from 1.
        seat: u32,
    },
    /// Seats are given more time.
    AddTime {
        /// The seats, from 1. Empty for all seats whose players have not left.
        seats: Vec<u32>,
        /// The amount of time.
        time: Option<prost_types::Duration>,
    },
    /// The clocks are stopped, or a seat proposes to stop them.
    Pause {
        /// The seat. 0 stands for the seat of the caller's token, or the owner if there is none.
        seat: u32,
    },
    /// The clocks are resumed.
    Resume {
        /// The seat. 0 stands for the seat of the caller's token, or the owner if there is none.
        seat: u32,
    },
    /// The game is ended, or a seat proposes to end it.
    End {
        /// The seat. 0 stands for the seat of the caller's token, or the owner if there is none.
        seat: u32,
        /// Whether the players are ranked by their points at that moment.
        scored: bool,
    },
    /// A seat takes an action back, or proposes to.
    TakeBack {
        /// The seat, from 1.
        seat: u32,
        /// The version to return to. 0 stands for the default that the contract describes.
        to_version: u64,
    },
    /// A seat answers a proposal.
    AnswerProposal {
        /// The seat, from 1.
        seat: u32,
        /// The number of the proposal.
        number: u64,
        /// Whether the seat agrees.
        agrees: bool,
    },
}

/// A decoded [`TableRequest`].
struct IdentifiedTableCommand {
    command: TableCommand,
    fingerprint: RequestFingerprint,
}

/// The decoded request, with validated seats.
enum TableCommand {
    Resign(Seat),
    FillSeat(Seat, Option<pb::Bot>),
    ClaimTimeout(Seat),
    AddTime {
        seats: SeatSet,
        ms: u64,
    },
    Pause(Option<Seat>),
    Resume(Option<Seat>),
    End {
        seat: Option<Seat>,
        scored: bool,
    },
    TakeBack {
        seat: Seat,
        to_version: Version,
    },
    AnswerProposal {
        seat: Seat,
        number: u64,
        agrees: bool,
    },
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

/// Checks that a seat may get another player: its own has left, or is a bot.
fn ensure_can_be_filled<W: Wire>(game: &Game<W>, seat: Seat) -> Result<(), ServiceError> {
    let left = game.table_life.as_deref().map_or(&[][..], TableLife::left);
    if left.contains(&seat) || game.metadata.bot(seat).is_some() {
        Ok(())
    } else {
        Err(ServiceError::RefusedByTable(TableRefusal::HasNotLeft(seat)))
    }
}

impl TableCommand {
    /// Decodes a request. Returns the command, and the body that tells it from other requests with the same id.
    fn decode(request: TableRequest) -> Result<(Self, Vec<u8>), ServiceError> {
        let parse = |number| parse_seat(number, "seat");
        Ok(match request {
            TableRequest::Resign { seat } => {
                (Self::Resign(parse(seat)?), encode(&("resign", seat)))
            }
            TableRequest::FillSeat { seat, bot } => {
                let sent = bot.as_ref().map(pb::Bot::encode_to_vec);
                let body = encode(&("fill_seat", seat, sent));
                (Self::FillSeat(parse(seat)?, bot), body)
            }
            TableRequest::ClaimTimeout { seat } => {
                let body = encode(&("claim_timeout", seat));
                (Self::ClaimTimeout(parse(seat)?), body)
            }
            TableRequest::AddTime { seats, time } => {
                let ms = parse_added_time(time)?;
                let body = encode(&("add_time", &seats, ms));
                let seats = parse_seats(&seats)?;
                (Self::AddTime { seats, ms }, body)
            }
            TableRequest::Pause { seat } => (
                Self::Pause(parse_optional_seat(seat)?),
                encode(&("pause", seat)),
            ),
            TableRequest::Resume { seat } => {
                let body = encode(&("resume", seat));
                (Self::Resume(parse_optional_seat(seat)?), body)
            }
            TableRequest::End { seat, scored } => {
                let body = encode(&("end", seat, scored));
                let seat = parse_optional_seat(seat)?;
                (Self::End { seat, scored }, body)
            }
            TableRequest::TakeBack { seat, to_version } => {
                let body = encode(&("take_back", seat, to_version));
                let seat = parse(seat)?;
                (Self::TakeBack { seat, to_version }, body)
            }
            TableRequest::AnswerProposal {
                seat,
                number,
                agrees,
            } => {
                let body = encode(&("answer_proposal", seat, number, agrees));
                let seat = parse(seat)?;
                let command = Self::AnswerProposal {
                    seat,
                    number,
                    agrees,
                };
                (command, body)
            }
        })
    }

    /// Decodes the bot that gets a seat. Returns `None` if none does.
    ///
    /// # Errors
    /// If it is malformed, or this process cannot play it.
    fn bot<W: Wire>(
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
    fn event_at<W: Wire>(
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

/// Converts the number of a seat. Returns `None` for 0, which names no seat.
fn parse_optional_seat(number: u32) -> Result<Option<Seat>, ServiceError> {
    match number {
        0 => Ok(None),
        number => parse_seat(number, "seat").map(Some),
    }
}

/// Converts the numbers of seats.
fn parse_seats(numbers: &[u32]) -> Result<SeatSet, ServiceError> {
    let seats = numbers.iter().enumerate();
    let seats = seats.map(|(index, number)| parse_seat(*number, format!("seats[{index}]")));
    seats.collect()
}

/// The minimum time that can be added at once.
const MIN_ADDED: Duration = Duration::from_millis(1);

/// The maximum time that can be added at once: a year.
const MAX_ADDED: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Converts the time to add to milliseconds, rounded down.
fn parse_added_time(time: Option<prost_types::Duration>) -> Result<u64, Malformed> {
    let time = time.ok_or_else(|| Malformed::missing("time"))?;
    let time = times::read(time.seconds, time.nanos, "time")?;
    let time = time.filter(|time| (MIN_ADDED..=MAX_ADDED).contains(time));
    time.map(millis)
        .ok_or_else(|| Malformed::new("time", "is not from a millisecond to a year"))
}

/// Returns the error for an owner who asks to end the game by points. Only players can agree to that.
fn scored_without_seat() -> Malformed {
    let text = "is only for proposals of players: the owner ends a game without a result";
    Malformed::new("scored", text)
}

/// Returns the seat that makes the request: the named one, the seat of the caller's token, or the first seat of a user.
/// Returns `None` for the owner.
fn acting_seat<W: Wire>(caller: &Caller, game: &Game<W>, requested: Option<Seat>) -> Option<Seat> {
    let of_user = || game.metadata.tags().seats_of(caller.user()?).next();
    requested.or(caller.seat()).or_else(of_user)
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
fn agreed_event(proposal: table_life::OpenProposal, seat: Seat) -> TableEvent {
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

#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod outage_tests;
#[cfg(test)]
mod tests;
