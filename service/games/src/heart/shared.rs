//! The context that the games of all rulesets share in one process.

use std::sync::Arc;

use gamekeeper_store::{GameId, GameStore};
use gamekeeper_telemetry::Metrics;
use gamekeeper_wire::Malformed;
use prost_types::Timestamp;
use quick_cache::sync::Cache;
use tokio_util::sync::CancellationToken;

use crate::heart::access::{
    Access, Account, Caller, Cuts, Limits, OwnMax, Role, SeatTokens, Shares, UserTokens,
};
use crate::heart::clock::Clock;
use crate::heart::due::DueNow;
use crate::heart::fair::{Budgets, Meter, Who};
use crate::heart::outages::Outages;
use crate::heart::problem::Problem;
use crate::heart::record::open_birth_head;
use crate::heart::settings::Settings;
use crate::heart::times::since_epoch;
use crate::heart::turns::Turns;

/// The ratio of the capacity of `homes` to that of the cache of games. An entry of `homes` takes little room.
const RULESETS_PER_GAME: usize = 8;

/// The ruleset, tenant and first game that a game belongs to.
#[derive(Clone)]
pub struct Home {
    pub(crate) ruleset: Arc<str>,
    /// The tenant. Is empty if the game has none.
    pub tenant: Arc<str>,
    /// The oldest ancestor of the game, or the game itself if it is not a fork.
    pub first_game: GameId,
}

impl Home {
    /// Returns whether this caller may know of the game. For a user, only the game itself can tell whether they have a
    /// seat. Checked before anything else of a request is decoded, so that a foreign game and a missing one are
    /// indistinguishable whatever the request contains.
    pub(crate) fn is_known_to(&self, caller: &Caller, id: GameId) -> bool {
        match &caller.role {
            Role::Open | Role::Operator => true,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game == id,
            Role::Tenant(tenant) | Role::User { tenant, .. } => **tenant == *self.tenant,
        }
    }
}

/// The context that the games of all rulesets share in one process.
pub struct Shared {
    /// The store of the games.
    pub store: Arc<dyn GameStore>,
    /// The signer of tokens and records.
    pub tokens: Arc<dyn SeatTokens>,
    /// The issuer and validator of user tokens.
    pub user_tokens: Arc<UserTokens>,
    /// The operator's settings.
    pub settings: Settings,
    /// A token that is canceled when the server shuts down, to end all streams.
    pub closing: CancellationToken,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    /// The limits of individual tenants.
    pub limits: Arc<Limits>,
    /// The rate limits and meters of all accounts.
    pub budgets: Arc<Budgets>,
    /// The accounts that operators have blocked, and the open streams.
    pub cuts: Arc<Cuts>,
    /// The shares of watches and exports.
    pub watches: Arc<Shares>,
    /// The shares of self-plays.
    pub self_plays: Arc<Shares>,
    /// The queue of games of this process in which a bot can act at once.
    pub(crate) due_now: DueNow,
    /// The scheduler of thinking bots.
    pub(crate) turns: Arc<Turns>,
    /// The outages, in which no process served.
    pub(crate) outages: Outages,
    /// The cached homes of the games that this process has met. The ruleset of an id never changes while the game
    /// exists; if the id is reused after a deletion, a stale entry is detected when the game is read.
    pub(crate) homes: Cache<GameId, Home>,
}

impl Shared {
    /// Creates the context, with empty caches and no limits of individual tenants.
    #[must_use]
    pub fn new(
        store: Arc<dyn GameStore>,
        tokens: Arc<dyn SeatTokens>,
        settings: Settings,
        closing: CancellationToken,
        metrics: Arc<Metrics>,
    ) -> Arc<Self> {
        let limits = Arc::<Limits>::default();
        let own: (_, OwnMax) = (&limits, |own| own.watches);
        let watches = Shares::limited("max_watches", "streams", settings.max_watches, own);
        let own: (_, OwnMax) = (&limits, |own| own.self_plays);
        let max = settings.max_self_plays;
        let self_plays = Shares::limited("max_self_plays", "self-plays", max, own);
        let turns = Turns::new(settings.max_thinking_bots);
        let outages = Outages::new(Arc::clone(&store), settings.outage_after);
        let homes = Cache::new(
            settings
                .cached_games
                .max(1)
                .saturating_mul(RULESETS_PER_GAME),
        );
        let budgets = Arc::new(Budgets::limited(settings.rate, Arc::clone(&limits)));
        Arc::new(Self {
            user_tokens: UserTokens::new(Arc::clone(&store)),
            store,
            tokens,
            settings,
            closing,
            metrics,
            clock: Clock::default(),
            limits,
            budgets,
            cuts: Arc::default(),
            watches,
            self_plays,
            due_now: DueNow::new(),
            turns,
            outages,
            homes,
        })
    }

    /// Returns the cached home of a game. Returns `None` if this process has not met the game.
    #[must_use]
    pub fn home_if_met(&self, id: GameId) -> Option<Home> {
        self.homes.get(&id)
    }

    /// Returns the identity of a topmost account. A tenant whose meter has no name yet is looked up through one of its
    /// games. Returns `None` if that fails.
    pub fn who_is(&self, whole: &Meter) -> Option<Who> {
        if let Some(who) = whole.who() {
            return Some(who.clone());
        }
        let usage = self.budgets.usage();
        let callers = usage.of_callers();
        let parts = callers
            .iter()
            .filter(|part| part.account().whole() == whole.account());
        let games = parts.filter_map(|part| match part.who()? {
            Who::Holder { game, .. } => self.homes.get(game),
            Who::Everybody
            | Who::Operators
            | Who::Tenant(_)
            | Who::User { .. }
            | Who::Stranger(_) => None,
        });
        for home in games {
            usage.name(&home.tenant);
        }
        whole.who().cloned()
    }

    /// Caches the home of a game.
    pub(crate) fn note_home(&self, id: GameId, home: Home) {
        self.budgets.usage().name(&home.tenant);
        self.homes.insert(id, home);
    }

    /// Returns the maximum number of games of a tenant. Returns `None` for no limit.
    pub(crate) fn max_games(&self, tenant: &str) -> Option<u64> {
        let own = self.limits.of(Account::of_tenant(tenant)).games;
        let of_all = self.settings.max_games_per_tenant;
        let max = own.or(of_all).filter(|max| *max > 0);
        max.filter(|_| !tenant.is_empty())
    }

    /// Returns the default expiry of tokens that are issued at this time, in seconds since the Unix epoch. Returns
    /// `None` if tokens do not expire.
    pub(crate) fn end_of_tokens(&self, made_ms: u64) -> Option<u64> {
        let lifetime = self.settings.seat_token_lifetime?;
        Some((made_ms / 1_000).saturating_add(lifetime.as_secs()))
    }

    /// Returns the requested expiry, in seconds since the Unix epoch, rounded down.
    ///
    /// # Errors
    /// If the time is malformed or has passed.
    pub(crate) fn end_of_token(&self, asked: Timestamp) -> Result<u64, Malformed> {
        let now = self.clock.now_ms() / 1_000;
        let end = since_epoch(asked, "expire_time")?.as_secs();
        if end > now {
            return Ok(end);
        }
        Err(Malformed::new("expire_time", "has passed"))
    }

    /// Returns the error that a caller sees for a game that cannot be read. A foreign game looks like a missing one.
    pub(crate) async fn problem_for(
        &self,
        caller: &Caller,
        id: GameId,
        problem: Problem,
    ) -> Problem {
        if !problem.is_of_record() {
            return problem;
        }
        let knows = match &caller.role {
            Role::Open | Role::Operator => true,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game == id,
            Role::Tenant(tenant) => self.owner(id).await.as_ref() == Some(tenant),
            Role::User { tenant, user, .. } => {
                self.owner(id).await.as_ref() == Some(tenant) && self.has_seat(id, user).await
            }
        };
        if knows {
            problem
        } else {
            Problem::no_such_game(id)
        }
    }

    /// Returns whether a user has a seat at a game whose record may be damaged, by its access record alone.
    async fn has_seat(&self, id: GameId, user: &str) -> bool {
        let Ok(Some(loaded)) = self.store.load(id, None).await else {
            return false;
        };
        Access::from_bytes(&loaded.access).is_ok_and(|access| access.tags().has_user(user))
    }

    /// Returns the tenant that owns a game. Returns `None` if the first entry cannot be read.
    async fn owner(&self, id: GameId) -> Option<String> {
        let entries = self.store.log(id, 0, 1).await.ok()??;
        let head = open_birth_head(&entries.first()?.bytes).ok()?;
        Some(head.tenant)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::table::Seat;
    use uuid::Uuid;

    use super::*;
    use crate::process::{Process, shared, store};

    #[tokio::test]
    async fn zero_games_of_a_tenant_are_no_limit() {
        let mut shared = shared(store());
        let settings = |shared: &mut Arc<Shared>, max| {
            let own = Arc::get_mut(shared).unwrap();
            own.settings.max_games_per_tenant = max;
        };
        for (set, max) in [(None, None), (Some(0), None), (Some(3), Some(3))] {
            settings(&mut shared, set);
            assert_eq!(shared.max_games("red"), max);
            assert_eq!(shared.max_games(""), None);
        }
    }

    #[tokio::test]
    async fn tokens_expire_a_lifetime_after_they_were_made() {
        let mut shared = shared(store());
        assert_eq!(shared.end_of_tokens(5_999), None);
        let own = Arc::get_mut(&mut shared).unwrap();
        own.settings.seat_token_lifetime = Some(Duration::from_hours(1));
        assert_eq!(shared.end_of_tokens(5_999), Some(3_605));
    }

    #[test]
    fn a_requested_expiry_is_a_time_to_come() {
        let shared = shared(store());
        let end = |seconds, nanos| shared.end_of_token(Timestamp { seconds, nanos });
        assert_eq!(end(i64::MAX, 999_999_999), Ok(i64::MAX.unsigned_abs()));
        for (seconds, nanos) in [(1, 0), (-1, 0), (i64::MAX, -1), (i64::MAX, 1_000_000_000)] {
            assert_eq!(end(seconds, nanos).unwrap_err().field, "expire_time");
        }
    }

    /// A caller who may not know of a game does not learn that it is damaged. Other errors disclose nothing about it.
    #[tokio::test]
    async fn a_game_that_cannot_be_read_is_missing_for_strangers() {
        let process = Process::<Dominion>::over(&store());
        let tenant = |name: &str| Role::Tenant(name.to_owned());
        let red = Caller::new(tenant("red"));
        let game = process.create_of(&red, &["ada", "bob"]).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let user = |tenant: &str, user: &str| Role::User {
            tenant: tenant.to_owned(),
            user: user.to_owned(),
            generation: None,
        };
        let seat = |game| Role::Seat {
            game,
            seat: Seat::FIRST,
            generation: 0,
            birth: None,
        };
        let spectator = |game| Role::Spectator {
            game,
            generation: 0,
            birth: None,
        };
        let other = Uuid::from_u128(1);
        for (role, knows) in [
            (Role::Open, true),
            (Role::Operator, true),
            (tenant("red"), true),
            (tenant("blue"), false),
            (user("red", "ada"), true),
            (user("red", "eve"), false),
            (user("blue", "ada"), false),
            (user("blue", "eve"), false),
            (seat(id), true),
            (seat(other), false),
            (spectator(id), true),
            (spectator(other), false),
        ] {
            let caller = Caller::new(role.clone());
            let shared = &process.games.shared;
            let told = shared.problem_for(&caller, id, Problem::SnapshotTooNew);
            let told = told.await;
            let is_right = if knows {
                matches!(told, Problem::SnapshotTooNew)
            } else {
                matches!(told, Problem::NoSuchGame { .. })
            };
            assert!(is_right, "{role:?}: {told}");
            let told = shared.problem_for(&caller, id, Problem::Contended).await;
            assert!(matches!(told, Problem::Contended), "{role:?}: {told}");
        }
    }
}
