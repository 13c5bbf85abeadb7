//! **Table life**: what happens at a table outside the rules (resignations, clocks, pauses, take-backs) is validated,
//! stored and answered like actions.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life::{self, Deed, Life, No, Proposal, TakeBack};
use gamekeeper_rules::table::{Scene, Seat, SeatSet, Viewer, encode};
use gamekeeper_store::Version;
use gamekeeper_store::clock::millis;
use gamekeeper_wire::{Malformed, Wire};
use uuid::Uuid;

use crate::heart::access::{Bot, Caller, Wish};
use crate::heart::append::Judged;
use crate::heart::changing::{Adding, NewEntry};
use crate::heart::game::{EntryOf, Game};
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::Problem;
use crate::heart::recent::Request;
use crate::heart::record::{Beside, Done, RequestMark};
use crate::heart::requests::check_request_id;
use crate::heart::seats::{check_seat, seat};
use crate::heart::show::Show;
use crate::heart::times;

/// A request to change table life.
#[derive(Clone, Debug)]
pub enum TableRequest {
    /// A player leaves.
    Resign {
        /// The seat, from 1.
        seat: u32,
    },
    /// A bot or a new player takes over a seat whose player has left.
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
struct Attempt {
    deed: Asked,
    mark: RequestMark,
}

/// The decoded request, with validated seats.
enum Asked {
    Resign(Seat),
    FillSeat(Seat, Option<Bot>),
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

impl<W: Wire> Games<W> {
    /// Validates a request and, if the table allows it, carries it out. The call is idempotent: requests with the same
    /// id and body are carried out once and get the same response.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the table refuses, or the store fails.
    pub async fn change_table(
        &self,
        caller: &Caller,
        id: Uuid,
        request: TableRequest,
        request_id: &str,
    ) -> Result<pb::GameInfo, Problem> {
        let attempt = match Attempt::read::<W>(request, request_id) {
            Ok(attempt) => attempt,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        self.change(caller, id, &Adding(&attempt)).await
    }

    /// Returns the state that a take-back restores, with its encoding for the log.
    async fn back(
        &self,
        game: &Game<W>,
        deed: &Deed,
    ) -> Result<(Option<W::State>, Vec<u8>), Problem> {
        let Deed::TakenBack {
            seat, to_version, ..
        } = deed
        else {
            return Ok((None, Vec::new()));
        };
        // Replaying the log is expensive, so do it only for a take-back that the table may allow.
        let life = game.life.as_deref();
        let asked = life.and_then(Life::asked);
        let may = life.is_some_and(|life| life.may_go_back(*seat).any(|at| at == *to_version));
        let wanted = Proposal::TakeBack {
            to_version: *to_version,
        };
        if !may && asked.is_none_or(|asked| asked.proposal != wanted) {
            return Ok((None, Vec::new()));
        }
        let then = Box::pin(self.at_version(game.id, *to_version)).await?;
        let bytes = encode(&then.state);
        Ok((Some(then.state), bytes))
    }
}

impl Attempt {
    fn read<W: Wire>(request: TableRequest, request_id: &str) -> Result<Self, Problem> {
        check_request_id(request_id)?;
        let named = |number| seat(number, "seat");
        let named_if_any = |number| match number {
            0 => Ok(None),
            number => named(number).map(Some),
        };
        let (deed, body) = match request {
            TableRequest::Resign { seat } => {
                (Asked::Resign(named(seat)?), encode(&("resign", seat)))
            }
            TableRequest::FillSeat { seat, bot } => {
                let bot = bot.map(|bot| Bot::read::<W>(&bot, "bot")).transpose()?;
                let body = encode(&("fill_seat", seat, &bot));
                (Asked::FillSeat(named(seat)?, bot), body)
            }
            TableRequest::ClaimTimeout { seat } => {
                let body = encode(&("claim_timeout", seat));
                (Asked::ClaimTimeout(named(seat)?), body)
            }
            TableRequest::AddTime { seats, time } => {
                let ms = added(time)?;
                let body = encode(&("add_time", &seats, ms));
                let seats = set_of(&seats)?;
                (Asked::AddTime { seats, ms }, body)
            }
            TableRequest::Pause { seat } => {
                (Asked::Pause(named_if_any(seat)?), encode(&("pause", seat)))
            }
            TableRequest::Resume { seat } => {
                let body = encode(&("resume", seat));
                (Asked::Resume(named_if_any(seat)?), body)
            }
            TableRequest::End { seat, scored } => {
                let body = encode(&("end", seat, scored));
                let seat = named_if_any(seat)?;
                (Asked::End { seat, scored }, body)
            }
            TableRequest::TakeBack { seat, to_version } => {
                let body = encode(&("take_back", seat, to_version));
                let seat = named(seat)?;
                (Asked::TakeBack { seat, to_version }, body)
            }
            TableRequest::AnswerProposal {
                seat,
                number,
                agrees,
            } => {
                let body = encode(&("answer_proposal", seat, number, agrees));
                let seat = named(seat)?;
                let deed = Asked::AnswerProposal {
                    seat,
                    number,
                    agrees,
                };
                (deed, body)
            }
        };
        let mark = RequestMark::new(request_id, &body);
        Ok(Self { deed, mark })
    }

    /// Returns the seat that makes the request. Returns `None` for the owner. The actor of the resulting deed is the
    /// same.
    fn by<W: Wire>(&self, caller: &Caller, game: &Game<W>) -> Option<Seat> {
        match self.deed {
            Asked::Resign(seat)
            | Asked::TakeBack { seat, .. }
            | Asked::AnswerProposal { seat, .. } => Some(seat),
            Asked::ClaimTimeout(_) => proposer(caller, game, None),
            Asked::FillSeat(..) | Asked::AddTime { .. } => None,
            Asked::Pause(named) | Asked::Resume(named) | Asked::End { seat: named, .. } => {
                proposer(caller, game, named)
            }
        }
    }

    /// Returns the seat that the request is about, and the permission that the caller needs.
    fn wish<W: Wire>(&self, caller: &Caller, game: &Game<W>) -> (Option<Seat>, Wish) {
        match self.deed {
            Asked::Resign(seat)
            | Asked::TakeBack { seat, .. }
            | Asked::AnswerProposal { seat, .. } => (Some(seat), Wish::Act(seat)),
            Asked::ClaimTimeout(seat) => (Some(seat), Wish::Claim),
            Asked::FillSeat(seat, _) => (Some(seat), Wish::Manage),
            Asked::AddTime { seats, .. } => (seats.iter().next_back(), Wish::Manage),
            Asked::Pause(named) | Asked::Resume(named) | Asked::End { seat: named, .. } => {
                match proposer(caller, game, named) {
                    Some(seat) => (Some(seat), Wish::Act(seat)),
                    None => (None, Wish::Manage),
                }
            }
        }
    }
}

impl<W: Wire> NewEntry<W> for Attempt {
    type Answer = pb::GameInfo;

    fn request(&self, caller: &Caller, game: &Game<W>) -> Request {
        let by = self.by(caller, game);
        let mark = self.mark;
        Request { by, mark }
    }

    fn show(&self) -> Show {
        Show::facts(Viewer::Spectator)
    }

    fn may(&self, caller: &Caller, game: &Game<W>) -> Result<(), Problem> {
        let (seat, wish) = self.wish(caller, game);
        if let Some(seat) = seat {
            check_seat(caller, game, seat, "seat")?;
        }
        caller.may(game.subject(), wish)
    }

    async fn judge(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<Box<Judged<W>>>, Problem> {
        let deed = self.deed.deed(caller, game)?;
        if let Some(life) = &game.life {
            life.check_share(&deed).map_err(Problem::Table)?;
        }
        let (state, back) = games.back(game, &deed).await?;
        let time_ms = games.next_time(game);
        let after = life::perform(game.table(), &deed, state, game.moment(time_ms))
            .map_err(Problem::Table)?;
        if let Asked::FillSeat(seat, bot) = &self.deed {
            // Revoke the old token first, and detach the seat from its user: they must never be able to act alongside
            // the substitute. If the game has moved on, the request may be refused, and must then revoke nothing.
            let head = Some(game.head());
            let mut tags = game.access.tags().clone();
            tags.set_user(*seat, "");
            let access = game
                .access
                .rotated(Some(*seat))
                .played_by(*seat, bot.clone())
                .tagged(tags);
            if !games.change_access(game, access, head).await? {
                return Ok(None);
            }
        }
        let done = Done::Beside(Beside { deed, back });
        Ok(Some(Judged::new(game, done, after, self.mark, time_ms)))
    }

    fn answer(
        &self,
        caller: &Caller,
        game: &Game<W>,
        _entry: Option<(&EntryOf<W>, Scene)>,
    ) -> Result<pb::GameInfo, Problem> {
        Ok(game.info_for(caller))
    }
}

impl Asked {
    /// Returns the deed that this request would carry out at this table.
    ///
    /// # Errors
    /// If it answers a proposal other than the open one, or the owner asks to end the game by points.
    fn deed<W: Wire>(&self, caller: &Caller, game: &Game<W>) -> Result<Deed, Problem> {
        Ok(match *self {
            Self::Resign(seat) => Deed::Resigned { seat },
            Self::FillSeat(seat, _) => Deed::SeatFilled { seat },
            Self::ClaimTimeout(seat) => Deed::TimedOut {
                seat,
                claimed_by: proposer(caller, game, None),
            },
            Self::AddTime { seats, ms } => {
                let left = game.life.as_deref().map_or(&[][..], Life::left);
                let all = Seat::all(W::seats(&game.birth.options));
                let seats = match seats.is_empty() {
                    true => all.filter(|seat| !left.contains(seat)).collect(),
                    false => seats,
                };
                Deed::TimeAdded { seats, ms }
            }
            Self::Pause(named) => match proposer(caller, game, named) {
                Some(seat) => proposed(seat, Proposal::Pause),
                None => Deed::Paused { agreed_by: None },
            },
            Self::Resume(named) => Deed::Resumed {
                seat: proposer(caller, game, named),
            },
            Self::End {
                seat: named,
                scored,
            } => match proposer(caller, game, named) {
                Some(seat) => proposed(seat, Proposal::End { scored }),
                None if scored => return Err(scored_by_nobody().into()),
                None => Deed::Ended {
                    agreed_by: None,
                    scored: false,
                },
            },
            Self::TakeBack { seat, to_version } => going_back(game, seat, to_version),
            Self::AnswerProposal {
                seat,
                number,
                agrees,
            } => answering(game, (seat, number), agrees)?,
        })
    }
}

/// Converts the numbers of seats.
fn set_of(numbers: &[u32]) -> Result<SeatSet, Problem> {
    let seats = numbers.iter().map(|number| seat(*number, "seats"));
    seats.collect()
}

/// The minimum time that can be added at once.
const MIN_ADDED: Duration = Duration::from_millis(1);

/// The maximum time that can be added at once: a year.
const MAX_ADDED: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Converts the time to add to milliseconds, rounded down.
fn added(time: Option<prost_types::Duration>) -> Result<u64, Malformed> {
    let time = time.ok_or_else(|| Malformed::missing("time"))?;
    let time = times::read(time.seconds, time.nanos, "time")?;
    let time = time.filter(|time| (MIN_ADDED..=MAX_ADDED).contains(time));
    time.map(millis)
        .ok_or_else(|| Malformed::new("time", "is not from a millisecond to a year"))
}

/// Returns the error for an owner who asks to end the game by points. Only players can agree to that.
fn scored_by_nobody() -> Malformed {
    let text = "is only for proposals of players: the owner ends a game without a result";
    Malformed::new("scored", text)
}

/// Returns the seat that makes the request: the named one, the seat of the caller's token, or the first seat of a user.
/// Returns `None` for the owner.
fn proposer<W: Wire>(caller: &Caller, game: &Game<W>, named: Option<Seat>) -> Option<Seat> {
    let of_user = || game.access.tags().seats_of(caller.user()?).next();
    named.or(caller.seat()).or_else(of_user)
}

fn proposed(seat: Seat, proposal: Proposal) -> Deed {
    Deed::Proposed { seat, proposal }
}

/// Returns the deed of a seat that wants to return to a version: a take-back if the seat may do so alone, otherwise a
/// proposal.
fn going_back<W: Wire>(game: &Game<W>, seat: Seat, to_version: Version) -> Deed {
    let life = game.life.as_deref();
    let policy = life.map_or(TakeBack::Never, |life| life.options().take_back);
    let free = life.and_then(|life| {
        let mut versions = life.may_go_back(seat);
        match to_version {
            0 => versions.next_back(),
            wanted => versions.find(|version| *version == wanted),
        }
    });
    match (policy, free) {
        (TakeBack::Agreed, _) | (TakeBack::UnseenOrAgreed, None) => {
            let to_version = match to_version {
                0 => game.version.saturating_sub(1),
                to_version => to_version,
            };
            proposed(seat, Proposal::TakeBack { to_version })
        }
        (TakeBack::Never | TakeBack::Unseen | TakeBack::UnseenOrAgreed, _) => Deed::TakenBack {
            seat,
            to_version: free.unwrap_or(to_version),
            agreed_by: None,
        },
    }
}

/// Returns the deed of a seat that answers a proposal. If it is the last seat to agree, the proposal is carried out.
///
/// # Errors
/// If this is not the open proposal.
fn answering<W: Wire>(
    game: &Game<W>,
    (seat, number): (Seat, u64),
    agrees: bool,
) -> Result<Deed, Problem> {
    let life = game.life.as_deref();
    let last = life.is_some_and(|life| life.still_to_agree().only() == Some(seat));
    let asked = life.and_then(Life::asked);
    if asked.is_some_and(|asked| asked.number != number) {
        return Err(Problem::Table(No::NotAsked(seat)));
    }
    Ok(match asked {
        Some(asked) if agrees && last => agreed(*asked, seat),
        Some(_) | None => Deed::Answered { seat, agrees },
    })
}

/// Returns the deed that carries out a proposal, once the last seat has agreed.
fn agreed(asked: life::Asked, last: Seat) -> Deed {
    let agreed_by = Some(last);
    match asked.proposal {
        Proposal::TakeBack { to_version } => Deed::TakenBack {
            seat: asked.seat,
            to_version,
            agreed_by,
        },
        Proposal::Pause => Deed::Paused { agreed_by },
        Proposal::End { scored } => Deed::Ended { agreed_by, scored },
    }
}

#[cfg(test)]
mod outage_tests;
#[cfg(test)]
mod tests;
