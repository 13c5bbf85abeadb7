//! The **retention times** of games, agreed by all processes that share a Redis.
//!
//! Each process announces its setting every few seconds and reads those of the others. The longest time applies, so
//! that no process loses a game that another is configured to keep. Commits renew the time to live of their game;
//! after a change of the agreement, one process updates all games.

use std::time::{Duration, Instant};

use futures_util::future::{join_all, try_join_all};
use gamekeeper_store::lists::{List, Part};
use gamekeeper_store::{GameId, IndexRow, StoreError};
use redis::Value;
use uuid::Uuid;

use super::config::{RedisConfig, ReplicaWait};
use super::errors::{damaged, of_read};
use super::keys::{Key, LEASE, TERMS, WANTED, keys_of};
use super::lease::{at_least_1_ms, take_lease};
use super::link::Link;
use super::reading::{BATCH, NEWEST, Reader};
use super::scripts::Scripts;
use super::{packing, reply};

/// The time without an announcement after which the setting of a process no longer counts.
const FORGOTTEN: Duration = Duration::from_secs(15);

/// The lifetime of the lease for work on all games. The holder renews it well within this time.
const LEASE_TIME: Duration = Duration::from_secs(30);

/// The number of finished games that are packed concurrently.
const PACKED_AT_ONCE: usize = 4;

/// How long games are kept after their last entry, in milliseconds. 0: no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) game_ms: u64,
    pub(super) finished_ms: u64,
}

impl Terms {
    /// The terms that keep games without limit.
    pub(super) const FOR_EVER: Terms = Terms {
        game_ms: 0,
        finished_ms: 0,
    };

    /// Returns the terms of a configuration.
    pub(super) fn of(config: &RedisConfig) -> Terms {
        let game_ms = config.expire_games.map_or(0, at_least_1_ms);
        Terms {
            game_ms,
            finished_ms: config.expire_finished.map_or(game_ms, at_least_1_ms),
        }
    }

    /// Returns the longer times of both terms, for active and for finished games.
    fn or_longer(self, other: Terms) -> Terms {
        let longer = |one: u64, other: u64| match (one, other) {
            (0, _) | (_, 0) => 0,
            (one, other) => one.max(other),
        };
        Terms {
            game_ms: longer(self.game_ms, other.game_ms),
            finished_ms: longer(self.finished_ms, other.finished_ms),
        }
    }

    /// Returns the longer of the two times as both, for a game that may be active or finished.
    fn longer(self) -> Terms {
        self.or_longer(Terms {
            game_ms: self.finished_ms,
            finished_ms: self.game_ms,
        })
    }

    fn text(self) -> String {
        format!("{} {}", self.game_ms, self.finished_ms)
    }

    fn read(text: &str) -> Option<Terms> {
        let (game, finished) = text.split_once(' ')?;
        Some(Terms {
            game_ms: game.parse().ok()?,
            finished_ms: finished.parse().ok()?,
        })
    }

    /// Parses the terms in the announcement of a process. Returns `None` if it cannot be read.
    fn announced(said: &[u8]) -> Option<Terms> {
        let said = std::str::from_utf8(said).ok()?;
        let (terms, _who) = said.rsplit_once(' ')?;
        Terms::read(terms)
    }
}

/// The terms that apply to all processes.
pub(super) struct Heard {
    pub(super) terms: Terms,
    /// Whether it is time to apply the terms to all games.
    pub(super) is_due: bool,
}

/// The participation of this process in the agreement.
pub(super) struct Agreement {
    own: Terms,
    /// The announcement of this process, made unique by an id.
    said: String,
    settle: Duration,
    /// The terms that not all games have yet, and when this process first read them.
    differs: Option<(Terms, Instant)>,
    /// The number of announcements that could not be read the last time.
    unreadable: usize,
}

impl Agreement {
    pub(super) fn new(config: &RedisConfig) -> Agreement {
        let own = Terms::of(config);
        let said = format!("{} {}", own.text(), Uuid::now_v7());
        Agreement {
            own,
            said,
            settle: config.settle,
            differs: None,
            unreadable: 0,
        }
    }

    /// Returns the terms that this process wants.
    pub(super) fn own(&self) -> Terms {
        self.own
    }

    /// Announces the terms of this process, and reads those that apply to all.
    pub(super) async fn hear(
        &mut self,
        link: &Link,
        scripts: &Scripts,
    ) -> Result<Heard, StoreError> {
        let keys = [WANTED, TERMS].map(str::to_owned);
        let forgotten = FORGOTTEN.as_millis().to_string();
        let args: [&[u8]; 2] = [self.said.as_bytes(), forgotten.as_bytes()];
        let heard = reply::list(scripts.agree.call(&keys, &args).ask(link, None).await?)?;
        let [wanted, given] = <[Value; 2]>::try_from(heard)
            .map_err(|_| damaged("an unexpected reply to an announcement of terms"))?;
        let (mut terms, mut unreadable) = (self.own, 0);
        for said in reply::list(wanted)? {
            // An unreadable announcement counts as "no limit", which loses no game.
            let other = Terms::announced(&reply::bytes(said)?).unwrap_or_else(|| {
                unreadable += 1;
                Terms::FOR_EVER
            });
            terms = terms.or_longer(other);
        }
        if unreadable > self.unreadable {
            tracing::warn!(
                processes = unreadable,
                "the retention time that a process wants cannot be read: games are kept without limit"
            );
        }
        self.unreadable = unreadable;
        let is_given = reply::bytes(given)? == terms.text();
        Ok(Heard {
            terms,
            is_due: self.is_due(terms, is_given),
        })
    }

    /// Whether terms that not all games have yet were stable long enough for all processes to learn them.
    fn is_due(&mut self, terms: Terms, is_given: bool) -> bool {
        if is_given {
            self.differs = None;
            return false;
        }
        match self.differs {
            Some((seen, since)) if seen == terms => since.elapsed() >= self.settle,
            Some(_) | None => {
                self.differs = Some((terms, Instant::now()));
                self.settle.is_zero()
            }
        }
    }

    /// Withdraws the announcement of this process.
    pub(super) async fn leave(&self, link: &Link) -> Result<(), StoreError> {
        let mut command = redis::cmd("ZREM");
        command.arg(WANTED).arg(&self.said);
        link.ask(&command).await.map_err(|error| of_read(&error))?;
        Ok(())
    }
}

/// Applies the terms to all games and packs the finished ones, unless another process holds the lease for that.
pub(super) async fn give(
    link: &Link,
    scripts: &Scripts,
    terms: Terms,
    wait: Option<ReplicaWait>,
    now_ms: u64,
) -> Result<(), StoreError> {
    if !take_lease(link, LEASE, LEASE_TIME).await? {
        return Ok(());
    }
    tracing::info!(
        game_ms = terms.game_ms,
        finished_ms = terms.finished_ms,
        "all games get the new retention time (0: no limit)"
    );
    let all = Reader::whole(link, scripts, List::Created(None, Part::All));
    let mut after = Some(NEWEST);
    while let Some(until) = after {
        let mut longer = redis::cmd("SET");
        longer
            .arg(LEASE)
            .arg("")
            .arg("PX")
            .arg(at_least_1_ms(LEASE_TIME));
        link.ask(&longer).await.map_err(|error| of_read(&error))?;
        let batch = all.batch(until, BATCH, now_ms).await?;
        after = batch.next;
        let games = batch.places.iter().zip(&batch.rows);
        let games = games.filter_map(|(place, row)| Some((place.id, row.as_ref()?)));
        let games: Vec<(GameId, &IndexRow)> = games.collect();
        expire(link, scripts, terms, games.iter().map(|(id, _)| *id)).await?;
        // Without readable rows, these games may be active or finished.
        expire(link, scripts, terms.longer(), batch.damaged).await?;
        let finished = games.iter().filter(|(_, row)| row.finished);
        let finished: Vec<GameId> = finished.map(|(id, _)| *id).collect();
        for some in finished.chunks(PACKED_AT_ONCE) {
            let packed = some
                .iter()
                .map(|id| packing::pack(link, scripts, *id, wait));
            for packed in join_all(packed.collect::<Vec<_>>()).await {
                if let Err(error) = packed {
                    tracing::debug!(%error, "a finished game was not packed");
                }
            }
        }
    }
    let mut given = redis::cmd("SET");
    given.arg(TERMS).arg(terms.text());
    let mut free = redis::cmd("DEL");
    free.arg(LEASE);
    for command in [given, free] {
        link.ask(&command).await.map_err(|error| of_read(&error))?;
    }
    Ok(())
}

async fn expire(
    link: &Link,
    scripts: &Scripts,
    terms: Terms,
    games: impl IntoIterator<Item = GameId>,
) -> Result<(), StoreError> {
    let times = [terms.game_ms, terms.finished_ms].map(|time| time.to_string());
    let args = [times[0].as_bytes(), times[1].as_bytes()];
    let keys: Vec<[Key; 4]> = games.into_iter().map(keys_of).collect();
    let calls: Vec<_> = keys
        .iter()
        .map(|keys| scripts.expire.call(keys, &args))
        .collect();
    let asked: Vec<_> = calls.iter().map(|call| call.ask(link, None)).collect();
    try_join_all(asked).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_time_holds() {
        let terms = |game_ms, finished_ms| Terms {
            game_ms,
            finished_ms,
        };
        assert_eq!(terms(5, 9).or_longer(terms(7, 3)), terms(7, 9));
        assert_eq!(terms(5, 9).or_longer(Terms::FOR_EVER), Terms::FOR_EVER);
        assert_eq!(terms(0, 9).or_longer(terms(7, 0)), Terms::FOR_EVER);
        assert_eq!(Terms::read(&terms(5, 9).text()), Some(terms(5, 9)));
        assert_eq!(terms(5, 9).longer(), terms(9, 9));
        assert_eq!(terms(5, 0).longer(), Terms::FOR_EVER);
    }

    #[test]
    fn an_announcement_of_another_form_is_not_guessed() {
        let announced = |said: &str| Terms::announced(said.as_bytes());
        let terms = Terms {
            game_ms: 5,
            finished_ms: 9,
        };
        assert_eq!(announced("5 9 somebody"), Some(terms));
        for said in [
            "",
            "5",
            "5 somebody",
            "5 9 1 somebody",
            "5 soon somebody",
            "5 9",
        ] {
            assert_eq!(announced(said), None, "{said:?}");
        }
        assert_eq!(Terms::announced(b"5 9 \xff"), None);
    }
}
