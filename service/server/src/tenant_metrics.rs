//! Metrics with a label for the tenant. They are served on the admin port only: they are not instruments of
//! OpenTelemetry, so that no collector gets the names of tenants.
//!
//! The **cardinality** of these metrics is bounded. The tenants that use the most have series of their own; one series
//! covers all others. The usage of a tenant before it got its own series stays with the others, so that every series is
//! monotonic as long as it exists.

use std::collections::HashMap;
use std::sync::Arc;

use gamekeeper_games::authz::Account;
use gamekeeper_games::scheduling::{Consumption, Principal};
use parking_lot::Mutex;
use prometheus::core::{Collector, Desc};
use prometheus::proto::{Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType};

use crate::accounts::{Accounts, InUse, UsageReport};
use crate::telemetry::TelemetryError;

/// The maximum number of tenants with series of their own.
const TOP_TENANTS: usize = 20;

/// How many times as much another tenant must use to take over a series (**hysteresis**): series that come and go help
/// nobody.
const HYSTERESIS: f64 = 2.0;

/// The series of one kind of caller, or of one tenant.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    kind: &'static str,
    tenant: String,
    used: Consumption,
    in_use: InUse,
}

/// The tenants that have series of their own, with the offsets that keep all series monotonic.
#[derive(Default)]
struct TopTenants {
    /// The usage of each tenant before it got its own series.
    baseline: HashMap<Account, Consumption>,
    /// The totals of series that were dropped, kept so that the exported sum stays monotonic.
    retired: Consumption,
    /// The value that the series of each tenant last showed.
    shown: HashMap<Account, Consumption>,
    /// The value that the series of all other tenants last showed.
    others: Consumption,
}

impl TopTenants {
    /// Returns the series of tenants. `all` is the sum over all tenants, read after the usage of each.
    fn series(&mut self, tenants: Vec<UsageReport>, all: (Consumption, InUse)) -> Vec<Series> {
        let top = self.choose(tenants);
        let (mut named_total, mut in_use) = (self.retired, InUse::default());
        let mut series = Vec::new();
        for tenant in top {
            let baseline = self.baseline.entry(tenant.account).or_insert(tenant.used);
            let used = tenant.used.saturating_sub(*baseline);
            self.shown.insert(tenant.account, used);
            named_total = named_total.saturating_add(used);
            in_use = in_use.plus(tenant.in_use);
            if let Some(Principal::Tenant(name)) = tenant.principal {
                series.push(Series {
                    kind: "tenant",
                    tenant: name,
                    used,
                    in_use: tenant.in_use,
                });
            }
        }
        // The values are not read at the same moment, but a series must never fall.
        self.others = self.others.component_max(all.0.saturating_sub(named_total));
        series.push(Series {
            kind: "others",
            tenant: String::new(),
            used: self.others,
            in_use: all.1.minus(in_use),
        });
        series
    }

    /// Chooses the tenants that have series of their own from now on.
    fn choose(&mut self, mut tenants: Vec<UsageReport>) -> Vec<UsageReport> {
        // The meter of a tenant that was evicted begins again with 0.
        tenants.retain(|of| matches!(of.principal, Some(Principal::Tenant(_))));
        for tenant in &tenants {
            let baseline = self.baseline.get(&tenant.account).copied();
            let shown = self.shown.get(&tenant.account).copied();
            if baseline.zip(shown).is_some_and(|(baseline, shown)| {
                tenant.used != tenant.used.component_max(baseline.saturating_add(shown))
            }) {
                self.forget(tenant.account);
                self.baseline.insert(tenant.account, Consumption::default());
            }
        }
        let weight = |of: &UsageReport| {
            let stays = self.baseline.contains_key(&of.account);
            of.pace.cost * if stays { HYSTERESIS } else { 1.0 }
        };
        tenants.sort_by(|one, other| {
            let by_weight = weight(other).total_cmp(&weight(one));
            let is_named = |of: &UsageReport| self.baseline.contains_key(&of.account);
            by_weight
                .then_with(|| is_named(other).cmp(&is_named(one)))
                .then_with(|| one.account.cmp(&other.account))
        });
        tenants.truncate(TOP_TENANTS);
        let selected: Vec<Account> = tenants.iter().map(|of| of.account).collect();
        let dropped: Vec<Account> = self
            .baseline
            .keys()
            .filter(|of| !selected.contains(of))
            .copied()
            .collect();
        for account in dropped {
            self.forget(account);
        }
        tenants
    }

    fn forget(&mut self, account: Account) {
        self.baseline.remove(&account);
        let shown = self.shown.remove(&account).unwrap_or_default();
        self.retired = self.retired.saturating_add(shown);
    }
}

/// The metrics of tenants.
pub(crate) struct TenantMetrics {
    accounts: Arc<Accounts>,
    top_tenants: Mutex<TopTenants>,
    descriptions: Vec<Desc>,
}

/// A metric: its name, its help text, and its value.
type Row = (&'static str, &'static str, fn(&Series) -> f64);

/// The metrics that only grow.
const COUNTERS: [Row; 5] = [
    (
        "gamekeeper_tenant_cpu_seconds_total",
        "Processor time of calls, streams, connections, bots and clocks of a tenant, and of the service itself",
        |of| of.used.time.as_secs_f64(),
    ),
    ("gamekeeper_tenant_calls_total", "Calls of a tenant", |of| {
        number(of.used.calls)
    }),
    (
        "gamekeeper_tenant_calls_refused_total",
        "Calls of a tenant that were refused because of a limit",
        |of| number(of.used.refused),
    ),
    (
        "gamekeeper_tenant_answered_bytes_total",
        "Answers to a tenant, before compression",
        |of| number(of.used.written),
    ),
    (
        "gamekeeper_tenant_stored_bytes_total",
        "What a tenant has stored",
        |of| number(of.used.stored),
    ),
];

/// The metrics that rise and fall.
const GAUGES: [Row; 4] = [
    (
        "gamekeeper_tenant_calls_in_flight",
        "Calls of a tenant in progress",
        |of| count(of.in_use.in_flight),
    ),
    (
        "gamekeeper_tenant_streams",
        "Watches and exports of a tenant that are open",
        |of| count(of.in_use.streams),
    ),
    (
        "gamekeeper_tenant_connections",
        "Connections of a tenant that are open",
        |of| count(of.in_use.connections),
    ),
    (
        "gamekeeper_tenant_self_plays",
        "Self-plays of a tenant",
        |of| count(of.in_use.self_plays),
    ),
];

#[expect(
    clippy::cast_precision_loss,
    reason = "Prometheus has no other numbers"
)]
fn number(of: u64) -> f64 {
    of as f64
}

fn count(of: usize) -> f64 {
    number(u64::try_from(of).unwrap_or(u64::MAX))
}

impl TenantMetrics {
    /// Creates the metrics of these accounts.
    ///
    /// # Errors
    /// When the name of a metric is invalid.
    pub(crate) fn new(accounts: Arc<Accounts>) -> Result<Self, TelemetryError> {
        let labels = || vec![String::from("kind"), String::from("tenant")];
        let describe = |(name, help, _): &Row| {
            Desc::new(
                (*name).to_owned(),
                (*help).to_owned(),
                labels(),
                HashMap::new(),
            )
        };
        let descriptions: Result<_, _> = COUNTERS.iter().chain(&GAUGES).map(describe).collect();
        Ok(Self {
            accounts,
            top_tenants: Mutex::default(),
            descriptions: descriptions.map_err(TelemetryError::Local)?,
        })
    }

    fn series(&self) -> Vec<Series> {
        let accounts = &self.accounts;
        let tenants = accounts.roots();
        let special = [
            ("operators", Account::OPERATORS),
            ("everybody", Account::EVERYBODY),
        ];
        let special = special.map(|(kind, account)| (kind, accounts.root(account)));
        let mut all = accounts.authenticated_total();
        let mut series = Vec::new();
        for (kind, report) in special {
            let Some(UsageReport {
                used,
                mut in_use,
                account,
                ..
            }) = report
            else {
                continue;
            };
            if account == Account::EVERYBODY {
                // All callers share this account, so it holds everything.
                in_use = all.1;
            }
            all = (all.0.saturating_sub(used), all.1.minus(in_use));
            series.push(Series {
                kind,
                tenant: String::new(),
                used,
                in_use,
            });
        }
        let (used, in_use) = accounts.anonymous_total();
        series.push(Series {
            kind: "strangers",
            tenant: String::new(),
            used,
            in_use,
        });
        series.push(Series {
            kind: "service",
            tenant: String::new(),
            used: accounts.of_service(),
            in_use: InUse::default(),
        });
        let mut top_tenants = self.top_tenants.lock();
        series.extend(top_tenants.series(tenants, all));
        series
    }
}

impl Collector for TenantMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let series = self.series();
        let counters = COUNTERS.iter().map(|row| {
            family(row, MetricType::COUNTER, &series, |metric, value| {
                let mut counter = Counter::default();
                counter.set_value(value);
                metric.set_counter(counter);
            })
        });
        let gauges = GAUGES.iter().map(|row| {
            family(row, MetricType::GAUGE, &series, |metric, value| {
                let mut gauge = Gauge::default();
                gauge.set_value(value);
                metric.set_gauge(gauge);
            })
        });
        counters.chain(gauges).collect()
    }
}

fn family(
    (name, help, value): &Row,
    kind: MetricType,
    series: &[Series],
    set: fn(&mut Metric, f64),
) -> MetricFamily {
    let metric = |of: &Series| {
        let mut metric =
            Metric::from_label(vec![label("kind", of.kind), label("tenant", &of.tenant)]);
        set(&mut metric, value(of));
        metric
    };
    let mut family = MetricFamily::default();
    family.set_name((*name).to_owned());
    family.set_help((*help).to_owned());
    family.set_field_type(kind);
    family.set_metric(series.iter().map(metric).collect());
    family
}

fn label(name: &str, value: &str) -> LabelPair {
    let mut label = LabelPair::default();
    label.set_name(name.to_owned());
    label.set_value(value.to_owned());
    label
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gamekeeper_games::scheduling::RecentRate;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn tenant(number: usize, calls: u64, cost: f64) -> UsageReport {
        let name = format!("tenant {number}");
        UsageReport {
            account: Account::of_tenant(&name),
            principal: Some(Principal::Tenant(name)),
            used: Consumption {
                calls,
                ..Consumption::default()
            },
            pace: RecentRate { cost, bytes: 0.0 },
            longest_turn: Duration::ZERO,
            in_use: InUse {
                streams: 1,
                ..InUse::default()
            },
        }
    }

    fn all(tenants: &[UsageReport]) -> (Consumption, InUse) {
        let used = tenants.iter().fold(Consumption::default(), |sum, of| {
            sum.saturating_add(of.used)
        });
        let streams = tenants.len();
        let in_use = InUse {
            streams,
            ..InUse::default()
        };
        (used, in_use)
    }

    /// However many tenants there are and whichever use the most, the series are few, none of them falls, and together
    /// they cover all usage.
    #[test]
    fn series_are_few_and_never_fall_and_miss_nothing() {
        let seed = rand::random();
        let mut random = SmallRng::seed_from_u64(seed);
        let mut named = TopTenants::default();
        let mut calls = vec![0; 200];
        let mut shown: HashMap<String, u64> = HashMap::new();
        let (mut used, mut rises) = (0, 0);
        for _ in 0..300 {
            let busy = random.random_range(0..200);
            let mut costs = vec![0.0; 200];
            for _ in 0..random.random_range(1..60) {
                let at = (busy + random.random_range(0..30)) % 200;
                let more = random.random_range(1..50_u32);
                calls[at] += u64::from(more);
                used += u64::from(more);
                costs[at] += f64::from(more);
            }
            let tenants: Vec<_> = (0..200)
                .map(|at| tenant(at, calls[at], costs[at]))
                .collect();
            let series = named.series(tenants.clone(), all(&tenants));
            assert!(series.len() <= TOP_TENANTS + 1, "seed {seed}");
            let streams: usize = series.iter().map(|of| of.in_use.streams).sum();
            assert_eq!(streams, 200, "seed {seed}");
            let now: HashMap<String, u64> = series
                .iter()
                .map(|of| (of.tenant.clone(), of.used.calls))
                .collect();
            for (tenant, calls) in &now {
                let baseline = shown.get(tenant).copied().unwrap_or(0);
                assert!(*calls >= baseline, "seed {seed}: {tenant} falls");
                rises += calls - baseline;
            }
            shown = now;
            // The usage of a tenant up to the moment in which it gets its series stays with the others.
            assert_eq!(rises, used, "seed {seed}");
        }
    }

    #[test]
    fn a_tenant_that_uses_much_has_a_series_of_its_own_and_keeps_it() {
        let mut named = TopTenants::default();
        let mut round = |costs: &[f64], calls: u64| {
            let tenants: Vec<_> = costs
                .iter()
                .enumerate()
                .map(|(at, cost)| tenant(at, calls, *cost))
                .collect();
            let series = named.series(tenants.clone(), all(&tenants));
            let mut names: Vec<_> = series.into_iter().map(|of| of.tenant).collect();
            names.sort_unstable();
            names
        };
        let mut costs = vec![1.0; TOP_TENANTS + 1];
        costs[3] = 0.5;
        assert!(!round(&costs, 1).contains(&String::from("tenant 3")));
        costs[3] = 1.5;
        assert!(
            !round(&costs, 2).contains(&String::from("tenant 3")),
            "not twice as much"
        );
        costs[3] = 2.5;
        assert!(round(&costs, 3).contains(&String::from("tenant 3")));
    }

    #[test]
    fn a_meter_that_begins_anew_is_no_fall() {
        let mut named = TopTenants::default();
        let mut total = 0;
        for (calls, more) in [(5, 5), (9, 4), (2, 2), (6, 4)] {
            total += more;
            let mut all = all(&[tenant(1, 0, 1.0)]);
            all.0.calls = total;
            let series = named.series(vec![tenant(1, calls, 1.0)], all);
            let sum: u64 = series.iter().map(|of| of.used.calls).sum();
            assert!(
                series[1].used.calls == 5 && sum + named.retired.calls == total,
                "{series:?}"
            );
        }
    }
}
