//! The usage of accounts and the resources that they hold in this process, for operators, and a way to stop an
//! account.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_games::admission::BlocklistFull;
use gamekeeper_games::authz::Account;
use gamekeeper_games::scheduling::{
    Consumption, Meter, Principal, RateLimiter, RecentRate, settle,
};
use gamekeeper_games::{AppContext, Registry};
use gamekeeper_store::{GameId, metering};
use serde::Serialize;

use crate::connection_limiter::ConnectionLimiter;
use crate::grpc::Edge;

/// The accounts of this process.
#[derive(Clone)]
pub(crate) struct Accounts {
    pub(crate) shared: Arc<AppContext>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) edge: Edge,
    pub(crate) limiter: Arc<ConnectionLimiter>,
}

/// The usage of an account.
#[derive(Clone)]
pub(crate) struct UsageReport {
    pub(crate) account: Account,
    /// The identity behind the account. Is `None` if no call has revealed it yet.
    pub(crate) principal: Option<Principal>,
    pub(crate) used: Consumption,
    pub(crate) pace: RecentRate,
    /// The longest time for which its work held a thread.
    pub(crate) longest_turn: Duration,
    pub(crate) in_use: InUse,
}

/// The resources that an account holds at the moment, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct InUse {
    pub(crate) in_flight: usize,
    pub(crate) streams: usize,
    pub(crate) self_plays: usize,
    pub(crate) connections: usize,
}

impl InUse {
    /// Returns the sum of both.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            in_flight: self.in_flight + other.in_flight,
            streams: self.streams + other.streams,
            self_plays: self.self_plays + other.self_plays,
            connections: self.connections + other.connections,
        }
    }

    /// Returns these resources less the other ones, at least 0 of each.
    pub(crate) fn minus(self, other: Self) -> Self {
        let Self {
            in_flight,
            streams,
            self_plays,
            connections,
        } = other;
        Self {
            in_flight: self.in_flight.saturating_sub(in_flight),
            streams: self.streams.saturating_sub(streams),
            self_plays: self.self_plays.saturating_sub(self_plays),
            connections: self.connections.saturating_sub(connections),
        }
    }
}

/// The order of accounts in a report, the largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsageOrder {
    /// Cost per second.
    Cost,
    /// Open streams and self-plays.
    Streams,
    /// Bytes per second, answered and stored.
    Bytes,
    /// Open connections.
    Connections,
    /// Calls that were refused.
    Refused,
}

impl UsageOrder {
    const ALL: [(&str, Self); 5] = [
        ("cost", Self::Cost),
        ("streams", Self::Streams),
        ("bytes", Self::Bytes),
        ("connections", Self::Connections),
        ("refused", Self::Refused),
    ];

    /// Returns the order with this name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|(option, by)| (option == name).then_some(by))
    }

    /// Returns all names as one text.
    pub(crate) fn names() -> String {
        Self::ALL.map(|(name, _)| name).join(", ")
    }

    fn compare(self, one: &UsageReport, other: &UsageReport) -> Ordering {
        let key = |of: &UsageReport| match self {
            Self::Cost | Self::Bytes => 0,
            Self::Streams => of.in_use.streams + of.in_use.self_plays,
            Self::Connections => of.in_use.connections,
            Self::Refused => usize::try_from(of.used.refused).unwrap_or(usize::MAX),
        };
        let pace = |of: &UsageReport| match self {
            Self::Bytes => of.pace.bytes,
            Self::Cost | Self::Streams | Self::Connections | Self::Refused => of.pace.cost,
        };
        let by_pace = || pace(other).total_cmp(&pace(one));
        let ordered = key(other).cmp(&key(one)).then_with(by_pace);
        ordered.then_with(|| one.account.cmp(&other.account))
    }

    /// Returns the first accounts in this order.
    pub(crate) fn first(self, mut all: Vec<UsageReport>, limit: usize) -> Vec<UsageReport> {
        all.sort_unstable_by(|one, other| self.compare(one, other));
        all.truncate(limit);
        all
    }
}

impl Accounts {
    /// Returns the usage of the top-level accounts: tenants, operators, and networks of callers without a token.
    pub(crate) fn roots(&self) -> Vec<UsageReport> {
        let authenticated = self.shared.rate_limiter.usage().roots();
        let anonymous = self.edge.anonymous_budgets().usage().roots();
        let authenticated = authenticated.iter().map(|meter| UsageReport {
            principal: self.shared.principal_of(meter),
            ..self.report(meter)
        });
        let anonymous = anonymous.iter().map(|meter| self.anonymous_report(meter));
        authenticated.chain(anonymous).collect()
    }

    /// Returns the usage of single callers, of one tenant or of all.
    pub(crate) fn callers(&self, of: Option<Account>) -> Vec<UsageReport> {
        let authenticated = self.shared.rate_limiter.usage().callers();
        let anonymous = self.edge.anonymous_budgets().usage().callers();
        let is_of = |meter: &&Arc<Meter>| of.is_none_or(|of| meter.account().is_descendant_of(of));
        let authenticated = authenticated
            .iter()
            .filter(is_of)
            .map(|meter| self.report(meter));
        let anonymous = anonymous.iter().filter(is_of);
        authenticated
            .chain(anonymous.map(|meter| self.anonymous_report(meter)))
            .collect()
    }

    /// Returns the usage of a top-level account: a tenant, all operators, or everybody if the server trusts all
    /// callers.
    pub(crate) fn root(&self, account: Account) -> Option<UsageReport> {
        let meter = self.shared.rate_limiter.usage().root(account)?;
        Some(UsageReport {
            principal: self.shared.principal_of(&meter),
            ..self.report(&meter)
        })
    }

    /// Returns the sum for all callers without a token.
    pub(crate) fn anonymous_total(&self) -> (Consumption, InUse) {
        let [calls, streams] = self.edge.anonymous_in_use(Account::EVERYBODY);
        let (_, connections) = self.limiter.count();
        let in_use = InUse {
            in_flight: calls,
            streams,
            self_plays: 0,
            connections,
        };
        (self.edge.anonymous_budgets().usage().total(), in_use)
    }

    /// Returns the sum for all callers with a token.
    pub(crate) fn authenticated_total(&self) -> (Consumption, InUse) {
        let (all, anonymous) = self.limiter.count();
        let mut in_use = self.in_use(Account::EVERYBODY);
        in_use.connections = all.saturating_sub(anonymous);
        (self.shared.rate_limiter.usage().total(), in_use)
    }

    /// Returns what the service itself has used for nobody in particular: processor time between the turns of accounts. It
    /// is up to date on this thread; others lag by a second at most.
    pub(crate) fn of_service(&self) -> Consumption {
        settle();
        Consumption {
            time: metering::service_time(),
            ..Consumption::default()
        }
    }

    /// Returns the budgets of callers with a token, and of those without one.
    pub(crate) fn budgets(&self) -> [Arc<RateLimiter>; 2] {
        [&self.shared.rate_limiter, self.edge.anonymous_budgets()].map(Arc::clone)
    }

    fn report(&self, meter: &Meter) -> UsageReport {
        UsageReport {
            account: meter.account(),
            principal: meter.principal().cloned(),
            used: meter.consumption(),
            pace: meter.recent_rate(),
            longest_turn: meter.longest_turn(),
            in_use: self.in_use(meter.account()),
        }
    }

    fn anonymous_report(&self, meter: &Meter) -> UsageReport {
        let [in_flight, streams] = self.edge.anonymous_in_use(meter.account());
        let mut report = self.report(meter);
        report.in_use.in_flight = in_flight;
        report.in_use.streams = streams;
        report
    }

    fn in_use(&self, account: Account) -> InUse {
        InUse {
            in_flight: self.edge.in_flight(account),
            streams: self.shared.watch_permits.in_use_by(account),
            self_plays: self.shared.self_play_permits.in_use_by(account),
            connections: self.limiter.in_use_by(account),
        }
    }

    /// Returns the accounts of the tokens of a game: the one for all forks of the same game, and the one for tokens of
    /// earlier builds.
    ///
    /// # Errors
    /// When there is no such game, or the store fails.
    pub(crate) async fn accounts_of_game(
        &self,
        game: GameId,
    ) -> Result<[Account; 2], gamekeeper_games::errors::ServiceError> {
        let location = self.registry.locate(game).await?;
        let of_tokens = Account::of_game(&location.tenant, location.root_game);
        Ok([of_tokens, Account::of_legacy_token(game, None).root()])
    }

    /// Ends the streams and connections of an account and of its parts in this process, and refuses its calls there for
    /// this long. Bots and clocks of its games rest meanwhile.
    ///
    /// # Errors
    /// When too many accounts are stopped already; then nothing is ended.
    pub(crate) fn disconnect(
        &self,
        account: Account,
        block_for: Option<Duration>,
    ) -> Result<Disconnected, BlocklistFull> {
        // Stop it first, so that no client reconnects in between.
        if let Some(time) = block_for {
            self.shared.blocklist.block(account, time)?;
        }
        Ok(Disconnected {
            streams: self.shared.blocklist.end_streams(account),
            connections: self.limiter.evict_all(account),
        })
    }
}

/// The number of streams and connections that were ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Disconnected {
    pub(crate) streams: usize,
    pub(crate) connections: usize,
}
