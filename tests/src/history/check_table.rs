//! Checks whether a record is possible: a **model** of the table beyond the rules follows it from version to version.

use std::collections::{BTreeMap, BTreeSet};

use super::flaw::{Breach, Flaw};
use super::{Call, Deed, Kept, Proposed, Record, What};

/// The state of a table beyond the rules.
#[derive(Default)]
struct Table {
    left: BTreeSet<u32>,
    is_paused: bool,
    is_ended: bool,
    /// The open proposal: its seat, its content, and the seats that have agreed.
    asked: Option<(u32, Proposed, BTreeSet<u32>)>,
}

/// Follows a record, and compares it with the requests.
pub(super) fn check_table(
    record: &Record,
    (calls, log): (&[&Call], &[Option<String>]),
    flaws: &mut Vec<Flaw>,
) {
    let mut table = Table::default();
    let wishes = wishes(calls);
    for (place, version) in (0..record.versions.len()).zip(1..) {
        let mut found = table.follow(record, place);
        let request = log.get(place).and_then(Option::as_deref);
        if let Some(wish) = request.and_then(|request| wishes.get(request))
            && !record.versions[place].deed.answers(*wish)
        {
            found.push(Breach::NotWished);
        }
        let found = found.into_iter();
        flaws.extend(found.map(|breach| Flaw::AtTheTable(version, breach)));
    }
}

fn wishes<'a>(calls: &[&'a Call]) -> BTreeMap<&'a str, Deed> {
    let wish = |call: &&'a Call| {
        let What::Wished { request, deed } = &call.what else {
            return None;
        };
        Some((request.as_str(), *deed))
    };
    calls.iter().filter_map(wish).collect()
}

impl Table {
    /// Advances the model by one version and returns the contradictions.
    fn follow(&mut self, record: &Record, place: usize) -> Vec<Breach> {
        let (past, now) = (&record.versions[..place], &record.versions[place]);
        let mut found = Vec::new();
        if past.last().is_some_and(|before| before.at_ms > now.at_ms) {
            found.push(Breach::TimeRanBack);
        }
        if self.is_ended {
            found.push(Breach::AfterTheEnd);
        }
        found.extend(self.take(record.seats, past, now));
        if self.is_ended && !now.owed.is_empty() {
            found.push(Breach::OwesAfterTheEnd);
        }
        for (seat, due) in &now.owed {
            if self.left.contains(seat) {
                found.push(Breach::OwesAfterLeaving(*seat));
            }
            if self.is_paused && due.is_some() {
                found.push(Breach::DueInAPause(*seat));
            }
        }
        found
    }

    fn take(&mut self, seats: u32, past: &[Kept], now: &Kept) -> Option<Breach> {
        match now.deed {
            Deed::Created => None,
            Deed::Acted(seat) => {
                self.go_on();
                let has_left = self.left.contains(&seat);
                has_left.then_some(Breach::ActedAfterLeaving(seat))
            }
            Deed::Resigned(seat) => {
                self.asked = None;
                let is_new = self.left.insert(seat);
                (!is_new).then_some(Breach::LeftTwice(seat))
            }
            Deed::SeatFilled(seat) => {
                self.asked = None;
                let had_left = self.left.remove(&seat);
                (!had_left).then_some(Breach::NeverLeft(seat))
            }
            Deed::TimedOut(seat) => self.time_out(seat, past.last(), now),
            Deed::TimeAdded { ms, .. } => added(past.last(), now, ms),
            Deed::OutagePassed { ms } => moved_forward(past.last(), now, ms),
            Deed::Paused { .. } | Deed::Resumed(_) => self.clocks(seats, now.deed),
            Deed::Proposed { seat, wish } => self.propose(past, seat, wish),
            Deed::Ended { agreed_by, .. } => {
                let refused = self.agreed(seats, now.deed, agreed_by);
                self.is_ended = true;
                refused
            }
            Deed::Answered { seat, agrees } => self.answer(seat, agrees),
            Deed::TakenBack {
                seat,
                to_version,
                agreed_by,
            } => {
                let refused = if agreed_by == 0 {
                    self.go_on();
                    others_acted(past, seat, to_version)
                } else {
                    let is_own = self.asked.as_ref().is_none_or(|asked| asked.0 == seat);
                    let refused = self.agreed(seats, now.deed, agreed_by);
                    refused.or((!is_own).then_some(Breach::NotAgreed))
                };
                refused.or_else(|| self.went_back(past, now, to_version))
            }
        }
    }

    /// Pauses or resumes the clocks.
    fn clocks(&mut self, seats: u32, deed: Deed) -> Option<Breach> {
        let (refused, pauses) = if let Deed::Paused { agreed_by } = deed {
            let refused = self.agreed(seats, deed, agreed_by);
            if matches!(self.asked, Some((_, Proposed::Pause, _))) {
                self.asked = None;
            }
            (refused, true)
        } else {
            let seat = if let Deed::Resumed(seat) = deed {
                seat
            } else {
                0
            };
            let has_left = self.left.contains(&seat);
            (has_left.then_some(Breach::ActedAfterLeaving(seat)), false)
        };
        let was_paused = std::mem::replace(&mut self.is_paused, pauses);
        refused.or((was_paused == pauses).then_some(Breach::ClocksTwice))
    }

    fn propose(&mut self, past: &[Kept], seat: u32, wish: Proposed) -> Option<Breach> {
        self.asked = Some((seat, wish, BTreeSet::new()));
        if self.left.contains(&seat) {
            return Some(Breach::ActedAfterLeaving(seat));
        }
        match wish {
            Proposed::TakeBack(to) if kept_at(past, to).is_none() => {
                Some(Breach::NoSuchVersion(to))
            }
            Proposed::TakeBack(_) | Proposed::Pause | Proposed::End(_) => None,
        }
    }

    /// Voids a proposal to go back, because the game has moved on.
    fn go_on(&mut self) {
        if matches!(self.asked, Some((_, Proposed::TakeBack(_), _))) {
            self.asked = None;
        }
    }

    fn time_out(&mut self, seat: u32, before: Option<&Kept>, now: &Kept) -> Option<Breach> {
        self.go_on();
        let owed = |before: &Kept| {
            let mut owed = before.owed.iter();
            owed.find(|(owes, _)| *owes == seat)
                .and_then(|(_, due)| *due)
        };
        let due = before.and_then(owed);
        let is_late = due.is_some_and(|due| due <= now.at_ms);
        (!is_late || self.is_paused).then_some(Breach::NotLate(seat))
    }

    fn answer(&mut self, seat: u32, agrees: bool) -> Option<Breach> {
        let Some((_, _, agreed)) = &mut self.asked else {
            return Some(Breach::NotAsked(seat));
        };
        if agrees {
            let is_new = agreed.insert(seat);
            return (!is_new).then_some(Breach::NotAsked(seat));
        }
        self.asked = None;
        None
    }

    /// Checks that all seats have agreed, with `last` as the last of them. If `last` is 0, no consent was needed.
    fn agreed(&mut self, seats: u32, done: Deed, last: u32) -> Option<Breach> {
        if last == 0 {
            return None;
        }
        let Some((seat, wish, agreed)) = self.asked.take() else {
            return Some(Breach::NotAsked(last));
        };
        let heard = |other: &u32| {
            *other == seat || *other == last || agreed.contains(other) || self.left.contains(other)
        };
        let is_agreed = wish.is_done_by(done) && (1..=seats).all(|other| heard(&other));
        (!is_agreed).then_some(Breach::NotAgreed)
    }

    /// Checks that the table is restored. Fallbacks may have answered for players who have left in the meantime.
    fn went_back(&self, past: &[Kept], now: &Kept, to_version: u64) -> Option<Breach> {
        let Some(then) = kept_at(past, to_version) else {
            return Some(Breach::NoSuchVersion(to_version));
        };
        let seats = |kept: &Kept| kept.owed.iter().map(|owed| owed.0).collect::<Vec<_>>();
        let is_same = now.state == then.state && seats(now) == seats(then);
        (!is_same && !now.automatic).then_some(Breach::OtherTable(to_version))
    }
}

fn kept_at(past: &[Kept], version: u64) -> Option<&Kept> {
    past.get(usize::try_from(version).ok()?.checked_sub(1)?)
}

/// A seat with a pending decision, and the time at which it is due.
type Owed = (u32, Option<u64>);

/// Checks that decisions are due at the same time as before, or later by the added time.
fn added(before: Option<&Kept>, now: &Kept, ms: u64) -> Option<Breach> {
    let before = before.map_or(&[][..], |before| &before.owed);
    let is_kept = |(was, is): (&Owed, &Owed)| {
        let later = was.1.map(|due| due.saturating_add(ms));
        was.0 == is.0 && (is.1 == was.1 || is.1 == later)
    };
    let is_same = before.len() == now.owed.len() && before.iter().zip(&now.owed).all(is_kept);
    (!is_same).then_some(Breach::OtherTime)
}

/// Checks that an outage has moved the deadline of every running clock.
fn moved_forward(before: Option<&Kept>, now: &Kept, ms: u64) -> Option<Breach> {
    let before = before.map_or(&[][..], |before| &before.owed);
    let later = before
        .iter()
        .map(|(seat, due)| (*seat, due.map(|due| due.saturating_add(ms))));
    (!later.eq(now.owed.iter().copied())).then_some(Breach::OtherTime)
}

/// Checks that no other seat acted or left after a version.
fn others_acted(past: &[Kept], seat: u32, to_version: u64) -> Option<Breach> {
    let after = usize::try_from(to_version).unwrap_or(usize::MAX);
    let since = past.get(after..).unwrap_or_default();
    let by_others = |kept: &Kept| {
        let (Deed::Acted(other) | Deed::Resigned(other)) = kept.deed else {
            return false;
        };
        other != seat
    };
    since
        .iter()
        .any(by_others)
        .then_some(Breach::OthersActed(seat))
}

#[cfg(test)]
#[path = "check_table_tests.rs"]
mod tests;
