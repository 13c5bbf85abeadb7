//! The context that the games of all rulesets share in one process.

use std::sync::Arc;

use gamekeeper_store::{GameId, GameStore};
use gamekeeper_telemetry::Metrics;
use gamekeeper_wire::Malformed;
use prost_types::Timestamp;
use quick_cache::sync::Cache;
use tokio_util::sync::CancellationToken;

use crate::admission::{Blocklist, ConcurrencyLimiter, TenantLimitTable, TenantMax};
use crate::aggregate::due::DueQueue;
use crate::authz::{Account, Caller, Role, TokenIssuer, UserTokens};
use crate::context::outages::Outages;
use crate::context::settings::Settings;
use crate::context::shared_blocks::SharedBlocks;
use crate::errors::ServiceError;
use crate::log::decode_genesis_head;
use crate::metadata::GameMetadata;
use crate::raster;
use crate::requests::times::since_epoch;
use crate::scheduling::{BusyGames, FairSemaphore, Meter, Principal, RateLimiter};
use crate::timing::clock::Clock;

/// The ratio of the capacity of `location_cache` to that of the cache of games. An entry of `location_cache` takes
/// little room.
const LOCATIONS_PER_CACHED_GAME: usize = 8;

/// The maximum number of games in which this process acts at the same time without a call, not counting bots that think.
const MAX_ACTING: usize = 8;

/// The ruleset, tenant and first game that a game belongs to.
#[derive(Clone)]
pub struct GameLocation {
    pub(crate) ruleset: Arc<str>,
    /// The tenant. Is empty if the game has none.
    pub tenant: Arc<str>,
    /// The oldest ancestor of the game, or the game itself if it is not a fork.
    pub root_game: GameId,
}

impl GameLocation {
    /// Returns whether this caller may know of the game. For a user, only the game itself can tell whether they have a
    /// seat. Checked before anything else of a request is decoded, so that a foreign game and a missing one are
    /// indistinguishable whatever the request contains.
    pub(crate) fn may_be_visible_to(&self, caller: &Caller, id: GameId) -> bool {
        match &caller.role {
            Role::AuthDisabled | Role::Operator => true,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game == id,
            Role::Tenant(tenant) | Role::User { tenant, .. } => **tenant == *self.tenant,
        }
    }
}

/// The context that the games of all rulesets share in one process.
pub struct AppContext {
    /// The store of the games.
    pub store: Arc<dyn GameStore>,
    /// The signer of tokens and records.
    pub tokens: Arc<dyn TokenIssuer>,
    /// The issuer and validator of user tokens.
    pub user_tokens: Arc<UserTokens>,
    /// The operator's settings.
    pub settings: Settings,
    /// A token that is canceled when the server shuts down, to end all streams.
    pub shutdown: CancellationToken,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    /// The limits of individual tenants.
    pub tenant_limits: Arc<TenantLimitTable>,
    /// The rate limits and meters of all accounts.
    pub rate_limiter: Arc<RateLimiter>,
    /// The accounts that operators have blocked, and the open streams.
    pub blocklist: Arc<Blocklist>,
    /// The shares of watches and exports.
    pub watch_permits: Arc<ConcurrencyLimiter>,
    /// The shares of self-plays and imports.
    pub self_play_permits: Arc<ConcurrencyLimiter>,
    /// The queue of games of this process in which a bot can act at once.
    pub(crate) due_queue: DueQueue,
    /// The games in which tasks of this process act.
    pub(crate) busy_games: Arc<BusyGames>,
    /// The permits for work that no call asks for, other than the thinking of bots.
    pub(crate) acting: Arc<FairSemaphore>,
    /// The permits of thinking bots.
    pub(crate) thinking: Arc<FairSemaphore>,
    /// The permits to paint drawings as PNG. Is `None` if this process paints none.
    pub(crate) painting: Option<Arc<FairSemaphore>>,
    /// The outages, in which no process served.
    pub(crate) outages: Outages,
    /// The accounts that operators have blocked in all processes.
    pub(crate) shared_blocks: SharedBlocks,
    /// The cached homes of the games that this process has met. The ruleset of an id never changes while the game
    /// exists; if the id is reused after a deletion, a stale entry is detected when the game is read.
    pub(crate) location_cache: Cache<GameId, GameLocation>,
}

impl AppContext {
    /// Creates the context, with empty caches and no limits of individual tenants.
    #[must_use]
    pub fn new(
        store: Arc<dyn GameStore>,
        tokens: Arc<dyn TokenIssuer>,
        settings: Settings,
        shutdown: CancellationToken,
        metrics: Arc<Metrics>,
    ) -> Arc<Self> {
        let tenant_limits = Arc::<TenantLimitTable>::default();
        let max_of: (_, TenantMax) = (&tenant_limits, |limits| limits.watches);
        let watch_permits = ConcurrencyLimiter::with_tenant_limits(
            "max_watches",
            "streams",
            settings.max_watches,
            max_of,
        );
        let max_of: (_, TenantMax) = (&tenant_limits, |limits| limits.self_plays);
        let max = settings.max_self_plays;
        let self_play_permits = ConcurrencyLimiter::with_tenant_limits(
            "max_self_plays",
            "self-plays and imports",
            max,
            max_of,
        );
        let thinking = FairSemaphore::new(settings.max_thinking_bots);
        let max_painting = settings.max_painting;
        let paints = raster::HAS_PAINTER && max_painting > 0;
        let painting = paints.then(|| FairSemaphore::new(max_painting));
        let outages = Outages::new(Arc::clone(&store), settings.outage_after);
        let shared_blocks = SharedBlocks::new(Arc::clone(&store));
        let location_cache = Cache::new(
            settings
                .cached_games
                .max(1)
                .saturating_mul(LOCATIONS_PER_CACHED_GAME),
        );
        let rate_limiter = Arc::new(RateLimiter::with_tenant_limits(
            settings.rate,
            Arc::clone(&tenant_limits),
        ));
        Arc::new(Self {
            user_tokens: UserTokens::new(Arc::clone(&store)),
            store,
            tokens,
            settings,
            shutdown,
            metrics,
            clock: Clock::default(),
            tenant_limits,
            rate_limiter,
            blocklist: Arc::default(),
            watch_permits,
            self_play_permits,
            due_queue: DueQueue::new(),
            busy_games: BusyGames::new(),
            acting: FairSemaphore::new(MAX_ACTING),
            thinking,
            painting,
            outages,
            shared_blocks,
            location_cache,
        })
    }

    /// Returns the cached home of a game. Returns `None` if this process has not met the game.
    #[must_use]
    pub fn cached_location(&self, id: GameId) -> Option<GameLocation> {
        self.location_cache.get(&id)
    }

    /// Returns the identity of a topmost account. A tenant whose meter has no name yet is looked up through one of its
    /// games. Returns `None` if that fails.
    pub fn principal_of(&self, root_meter: &Meter) -> Option<Principal> {
        if let Some(principal) = root_meter.principal() {
            return Some(principal.clone());
        }
        let usage = self.rate_limiter.usage();
        let caller_meters = usage.callers();
        let members = caller_meters
            .iter()
            .filter(|meter| meter.account().root() == root_meter.account());
        let locations = members.filter_map(|meter| match meter.principal()? {
            Principal::TokenHolder { game, .. } => self.location_cache.get(game),
            Principal::Everybody
            | Principal::Operators
            | Principal::Tenant(_)
            | Principal::User { .. }
            | Principal::Unattended(_)
            | Principal::Thinking(_)
            | Principal::Anonymous(_) => None,
        });
        for location in locations {
            usage.set_tenant_name(&location.tenant);
        }
        root_meter.principal().cloned()
    }

    /// Caches the home of a game.
    pub(crate) fn cache_location(&self, id: GameId, location: GameLocation) {
        self.rate_limiter.usage().set_tenant_name(&location.tenant);
        self.location_cache.insert(id, location);
    }

    /// Returns the maximum number of games of a tenant. Returns `None` for no limit.
    pub(crate) fn max_games(&self, tenant: &str) -> Option<u64> {
        let tenant_max = self
            .tenant_limits
            .for_account(Account::of_tenant(tenant))
            .games;
        let default_max = self.settings.max_games_per_tenant;
        let max = tenant_max.or(default_max).filter(|max| *max > 0);
        max.filter(|_| !tenant.is_empty())
    }

    /// Returns the maximum number of bytes that a tenant stores. Returns `None` for no limit.
    pub(crate) fn max_bytes(&self, tenant: &str) -> Option<u64> {
        let tenant_max = self
            .tenant_limits
            .for_account(Account::of_tenant(tenant))
            .bytes;
        let default_max = self.settings.max_bytes_per_tenant;
        let max = tenant_max.or(default_max).filter(|max| *max > 0);
        max.filter(|_| !tenant.is_empty())
    }

    /// Returns how many bytes the games and the feed of a tenant may have beside the records of its users' tokens.
    /// Returns `None` for no limit.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn max_bytes_of_games(
        &self,
        tenant: &str,
    ) -> Result<Option<u64>, ServiceError> {
        let Some(max) = self.max_bytes(tenant) else {
            return Ok(None);
        };
        let tokens = self.user_tokens.stored_bytes(tenant).await?;
        Ok(Some(max.saturating_sub(tokens)))
    }

    /// Returns how many bytes a tenant stores: its games, its feed, and the records of its users' tokens.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn stored_bytes(&self, tenant: &str) -> Result<u64, ServiceError> {
        let games = self.store.stored_bytes(tenant).await?;
        let tokens = self.user_tokens.stored_bytes(tenant).await?;
        Ok(games.saturating_add(tokens))
    }

    /// Returns the default expiry of tokens that are issued at this time, in seconds since the Unix epoch. Returns
    /// `None` if tokens do not expire.
    pub(crate) fn default_token_expiry(&self, issued_ms: u64) -> Option<u64> {
        let lifetime = self.settings.seat_token_lifetime?;
        Some((issued_ms / 1_000).saturating_add(lifetime.as_secs()))
    }

    /// Returns the requested expiry, in seconds since the Unix epoch, rounded down.
    ///
    /// # Errors
    /// If the time is malformed or has passed.
    pub(crate) fn requested_token_expiry(&self, expire_time: Timestamp) -> Result<u64, Malformed> {
        let now = self.clock.now_ms() / 1_000;
        let expiry = since_epoch(expire_time, "expire_time")?.as_secs();
        if expiry > now {
            return Ok(expiry);
        }
        Err(Malformed::new("expire_time", "has passed"))
    }

    /// Returns the error that a caller sees for a game that cannot be read. A foreign game looks like a missing one.
    pub(crate) async fn mask_error(
        &self,
        caller: &Caller,
        id: GameId,
        problem: ServiceError,
    ) -> ServiceError {
        if !problem.is_storage_corruption() {
            return problem;
        }
        let may_know = match &caller.role {
            Role::AuthDisabled | Role::Operator => true,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game == id,
            Role::Tenant(tenant) => self.owner(id).await.as_ref() == Some(tenant),
            Role::User { tenant, user, .. } => {
                self.owner(id).await.as_ref() == Some(tenant) && self.has_seat(id, user).await
            }
        };
        if may_know {
            problem
        } else {
            ServiceError::no_such_game(id)
        }
    }

    /// Returns whether a user has a seat at a game whose record may be damaged, by its metadata record alone.
    async fn has_seat(&self, id: GameId, user: &str) -> bool {
        let Ok(Some(loaded)) = self.store.load(id, None).await else {
            return false;
        };
        GameMetadata::from_bytes(&loaded.access).is_ok_and(|access| access.tags().has_user(user))
    }

    /// Returns the tenant that owns a game. Returns `None` if the first entry cannot be read.
    async fn owner(&self, id: GameId) -> Option<String> {
        let entries = self.store.log(id, 0, 1).await.ok()??;
        let head = decode_genesis_head(&entries.first()?.bytes).ok()?;
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
    use crate::test_server::{TestServer, shared, store};

    #[tokio::test]
    async fn zero_games_or_bytes_of_a_tenant_are_no_limit() {
        let mut shared = shared(store());
        let settings = |shared: &mut Arc<AppContext>, max| {
            let context = Arc::get_mut(shared).unwrap();
            context.settings.max_games_per_tenant = max;
            context.settings.max_bytes_per_tenant = max;
        };
        for (set, max) in [(None, None), (Some(0), None), (Some(3), Some(3))] {
            settings(&mut shared, set);
            assert_eq!(
                (shared.max_games("red"), shared.max_bytes("red")),
                (max, max)
            );
            assert_eq!((shared.max_games(""), shared.max_bytes("")), (None, None));
        }
    }

    #[tokio::test]
    async fn tokens_expire_a_lifetime_after_they_were_made() {
        let mut shared = shared(store());
        assert_eq!(shared.default_token_expiry(5_999), None);
        let context = Arc::get_mut(&mut shared).unwrap();
        context.settings.seat_token_lifetime = Some(Duration::from_hours(1));
        assert_eq!(shared.default_token_expiry(5_999), Some(3_605));
    }

    #[test]
    fn a_requested_expiry_is_a_time_to_come() {
        let shared = shared(store());
        let end = |seconds, nanos| shared.requested_token_expiry(Timestamp { seconds, nanos });
        assert_eq!(end(i64::MAX, 999_999_999), Ok(i64::MAX.unsigned_abs()));
        for (seconds, nanos) in [(1, 0), (-1, 0), (i64::MAX, -1), (i64::MAX, 1_000_000_000)] {
            assert_eq!(end(seconds, nanos).unwrap_err().field, "expire_time");
        }
    }

    /// A caller who may not know of a game does not learn that it is damaged. Other errors disclose nothing about it.
    #[tokio::test]
    async fn a_game_that_cannot_be_read_is_missing_for_strangers() {
        let process = TestServer::<Dominion>::new(&store());
        let tenant = |name: &str| Role::Tenant(name.to_owned());
        let red = Caller::new(tenant("red"));
        let game = process.create_with_users(&red, &["ada", "bob"]).await;
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
            incarnation: None,
        };
        let spectator = |game| Role::Spectator {
            game,
            generation: 0,
            incarnation: None,
        };
        let other = Uuid::from_u128(1);
        for (role, knows) in [
            (Role::AuthDisabled, true),
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
            let shared = &process.games.context;
            let masked = shared.mask_error(&caller, id, ServiceError::WrittenByNewerBuild);
            let masked = masked.await;
            let is_right = if knows {
                matches!(masked, ServiceError::WrittenByNewerBuild)
            } else {
                matches!(masked, ServiceError::NoSuchGame { .. })
            };
            assert!(is_right, "{role:?}: {masked}");
            let masked = shared
                .mask_error(&caller, id, ServiceError::TooManyConflicts)
                .await;
            assert!(
                matches!(masked, ServiceError::TooManyConflicts),
                "{role:?}: {masked}"
            );
        }
    }
}
