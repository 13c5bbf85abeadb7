//! The usage of accounts and the resources that they hold in this process, for operators, and a way to stop an
//! account.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_games::access::{Account, TooManyBars};
use gamekeeper_games::fair::{Meter, Pace, Used, Who};
use gamekeeper_games::{Registry, Shared};
use gamekeeper_store::GameId;
use serde::Serialize;

use crate::doorway::Doorway;
use crate::grpc::Edge;

/// The accounts of this process.
#[derive(Clone)]
pub(crate) struct Accounts {
    pub(crate) shared: Arc<Shared>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) edge: Edge,
    pub(crate) doorway: Arc<Doorway>,
}

/// The usage of an account.
#[derive(Clone)]
pub(crate) struct AccountUse {
    pub(crate) account: Account,
    /// The identity behind the account. Is `None` if no call has revealed it yet.
    pub(crate) who: Option<Who>,
    pub(crate) used: Used,
    pub(crate) pace: Pace,
    pub(crate) held: Held,
}

/// The resources that an account holds at the moment, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Held {
    pub(crate) in_flight: usize,
    pub(crate) streams: usize,
    pub(crate) self_plays: usize,
    pub(crate) connections: usize,
}

impl Held {
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
pub(crate) enum By {
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

impl By {
    const ALL: [(&str, Self); 5] = [
        ("cost", Self::Cost),
        ("streams", Self::Streams),
        ("bytes", Self::Bytes),
        ("connections", Self::Connections),
        ("refused", Self::Refused),
    ];

    /// Returns the order with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|(known, by)| (known == name).then_some(by))
    }

    /// Returns all names as one text.
    pub(crate) fn names() -> String {
        Self::ALL.map(|(name, _)| name).join(", ")
    }

    fn compare(self, one: &AccountUse, other: &AccountUse) -> Ordering {
        let key = |of: &AccountUse| match self {
            Self::Cost | Self::Bytes => 0,
            Self::Streams => of.held.streams + of.held.self_plays,
            Self::Connections => of.held.connections,
            Self::Refused => usize::try_from(of.used.refused).unwrap_or(usize::MAX),
        };
        let pace = |of: &AccountUse| match self {
            Self::Bytes => of.pace.bytes,
            Self::Cost | Self::Streams | Self::Connections | Self::Refused => of.pace.cost,
        };
        let by_pace = || pace(other).total_cmp(&pace(one));
        let ordered = key(other).cmp(&key(one)).then_with(by_pace);
        ordered.then_with(|| one.account.cmp(&other.account))
    }

    /// Returns the first accounts in this order.
    pub(crate) fn first(self, mut all: Vec<AccountUse>, limit: usize) -> Vec<AccountUse> {
        all.sort_unstable_by(|one, other| self.compare(one, other));
        all.truncate(limit);
        all
    }
}

impl Accounts {
    /// Returns the usage of the top-level accounts: tenants, operators, and networks of callers without a token.
    pub(crate) fn wholes(&self) -> Vec<AccountUse> {
        let known = self.shared.budgets.usage().of_wholes();
        let strangers = self.edge.strangers().usage().of_wholes();
        let known = known.iter().map(|meter| AccountUse {
            who: self.shared.who_is(meter),
            ..self.seen(meter)
        });
        let strangers = strangers.iter().map(|meter| self.stranger(meter));
        known.chain(strangers).collect()
    }

    /// Returns the usage of single callers, of one tenant or of all.
    pub(crate) fn callers(&self, of: Option<Account>) -> Vec<AccountUse> {
        let known = self.shared.budgets.usage().of_callers();
        let strangers = self.edge.strangers().usage().of_callers();
        let is_of = |meter: &&Arc<Meter>| of.is_none_or(|of| meter.account().is_of(of));
        let known = known.iter().filter(is_of).map(|meter| self.seen(meter));
        let strangers = strangers.iter().filter(is_of);
        known
            .chain(strangers.map(|meter| self.stranger(meter)))
            .collect()
    }

    /// Returns the usage of a top-level account: a tenant, all operators, or everybody if the server trusts all
    /// callers.
    pub(crate) fn whole(&self, account: Account) -> Option<AccountUse> {
        let meter = self.shared.budgets.usage().of_whole(account)?;
        Some(AccountUse {
            who: self.shared.who_is(&meter),
            ..self.seen(&meter)
        })
    }

    /// Returns the sum for all callers without a token.
    pub(crate) fn strangers(&self) -> (Used, Held) {
        let [calls, streams] = self.edge.of_strangers(Account::EVERYBODY);
        let (_, connections) = self.doorway.count();
        let held = Held {
            in_flight: calls,
            streams,
            self_plays: 0,
            connections,
        };
        (self.edge.strangers().usage().total(), held)
    }

    /// Returns the sum for all callers with a token.
    pub(crate) fn known(&self) -> (Used, Held) {
        let (all, strangers) = self.doorway.count();
        let mut held = self.held(Account::EVERYBODY);
        held.connections = all.saturating_sub(strangers);
        (self.shared.budgets.usage().total(), held)
    }

    fn seen(&self, meter: &Meter) -> AccountUse {
        AccountUse {
            account: meter.account(),
            who: meter.who().cloned(),
            used: meter.used(),
            pace: meter.pace(),
            held: self.held(meter.account()),
        }
    }

    fn stranger(&self, meter: &Meter) -> AccountUse {
        let [in_flight, streams] = self.edge.of_strangers(meter.account());
        let mut seen = self.seen(meter);
        seen.held.in_flight = in_flight;
        seen.held.streams = streams;
        seen
    }

    fn held(&self, account: Account) -> Held {
        Held {
            in_flight: self.edge.in_flight(account),
            streams: self.shared.watches.held_by(account),
            self_plays: self.shared.self_plays.held_by(account),
            connections: self.doorway.held_by(account),
        }
    }

    /// Returns the accounts of the tokens of a game: the one for all forks of the same game, and the one for tokens of
    /// earlier builds.
    ///
    /// # Errors
    /// When there is no such game, or the store fails.
    pub(crate) async fn of_game(
        &self,
        game: GameId,
    ) -> Result<[Account; 2], gamekeeper_games::problem::Problem> {
        let home = self.registry.home_of(game).await?;
        let tenant = Account::of_tenant(&home.tenant);
        let of_tokens = Account::of_token(tenant, home.first_game, None).of_game();
        Ok([of_tokens, Account::of_old_token(game, None).whole()])
    }

    /// Ends the streams and connections of an account and of its parts, and refuses its calls for this long.
    ///
    /// # Errors
    /// When too many accounts are stopped already; then nothing is ended.
    pub(crate) fn cut(
        &self,
        account: Account,
        out_for: Option<Duration>,
    ) -> Result<Ended, TooManyBars> {
        // Stop it first, so that no client reconnects in between.
        if let Some(time) = out_for {
            self.shared.cuts.bar(account, time)?;
        }
        Ok(Ended {
            streams: self.shared.cuts.end_streams(account),
            connections: self.doorway.close(account),
        })
    }
}

/// The number of streams and connections that were ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Ended {
    pub(crate) streams: usize,
    pub(crate) connections: usize,
}
