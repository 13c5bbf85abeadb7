//! What the games of all rulesets share in one process.

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
use crate::heart::turns::Turns;

/// The ruleset of a game takes so little room that it is kept for more games than are cached themselves.
const RULESETS_PER_GAME: usize = 8;

/// Where a game belongs.
#[derive(Clone)]
pub struct Home {
    pub(crate) ruleset: Arc<str>,
    /// Its tenant; empty: none.
    pub tenant: Arc<str>,
    /// The game that was created first: itself, unless it is a fork.
    pub first_game: GameId,
}

impl Home {
    /// May this caller know of the game? Of a user, only the game itself knows more. Asked before anything else of a
    /// request is read, so that a foreign game and a missing one get the same answer whatever a request says.
    pub(crate) fn is_known_to(&self, caller: &Caller, id: GameId) -> bool {
        match &caller.role {
            Role::Open | Role::Operator => true,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game == id,
            Role::Tenant(tenant) | Role::User { tenant, .. } => **tenant == *self.tenant,
        }
    }
}

/// What the games of all rulesets share in one process.
pub struct Shared {
    /// Where games are kept.
    pub store: Arc<dyn GameStore>,
    /// Makes tokens.
    pub tokens: Arc<dyn SeatTokens>,
    /// Which tokens of users are valid.
    pub user_tokens: Arc<UserTokens>,
    /// The operator's settings.
    pub settings: Settings,
    /// Canceled when streams must end.
    pub closing: CancellationToken,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    /// The limits of tenants that have some of their own.
    pub limits: Arc<Limits>,
    /// What callers with tokens have used.
    pub budgets: Arc<Budgets>,
    /// Whom operators have stopped.
    pub cuts: Arc<Cuts>,
    /// The places of watches and exports.
    pub watches: Arc<Shares>,
    /// The places of self-plays.
    pub self_plays: Arc<Shares>,
    /// What is due at once in games of this process.
    pub(crate) due_now: DueNow,
    /// Bots that think, and those that wait for it.
    pub(crate) turns: Arc<Turns>,
    /// When nobody could be reached.
    pub(crate) outages: Outages,
    /// Where the games belong that this process has met. An id keeps its ruleset as long as the game lives; one that is
    /// used again after the game was deleted is found out when the game is read.
    pub(crate) homes: Cache<GameId, Home>,
}

impl Shared {
    /// Puts together what games need.
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

    /// Where a game belongs, if this process has met it.
    #[must_use]
    pub fn home_if_met(&self, id: GameId) -> Option<Home> {
        self.homes.get(&id)
    }

    /// Who the tenant is whose meter this is, which a game of it may tell.
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

    /// Remembers where a game belongs.
    pub(crate) fn note_home(&self, id: GameId, home: Home) {
        self.budgets.usage().name(&home.tenant);
        self.homes.insert(id, home);
    }

    /// The maximum number of games of a tenant. `None`: no limit.
    pub(crate) fn max_games(&self, tenant: &str) -> Option<u64> {
        let own = self.limits.of(Account::of_tenant(tenant)).games;
        let of_all = self.settings.max_games_per_tenant;
        let max = own.or(of_all).filter(|max| *max > 0);
        max.filter(|_| !tenant.is_empty())
    }

    /// The default expiry of tokens that are issued at this time, in seconds since the Unix epoch.
    pub(crate) fn end_of_tokens(&self, made_ms: u64) -> Option<u64> {
        let lifetime = self.settings.seat_token_lifetime?;
        Some((made_ms / 1_000).saturating_add(lifetime.as_secs()))
    }

    /// The requested expiry, in seconds since the Unix epoch.
    pub(crate) fn end_of_token(&self, asked: Timestamp) -> Result<u64, Malformed> {
        let now = self.clock.now_ms() / 1_000;
        u64::try_from(asked.seconds)
            .ok()
            .filter(|end| *end > now)
            .ok_or_else(|| Malformed::new("expire_time", "has passed"))
    }

    /// The problem that a caller sees for a game that cannot be read. A foreign game looks like a missing one.
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

    /// Has a user a seat at a game? Its record may be damaged otherwise.
    async fn has_seat(&self, id: GameId, user: &str) -> bool {
        let Ok(Some(loaded)) = self.store.load(id, None).await else {
            return false;
        };
        Access::from_bytes(&loaded.access).is_ok_and(|access| access.tags().has_user(user))
    }

    /// The owner of a game, if its first entry can be read.
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

    /// Whoever may not know of a game does not learn that it is damaged. Other problems say nothing of it.
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
