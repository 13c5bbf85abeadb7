//! The metrics instruments. Each is created once, and bound to its labels where these are known beforehand, so that
//! counting costs a few nanoseconds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use gamekeeper_store::Capacity;
use opentelemetry::KeyValue;
use opentelemetry::metrics::{
    BoundCounter, BoundHistogram, BoundUpDownCounter, Counter, Histogram, Meter, UpDownCounter,
};

use super::backups::BackupMetrics;
use super::calls::CallMetrics;
use super::connections::ConnectionMetrics;
use super::left_bots::{LeftBot, LeftBotCounters};
use super::store::StoreMetrics;
use super::table_events::{TableEventCounters, TableEventLabel};

/// Histogram bounds of durations, in seconds: from answers out of memory to the longest deadline.
const SECONDS: [f64; 17] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1.0, 2.5, 5.0, 10.0,
];

/// Histogram bounds of sizes, in bytes.
const BYTES: [f64; 9] = [
    128.0, 256.0, 512.0, 1_024.0, 2_048.0, 4_096.0, 8_192.0, 16_384.0, 65_536.0,
];

/// The metrics of this process.
pub struct Metrics {
    meter: Meter,
    call_duration: Histogram<f64>,
    store_duration: Histogram<f64>,
    refusals: Counter<u64>,
    commits: Counter<u64>,
    repeats: Counter<u64>,
    lookups: Counter<u64>,
    created: Counter<u64>,
    finished: Counter<u64>,
    table_events: Counter<u64>,
    left_bots: Counter<u64>,
    snapshots: Histogram<u64>,
    watches: UpDownCounter<i64>,
    watch_lag: Histogram<f64>,
    watch_messages: Counter<u64>,
    feeds: BoundUpDownCounter<i64>,
    feed_lag: BoundHistogram<f64>,
    panics: Counter<u64>,
}

impl Metrics {
    /// Creates the instruments of a meter.
    #[must_use]
    pub fn new(meter: Meter) -> Arc<Self> {
        let counter = |name: &'static str, unit: &'static str, what: &'static str| {
            let counter = meter.u64_counter(name).with_unit(unit);
            counter.with_description(what).build()
        };
        let seconds = |name: &'static str, what: &'static str| {
            let histogram = meter.f64_histogram(name).with_unit("s");
            let histogram = histogram.with_boundaries(SECONDS.to_vec());
            histogram.with_description(what).build()
        };
        let panics = counter("gamekeeper.panics", "{panic}", "Panics: bugs");
        // Exported from the start, so that the first panic shows as an increase.
        panics.add(0, &[]);
        Arc::new(Self {
            call_duration: seconds(
                "rpc.server.call.duration",
                "Time from the request to the response; for a stream, to its beginning",
            ),
            store_duration: seconds(
                "db.client.operation.duration",
                "Duration of operations of the store",
            ),
            refusals: counter("gamekeeper.refusals", "{refusal}", "Refusals by the rules"),
            commits: counter(
                "gamekeeper.commits",
                "{commit}",
                "Actions committed to the store, by outcome",
            ),
            repeats: counter(
                "gamekeeper.requests.repeated",
                "{request}",
                "Retries of requests that had been played before",
            ),
            lookups: counter(
                "gamekeeper.cache.lookups",
                "{lookup}",
                "Lookups of games in the cache",
            ),
            created: counter("gamekeeper.games.created", "{game}", "Games created"),
            finished: counter(
                "gamekeeper.games.finished",
                "{game}",
                "Games played to their end",
            ),
            table_events: super::table_events::counter(&meter),
            left_bots: counter(
                "gamekeeper.bots.left",
                "{decision}",
                "Looks at decisions of bots that this process leaves to others, by reason",
            ),
            snapshots: snapshots(&meter),
            watches: watches(&meter),
            watch_lag: seconds(
                "gamekeeper.watch.lag",
                "Time from accepting an action until a watch shows it",
            ),
            watch_messages: watch_messages(&meter),
            feeds: feeds(&meter).bind(&[]),
            feed_lag: feed_lag(&meter).bind(&[]),
            panics,
            meter,
        })
    }

    /// Returns the metrics of calls of these methods, given their full names (`package.Service/Method`).
    pub fn of_calls(&self, methods: impl IntoIterator<Item = String>) -> CallMetrics {
        let ended = self.meter.u64_counter("gamekeeper.streams.ended");
        let ended = ended
            .with_unit("{stream}")
            .with_description("Streams that have ended, by method and cause")
            .build();
        CallMetrics::new((self.call_duration.clone(), ended), methods)
    }

    /// Returns the metrics of the games of a ruleset.
    #[must_use]
    pub fn of_ruleset(&self, ruleset: &'static str) -> RulesetMetrics {
        let label = KeyValue::new("ruleset", ruleset);
        let labels = std::slice::from_ref(&label);
        let lookup = |result| {
            self.lookups
                .bind(&[label.clone(), KeyValue::new("result", result)])
        };
        let message = |result| {
            self.watch_messages
                .bind(&[label.clone(), KeyValue::new("result", result)])
        };
        RulesetMetrics {
            refusals: self.refusals.clone(),
            commits: CommitOutcome::ALL.map(|outcome| {
                let outcome = KeyValue::new("outcome", outcome.name());
                self.commits.bind(&[label.clone(), outcome])
            }),
            repeats: self.repeats.bind(labels),
            hits: lookup("hit"),
            misses: lookup("miss"),
            created: self.created.bind(labels),
            finished: self.finished.bind(labels),
            table_events: TableEventCounters::of(&self.table_events, &label),
            left_bots: LeftBotCounters::of(&self.left_bots, &label),
            snapshots: self.snapshots.bind(labels),
            watches: self.watches.bind(labels),
            watch_lag: self.watch_lag.bind(labels),
            written: message("encoded"),
            shared: message("shared"),
            ruleset,
        }
    }

    /// Returns the metrics of a store of this kind.
    #[must_use]
    pub fn of_store(&self, system: &'static str) -> StoreMetrics {
        StoreMetrics::new(&self.store_duration, system)
    }

    /// Returns the metrics of connections.
    #[must_use]
    pub fn of_connections(&self) -> ConnectionMetrics {
        ConnectionMetrics::new(&self.meter)
    }

    /// Exports from now on how many connections are open, and how many of these have not carried an authenticated
    /// call.
    pub fn observe_connections(&self, count: impl Fn() -> (usize, usize) + Send + Sync + 'static) {
        let gauge = self
            .meter
            .i64_observable_up_down_counter("gamekeeper.connections");
        let _observed = gauge
            .with_unit("{connection}")
            .with_description("Open connections, by whether they carried an authenticated call")
            .with_callback(move |observer| {
                let (all, anonymous) = count();
                for (count, is_authenticated) in
                    [(all.saturating_sub(anonymous), "yes"), (anonymous, "no")]
                {
                    let count = i64::try_from(count).unwrap_or(i64::MAX);
                    observer.observe(count, &[KeyValue::new("known", is_authenticated)]);
                }
            })
            .build();
    }

    /// Exports from now on how many calls are in flight.
    pub fn observe_calls(&self, in_flight: impl Fn() -> usize + Send + Sync + 'static) {
        let gauge = self
            .meter
            .i64_observable_up_down_counter("gamekeeper.calls.in_flight");
        let _observed = gauge
            .with_unit("{call}")
            .with_description("Calls in progress")
            .with_callback(move |observer| {
                observer.observe(i64::try_from(in_flight()).unwrap_or(i64::MAX), &[]);
            })
            .build();
    }

    /// Exports from now on how many calls have begun but have not received their whole request.
    pub fn observe_pending_bodies(&self, pending_bodies: Arc<AtomicUsize>) {
        let gauge = self
            .meter
            .i64_observable_up_down_counter("gamekeeper.calls.arriving");
        let _observed = gauge
            .with_unit("{call}")
            .with_description("Calls whose request has not arrived in full")
            .with_callback(move |observer| {
                let count = pending_bodies.load(Ordering::Relaxed);
                observer.observe(i64::try_from(count).unwrap_or(i64::MAX), &[]);
            })
            .build();
    }

    /// Exports from now on how many log lines of each target were lost.
    pub fn observe_lost_lines(
        &self,
        lost: impl Fn() -> Vec<(String, u64)> + Send + Sync + 'static,
    ) {
        let counter = self
            .meter
            .u64_observable_counter("gamekeeper.log.lines.lost");
        let _observed = counter
            .with_unit("{line}")
            .with_description("Log lines that were lost because nobody read the log, by target")
            .with_callback(move |observer| {
                for (target, lines) in lost() {
                    observer.observe(lines, &[KeyValue::new("target", target)]);
                }
            })
            .build();
    }

    /// Exports from now on whether this process is ready.
    pub fn observe_readiness(&self, ready: impl Fn() -> bool + Send + Sync + 'static) {
        let gauge = self.meter.i64_observable_gauge("gamekeeper.ready");
        let _observed = gauge
            .with_description(
                "1: ready for calls. 0: the store is unavailable, or the server is shutting down",
            )
            .with_callback(move |observer| observer.observe(i64::from(ready()), &[]))
            .build();
    }

    /// Exports from now on how full the store is, how many of its games are damaged, and how its clock differs.
    pub fn observe_capacity(&self, of: impl Fn() -> Capacity + Clone + Send + Sync + 'static) {
        let observe = |name, unit, about, value: fn(Capacity) -> u64| {
            let of = of.clone();
            let gauge = self.meter.u64_observable_gauge(name);
            let _observed = gauge
                .with_unit(unit)
                .with_description(about)
                .with_callback(move |observer| observer.observe(value(of()), &[]))
                .build();
        };
        observe(
            "gamekeeper.store.used",
            "By",
            "In use, of the disk or of the memory of the fullest Redis",
            |capacity| capacity.used_bytes,
        );
        observe(
            "gamekeeper.store.limit",
            "By",
            "Limit of what can be in use; 0: unknown",
            |capacity| capacity.limit_bytes,
        );
        observe(
            "gamekeeper.store.damaged_games",
            "{game}",
            "Games of which the embedded store has found damaged data",
            |capacity| capacity.damaged_games,
        );
        observe(
            "gamekeeper.store.read_only",
            "",
            "1: the store, or a part of it, can be read but refuses changes, though it is not full",
            |capacity| u64::from(capacity.is_read_only),
        );
        let counted = of.clone();
        let counter = self
            .meter
            .u64_observable_counter("gamekeeper.store.rollbacks");
        let _observed = counter
            .with_unit("{rollback}")
            .with_description("How many times the store was found in an earlier state than before")
            .with_callback(move |observer| observer.observe(counted().rollbacks, &[]))
            .build();
        let gauge = self.meter.f64_observable_gauge("gamekeeper.clock.skew");
        let _observed = gauge
            .with_unit("s")
            .with_description(
                "How far the clock of the store is ahead of that of the server; 0: it has none",
            )
            .with_callback(move |observer| {
                observer.observe(seconds(of().clock_ahead_ms), &[]);
            })
            .build();
    }

    /// Exports from now on when certificates expire, in seconds since the Unix epoch, each with the name of its
    /// setting.
    pub fn observe_certificates(
        &self,
        ends: impl Fn() -> Vec<(&'static str, i64)> + Send + Sync + 'static,
    ) {
        let gauge = self
            .meter
            .i64_observable_gauge("gamekeeper.certificate.expiry.timestamp");
        let _observed = gauge
            .with_unit("s")
            .with_description(
                "When the certificates of a file end, in seconds since the Unix epoch",
            )
            .with_callback(move |observer| {
                for (setting, end) in ends() {
                    observer.observe(end, &[KeyValue::new("setting", setting)]);
                }
            })
            .build();
    }

    /// Exports from now on whether keys, certificates and limits are those of their files. The returned flag is
    /// cleared when files that have changed cannot be used.
    #[must_use]
    pub fn of_reloads(&self) -> Arc<AtomicBool> {
        let is_current = Arc::new(AtomicBool::new(true));
        let seen = Arc::clone(&is_current);
        let gauge = self.meter.u64_observable_gauge("gamekeeper.reload.ok");
        let _observed = gauge
            .with_description(
                "1: keys, certificates and limits are those of their files. 0: the files have changed and cannot be used",
            )
            .with_callback(move |observer| {
                observer.observe(u64::from(seen.load(Ordering::Relaxed)), &[]);
            })
            .build();
        is_current
    }

    /// Returns the metrics of backups. `last` is when the last one was written, in seconds since the Unix epoch; 0 if
    /// this server writes none.
    #[must_use]
    pub fn of_backups(&self, last: u64) -> BackupMetrics {
        BackupMetrics::new(&self.meter, last)
    }

    /// Counts an open feed until the returned guard is dropped (**RAII**).
    #[must_use]
    pub fn following(&self) -> OpenFeed {
        self.feeds.add(1);
        OpenFeed(self.feeds.clone())
    }

    /// Records that a feed reported a change that was made this long ago.
    pub fn feed_lagged(&self, lag: Duration) {
        self.feed_lag.record(lag.as_secs_f64());
    }

    /// Counts a panic.
    pub fn panicked(&self) {
        self.panics.add(1, &[]);
    }
}

/// Converts milliseconds to seconds. Times that exceed 24 days in either direction are cut off there.
fn seconds(ms: i64) -> f64 {
    let end = if ms < 0 { i32::MIN } else { i32::MAX };
    f64::from(i32::try_from(ms).unwrap_or(end)) / 1_000.0
}

fn snapshots(meter: &Meter) -> Histogram<u64> {
    let histogram = meter.u64_histogram("gamekeeper.snapshot.size");
    histogram
        .with_unit("By")
        .with_boundaries(BYTES.to_vec())
        .with_description("Size of stored snapshots")
        .build()
}

fn watches(meter: &Meter) -> UpDownCounter<i64> {
    let watches = meter.i64_up_down_counter("gamekeeper.watches");
    let watches = watches.with_unit("{watch}");
    watches.with_description("Open watches").build()
}

fn feeds(meter: &Meter) -> UpDownCounter<i64> {
    let feeds = meter.i64_up_down_counter("gamekeeper.feeds");
    let feeds = feeds.with_unit("{feed}");
    let feeds = feeds.with_description("Open feeds of tenants").build();
    // Exported from the start, so that the first feed shows as an increase.
    feeds.add(0, &[]);
    feeds
}

fn feed_lag(meter: &Meter) -> Histogram<f64> {
    let lag = meter.f64_histogram("gamekeeper.feed.lag");
    let what =
        "Time from a change until a feed reports it; of one that resumes, how far it is behind";
    lag.with_unit("s")
        .with_boundaries(SECONDS.to_vec())
        .with_description(what)
        .build()
}

fn watch_messages(meter: &Meter) -> Counter<u64> {
    let messages = meter.u64_counter("gamekeeper.watch.messages");
    let what = "Messages of watches, by whether they were encoded or shared with another watch";
    messages
        .with_unit("{message}")
        .with_description(what)
        .build()
}

/// The outcome of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitOutcome {
    /// Stored.
    Done,
    /// Another action was stored first.
    Conflict,
    /// The caller's token was replaced in the meantime.
    AccessChanged,
    /// The game is gone.
    Missing,
    /// The store failed.
    Failed,
}

impl CommitOutcome {
    const ALL: [Self; 5] = [
        Self::Done,
        Self::Conflict,
        Self::AccessChanged,
        Self::Missing,
        Self::Failed,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Conflict => "conflict",
            Self::AccessChanged => "access_changed",
            Self::Missing => "missing",
            Self::Failed => "failed",
        }
    }
}

/// Metrics of the games of one ruleset.
pub struct RulesetMetrics {
    ruleset: &'static str,
    refusals: Counter<u64>,
    commits: [BoundCounter<u64>; 5],
    repeats: BoundCounter<u64>,
    hits: BoundCounter<u64>,
    misses: BoundCounter<u64>,
    created: BoundCounter<u64>,
    finished: BoundCounter<u64>,
    table_events: TableEventCounters,
    left_bots: LeftBotCounters,
    snapshots: BoundHistogram<u64>,
    watches: BoundUpDownCounter<i64>,
    watch_lag: BoundHistogram<f64>,
    written: BoundCounter<u64>,
    shared: BoundCounter<u64>,
}

impl RulesetMetrics {
    /// Counts a refusal of the rules. Codes are a closed set.
    pub fn refused(&self, code: &'static str) {
        let (ruleset, reason) = (
            KeyValue::new("ruleset", self.ruleset),
            KeyValue::new("reason", code),
        );
        self.refusals.add(1, &[ruleset, reason]);
    }

    /// Counts a commit.
    pub fn committed(&self, outcome: CommitOutcome) {
        self.commits[outcome as usize].add(1);
    }

    /// Counts a repeated request that was answered from the log.
    pub fn repeated(&self) {
        self.repeats.add(1);
    }

    /// Counts a cache hit: the game was in memory.
    pub fn hit(&self) {
        self.hits.add(1);
    }

    /// Counts a cache miss: the game was not in memory.
    pub fn missed(&self) {
        self.misses.add(1);
    }

    /// Counts a created game.
    pub fn created(&self) {
        self.created.add(1);
    }

    /// Counts a finished game.
    pub fn finished(&self) {
        self.finished.add(1);
    }

    /// Counts an event at a table beyond the rules.
    pub fn happened(&self, event: TableEventLabel) {
        self.table_events.happened(event);
    }

    /// Counts that this process left a decision of a bot to others.
    pub fn left_bot(&self, reason: LeftBot) {
        self.left_bots.left(reason);
    }

    /// Records a stored snapshot of this many bytes.
    pub fn snapshot(&self, bytes: usize) {
        self.snapshots.record(bytes as u64);
    }

    /// Records that a watch sent an action that was accepted this long ago.
    pub fn lagged(&self, lag: Duration) {
        self.watch_lag.record(lag.as_secs_f64());
    }

    /// Counts a message that was encoded for a watch.
    pub fn written(&self) {
        self.written.add(1);
    }

    /// Counts a message that a watch sent although it was encoded for another one.
    pub fn shared(&self) {
        self.shared.add(1);
    }

    /// Counts an open watch until the returned guard is dropped (RAII).
    #[must_use]
    pub fn watching(&self) -> OpenWatch {
        self.watches.add(1);
        OpenWatch(self.watches.clone())
    }
}

/// A guard that counts an open feed of a tenant.
pub struct OpenFeed(BoundUpDownCounter<i64>);

impl Drop for OpenFeed {
    fn drop(&mut self) {
        self.0.add(-1);
    }
}

/// A guard that counts an open watch.
pub struct OpenWatch(BoundUpDownCounter<i64>);

impl Drop for OpenWatch {
    fn drop(&mut self) {
        self.0.add(-1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_far_behind_is_not_ahead() {
        assert_eq!([1_500, -1].map(seconds), [1.5, -0.001]);
        assert!(seconds(i64::MAX) > 2e6 && seconds(i64::MIN) < -2e6);
    }

    #[test]
    fn the_table_is_in_order() {
        for (at, outcome) in CommitOutcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, at);
        }
    }
}
