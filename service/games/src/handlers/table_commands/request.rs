//! Requests to change table life, and the commands that they are decoded to.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{Seat, SeatSet, encode};
use gamekeeper_store::Version;
use gamekeeper_store::clock::millis;
use gamekeeper_wire::Malformed;
use prost::Message as _;

use crate::errors::ServiceError;
use crate::requests::times;
use crate::service::seats::parse_seat;

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

/// The decoded request, with validated seats.
pub(super) enum TableCommand {
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

impl TableCommand {
    /// Decodes a request. Returns the command, and the body that tells it from other requests with the same id.
    pub(super) fn decode(request: TableRequest) -> Result<(Self, Vec<u8>), ServiceError> {
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
pub(super) const MIN_ADDED: Duration = Duration::from_millis(1);

/// The maximum time that can be added at once: a year.
pub(super) const MAX_ADDED: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Converts the time to add to milliseconds, rounded down.
pub(super) fn parse_added_time(time: Option<prost_types::Duration>) -> Result<u64, Malformed> {
    let time = time.ok_or_else(|| Malformed::missing("time"))?;
    let time = times::read(time.seconds, time.nanos, "time")?;
    let time = time.filter(|time| (MIN_ADDED..=MAX_ADDED).contains(time));
    time.map(millis)
        .ok_or_else(|| Malformed::new("time", "is not from a millisecond to a year"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_added_from_a_millisecond_to_a_year() {
        let add = |seconds, nanos| parse_added_time(Some(prost_types::Duration { seconds, nanos }));
        let year = 366 * 24 * 60 * 60;
        assert_eq!(add(0, 1_000_000), Ok(1));
        assert_eq!(add(0, 1_999_999), Ok(1));
        assert_eq!(add(year, 0), Ok(year.unsigned_abs() * 1_000));
        let refused = [
            (0, 999_999),
            (year, 1),
            (-1, 0),
            (i64::MAX, 0),
            (1, -1),
            (0, 1_000_000_000),
        ];
        for (seconds, nanos) in refused {
            assert_eq!(add(seconds, nanos).unwrap_err().field, "time");
        }
    }
}
