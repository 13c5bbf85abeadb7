//! Checks whether a record is possible: a **model** of the table beyond the rules follows it from version to version.

use std::collections::{BTreeMap, BTreeSet};

use super::flaw::{Breach, Flaw};
use super::{Call, Proposed, Record, RecordedVersion, TableChange, What};

/// The state of a table beyond the rules.
#[derive(Default)]
struct Table {
    left: BTreeSet<u32>,
    /// The seats that others have taken over. A bot among them can be replaced at any time.
    filled: BTreeSet<u32>,
    is_paused: bool,
    is_ended: bool,
    /// The open proposal: its seat, its content, and the seats that have agreed.
    proposal: Option<(u32, Proposed, BTreeSet<u32>)>,
}

/// Follows a record, and compares it with the requests.
pub(super) fn check_table(
    record: &Record,
    (calls, log): (&[&Call], &[Option<String>]),
    flaws: &mut Vec<Flaw>,
) {
    let mut table = Table::default();
    let wishes = wishes(calls);
    for (index, version) in (0..record.versions.len()).zip(1..) {
        let mut breaches = table.follow(record, index);
        let request = log.get(index).and_then(Option::as_deref);
        if let Some(wish) = request.and_then(|request| wishes.get(request))
            && !record.versions[index].table_change.answers(*wish)
        {
            breaches.push(Breach::NotWished);
        }
        let breaches = breaches.into_iter();
        flaws.extend(breaches.map(|breach| Flaw::AtTheTable(version, breach)));
    }
}

fn wishes<'a>(calls: &[&'a Call]) -> BTreeMap<&'a str, TableChange> {
    let wish = |call: &&'a Call| {
        let What::Wished {
            request,
            table_change,
        } = &call.what
        else {
            return None;
        };
        Some((request.as_str(), *table_change))
    };
    calls.iter().filter_map(wish).collect()
}

impl Table {
    /// Advances the model by one version and returns the contradictions.
    fn follow(&mut self, record: &Record, index: usize) -> Vec<Breach> {
        let (past, now) = (&record.versions[..index], &record.versions[index]);
        let mut breaches = Vec::new();
        if past.last().is_some_and(|before| before.at_ms > now.at_ms) {
            breaches.push(Breach::TimeRanBack);
        }
        if self.is_ended {
            breaches.push(Breach::AfterTheEnd);
        }
        breaches.extend(self.take(record, past, now));
        if self.is_ended && !now.pending.is_empty() {
            breaches.push(Breach::OwesAfterTheEnd);
        }
        for (seat, due) in &now.pending {
            if self.left.contains(seat) {
                breaches.push(Breach::OwesAfterLeaving(*seat));
            }
            if self.is_paused && due.is_some() {
                breaches.push(Breach::DueInAPause(*seat));
            }
        }
        breaches
    }

    fn take(
        &mut self,
        record: &Record,
        past: &[RecordedVersion],
        now: &RecordedVersion,
    ) -> Option<Breach> {
        match now.table_change {
            TableChange::Created => None,
            TableChange::Acted(seat) => {
                self.go_on();
                let has_left = self.left.contains(&seat);
                has_left.then_some(Breach::ActedAfterLeaving(seat))
            }
            TableChange::Resigned(seat) => {
                self.proposal = None;
                let is_new = self.left.insert(seat);
                (!is_new).then_some(Breach::LeftTwice(seat))
            }
            TableChange::SeatFilled(seat) => {
                self.proposal = None;
                let had_left = self.left.remove(&seat);
                let is_bot = record.bots.contains(&seat) || !self.filled.insert(seat);
                (!had_left && !is_bot).then_some(Breach::NeverLeft(seat))
            }
            TableChange::TimedOut(seat) => self.time_out(seat, past.last(), now),
            TableChange::TimeAdded { ms, .. } => added(past.last(), now, ms),
            TableChange::OutagePassed { ms } => moved_forward(past.last(), now, ms),
            TableChange::Paused { .. } | TableChange::Resumed(_) => {
                self.clocks(record.seats, now.table_change)
            }
            TableChange::Proposed { seat, wish } => self.propose(past, seat, wish),
            TableChange::Ended { agreed_by, .. } => {
                let refused = self.agreed(record.seats, now.table_change, agreed_by);
                self.is_ended = true;
                refused
            }
            TableChange::Answered { seat, agrees } => self.answer(seat, agrees),
            TableChange::TakenBack {
                seat,
                to_version,
                agreed_by,
            } => {
                let refused = if agreed_by == 0 {
                    self.go_on();
                    others_acted(past, seat, to_version)
                } else {
                    let is_own = self
                        .proposal
                        .as_ref()
                        .is_none_or(|proposal| proposal.0 == seat);
                    let refused = self.agreed(record.seats, now.table_change, agreed_by);
                    refused.or((!is_own).then_some(Breach::NotAgreed))
                };
                refused.or_else(|| self.went_back(past, now, to_version))
            }
        }
    }

    /// Pauses or resumes the clocks.
    fn clocks(&mut self, seats: u32, table_change: TableChange) -> Option<Breach> {
        let (refused, pauses) = if let TableChange::Paused { agreed_by } = table_change {
            let refused = self.agreed(seats, table_change, agreed_by);
            if matches!(self.proposal, Some((_, Proposed::Pause, _))) {
                self.proposal = None;
            }
            (refused, true)
        } else {
            let seat = if let TableChange::Resumed(seat) = table_change {
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

    fn propose(&mut self, past: &[RecordedVersion], seat: u32, wish: Proposed) -> Option<Breach> {
        self.proposal = Some((seat, wish, BTreeSet::new()));
        if self.left.contains(&seat) {
            return Some(Breach::ActedAfterLeaving(seat));
        }
        match wish {
            Proposed::TakeBack(to) if version_at(past, to).is_none() => {
                Some(Breach::NoSuchVersion(to))
            }
            Proposed::TakeBack(_) | Proposed::Pause | Proposed::End(_) => None,
        }
    }

    /// Voids a proposal to go back, because the game has moved on.
    fn go_on(&mut self) {
        if matches!(self.proposal, Some((_, Proposed::TakeBack(_), _))) {
            self.proposal = None;
        }
    }

    fn time_out(
        &mut self,
        seat: u32,
        before: Option<&RecordedVersion>,
        now: &RecordedVersion,
    ) -> Option<Breach> {
        self.go_on();
        let due_of = |before: &RecordedVersion| {
            let mut pending = before.pending.iter();
            pending
                .find(|(owes, _)| *owes == seat)
                .and_then(|(_, due)| *due)
        };
        let due = before.and_then(due_of);
        let is_late = due.is_some_and(|due| due <= now.at_ms);
        (!is_late || self.is_paused).then_some(Breach::NotLate(seat))
    }

    fn answer(&mut self, seat: u32, agrees: bool) -> Option<Breach> {
        let Some((_, _, agreed)) = &mut self.proposal else {
            return Some(Breach::NotProposed(seat));
        };
        if agrees {
            let is_new = agreed.insert(seat);
            return (!is_new).then_some(Breach::NotProposed(seat));
        }
        self.proposal = None;
        None
    }

    /// Checks that all seats have agreed, with `last` as the last of them. If `last` is 0, no consent was needed.
    fn agreed(&mut self, seats: u32, table_change: TableChange, last: u32) -> Option<Breach> {
        if last == 0 {
            return None;
        }
        let Some((seat, wish, agreed)) = self.proposal.take() else {
            return Some(Breach::NotProposed(last));
        };
        let heard = |other: &u32| {
            *other == seat || *other == last || agreed.contains(other) || self.left.contains(other)
        };
        let is_agreed = wish.is_done_by(table_change) && (1..=seats).all(|other| heard(&other));
        (!is_agreed).then_some(Breach::NotAgreed)
    }

    /// Checks that the table is restored. Fallbacks may have answered for players who have left in the meantime.
    fn went_back(
        &self,
        past: &[RecordedVersion],
        now: &RecordedVersion,
        to_version: u64,
    ) -> Option<Breach> {
        let Some(then) = version_at(past, to_version) else {
            return Some(Breach::NoSuchVersion(to_version));
        };
        let seats = |version: &RecordedVersion| {
            version
                .pending
                .iter()
                .map(|pending| pending.0)
                .collect::<Vec<_>>()
        };
        let is_same = now.state == then.state && seats(now) == seats(then);
        (!is_same && !now.automatic).then_some(Breach::OtherTable(to_version))
    }
}

fn version_at(past: &[RecordedVersion], version: u64) -> Option<&RecordedVersion> {
    past.get(usize::try_from(version).ok()?.checked_sub(1)?)
}

/// A seat with a pending decision, and the time at which it is due.
type PendingSeat = (u32, Option<u64>);

/// Checks that decisions are due at the same time as before, or later by the added time.
fn added(before: Option<&RecordedVersion>, now: &RecordedVersion, ms: u64) -> Option<Breach> {
    let before = before.map_or(&[][..], |before| &before.pending);
    let is_same_or_extended = |(was, is): (&PendingSeat, &PendingSeat)| {
        let later = was.1.map(|due| due.saturating_add(ms));
        was.0 == is.0 && (is.1 == was.1 || is.1 == later)
    };
    let is_same = before.len() == now.pending.len()
        && before.iter().zip(&now.pending).all(is_same_or_extended);
    (!is_same).then_some(Breach::OtherTime)
}

/// Checks that an outage has moved the deadline of every running clock.
fn moved_forward(
    before: Option<&RecordedVersion>,
    now: &RecordedVersion,
    ms: u64,
) -> Option<Breach> {
    let before = before.map_or(&[][..], |before| &before.pending);
    let later = before
        .iter()
        .map(|(seat, due)| (*seat, due.map(|due| due.saturating_add(ms))));
    (!later.eq(now.pending.iter().copied())).then_some(Breach::OtherTime)
}

/// Checks that no other seat acted or left after a version.
fn others_acted(past: &[RecordedVersion], seat: u32, to_version: u64) -> Option<Breach> {
    let after = usize::try_from(to_version).unwrap_or(usize::MAX);
    let since = past.get(after..).unwrap_or_default();
    let by_others = |version: &RecordedVersion| {
        let (TableChange::Acted(other) | TableChange::Resigned(other)) = version.table_change
        else {
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
