//! Table options, and what happens at a table beyond the rules.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life::{
    Asked, Clock, ClockOptions, Deed, End, Life, OnTimeout, TableOptions, TakeBack,
};
use gamekeeper_rules::table::{PendingList, Seat};
use pb::table_entry::{
    Kind, Paused, Resigned, Resumed, Returned, TakeBackAnswered, TakeBackAsked, TakenBack, TimedOut,
};

use crate::Malformed;
use crate::common::{pending, seat, seat_number, seat_numbers, timestamp};

/// The most seconds of a clock: a year.
const MOST_SECONDS: u32 = 366 * 24 * 60 * 60;

/// The requested table options.
///
/// # Errors
/// For invalid numbers and unknown names.
pub fn table_options(message: Option<&pb::TableOptions>) -> Result<TableOptions, Malformed> {
    let Some(pb::TableOptions { clock, take_back }) = message else {
        return Ok(TableOptions::default());
    };
    let take_back = match pb::TakeBackPolicy::try_from(*take_back) {
        Ok(pb::TakeBackPolicy::Unspecified | pb::TakeBackPolicy::Never) => TakeBack::Never,
        Ok(pb::TakeBackPolicy::Unseen) => TakeBack::Unseen,
        Ok(pb::TakeBackPolicy::Agreed) => TakeBack::Agreed,
        Err(_) => return Err(Malformed::new("table.take_back", "is unknown")),
    };
    let clock = clock.as_ref().map(clock_options).transpose()?;
    Ok(TableOptions { clock, take_back })
}

fn clock_options(message: &pb::ClockOptions) -> Result<ClockOptions, Malformed> {
    let pb::ClockOptions {
        decision_seconds,
        bank_seconds,
        increment_seconds,
        on_timeout,
    } = *message;
    for (field, seconds) in [
        ("table.clock.decision_seconds", decision_seconds),
        ("table.clock.bank_seconds", bank_seconds),
        ("table.clock.increment_seconds", increment_seconds),
    ] {
        if seconds > MOST_SECONDS {
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
    Ok(ClockOptions {
        decision_seconds,
        bank_seconds,
        increment_seconds,
        on_timeout,
    })
}

/// Table options, every choice spelled out.
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
    };
    let take_back = match options.take_back {
        TakeBack::Never => pb::TakeBackPolicy::Never,
        TakeBack::Unseen => pb::TakeBackPolicy::Unseen,
        TakeBack::Agreed => pb::TakeBackPolicy::Agreed,
    };
    pb::TableOptions {
        clock: options.clock.map(clock),
        take_back: take_back.into(),
    }
}

/// The message of an entry.
#[must_use]
pub fn table_entry(deed: &Deed) -> pb::TableEntry {
    let number = |seat: Option<Seat>| seat.map_or(0, seat_number);
    let kind = match deed {
        Deed::Resigned { seat } => Kind::Resigned(Resigned {
            seat: seat_number(*seat),
        }),
        Deed::Returned { seat } => Kind::Returned(Returned {
            seat: seat_number(*seat),
        }),
        Deed::TimedOut { seat, claimed_by } => Kind::TimedOut(TimedOut {
            seat: seat_number(*seat),
            claimed_by: number(*claimed_by),
        }),
        Deed::Paused => Kind::Paused(Paused {}),
        Deed::Resumed => Kind::Resumed(Resumed {}),
        Deed::TakeBackAsked { seat, to_version } => Kind::TakeBackAsked(TakeBackAsked {
            seat: seat_number(*seat),
            to_version: *to_version,
        }),
        Deed::TakeBackAnswered { seat, agrees } => Kind::TakeBackAnswered(TakeBackAnswered {
            seat: seat_number(*seat),
            agrees: *agrees,
        }),
        Deed::TakenBack {
            seat,
            to_version,
            agreed_by,
        } => Kind::TakenBack(TakenBack {
            seat: seat_number(*seat),
            to_version: *to_version,
            agreed_by: number(*agreed_by),
        }),
    };
    pb::TableEntry { kind: Some(kind) }
}

/// An entry, read from a record.
///
/// # Errors
/// For an empty message, or one without a valid seat.
pub fn deed(message: &pb::TableEntry) -> Result<Deed, Malformed> {
    let named = |number| seat(number, "table");
    let some = |number| match number {
        0 => Ok(None),
        number => named(number).map(Some),
    };
    let kind = message.kind.as_ref();
    Ok(match kind.ok_or_else(|| Malformed::missing("table"))? {
        Kind::Resigned(entry) => Deed::Resigned {
            seat: named(entry.seat)?,
        },
        Kind::Returned(entry) => Deed::Returned {
            seat: named(entry.seat)?,
        },
        Kind::TimedOut(entry) => Deed::TimedOut {
            seat: named(entry.seat)?,
            claimed_by: some(entry.claimed_by)?,
        },
        Kind::Paused(Paused {}) => Deed::Paused,
        Kind::Resumed(Resumed {}) => Deed::Resumed,
        Kind::TakeBackAsked(entry) => Deed::TakeBackAsked {
            seat: named(entry.seat)?,
            to_version: entry.to_version,
        },
        Kind::TakeBackAnswered(entry) => Deed::TakeBackAnswered {
            seat: named(entry.seat)?,
            agrees: entry.agrees,
        },
        Kind::TakenBack(entry) => Deed::TakenBack {
            seat: named(entry.seat)?,
            to_version: entry.to_version,
            agreed_by: some(entry.agreed_by)?,
        },
    })
}

/// The pending decisions with their due times. `created_ms` is when the game was created.
#[must_use]
pub fn pending_until(
    list: &PendingList,
    life: Option<&Life>,
    created_ms: u64,
) -> Vec<pb::PendingDecision> {
    let mut decisions = pending(list);
    if let Some(clock) = life.and_then(Life::clock) {
        let time = |ms: Option<u64>| ms.map(|ms| timestamp(created_ms.saturating_add(ms)));
        for (decision, owed) in decisions.iter_mut().zip(list) {
            decision.since = time(clock.since_ms(owed.seat));
            decision.due = time(clock.due_ms(owed.seat));
        }
    }
    decisions
}

/// Adds the facts of a table beyond the rules.
pub fn add_life(info: &mut pb::GameInfo, life: &Life) {
    if *life.options() != TableOptions::default() {
        info.table = Some(table_options_message(life.options()));
    }
    if let Some(end) = life.end() {
        info.end_reason = match end {
            End::Resignation => pb::EndReason::Resignation,
            End::Abandoned => pb::EndReason::Abandoned,
        }
        .into();
    }
    info.resigned = seat_numbers(life.left());
    let seats = Seat::all(info.players.len());
    let clock = |clock: &Clock| {
        let of = |seat| pb::SeatClock {
            seat: seat_number(seat),
            bank_ms: clock.bank_ms(seat),
        };
        seats.map(of).collect()
    };
    info.clocks = life.clock().map_or_else(Vec::new, clock);
    info.paused = life.clock().is_some_and(Clock::is_paused);
    let request = |asked: &Asked| pb::PendingTakeBack {
        seat: seat_number(asked.seat),
        to_version: asked.to_version,
        agreed: asked.agreed.iter().map(seat_number).collect(),
    };
    info.pending_take_back = life.asked().map(request);
}
