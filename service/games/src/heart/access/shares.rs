//! **Admission control**: the fair sharing of one limited resource, used for calls in flight, streams, self-plays and
//! calls without a token.
//!
//! An account may take another unit while it holds fewer than are free. A single account can therefore hold half of all
//! units, two accounts a third each, and a newcomer still finds free units. What a tenant may still take is shared
//! among its games by the same rule, and what a game may still take among the holders of its tokens.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::{Account, Limits, OwnLimits};
use crate::heart::problem::Problem;

/// A limited resource, shared fairly among accounts.
pub struct Shares {
    /// The name of the setting that limits the resource.
    limit: &'static str,
    /// The units of the resource, in the plural, for errors.
    what: &'static str,
    max: usize,
    /// The maximum for individual tenants.
    own: Option<(Arc<Limits>, OwnMax)>,
    held: Mutex<Held>,
}

/// A function that selects the limit of this resource from the limits of a tenant.
pub(crate) type OwnMax = fn(OwnLimits) -> Option<usize>;

#[derive(Default)]
struct Held {
    all: usize,
    of: HashMap<Account, usize>,
}

impl Shares {
    /// Creates a resource of `max` units, all free. `limit` is the name of the setting, `what` names the units in the
    /// plural.
    #[must_use]
    pub fn new(limit: &'static str, what: &'static str, max: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            what,
            max,
            own: None,
            held: Mutex::default(),
        })
    }

    /// Creates a resource like [`Shares::new`], of which individual tenants may have a lower maximum.
    pub(crate) fn limited(
        limit: &'static str,
        what: &'static str,
        max: usize,
        (limits, own): (&Arc<Limits>, OwnMax),
    ) -> Arc<Self> {
        Arc::new(Self {
            limit,
            what,
            max,
            own: Some((Arc::clone(limits), own)),
            held: Mutex::default(),
        })
    }

    /// Takes a unit of the resource.
    ///
    /// # Errors
    /// If no unit is free, or the account has its share or the maximum of its tenant.
    pub fn take(self: &Arc<Self>, account: Account) -> Result<Share, Problem> {
        let own = self.own.as_ref();
        let own = own.and_then(|(limits, max)| max(limits.of(account)));
        let mut held = self.held.lock();
        let whole = held.of.get(&account.whole()).copied().unwrap_or(0);
        let is_beyond = own.is_some_and(|max| whole >= max);
        let mut room = self.max.saturating_sub(held.all);
        let is_full = room == 0;
        let fits = account.levels().all(|level| {
            let has = held.of.get(&level).copied().unwrap_or(0);
            let fits = has < room;
            room = room.saturating_sub(has);
            fits
        });
        if is_full || !fits || is_beyond {
            return Err(self.refusal(is_full));
        }
        held.all += 1;
        for level in account.levels() {
            *held.of.entry(level).or_default() += 1;
        }
        Ok(Share {
            shares: Arc::clone(self),
            account,
        })
    }

    /// Returns the number of units that are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.held.lock().all
    }

    /// Returns the number of units that the account holds, its parts included.
    #[must_use]
    pub fn held_by(&self, account: Account) -> usize {
        let held = self.held.lock();
        if account == Account::EVERYBODY {
            return held.all;
        }
        held.of.get(&account).copied().unwrap_or(0)
    }

    fn refusal(&self, is_full: bool) -> Problem {
        let what = self.what;
        let what = if is_full {
            format!("this server has reached its limit of {what}; try again later")
        } else {
            format!("this caller has its share of {what}; end one, or try again later")
        };
        Problem::Exhausted {
            limit: self.limit,
            what,
        }
    }
}

/// A unit of the resource that an account holds (an RAII guard): dropping it releases the unit.
pub struct Share {
    shares: Arc<Shares>,
    account: Account,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.shares.held.lock();
        held.all -= 1;
        for level in self.account.levels() {
            if let Some(has) = held.of.get_mut(&level) {
                *has -= 1;
                if *has == 0 {
                    held.of.remove(&level);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::Seat;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use uuid::Uuid;

    use super::*;

    fn places(max: usize) -> Arc<Shares> {
        Shares::new("max_places", "places", max)
    }

    fn token(tenant: &str, game: u128, seat: u8) -> Account {
        Account::of_token(
            Account::of_tenant(tenant),
            Uuid::from_u128(game),
            Seat::new(seat),
        )
    }

    /// Takes units until the account is refused.
    fn fill(places: &Arc<Shares>, account: Account) -> Vec<Share> {
        std::iter::from_fn(|| places.take(account).ok()).collect()
    }

    #[test]
    fn one_leaves_half_two_leave_a_third() {
        let places = places(120);
        let (red, blue) = (Account::of_tenant("red"), Account::of_tenant("blue"));
        let mut of_red = fill(&places, red);
        assert_eq!(of_red.len(), 60);
        let of_blue = fill(&places, blue);
        assert_eq!(of_blue.len(), 30);
        of_red.truncate(40);
        let more = fill(&places, blue);
        assert_eq!(of_blue.len() + more.len(), 40);
        assert!(places.take(red).is_err(), "each has a third");
    }

    #[test]
    fn a_holder_leaves_places_to_its_game_and_the_game_to_its_tenant() {
        let places = places(120);
        let spectator = fill(&places, token("red", 1, 0));
        assert_eq!(spectator.len(), 30);
        let player = fill(&places, token("red", 1, 1));
        assert!(!player.is_empty());
        let game = fill(&places, token("red", 2, 1));
        assert!(!game.is_empty());
        let own = fill(&places, Account::of_tenant("red"));
        assert!(!own.is_empty());
        assert!(places.taken() <= 60, "the tenant has no more than half");
        assert_eq!(places.held_by(token("red", 1, 0)), spectator.len());
        let of_red = places.held_by(Account::of_tenant("red"));
        assert_eq!(
            (of_red, of_red),
            (places.taken(), places.held_by(Account::EVERYBODY))
        );
    }

    #[test]
    fn a_tenant_may_have_a_limit_of_its_own() {
        let limits = Arc::<Limits>::default();
        let places = Shares::limited("max_places", "places", 120, (&limits, |own| own.watches));
        let own = |watches| OwnLimits {
            watches: Some(watches),
            ..OwnLimits::default()
        };
        limits.replace(&HashMap::from([(String::from("red"), own(5))]));
        let mut all = fill(&places, token("red", 1, 1));
        all.extend(fill(&places, Account::of_tenant("red")));
        assert_eq!(all.len(), 5);
        assert_eq!(fill(&places, Account::of_tenant("blue")).len(), 58);
        limits.replace(&HashMap::from([(String::from("red"), own(7))]));
        assert_eq!(fill(&places, Account::of_tenant("red")).len(), 2);
        limits.replace(&HashMap::new());
        assert!(fill(&places, Account::of_tenant("red")).len() > 40);
    }

    #[test]
    fn everybody_together_gets_all_and_places_come_back() {
        let places = places(7);
        assert_eq!(fill(&places, Account::EVERYBODY).len(), 7);
        assert_eq!(places.taken(), 0);
        drop(fill(&places, token("red", 1, 1)));
        assert!(places.held.lock().of.is_empty());
        let one = super::Shares::new("max_places", "places", 1);
        assert_eq!(fill(&one, token("red", 1, 1)).len(), 1);
    }

    /// Admission leaves room, whatever other accounts do: while n of them hold something, a newcomer finds a free unit
    /// among 2^n or more.
    #[test]
    fn newcomers_find_a_place() {
        let seed = rand::random();
        let mut random = SmallRng::seed_from_u64(seed);
        for _ in 0..200 {
            let tenants: u32 = random.random_range(1..8);
            let places = places(1 << tenants);
            let mut shares = Vec::new();
            for _ in 0..2_000 {
                if random.random_bool(0.3) && !shares.is_empty() {
                    let at = random.random_range(0..shares.len());
                    drop(shares.swap_remove(at));
                    continue;
                }
                let tenant = format!("tenant {}", random.random_range(0..tenants));
                let game = random.random_range(0..3);
                let account = token(&tenant, game, random.random_range(0..3));
                shares.extend(places.take(account));
                let newcomer = places.take(Account::of_tenant("newcomer"));
                assert!(newcomer.is_ok(), "seed {seed}");
            }
        }
    }
}
