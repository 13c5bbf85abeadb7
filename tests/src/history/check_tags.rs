//! Checks that all clients see the last value of a label. Each label is set by one client only.

use std::collections::BTreeMap;
use std::time::Duration;

use super::flaw::Flaw;
use super::{Call, What};

/// A request to set a label.
struct Set {
    value: u64,
    begun: Duration,
    /// The time at which the label was set. `None` if the answer is missing, so that it may be set at any time.
    ended: Option<Duration>,
}

/// Checks that every value seen is the last one that was set before, or one that was being set at the time.
pub(super) fn check_tags(calls: &[&Call], flaws: &mut Vec<Flaw>) {
    let mut labels: BTreeMap<&str, Vec<Set>> = BTreeMap::new();
    for call in calls {
        if let What::Labeled {
            key,
            value,
            is_done,
        } = &call.what
        {
            labels.entry(key).or_default().push(Set {
                value: *value,
                begun: call.begun,
                ended: is_done.then_some(call.ended),
            });
        }
    }
    for call in calls {
        let What::SawLabels(read_labels) = &call.what else {
            continue;
        };
        for key in read_labels
            .keys()
            .filter(|key| !labels.contains_key(key.as_str()))
        {
            flaws.push(Flaw::WrongLabel(key.clone(), None));
        }
        for (key, sets) in &labels {
            let value = read_labels.get(*key).copied();
            if !may_be_seen(sets, value, (call.begun, call.ended)) {
                flaws.push(Flaw::WrongLabel((*key).to_owned(), value));
            }
        }
    }
}

fn may_be_seen(sets: &[Set], value: Option<u64>, (begun, ended): (Duration, Duration)) -> bool {
    let is_before = |set: &Set| set.ended.is_some_and(|set| set <= begun);
    let Some(value) = value else {
        return !sets.iter().any(is_before);
    };
    let Some(read_set) = sets.iter().find(|set| set.value == value) else {
        return false;
    };
    let replaced = |other: &Set| {
        let follows = read_set
            .ended
            .is_some_and(|ended_at| other.begun >= ended_at);
        other.value != value && follows && is_before(other)
    };
    read_set.begun <= ended && !sets.iter().any(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(times: [u64; 2], value: u64, is_done: bool) -> Call {
        let key = String::from("mine");
        Call::between(
            times,
            What::Labeled {
                key,
                value,
                is_done,
            },
        )
    }

    fn saw(times: [u64; 2], value: Option<u64>) -> Call {
        let label = value.map(|value| (String::from("mine"), value));
        Call::between(times, What::SawLabels(label.into_iter().collect()))
    }

    fn flaws(calls: &[Call]) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        check_tags(&calls.iter().collect::<Vec<_>>(), &mut flaws);
        flaws
    }

    fn wrong(value: Option<u64>) -> [Flaw; 1] {
        [Flaw::WrongLabel(String::from("mine"), value)]
    }

    #[test]
    fn what_was_set_last_is_seen() {
        let mut calls = vec![
            saw([0, 1], None),
            set([5, 10], 1, true),
            saw([6, 8], None),
            saw([6, 8], Some(1)),
            saw([11, 12], Some(1)),
            set([20, 30], 2, true),
            saw([25, 26], Some(1)),
            saw([25, 26], Some(2)),
            saw([31, 32], Some(2)),
        ];
        assert_eq!(flaws(&calls), []);
        calls.push(saw([31, 32], Some(1)));
        assert_eq!(flaws(&calls), wrong(Some(1)), "stale");
        calls.pop();
        calls.push(saw([31, 32], None));
        assert_eq!(flaws(&calls), wrong(None), "lost");
        calls.pop();
        calls.push(saw([31, 32], Some(3)));
        assert_eq!(flaws(&calls), wrong(Some(3)), "of nobody");
        calls.pop();
        calls.push(saw([2, 4], Some(1)));
        assert_eq!(flaws(&calls), wrong(Some(1)), "too early");
    }

    #[test]
    fn what_was_not_answered_may_be_set_late() {
        let calls = [
            set([5, 10], 1, false),
            set([20, 30], 2, true),
            saw([40, 41], Some(1)),
            saw([42, 43], Some(2)),
            saw([15, 16], None),
        ];
        assert_eq!(flaws(&calls), []);
    }
}
