//! **Metering**: the resources that accounts have used since the process started. Only operators can read it.
//!
//! Every caller has a meter: a tenant, a user, a holder of a token, an address. So does the account at the top of its
//! path: a tenant, all operators, a network. Beyond a maximum number of meters, the ones that were idle longest are
//! evicted; the total includes evicted ones.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use gamekeeper_rules::table::Seat;
use gamekeeper_store::GameId;
use parking_lot::Mutex;
use quick_cache::sync::Cache;

use super::cost::{self, Cost};
use crate::authz::{Account, Role};

/// The maximum number of meters, of callers and of topmost accounts each.
const MAX_METERS: usize = 16_384;

/// The time constant of the exponential decay: after this time, a third of the recent use is left.
const RATE_TIME_CONSTANT: Duration = Duration::from_secs(30);

/// The minimum time between two updates of the decay.
const DECAY_INTERVAL: Duration = Duration::from_millis(100);

/// The time for which work holds a thread without being worth a record.
const SHORT: Duration = Duration::from_micros(100);

/// The identity behind an account, for display to operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    /// All callers of a server without authentication.
    Everybody,
    /// All operators.
    Operators,
    /// A tenant.
    Tenant(String),
    /// A user of a tenant.
    User {
        /// The tenant.
        tenant: String,
        /// The front end's id of the user.
        user: String,
    },
    /// The work in the games of a tenant that no call asks for: clocks that run out, actions of bots.
    Unattended(String),
    /// The thinking of bots in the games of a tenant.
    Thinking(String),
    /// The holder of a token of this game, or of a fork of the same game. A `seat` of `None` stands for a spectator.
    TokenHolder {
        /// The game of the token.
        game: GameId,
        /// The seat of the token.
        seat: Option<Seat>,
    },
    /// A caller without a token.
    Anonymous(IpAddr),
}

impl Principal {
    /// Returns the identity of the topmost account that this one belongs to. Returns `None` if it does not follow from
    /// this one.
    fn root_principal(&self) -> Option<Self> {
        match self {
            Self::Tenant(tenant)
            | Self::User { tenant, .. }
            | Self::Unattended(tenant)
            | Self::Thinking(tenant) => Some(Self::Tenant(tenant.clone())),
            Self::Operators | Self::Everybody => Some(self.clone()),
            Self::TokenHolder { .. } | Self::Anonymous(_) => None,
        }
    }
}

impl From<&Role> for Principal {
    fn from(role: &Role) -> Self {
        match role {
            Role::AuthDisabled => Self::Everybody,
            Role::Operator => Self::Operators,
            Role::Tenant(tenant) => Self::Tenant(tenant.clone()),
            Role::User { tenant, user, .. } => Self::User {
                tenant: tenant.clone(),
                user: user.clone(),
            },
            Role::Seat { game, seat, .. } => Self::TokenHolder {
                game: *game,
                seat: Some(*seat),
            },
            Role::Spectator { game, .. } => Self::TokenHolder {
                game: *game,
                seat: None,
            },
        }
    }
}

/// The resources that an account has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Consumption {
    /// The processor time.
    pub time: Duration,
    /// The number of calls.
    pub calls: u64,
    /// The number of calls that were refused because of a limit.
    pub refused: u64,
    /// The bytes of responses, before compression.
    pub written: u64,
    /// The bytes written to the store.
    pub stored: u64,
}

impl Consumption {
    /// Adds each resource, and stops at the maximum.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        self.combine(other, u64::saturating_add, Duration::saturating_add)
    }

    /// Subtracts each resource, and stops at 0.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        self.combine(other, u64::saturating_sub, Duration::saturating_sub)
    }

    /// Returns the larger value of each resource.
    #[must_use]
    pub fn component_max(self, other: Self) -> Self {
        self.combine(other, Ord::max, Ord::max)
    }

    fn combine(
        self,
        other: Self,
        combine_counts: fn(u64, u64) -> u64,
        combine_times: fn(Duration, Duration) -> Duration,
    ) -> Self {
        Self {
            time: combine_times(self.time, other.time),
            calls: combine_counts(self.calls, other.calls),
            refused: combine_counts(self.refused, other.refused),
            written: combine_counts(self.written, other.written),
            stored: combine_counts(self.stored, other.stored),
        }
    }
}

/// The recent rate of use of an account, per second: an exponentially decaying average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecentRate {
    /// The cost, in small calls.
    pub cost: f64,
    /// The bytes of responses and in the store.
    pub bytes: f64,
}

/// The meter of one account.
pub struct Meter {
    account: Account,
    principal: OnceLock<Principal>,
    lock_state: Mutex<MeterState>,
    /// The longest time for which its work held a thread, in nanoseconds. Short times are not recorded.
    longest_turn: AtomicU64,
    /// The meter of the topmost account. Is `None` if this account is a topmost one.
    root_meter: Option<Arc<Meter>>,
    total: Arc<ProcessTotal>,
}

struct MeterState {
    consumption: Consumption,
    /// The recent cost in thousandths and the recent bytes, both decaying.
    decayed_sums: (f64, f64),
    decayed_at: Instant,
}

impl MeterState {
    fn add(&mut self, consumption: Consumption, millicost: u64, now: Instant) {
        self.decay(now);
        self.consumption = self.consumption.saturating_add(consumption);
        self.decayed_sums.0 += to_f64(millicost);
        self.decayed_sums.1 += to_f64(consumption.written.saturating_add(consumption.stored));
    }

    fn decay(&mut self, now: Instant) {
        let elapsed = now.saturating_duration_since(self.decayed_at);
        if elapsed >= DECAY_INTERVAL {
            let decay_factor = (-elapsed.as_secs_f64() / RATE_TIME_CONSTANT.as_secs_f64()).exp();
            self.decayed_sums = (
                self.decayed_sums.0 * decay_factor,
                self.decayed_sums.1 * decay_factor,
            );
            self.decayed_at += elapsed;
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an estimate, of numbers that are small"
)]
fn to_f64(count: u64) -> f64 {
    count as f64
}

impl Meter {
    fn new(
        account: Account,
        root_meter: Option<Arc<Self>>,
        total: &Arc<ProcessTotal>,
    ) -> Arc<Self> {
        let state = MeterState {
            consumption: Consumption::default(),
            decayed_sums: (0.0, 0.0),
            decayed_at: Instant::now(),
        };
        Arc::new(Self {
            account,
            principal: OnceLock::new(),
            lock_state: Mutex::new(state),
            longest_turn: AtomicU64::new(0),
            root_meter,
            total: Arc::clone(total),
        })
    }

    /// Returns the account that is metered.
    #[must_use]
    pub fn account(&self) -> Account {
        self.account
    }

    /// Returns the identity of the account. Returns `None` if it has not called yet.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.get()
    }

    /// Returns what the account has used since the meter was created.
    #[must_use]
    pub fn consumption(&self) -> Consumption {
        self.lock_state.lock().consumption
    }

    /// Returns the longest time for which its work held a thread. It is 0 if that was always short.
    #[must_use]
    pub fn longest_turn(&self) -> Duration {
        Duration::from_nanos(self.longest_turn.load(Ordering::Relaxed))
    }

    /// Records that work held its thread for this long.
    pub(super) fn record_held(&self, held: Duration) {
        if held > SHORT {
            for meter in [Some(self), self.root_meter.as_deref()]
                .into_iter()
                .flatten()
            {
                let nanos = cost::nanos(held);
                meter.longest_turn.fetch_max(nanos, Ordering::Relaxed);
            }
        }
    }

    /// Returns the recent rate of use.
    #[must_use]
    pub fn recent_rate(&self) -> RecentRate {
        let mut state = self.lock_state.lock();
        state.decay(Instant::now());
        let seconds = RATE_TIME_CONSTANT.as_secs_f64();
        RecentRate {
            cost: state.decayed_sums.0 / to_f64(cost::CALL_MILLICOST) / seconds,
            bytes: state.decayed_sums.1 / seconds,
        }
    }

    /// Counts a call.
    pub fn count_call(&self) {
        let calls = 1;
        self.add(
            Consumption {
                calls,
                ..Consumption::default()
            },
            0,
            Instant::now(),
        );
    }

    /// Counts a refused call.
    pub fn count_refusal(&self) {
        let refused = 1;
        self.add(
            Consumption {
                refused,
                ..Consumption::default()
            },
            0,
            Instant::now(),
        );
    }

    /// Counts the resources of a turn that has just ended.
    pub(super) fn count_slice(&self, cost: Cost, ended: Instant) {
        let consumption = Consumption {
            time: cost.time,
            written: cost.written,
            stored: cost.stored,
            ..Consumption::default()
        };
        self.add(consumption, cost.millicost(), ended);
    }

    fn add(&self, consumption: Consumption, millicost: u64, now: Instant) {
        self.lock_state.lock().add(consumption, millicost, now);
        if let Some(root_meter) = &self.root_meter {
            root_meter
                .lock_state
                .lock()
                .add(consumption, millicost, now);
        }
        self.total.add(consumption);
    }
}

/// The sums over all accounts, evicted ones included.
#[derive(Default)]
struct ProcessTotal {
    nanos: AtomicU64,
    calls: AtomicU64,
    refused: AtomicU64,
    written: AtomicU64,
    stored: AtomicU64,
}

impl ProcessTotal {
    fn add(&self, consumption: Consumption) {
        for (sum, more) in [
            (&self.nanos, cost::nanos(consumption.time)),
            (&self.calls, consumption.calls),
            (&self.refused, consumption.refused),
            (&self.written, consumption.written),
            (&self.stored, consumption.stored),
        ] {
            // All threads share these counters. Most turns change only two of them, and skipping the others avoids
            // contention.
            if more > 0 {
                sum.fetch_add(more, Ordering::Relaxed);
            }
        }
    }

    fn consumption(&self) -> Consumption {
        let load = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        Consumption {
            time: Duration::from_nanos(load(&self.nanos)),
            calls: load(&self.calls),
            refused: load(&self.refused),
            written: load(&self.written),
            stored: load(&self.stored),
        }
    }
}

/// The meters of all accounts.
pub struct Usage {
    callers: Cache<Account, Arc<Meter>>,
    roots: Cache<Account, Arc<Meter>>,
    total: Arc<ProcessTotal>,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            callers: Cache::new(MAX_METERS),
            roots: Cache::new(MAX_METERS),
            total: Arc::default(),
        }
    }
}

impl Usage {
    /// Returns the meter of an account, created if necessary.
    pub fn meter(&self, account: Account) -> Arc<Meter> {
        let new = || {
            let root_meter = Some(self.root_meter(account));
            Ok::<_, std::convert::Infallible>(Meter::new(account, root_meter, &self.total))
        };
        let Ok(meter) = self.callers.get_or_insert_with(&account, new);
        meter
    }

    /// Returns the meter of an account that calls, as [`Usage::meter`] does, and records the identity of the account
    /// and, if it follows, of the topmost account.
    pub fn meter_for(&self, account: Account, principal: impl FnOnce() -> Principal) -> Arc<Meter> {
        let meter = self.meter(account);
        let principal = meter.principal.get_or_init(principal);
        if let Some(root_meter) = &meter.root_meter
            && root_meter.principal.get().is_none()
            && let Some(principal) = principal.root_principal()
        {
            root_meter.principal.get_or_init(|| principal);
        }
        meter
    }

    /// Records the name of a tenant, which one of its games may disclose, for a tenant that has a meter.
    pub(crate) fn set_tenant_name(&self, tenant: &str) {
        if !tenant.is_empty()
            && let Some(meter) = self.roots.peek(&Account::of_tenant(tenant))
        {
            meter
                .principal
                .get_or_init(|| Principal::Tenant(tenant.to_owned()));
        }
    }

    /// Returns the meters of all topmost accounts: tenants, the operators, and networks.
    #[must_use]
    pub fn roots(&self) -> Vec<Arc<Meter>> {
        self.roots.iter().map(|(_, meter)| meter).collect()
    }

    /// Returns the meters of all callers: holders of tokens, users, and tenants themselves.
    #[must_use]
    pub fn callers(&self) -> Vec<Arc<Meter>> {
        self.callers.iter().map(|(_, meter)| meter).collect()
    }

    /// Returns the meter of a topmost account: a tenant, the operators, or a network. Returns `None` if it has not
    /// called.
    #[must_use]
    pub fn root(&self, account: Account) -> Option<Arc<Meter>> {
        self.roots.peek(&account)
    }

    /// Returns the sums over all accounts, evicted ones included.
    #[must_use]
    pub fn total(&self) -> Consumption {
        self.total.consumption()
    }

    /// Returns the meter of the topmost account of an account, created if necessary. It counts what belongs to no single
    /// caller, such as the work of a connection that several use.
    pub fn root_meter(&self, account: Account) -> Arc<Meter> {
        let root = account.root();
        let new = || Ok::<_, std::convert::Infallible>(Meter::new(root, None, &self.total));
        let Ok(meter) = self.roots.get_or_insert_with(&root, new);
        meter
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn cost(millis: u64, bytes: usize) -> Cost {
        Cost {
            time: Duration::from_millis(millis),
            written: cost::bytes_as_u64(bytes),
            stored: 0,
        }
    }

    fn seat(game: u128, seat: u8) -> Account {
        let red = Account::of_tenant("red");
        Account::of_token_holder(red, Uuid::from_u128(game), Seat::new(seat))
    }

    #[test]
    fn what_a_holder_uses_its_tenant_uses() {
        let usage = Usage::default();
        let who = || Principal::TokenHolder {
            game: Uuid::from_u128(1),
            seat: Seat::new(2),
        };
        let holder = usage.meter_for(seat(1, 2), who);
        holder.count_call();
        holder.count_slice(cost(5, 1_000), Instant::now());
        usage
            .meter(seat(1, 1))
            .count_slice(cost(7, 0), Instant::now());
        usage.set_tenant_name("red");
        usage.set_tenant_name("blue");
        let wholes = usage.roots();
        let [red] = &wholes[..] else {
            panic!("one tenant has called")
        };
        assert_eq!(
            red.principal(),
            Some(&Principal::Tenant(String::from("red")))
        );
        let used = red.consumption();
        assert_eq!((used.calls, used.written), (1, 1_000));
        assert_eq!(used.time, Duration::from_millis(12));
        assert_eq!(usage.total(), used);
        assert_eq!(usage.callers().len(), 2);
        assert!(holder.recent_rate().cost > 0.0 && holder.recent_rate().bytes > 0.0);
        assert!(holder.recent_rate().cost < red.recent_rate().cost);
    }

    #[test]
    fn meters_are_bounded_and_the_total_forgets_nothing() {
        let usage = Usage::default();
        for game in 0..50_000_u128 {
            usage.meter(seat(game, 1)).count_call();
            usage
                .meter(Account::of_tenant(&game.to_string()))
                .count_call();
        }
        assert!(usage.callers().len() <= MAX_METERS);
        assert!(usage.roots().len() <= MAX_METERS);
        assert_eq!(usage.total().calls, 100_000);
    }

    #[test]
    fn what_is_used_adds_up_and_takes_off() {
        let used = |number: u64| Consumption {
            time: Duration::from_millis(number),
            calls: number + 1,
            refused: number + 2,
            written: number + 3,
            stored: number + 4,
        };
        let (less, more) = (used(10), used(50));
        assert_eq!(more.saturating_add(less).saturating_sub(less), more);
        assert_eq!(less.saturating_sub(more), Consumption::default());
        assert_eq!(less.component_max(more), more);
    }

    /// Half a minute leaves a third.
    #[test]
    fn what_is_recent_fades() {
        let mut state = MeterState {
            consumption: Consumption::default(),
            decayed_sums: (3_000.0, 6_000.0),
            decayed_at: Instant::now().checked_sub(RATE_TIME_CONSTANT).unwrap(),
        };
        state.decay(Instant::now());
        let part = |left: f64, before: f64| left / before;
        for part in [
            part(state.decayed_sums.0, 3_000.0),
            part(state.decayed_sums.1, 6_000.0),
        ] {
            assert!((0.3..0.37).contains(&part), "{part}");
        }
        assert!(
            state.decayed_at.elapsed() < RATE_TIME_CONSTANT,
            "it fades once"
        );
    }
}
