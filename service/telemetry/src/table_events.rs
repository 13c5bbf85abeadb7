//! Metrics of events at tables beyond the rules, by kind.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundCounter, Counter, Meter};

/// A kind of event at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "they are the entries of the contract, forks and imports"
)]
pub enum TableEventLabel {
    Resigned,
    SeatFilled,
    TimedOut,
    TimeAdded,
    Paused,
    Resumed,
    Proposed,
    Answered,
    TakenBack,
    Ended,
    Forked,
    Imported,
}

impl TableEventLabel {
    const ALL: [Self; 12] = [
        Self::Resigned,
        Self::SeatFilled,
        Self::TimedOut,
        Self::TimeAdded,
        Self::Paused,
        Self::Resumed,
        Self::Proposed,
        Self::Answered,
        Self::TakenBack,
        Self::Ended,
        Self::Forked,
        Self::Imported,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Resigned => "resigned",
            Self::SeatFilled => "seat_filled",
            Self::TimedOut => "timed_out",
            Self::TimeAdded => "time_added",
            Self::Paused => "paused",
            Self::Resumed => "resumed",
            Self::Proposed => "proposed",
            Self::Answered => "answered",
            Self::TakenBack => "taken_back",
            Self::Ended => "ended",
            Self::Forked => "forked",
            Self::Imported => "imported",
        }
    }
}

/// Creates the counter of all table events.
pub(super) fn counter(meter: &Meter) -> Counter<u64> {
    let counter = meter.u64_counter("gamekeeper.table.events");
    let counter = counter.with_unit("{event}");
    let what = "Table events other than actions, forks and imports";
    counter.with_description(what).build()
}

/// The counters of table events of one ruleset, by kind.
pub(super) struct TableEventCounters([BoundCounter<u64>; 12]);

impl TableEventCounters {
    pub(super) fn of(counter: &Counter<u64>, ruleset: &KeyValue) -> Self {
        Self(TableEventLabel::ALL.map(|event| {
            let kind = KeyValue::new("kind", event.name());
            counter.bind(&[ruleset.clone(), kind])
        }))
    }

    pub(super) fn happened(&self, event: TableEventLabel) {
        self.0[event as usize].add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (at, event) in TableEventLabel::ALL.into_iter().enumerate() {
            assert_eq!(event as usize, at);
        }
    }
}
