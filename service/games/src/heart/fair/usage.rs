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
use crate::heart::access::{Account, Role};

/// The maximum number of meters, of callers and of topmost accounts each.
const METERS: usize = 16_384;

/// The time constant of the exponential decay: after this time, a third of the recent use is left.
const RECENT: Duration = Duration::from_secs(30);

/// The minimum time between two updates of the decay.
const STEP: Duration = Duration::from_millis(100);

/// The identity behind an account, for display to operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
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
    /// The holder of a token of this game, or of a fork of the same game. A `seat` of `None` stands for a spectator.
    Holder {
        /// The game of the token.
        game: GameId,
        /// The seat of the token.
        seat: Option<Seat>,
    },
    /// A caller without a token.
    Stranger(IpAddr),
}

impl Who {
    /// Returns the identity of the topmost account that this one belongs to. Returns `None` if it does not follow from
    /// this one.
    fn of_whole(&self) -> Option<Self> {
        match self {
            Self::Tenant(tenant) | Self::User { tenant, .. } => Some(Self::Tenant(tenant.clone())),
            Self::Operators | Self::Everybody => Some(self.clone()),
            Self::Holder { .. } | Self::Stranger(_) => None,
        }
    }
}

impl From<&Role> for Who {
    fn from(role: &Role) -> Self {
        match role {
            Role::Open => Self::Everybody,
            Role::Operator => Self::Operators,
            Role::Tenant(tenant) => Self::Tenant(tenant.clone()),
            Role::User { tenant, user, .. } => Self::User {
                tenant: tenant.clone(),
                user: user.clone(),
            },
            Role::Seat { game, seat, .. } => Self::Holder {
                game: *game,
                seat: Some(*seat),
            },
            Role::Spectator { game, .. } => Self::Holder {
                game: *game,
                seat: None,
            },
        }
    }
}

/// The resources that an account has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The time on threads.
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

impl Used {
    /// Adds each resource, and stops at the maximum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.with(other, u64::saturating_add, Duration::saturating_add)
    }

    /// Subtracts each resource, and stops at 0.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.with(other, u64::saturating_sub, Duration::saturating_sub)
    }

    /// Returns the larger value of each resource.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        self.with(other, Ord::max, Ord::max)
    }

    fn with(
        self,
        other: Self,
        number: fn(u64, u64) -> u64,
        time: fn(Duration, Duration) -> Duration,
    ) -> Self {
        Self {
            time: time(self.time, other.time),
            calls: number(self.calls, other.calls),
            refused: number(self.refused, other.refused),
            written: number(self.written, other.written),
            stored: number(self.stored, other.stored),
        }
    }
}

/// The recent rate of use of an account, per second: an exponentially decaying average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// The cost, in small calls.
    pub cost: f64,
    /// The bytes of responses and in the store.
    pub bytes: f64,
}

/// The meter of one account.
pub struct Meter {
    account: Account,
    who: OnceLock<Who>,
    state: Mutex<State>,
    /// The meter of the topmost account. Is `None` if this account is a topmost one.
    whole: Option<Arc<Meter>>,
    total: Arc<Total>,
}

struct State {
    used: Used,
    /// The recent cost in thousandths and the recent bytes, both decaying.
    recent: (f64, f64),
    at: Instant,
}

impl State {
    fn add(&mut self, used: Used, thousandths: u64) {
        self.decay();
        self.used = self.used.plus(used);
        self.recent.0 += number(thousandths);
        self.recent.1 += number(used.written.saturating_add(used.stored));
    }

    fn decay(&mut self) {
        let passed = self.at.elapsed();
        if passed >= STEP {
            let left = (-passed.as_secs_f64() / RECENT.as_secs_f64()).exp();
            self.recent = (self.recent.0 * left, self.recent.1 * left);
            self.at += passed;
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an estimate, of numbers that are small"
)]
fn number(of: u64) -> f64 {
    of as f64
}

impl Meter {
    fn new(account: Account, whole: Option<Arc<Self>>, total: &Arc<Total>) -> Arc<Self> {
        let state = State {
            used: Used::default(),
            recent: (0.0, 0.0),
            at: Instant::now(),
        };
        Arc::new(Self {
            account,
            who: OnceLock::new(),
            state: Mutex::new(state),
            whole,
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
    pub fn who(&self) -> Option<&Who> {
        self.who.get()
    }

    /// Returns what the account has used since the meter was created.
    #[must_use]
    pub fn used(&self) -> Used {
        self.state.lock().used
    }

    /// Returns the recent rate of use.
    #[must_use]
    pub fn pace(&self) -> Pace {
        let mut state = self.state.lock();
        state.decay();
        let seconds = RECENT.as_secs_f64();
        Pace {
            cost: state.recent.0 / number(cost::CALL) / seconds,
            bytes: state.recent.1 / seconds,
        }
    }

    /// Counts a call.
    pub fn called(&self) {
        let calls = 1;
        self.add(
            Used {
                calls,
                ..Used::default()
            },
            0,
        );
    }

    /// Counts a refused call.
    pub fn refused(&self) {
        let refused = 1;
        self.add(
            Used {
                refused,
                ..Used::default()
            },
            0,
        );
    }

    /// Counts the resources of a turn.
    pub(super) fn turned(&self, cost: Cost) {
        let used = Used {
            time: cost.time,
            written: cost.written,
            stored: cost.stored,
            ..Used::default()
        };
        self.add(used, cost.thousandths());
    }

    fn add(&self, used: Used, thousandths: u64) {
        self.state.lock().add(used, thousandths);
        if let Some(whole) = &self.whole {
            whole.state.lock().add(used, thousandths);
        }
        self.total.add(used);
    }
}

/// The sums over all accounts, evicted ones included.
#[derive(Default)]
struct Total {
    nanos: AtomicU64,
    calls: AtomicU64,
    refused: AtomicU64,
    written: AtomicU64,
    stored: AtomicU64,
}

impl Total {
    fn add(&self, used: Used) {
        for (sum, more) in [
            (&self.nanos, cost::nanos(used.time)),
            (&self.calls, used.calls),
            (&self.refused, used.refused),
            (&self.written, used.written),
            (&self.stored, used.stored),
        ] {
            // All threads share these counters. Most turns change only two of them, and skipping the others avoids
            // contention.
            if more > 0 {
                sum.fetch_add(more, Ordering::Relaxed);
            }
        }
    }

    fn used(&self) -> Used {
        let of = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        Used {
            time: Duration::from_nanos(of(&self.nanos)),
            calls: of(&self.calls),
            refused: of(&self.refused),
            written: of(&self.written),
            stored: of(&self.stored),
        }
    }
}

/// The meters of all accounts.
pub struct Usage {
    callers: Cache<Account, Arc<Meter>>,
    wholes: Cache<Account, Arc<Meter>>,
    total: Arc<Total>,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            callers: Cache::new(METERS),
            wholes: Cache::new(METERS),
            total: Arc::default(),
        }
    }
}

impl Usage {
    /// Returns the meter of an account, created if necessary.
    pub fn meter(&self, account: Account) -> Arc<Meter> {
        let new = || {
            let whole = Some(self.whole(account.whole()));
            Ok::<_, std::convert::Infallible>(Meter::new(account, whole, &self.total))
        };
        let Ok(meter) = self.callers.get_or_insert_with(&account, new);
        meter
    }

    /// Returns the meter of an account that calls, as [`Usage::meter`] does, and records the identity of the account
    /// and, if it follows, of the topmost account.
    pub fn met(&self, account: Account, who: impl FnOnce() -> Who) -> Arc<Meter> {
        let meter = self.meter(account);
        let who = meter.who.get_or_init(who);
        if let Some(whole) = &meter.whole
            && whole.who.get().is_none()
            && let Some(who) = who.of_whole()
        {
            whole.who.get_or_init(|| who);
        }
        meter
    }

    /// Records the name of a tenant, which one of its games may disclose, for a tenant that has a meter.
    pub(crate) fn name(&self, tenant: &str) {
        if !tenant.is_empty()
            && let Some(meter) = self.wholes.peek(&Account::of_tenant(tenant))
        {
            meter.who.get_or_init(|| Who::Tenant(tenant.to_owned()));
        }
    }

    /// Returns the meters of all topmost accounts: tenants, the operators, and networks.
    #[must_use]
    pub fn of_wholes(&self) -> Vec<Arc<Meter>> {
        self.wholes.iter().map(|(_, meter)| meter).collect()
    }

    /// Returns the meters of all callers: holders of tokens, users, and tenants themselves.
    #[must_use]
    pub fn of_callers(&self) -> Vec<Arc<Meter>> {
        self.callers.iter().map(|(_, meter)| meter).collect()
    }

    /// Returns the meter of a topmost account: a tenant, the operators, or a network. Returns `None` if it has not
    /// called.
    #[must_use]
    pub fn of_whole(&self, account: Account) -> Option<Arc<Meter>> {
        self.wholes.peek(&account)
    }

    /// Returns the sums over all accounts, evicted ones included.
    #[must_use]
    pub fn total(&self) -> Used {
        self.total.used()
    }

    fn whole(&self, account: Account) -> Arc<Meter> {
        let new = || Ok::<_, std::convert::Infallible>(Meter::new(account, None, &self.total));
        let Ok(meter) = self.wholes.get_or_insert_with(&account, new);
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
            written: cost::count(bytes),
            stored: 0,
        }
    }

    fn seat(game: u128, seat: u8) -> Account {
        let red = Account::of_tenant("red");
        Account::of_token(red, Uuid::from_u128(game), Seat::new(seat))
    }

    #[test]
    fn what_a_holder_uses_its_tenant_uses() {
        let usage = Usage::default();
        let who = || Who::Holder {
            game: Uuid::from_u128(1),
            seat: Seat::new(2),
        };
        let holder = usage.met(seat(1, 2), who);
        holder.called();
        holder.turned(cost(5, 1_000));
        usage.meter(seat(1, 1)).turned(cost(7, 0));
        usage.name("red");
        usage.name("blue");
        let wholes = usage.of_wholes();
        let [red] = &wholes[..] else {
            panic!("one tenant has called")
        };
        assert_eq!(red.who(), Some(&Who::Tenant(String::from("red"))));
        let used = red.used();
        assert_eq!((used.calls, used.written), (1, 1_000));
        assert_eq!(used.time, Duration::from_millis(12));
        assert_eq!(usage.total(), used);
        assert_eq!(usage.of_callers().len(), 2);
        assert!(holder.pace().cost > 0.0 && holder.pace().bytes > 0.0);
        assert!(holder.pace().cost < red.pace().cost);
    }

    #[test]
    fn meters_are_bounded_and_the_total_forgets_nothing() {
        let usage = Usage::default();
        for game in 0..50_000_u128 {
            usage.meter(seat(game, 1)).called();
            usage.meter(Account::of_tenant(&game.to_string())).called();
        }
        assert!(usage.of_callers().len() <= METERS);
        assert!(usage.of_wholes().len() <= METERS);
        assert_eq!(usage.total().calls, 100_000);
    }

    #[test]
    fn what_is_used_adds_up_and_takes_off() {
        let used = |number: u64| Used {
            time: Duration::from_millis(number),
            calls: number + 1,
            refused: number + 2,
            written: number + 3,
            stored: number + 4,
        };
        let (less, more) = (used(10), used(50));
        assert_eq!(more.plus(less).minus(less), more);
        assert_eq!(less.minus(more), Used::default());
        assert_eq!(less.max(more), more);
    }

    /// Half a minute leaves a third.
    #[test]
    fn what_is_recent_fades() {
        let mut state = State {
            used: Used::default(),
            recent: (3_000.0, 6_000.0),
            at: Instant::now().checked_sub(RECENT).unwrap(),
        };
        state.decay();
        let part = |left: f64, before: f64| left / before;
        for part in [part(state.recent.0, 3_000.0), part(state.recent.1, 6_000.0)] {
            assert!((0.3..0.37).contains(&part), "{part}");
        }
        assert!(state.at.elapsed() < RECENT, "it fades once");
    }
}
