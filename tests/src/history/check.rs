//! Checks whether a history is possible, that is, **linearizable**: every answer agrees with one order of changes that
//! respects real time.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::check_table::check_table;
use super::check_tags::check_tags;
use super::check_tokens::check_tokens;
use super::flaw::Flaw;
use super::{Call, Logs, Outcome, Record, Records, What};

/// A period in which the store may have lost its newest entries: from the death of its primary until another one has
/// taken over.
#[derive(Clone, Copy, Debug)]
pub struct Break {
    /// The time at which the primary was killed.
    pub from: Duration,
    /// The time at which another one had taken over.
    pub until: Duration,
}

/// Returns all flaws of a history. The last answers of a dead primary may be lost, but only together with everything
/// that it answered after them in the same game.
#[must_use]
pub fn check(calls: &[Call], logs: &Logs, records: &Records, breaks: &[Break]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut games: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
    for call in calls {
        games.entry(&call.game).or_default().push(call);
    }
    for (name, calls) in games {
        let empty = Vec::new();
        let log = logs.get(name).unwrap_or(&empty);
        let settled = settled(&calls);
        let game = Game {
            calls,
            settled,
            log,
            breaks,
        };
        game.check_answers(&mut flaws);
        game.check_order(&mut flaws);
        game.check_log(records.get(name), &mut flaws);
        game.check_watches(&mut flaws);
        check_tokens(&game.calls, &mut flaws);
        if let Some(record) = records.get(name) {
            check_table(record, (&game.calls, log), &mut flaws);
        }
        if breaks.is_empty() {
            check_tags(&game.calls, &mut flaws);
        }
    }
    flaws
}

struct Game<'a> {
    calls: Vec<&'a Call>,
    /// The time at which each request had all its answers; the maximum if one is missing.
    settled: BTreeMap<&'a str, Duration>,
    log: &'a [Option<String>],
    breaks: &'a [Break],
}

/// A request that was answered OK.
#[derive(Clone, Copy)]
struct AcceptedRequest<'a> {
    request: &'a str,
    call: &'a Call,
    version: u64,
    answer: u64,
}

impl<'a> Game<'a> {
    fn accepted_requests(&self) -> impl Iterator<Item = AcceptedRequest<'a>> + '_ {
        self.calls.iter().filter_map(|call| {
            let (request, Outcome::Done { version, answer }) = call.change()? else {
                return None;
            };
            Some(AcceptedRequest {
                request,
                call,
                version,
                answer,
            })
        })
    }

    /// Returns whether the log has the request at the version that its answer reported.
    fn is_in_log(&self, accepted: &AcceptedRequest<'_>) -> bool {
        let index = usize::try_from(accepted.version)
            .unwrap_or(0)
            .wrapping_sub(1);
        let entry = self.log.get(index).and_then(Option::as_deref);
        entry == Some(accepted.request)
    }

    /// Returns whether the answer may have been lost with a primary.
    fn may_be_lost(&self, lost: &AcceptedRequest<'_>) -> bool {
        self.breaks.iter().any(|broken| {
            // A request that was resent later may have been lost and then carried out again.
            let is_of_the_dead =
                |accepted: &AcceptedRequest<'_>| self.settled[accepted.request] <= broken.from;
            let built_upon = |accepted: AcceptedRequest<'_>| {
                accepted.version > lost.version
                    && is_of_the_dead(&accepted)
                    && self.is_in_log(&accepted)
            };
            // Requests sent after the break are answered by the new primary.
            lost.call.begun <= broken.until && !self.accepted_requests().any(built_upon)
        })
    }

    /// Checks that answers do not contradict each other.
    fn check_answers(&self, flaws: &mut Vec<Flaw>) {
        let mut by_request: BTreeMap<&str, AcceptedRequest<'_>> = BTreeMap::new();
        let mut by_version: BTreeMap<u64, &str> = BTreeMap::new();
        for accepted in self.accepted_requests() {
            let first = *by_request.entry(accepted.request).or_insert(accepted);
            let is_same = (first.version, first.answer) == (accepted.version, accepted.answer);
            // A request that was lost between the two answers is carried out again.
            let is_between = |broken: &Break| {
                first.call.begun <= broken.until && accepted.call.ended >= broken.from
            };
            if !is_same && !self.breaks.iter().any(is_between) {
                flaws.push(Flaw::TwoAnswers(accepted.request.to_owned()));
            }
            if !self.is_in_log(&accepted) && self.may_be_lost(&accepted) {
                continue;
            }
            let first = *by_version
                .entry(accepted.version)
                .or_insert(accepted.request);
            if first != accepted.request {
                let both = [first.to_owned(), accepted.request.to_owned()];
                flaws.push(Flaw::SameVersion(both, accepted.version));
            }
        }
    }

    /// Returns the number of the stretch between breaks that contains a call. Returns `None` if the call overlaps a
    /// break.
    fn stretch(&self, call: &Call) -> Option<usize> {
        let is_before = |broken: &&Break| call.ended < broken.from;
        let is_after = |broken: &&Break| call.begun > broken.until;
        let after = self.breaks.iter().filter(is_after).count();
        let before = self.breaks.iter().filter(is_before).count();
        (after + before == self.breaks.len()).then_some(after)
    }

    /// Checks that a call that begins after another one has ended sees its effect.
    fn check_order(&self, flaws: &mut Vec<Flaw>) {
        let first_sent = self.first_sent();
        for stretch in 0..=self.breaks.len() {
            let here = |call: &&&Call| self.stretch(call) == Some(stretch);
            let mut begun: Vec<&Call> = self.calls.iter().filter(here).copied().collect();
            let mut ended = begun.clone();
            begun.sort_by_key(|call| call.begun);
            ended.sort_by_key(|call| call.ended);
            let mut ended = ended.into_iter().peekable();
            let mut newest_reported = 0;
            for call in begun {
                while let Some(before) = ended.next_if(|before| before.ended < call.begun) {
                    newest_reported = newest_reported.max(version_of(before).unwrap_or(0));
                }
                match (&call.what, version_of(call)) {
                    (What::Read(version), _) if *version < newest_reported => {
                        flaws.push(Flaw::StaleRead(*version, newest_reported));
                    }
                    // A resent request was only answered late: the change itself may have been made earlier.
                    (What::Change { request, .. }, Some(version))
                        if version <= newest_reported
                            && first_sent.get(request.as_str()) == Some(&call.begun) =>
                    {
                        flaws.push(Flaw::OutOfOrder(request.clone(), version));
                    }
                    (_, _) => {}
                }
            }
        }
    }

    /// Returns the time at which each request was sent first.
    fn first_sent(&self) -> BTreeMap<&str, Duration> {
        let mut first = BTreeMap::new();
        for call in &self.calls {
            if let What::Change { request, .. } = &call.what {
                let begun = first.entry(request.as_str()).or_insert(call.begun);
                *begun = call.begun.min(*begun);
            }
        }
        first
    }

    /// Checks that the log contains every answered request once and no refused one. Entries without a request are
    /// allowed if they were due: servers make those by themselves.
    fn check_log(&self, record: Option<&Record>, flaws: &mut Vec<Flaw>) {
        let mut logged = BTreeSet::new();
        for (entry, version) in self.log.iter().zip(1..) {
            match entry {
                None if record.is_some_and(|record| record.was_due(version)) => {}
                None => flaws.push(Flaw::OfNobody(version)),
                Some(request) if !logged.insert(request.as_str()) => {
                    flaws.push(Flaw::Doubled(request.clone()));
                }
                Some(_) => {}
            }
        }
        for accepted in self.accepted_requests() {
            if !self.is_in_log(&accepted) && !self.may_be_lost(&accepted) {
                flaws.push(Flaw::Lost(accepted.request.to_owned(), accepted.version));
            }
        }
        for call in &self.calls {
            match &call.what {
                What::Change {
                    request,
                    outcome: Outcome::Refused,
                } if logged.contains(request.as_str())
                    // A request that is resent may have become legal meanwhile.
                    && self.settled[request.as_str()] <= call.ended =>
                {
                    flaws.push(Flaw::PlayedThough(request.clone()));
                }
                What::Read(version) if self.breaks.is_empty() && *version > self.len() => {
                    flaws.push(Flaw::BeyondTheLog(*version));
                }
                What::Broken(status) => flaws.push(Flaw::Broken(status.clone())),
                What::Change { .. }
                | What::Read(_)
                | What::Watched { .. }
                | What::Issued { .. }
                | What::Revoked { .. }
                | What::Presented { .. }
                | What::Wished { .. }
                | What::Labeled { .. }
                | What::SawLabels(_) => {}
            }
        }
    }

    /// Checks that watches deliver every version once and in order.
    fn check_watches(&self, flaws: &mut Vec<Flaw>) {
        for call in &self.calls {
            let What::Watched { after, versions } = &call.what else {
                continue;
            };
            // A watch that begins with the table may begin at any version.
            let begin = match (after, versions.first()) {
                (0, Some(first)) => *first,
                (0, None) => 1,
                (after, _) => after + 1,
            };
            if !versions.iter().copied().eq((begin..).take(versions.len())) {
                flaws.push(Flaw::WatchGap(*after, versions.clone()));
            }
            if let Some(last) = versions.last()
                && self.breaks.is_empty()
                && *last > self.len()
            {
                flaws.push(Flaw::BeyondTheLog(*last));
            }
        }
    }

    fn len(&self) -> u64 {
        self.log.len() as u64
    }
}

/// Returns the time at which each request had all its answers; the maximum if one is missing.
fn settled<'a>(calls: &[&'a Call]) -> BTreeMap<&'a str, Duration> {
    let mut settled = BTreeMap::new();
    for call in calls {
        let What::Change { request, outcome } = &call.what else {
            continue;
        };
        let ended = match outcome {
            Outcome::Done { .. } | Outcome::Refused => call.ended,
            Outcome::Unknown => Duration::MAX,
        };
        let last = settled.entry(request.as_str()).or_insert(ended);
        *last = ended.max(*last);
    }
    settled
}

/// Returns the version that a call reveals.
fn version_of(call: &Call) -> Option<u64> {
    match &call.what {
        What::Read(version) => Some(*version),
        What::Change {
            outcome: Outcome::Done { version, .. },
            ..
        } => Some(*version),
        What::Watched { versions, .. } => versions.last().copied(),
        What::Change { .. }
        | What::Issued { .. }
        | What::Revoked { .. }
        | What::Presented { .. }
        | What::Wished { .. }
        | What::Labeled { .. }
        | What::SawLabels(_)
        | What::Broken(_) => None,
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
