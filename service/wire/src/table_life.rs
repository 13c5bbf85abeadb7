//! Table options and table events, which are independent of the rules.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{PendingList, Seat, SeatSet};
use gamekeeper_rules::table_life::{
    Claim, Clock, ClockOptions, End, OnTimeout, OpenProposal, Proposal, TableEvent, TableLife,
    TableOptions, TakeBack,
};
use pb::table_event::{self as event, Kind};
use pb::{proposal, table_event::proposed};

use crate::Malformed;
use crate::common::{pending, seat, seat_number, seat_numbers, timestamp};
use crate::mapping::ToPb;

/// The maximum of each limit of a clock, in seconds: a year.
const MAX_SECONDS: u32 = 366 * 24 * 60 * 60;

/// Decodes the requested table options.
///
/// # Errors
/// Fails for invalid numbers and unknown names.
pub fn table_options(message: Option<&pb::TableOptions>) -> Result<TableOptions, Malformed> {
    let Some(message) = message else {
        return Ok(TableOptions::default());
    };
    let pb::TableOptions {
        clock,
        take_back,
        pause_by_agreement,
        end_by_agreement,
    } = message;
    let take_back = match pb::TakeBackPolicy::try_from(*take_back) {
        Ok(pb::TakeBackPolicy::Unspecified | pb::TakeBackPolicy::Never) => TakeBack::Never,
        Ok(pb::TakeBackPolicy::Unseen) => TakeBack::Unseen,
        Ok(pb::TakeBackPolicy::Agreed) => TakeBack::Agreed,
        Ok(pb::TakeBackPolicy::UnseenOrAgreed) => TakeBack::UnseenOrAgreed,
        Err(_) => return Err(Malformed::new("table.take_back", "is unknown")),
    };
    let clock = clock.as_ref().map(clock_options).transpose()?;
    if *pause_by_agreement && clock.is_none() {
        let field = "table.pause_by_agreement";
        return Err(Malformed::new(field, "needs a clock that can stop"));
    }
    Ok(TableOptions {
        clock,
        take_back,
        pause_by_agreement: *pause_by_agreement,
        end_by_agreement: *end_by_agreement,
    })
}

fn clock_options(message: &pb::ClockOptions) -> Result<ClockOptions, Malformed> {
    let pb::ClockOptions {
        decision_seconds,
        bank_seconds,
        increment_seconds,
        on_timeout,
        claim,
    } = *message;
    for (field, seconds) in [
        ("table.clock.decision_seconds", decision_seconds),
        ("table.clock.bank_seconds", bank_seconds),
        ("table.clock.increment_seconds", increment_seconds),
    ] {
        if seconds > MAX_SECONDS {
            return Err(Malformed::new(field, "is more than a year"));
        }
    }
    if decision_seconds == 0 && bank_seconds == 0 {
        return Err(Malformed::new("table.clock", "leaves players no time"));
    }
    let on_timeout = match pb::TimeoutAction::try_from(on_timeout) {
        Ok(pb::TimeoutAction::Unspecified | pb::TimeoutAction::Fallback) => OnTimeout::Fallback,
        Ok(pb::TimeoutAction::Resign) => OnTimeout::Resign,
        Err(_) => return Err(Malformed::new("table.clock.on_timeout", "is unknown")),
    };
    let claim = match pb::TimeoutClaim::try_from(claim) {
        Ok(pb::TimeoutClaim::Unspecified | pb::TimeoutClaim::ByCall) => Claim::ByCall,
        Ok(pb::TimeoutClaim::Automatic) => Claim::Automatic,
        Err(_) => return Err(Malformed::new("table.clock.claim", "is unknown")),
    };
    Ok(ClockOptions {
        decision_seconds,
        bank_seconds,
        increment_seconds,
        on_timeout,
        claim,
    })
}

/// Converts table options, with every choice spelled out.
#[must_use]
pub fn table_options_message(options: &TableOptions) -> pb::TableOptions {
    let clock = |clock: ClockOptions| pb::ClockOptions {
        decision_seconds: clock.decision_seconds,
        bank_seconds: clock.bank_seconds,
        increment_seconds: clock.increment_seconds,
        on_timeout: match clock.on_timeout {
            OnTimeout::Fallback => pb::TimeoutAction::Fallback,
            OnTimeout::Resign => pb::TimeoutAction::Resign,
        }
        .into(),
        claim: match clock.claim {
            Claim::ByCall => pb::TimeoutClaim::ByCall,
            Claim::Automatic => pb::TimeoutClaim::Automatic,
        }
        .into(),
    };
    let take_back = match options.take_back {
        TakeBack::Never => pb::TakeBackPolicy::Never,
        TakeBack::Unseen => pb::TakeBackPolicy::Unseen,
        TakeBack::Agreed => pb::TakeBackPolicy::Agreed,
        TakeBack::UnseenOrAgreed => pb::TakeBackPolicy::UnseenOrAgreed,
    };
    pb::TableOptions {
        clock: options.clock.map(clock),
        take_back: take_back.into(),
        pause_by_agreement: options.pause_by_agreement,
        end_by_agreement: options.end_by_agreement,
    }
}

/// Pairs table events with their messages: a row is a variant with its fields, which both sides spell alike. The
/// surrounding messages are built as a whole, so these are built as well, instead of being written field by field like
/// those of rulesets.
macro_rules! table_events {
    ($($variant:ident { $($field:ident),* $(,)? }),* $(,)?) => {
        /// Converts a table event to its message.
        #[must_use]
        pub fn table_event(table_event: &TableEvent) -> pb::TableEvent {
            let kind = match table_event {
                $(TableEvent::$variant { $($field),* } => {
                    Kind::$variant(event::$variant { $($field: $field.to_pb()),* })
                })*
                TableEvent::Proposed { seat, proposal } => {
                    let kind = Some(match proposal_kind(*proposal) {
                        proposal::Kind::TakeBack(back) => proposed::Kind::TakeBack(back),
                        proposal::Kind::Pause(pause) => proposed::Kind::Pause(pause),
                        proposal::Kind::End(end) => proposed::Kind::End(end),
                    });
                    let seat = seat.to_pb();
                    Kind::Proposed(event::Proposed { seat, kind })
                }
                TableEvent::TimeAdded { seats, ms } => Kind::TimeAdded(time_added(*seats, *ms, false)),
                TableEvent::OutagePassed { seats, ms } => Kind::TimeAdded(time_added(*seats, *ms, true)),
                TableEvent::Ended { agreed_by, scored } => Kind::Ended(ended(Some(match agreed_by {
                    Some(by) => End::Agreed { by: *by, scored: *scored },
                    None => End::Aborted,
                }))),
            };
            pb::TableEvent { kind: Some(kind) }
        }

        /// Reads a table event from a record. Returns `None` for an event that is a consequence of other entries alone,
        /// and no entry of its own.
        ///
        /// # Errors
        /// Fails for an empty message, or one without a valid seat.
        pub fn read_table_event(message: &pb::TableEvent) -> Result<Option<TableEvent>, Malformed> {
            let kind = message.kind.as_ref();
            Ok(Some(match kind.ok_or_else(|| Malformed::missing("table"))? {
                $(Kind::$variant(event::$variant { $($field),* }) => {
                    TableEvent::$variant { $($field: FromRecord::read(*$field)?),* }
                })*
                Kind::Proposed(event::Proposed { seat, kind }) => {
                    let kind = kind.as_ref().ok_or_else(|| Malformed::missing("table.proposed"))?;
                    let proposal = match kind {
                        proposed::Kind::TakeBack(proposal::TakeBack { to_version }) => {
                            Proposal::TakeBack { to_version: *to_version }
                        }
                        proposed::Kind::Pause(proposal::Pause {}) => Proposal::Pause,
                        proposed::Kind::End(proposal::End { scored }) => {
                            Proposal::End { scored: *scored }
                        }
                    };
                    TableEvent::Proposed { seat: FromRecord::read(*seat)?, proposal }
                }
                // The beginning of the game follows from its first entry.
                Kind::BegunFromPosition(_) => return Ok(None),
                Kind::TimeAdded(event::TimeAdded { seats, added_ms, outage }) => {
                    let seats = seats.iter().map(|number| seat(*number, "table"));
                    let (seats, ms) = (seats.collect::<Result<_, _>>()?, *added_ms);
                    if *outage {
                        TableEvent::OutagePassed { seats, ms }
                    } else {
                        TableEvent::TimeAdded { seats, ms }
                    }
                }
                Kind::Ended(event::Ended { reason, agreed_by, scored }) => {
                    match pb::EndReason::try_from(*reason) {
                        Ok(pb::EndReason::Agreed) => TableEvent::Ended {
                            agreed_by: Some(FromRecord::read(*agreed_by)?),
                            scored: *scored,
                        },
                        Ok(pb::EndReason::Aborted) => TableEvent::Ended {
                            agreed_by: None,
                            scored: false,
                        },
                        // A game that the rules or a leaving player ended: the end follows from other entries.
                        Ok(_) => return Ok(None),
                        Err(_) => return Err(Malformed::new("table.ended.reason", "is unknown")),
                    }
                }
            }))
        }
    };
}

table_events! {
    Resigned { seat },
    SeatFilled { seat },
    TimedOut { seat, claimed_by },
    Paused { agreed_by },
    Resumed { seat },
    Answered { seat, agrees },
    TakenBack { seat, to_version, agreed_by },
}

fn time_added(seats: SeatSet, added_ms: u64, outage: bool) -> event::TimeAdded {
    event::TimeAdded {
        seats: seats.iter().map(seat_number).collect(),
        added_ms,
        outage,
    }
}

/// Converts the reason why a game is over; `None` means that the rules ended it.
#[must_use]
pub fn end_reason(end: Option<End>) -> pb::EndReason {
    match end {
        None => pb::EndReason::Rules,
        Some(End::Resignation) => pb::EndReason::Resignation,
        Some(End::Abandoned) => pb::EndReason::Abandoned,
        Some(End::Agreed { .. }) => pb::EndReason::Agreed,
        Some(End::Aborted) => pb::EndReason::Aborted,
    }
}

/// Returns the event of the end of a game; `None` means that the rules ended it.
#[must_use]
pub fn ended(end: Option<End>) -> event::Ended {
    let (agreed_by, scored) = match end {
        Some(End::Agreed { by, scored }) => (seat_number(by), scored),
        Some(End::Resignation | End::Abandoned | End::Aborted) | None => (0, false),
    };
    event::Ended {
        reason: end_reason(end).into(),
        agreed_by,
        scored,
    }
}

fn proposal_kind(proposal: Proposal) -> proposal::Kind {
    match proposal {
        Proposal::TakeBack { to_version } => {
            proposal::Kind::TakeBack(proposal::TakeBack { to_version })
        }
        Proposal::Pause => proposal::Kind::Pause(proposal::Pause {}),
        Proposal::End { scored } => proposal::Kind::End(proposal::End { scored }),
    }
}

/// A field of a recorded entry. A number is never read as a seat that it does not name.
trait FromRecord<P>: Sized {
    fn read(sent: P) -> Result<Self, Malformed>;
}

impl FromRecord<u32> for Seat {
    fn read(sent: u32) -> Result<Self, Malformed> {
        seat(sent, "table")
    }
}

/// 0 means no seat.
impl FromRecord<u32> for Option<Seat> {
    fn read(sent: u32) -> Result<Self, Malformed> {
        match sent {
            0 => Ok(None),
            number => Seat::read(number).map(Some),
        }
    }
}

impl FromRecord<u64> for u64 {
    fn read(sent: u64) -> Result<Self, Malformed> {
        Ok(sent)
    }
}

impl FromRecord<bool> for bool {
    fn read(sent: bool) -> Result<Self, Malformed> {
        Ok(sent)
    }
}

/// Returns the pending decisions with their deadlines. `created_ms` is the time at which the game was created.
#[must_use]
pub fn pending_with_due_times(
    list: &PendingList,
    table_life: Option<&TableLife>,
    created_ms: u64,
) -> Vec<pb::PendingDecision> {
    let mut decisions = pending(list);
    if let Some(clock) = table_life.and_then(TableLife::clock) {
        let time = |ms: Option<u64>| ms.map(|ms| timestamp(created_ms.saturating_add(ms)));
        for (decision, pending_decision) in decisions.iter_mut().zip(list) {
            decision.since = time(clock.since_ms(pending_decision.seat));
            decision.due = time(clock.due_ms(pending_decision.seat));
        }
    }
    decisions
}

/// Adds the facts of a table beyond the rules. The pending decisions must already be there.
pub fn add_table_life(info: &mut pb::GameInfo, table_life: &TableLife) {
    if *table_life.options() != TableOptions::default() {
        info.table = Some(table_options_message(table_life.options()));
    }
    info.resigned = seat_numbers(table_life.left());
    let seats = Seat::all(info.players.len());
    let clock = |clock: &Clock| {
        let seat_clock = |seat| pb::SeatClock {
            seat: seat_number(seat),
            bank_ms: clock.bank_ms(seat),
        };
        seats.map(seat_clock).collect()
    };
    info.clocks = table_life.clock().map_or_else(Vec::new, clock);
    info.paused = table_life.clock().is_some_and(Clock::is_paused);
    let proposal = |open_proposal: &OpenProposal| pb::Proposal {
        number: open_proposal.number,
        seat: seat_number(open_proposal.seat),
        agreed: open_proposal.agreed.iter().map(seat_number).collect(),
        kind: Some(proposal_kind(open_proposal.proposal)),
    };
    info.proposal = table_life.open_proposal().map(proposal);
    if info.pending.is_empty() {
        return;
    }
    let free_take_back = |seat| {
        let to_versions: Vec<u64> = table_life.undoable_versions(seat).collect();
        (!to_versions.is_empty()).then(|| pb::FreeTakeBack {
            seat: seat_number(seat),
            to_versions,
        })
    };
    info.free_take_backs = Seat::all(info.players.len())
        .filter_map(free_take_back)
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_entry_is_read_as_it_was_written() {
        let two = Seat::at(1);
        for claimed_by in [None, Some(two)] {
            let recorded_events = [
                TableEvent::Resigned { seat: two },
                TableEvent::SeatFilled { seat: two },
                TableEvent::TimedOut {
                    seat: two,
                    claimed_by,
                },
                TableEvent::TimeAdded {
                    seats: [Seat::FIRST, two].into_iter().collect(),
                    ms: 1_500,
                },
                TableEvent::OutagePassed {
                    seats: [two].into_iter().collect(),
                    ms: 90_000,
                },
                TableEvent::Paused {
                    agreed_by: claimed_by,
                },
                TableEvent::Resumed { seat: claimed_by },
                TableEvent::Proposed {
                    seat: two,
                    proposal: Proposal::TakeBack { to_version: 7 },
                },
                TableEvent::Proposed {
                    seat: two,
                    proposal: Proposal::Pause,
                },
                TableEvent::Proposed {
                    seat: two,
                    proposal: Proposal::End {
                        scored: claimed_by.is_some(),
                    },
                },
                TableEvent::Ended {
                    agreed_by: claimed_by,
                    scored: claimed_by.is_some(),
                },
                TableEvent::Answered {
                    seat: two,
                    agrees: claimed_by.is_some(),
                },
                TableEvent::TakenBack {
                    seat: two,
                    to_version: 7,
                    agreed_by: claimed_by,
                },
            ];
            for expected in recorded_events {
                assert_eq!(
                    read_table_event(&table_event(&expected)),
                    Ok(Some(expected))
                );
            }
        }
    }

    #[test]
    fn a_recorded_entry_names_seats() {
        let read = |kind| read_table_event(&pb::TableEvent { kind });
        assert!(read(None).is_err());
        for seat in [0, 256, u32::MAX] {
            let resigned = Kind::Resigned(event::Resigned { seat });
            assert!(read(Some(resigned)).is_err(), "{seat}");
        }
        for claimed_by in [256, u32::MAX] {
            let late = Kind::TimedOut(event::TimedOut {
                seat: 1,
                claimed_by,
            });
            assert!(read(Some(late)).is_err(), "{claimed_by}");
        }
    }
}
