//! The **retention times** of games, agreed by all processes that share a Redis.
//!
//! Each process announces its setting every few seconds and reads those of the others. The longest time applies, so
//! that no process loses a game that another is configured to keep. Commits renew the time to live of their game;
//! after a change of the agreement, one process updates all games.

use std::time::{Duration, Instant};

use futures_util::future::{join_all, try_join_all};
use gamekeeper_store::lists::{List, Subset};
use gamekeeper_store::{GameId, IndexRow, StoreError};
use redis::Value;
use uuid::Uuid;

use super::config::{RedisConfig, ReplicaWait};
use super::errors::{damaged, of_read};
use super::holdings::Growths;
use super::keys::{AGREED_RETENTION, Key, RETENTION_LEASE, RETENTION_VOTES, keys_of};
use super::lease::{at_least_1_ms, take_lease};
use super::link::Link;
use super::reading::{BATCH, NEWEST, Reader};
use super::scripts::Scripts;
use super::{packing, reply};

/// The time without an announcement after which the setting of a process no longer counts.
const ANNOUNCEMENT_TTL: Duration = Duration::from_secs(15);

/// The lifetime of the lease for work on all games. The holder renews it well within this time.
const LEASE_TTL: Duration = Duration::from_secs(30);

/// The number of finished games that are packed concurrently.
const PACKED_CONCURRENTLY: usize = 4;

/// How long games are kept after their last entry, in milliseconds. 0: no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RetentionPolicy {
    pub(super) game_ms: u64,
    pub(super) finished_ms: u64,
}

impl RetentionPolicy {
    /// The terms that keep games without limit.
    pub(super) const UNLIMITED: RetentionPolicy = RetentionPolicy {
        game_ms: 0,
        finished_ms: 0,
    };

    /// Returns the terms of a configuration.
    pub(super) fn of(config: &RedisConfig) -> RetentionPolicy {
        let game_ms = config.expire_games.map_or(0, at_least_1_ms);
        RetentionPolicy {
            game_ms,
            finished_ms: config.expire_finished.map_or(game_ms, at_least_1_ms),
        }
    }

    /// Returns the longer times of both terms, for active and for finished games.
    fn longer_of(self, other: RetentionPolicy) -> RetentionPolicy {
        let longer = |one: u64, other: u64| match (one, other) {
            (0, _) | (_, 0) => 0,
            (one, other) => one.max(other),
        };
        RetentionPolicy {
            game_ms: longer(self.game_ms, other.game_ms),
            finished_ms: longer(self.finished_ms, other.finished_ms),
        }
    }

    /// Returns the longer of the two times as both, for a game that may be active or finished.
    fn longest(self) -> RetentionPolicy {
        self.longer_of(RetentionPolicy {
            game_ms: self.finished_ms,
            finished_ms: self.game_ms,
        })
    }

    fn text(self) -> String {
        format!("{} {}", self.game_ms, self.finished_ms)
    }

    fn parse(text: &str) -> Option<RetentionPolicy> {
        let (game, finished) = text.split_once(' ')?;
        Some(RetentionPolicy {
            game_ms: game.parse().ok()?,
            finished_ms: finished.parse().ok()?,
        })
    }

    /// Parses the terms in the announcement of a process. Returns `None` if it cannot be read.
    fn parse_announcement(announcement: &[u8]) -> Option<RetentionPolicy> {
        let announcement = std::str::from_utf8(announcement).ok()?;
        let (retention, _who) = announcement.rsplit_once(' ')?;
        RetentionPolicy::parse(retention)
    }
}

/// The terms that apply to all processes.
pub(super) struct AgreedRetention {
    pub(super) retention: RetentionPolicy,
    /// Whether all games have them.
    pub(super) is_applied: bool,
    /// Whether it is time to apply the terms to all games.
    pub(super) is_due: bool,
}

/// The participation of this process in the agreement.
pub(super) struct RetentionVote {
    configured: RetentionPolicy,
    /// The announcement of this process, made unique by an id.
    announcement: String,
    settle: Duration,
    /// The terms that not all games have yet, and when this process first read them.
    pending: Option<(RetentionPolicy, Instant)>,
    /// The number of announcements that could not be read the last time.
    unreadable: usize,
}

impl RetentionVote {
    pub(super) fn new(config: &RedisConfig) -> RetentionVote {
        let configured = RetentionPolicy::of(config);
        let announcement = format!("{} {}", configured.text(), Uuid::now_v7());
        RetentionVote {
            configured,
            announcement,
            settle: config.settle,
            pending: None,
            unreadable: 0,
        }
    }

    /// Returns the terms that this process wants.
    pub(super) fn configured(&self) -> RetentionPolicy {
        self.configured
    }

    /// Announces the terms of this process, and reads those that apply to all.
    pub(super) async fn exchange(
        &mut self,
        link: &Link,
        scripts: &Scripts,
    ) -> Result<AgreedRetention, StoreError> {
        let keys = [RETENTION_VOTES, AGREED_RETENTION].map(str::to_owned);
        let ttl_ms = ANNOUNCEMENT_TTL.as_millis().to_string();
        let args: [&[u8]; 2] = [self.announcement.as_bytes(), ttl_ms.as_bytes()];
        let lists = reply::list(
            scripts
                .vote_retention
                .call(&keys, &args)
                .ask(link, None)
                .await?,
        )?;
        let [wanted, stored] = <[Value; 2]>::try_from(lists)
            .map_err(|_| damaged("an unexpected reply to an announcement of terms"))?;
        let (mut retention, mut unreadable) = (self.configured, 0);
        let announcements = reply::list(wanted)?;
        let is_alone = announcements.len() == 1;
        for announcement in announcements {
            // An unreadable announcement counts as "no limit", which loses no game.
            let other = RetentionPolicy::parse_announcement(&reply::bytes(announcement)?)
                .unwrap_or_else(|| {
                    unreadable += 1;
                    RetentionPolicy::UNLIMITED
                });
            retention = retention.longer_of(other);
        }
        if unreadable > self.unreadable {
            tracing::warn!(
                processes = unreadable,
                "the retention time that a process wants cannot be read: games are kept without limit"
            );
        }
        self.unreadable = unreadable;
        let is_applied = reply::bytes(stored)? == retention.text();
        Ok(AgreedRetention {
            retention,
            is_applied,
            is_due: self.is_due(retention, is_applied, is_alone),
        })
    }

    /// Whether terms that not all games have yet were stable long enough for all processes to learn them. A process that
    /// is alone knows them.
    fn is_due(&mut self, retention: RetentionPolicy, is_applied: bool, is_alone: bool) -> bool {
        if is_applied {
            self.pending = None;
            return false;
        }
        match self.pending {
            Some((pending, since)) if pending == retention => {
                is_alone || since.elapsed() >= self.settle
            }
            Some(_) | None => {
                self.pending = Some((retention, Instant::now()));
                is_alone || self.settle.is_zero()
            }
        }
    }

    /// Withdraws the announcement of this process.
    pub(super) async fn withdraw(&self, link: &Link) -> Result<(), StoreError> {
        let mut command = redis::cmd("ZREM");
        command.arg(RETENTION_VOTES).arg(&self.announcement);
        link.ask(&command).await.map_err(|error| of_read(&error))?;
        Ok(())
    }
}

/// Applies the terms to all games and packs the finished ones, unless another process holds the lease for that.
pub(super) async fn apply_retention(
    link: &Link,
    scripts: &Scripts,
    retention: RetentionPolicy,
    wait: Option<ReplicaWait>,
    now_ms: u64,
) -> Result<(), StoreError> {
    if !take_lease(link, RETENTION_LEASE, LEASE_TTL).await? {
        return Ok(());
    }
    tracing::info!(
        game_ms = retention.game_ms,
        finished_ms = retention.finished_ms,
        "all games get the new retention time (0: no limit)"
    );
    let all = Reader::full_scan(link, scripts, List::Created(None, Subset::All));
    let mut after = Some(NEWEST);
    while let Some(until) = after {
        let mut longer = redis::cmd("SET");
        longer
            .arg(RETENTION_LEASE)
            .arg("")
            .arg("PX")
            .arg(at_least_1_ms(LEASE_TTL));
        link.ask(&longer).await.map_err(|error| of_read(&error))?;
        let batch = all.batch(until, BATCH, now_ms).await?;
        after = batch.next;
        let games = batch.positions.iter().zip(&batch.rows);
        let games = games.filter_map(|(position, row)| Some((position.id, row.as_ref()?)));
        let games: Vec<(GameId, &IndexRow)> = games.collect();
        expire(link, scripts, retention, games.iter().map(|(id, _)| *id)).await?;
        // Without readable rows, these games may be active or finished.
        expire(link, scripts, retention.longest(), batch.damaged).await?;
        pack_finished(link, scripts, &games, wait).await;
    }
    let mut given = redis::cmd("SET");
    given.arg(AGREED_RETENTION).arg(retention.text());
    let mut free = redis::cmd("DEL");
    free.arg(RETENTION_LEASE);
    for command in [given, free] {
        link.ask(&command).await.map_err(|error| of_read(&error))?;
    }
    Ok(())
}

/// Packs those of these games that are over, and counts that their tenants store less.
async fn pack_finished(
    link: &Link,
    scripts: &Scripts,
    games: &[(GameId, &IndexRow)],
    wait: Option<ReplicaWait>,
) {
    let finished: Vec<_> = games.iter().filter(|(_, row)| row.finished).collect();
    let growths = Growths::default();
    for some in finished.chunks(PACKED_CONCURRENTLY) {
        let packed = some.iter().map(|(id, row)| async move {
            let packed = packing::pack(link, scripts, *id, wait).await;
            (&row.tenant, packed)
        });
        for (tenant, packed) in join_all(packed.collect::<Vec<_>>()).await {
            match packed {
                Ok(saved) => {
                    growths.add(tenant, -saved);
                }
                Err(error) => tracing::debug!(%error, "a finished game was not packed"),
            }
        }
    }
    growths.write(link).await;
}

async fn expire(
    link: &Link,
    scripts: &Scripts,
    retention: RetentionPolicy,
    games: impl IntoIterator<Item = GameId>,
) -> Result<(), StoreError> {
    let times = [retention.game_ms, retention.finished_ms].map(|time| time.to_string());
    let args = [times[0].as_bytes(), times[1].as_bytes()];
    let keys: Vec<[Key; 4]> = games.into_iter().map(keys_of).collect();
    let calls: Vec<_> = keys
        .iter()
        .map(|keys| scripts.expire.call(keys, &args))
        .collect();
    let pending: Vec<_> = calls.iter().map(|call| call.ask(link, None)).collect();
    try_join_all(pending).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::RedisTopology;

    #[test]
    fn the_longest_time_holds() {
        let retention = |game_ms, finished_ms| RetentionPolicy {
            game_ms,
            finished_ms,
        };
        assert_eq!(retention(5, 9).longer_of(retention(7, 3)), retention(7, 9));
        assert_eq!(
            retention(5, 9).longer_of(RetentionPolicy::UNLIMITED),
            RetentionPolicy::UNLIMITED
        );
        assert_eq!(
            retention(0, 9).longer_of(retention(7, 0)),
            RetentionPolicy::UNLIMITED
        );
        assert_eq!(
            RetentionPolicy::parse(&retention(5, 9).text()),
            Some(retention(5, 9))
        );
        assert_eq!(retention(5, 9).longest(), retention(9, 9));
        assert_eq!(retention(5, 0).longest(), RetentionPolicy::UNLIMITED);
    }

    #[test]
    fn others_have_time_to_learn_new_terms() {
        let mut vote = RetentionVote::new(&RedisConfig::new(RedisTopology::Single {
            address: String::from("redis:6379"),
        }));
        let terms = RetentionPolicy::UNLIMITED;
        assert!(vote.is_due(terms, false, true) && !vote.is_due(terms, true, true));
        assert!(!vote.is_due(terms, false, false) && !vote.is_due(terms, false, false));
        let before = Instant::now().checked_sub(vote.settle).unwrap();
        vote.pending = Some((terms, before));
        assert!(vote.is_due(terms, false, false));
    }

    #[test]
    fn an_announcement_of_another_form_is_not_guessed() {
        let parse =
            |announcement: &str| RetentionPolicy::parse_announcement(announcement.as_bytes());
        let retention = RetentionPolicy {
            game_ms: 5,
            finished_ms: 9,
        };
        assert_eq!(parse("5 9 somebody"), Some(retention));
        for announcement in [
            "",
            "5",
            "5 somebody",
            "5 9 1 somebody",
            "5 soon somebody",
            "5 9",
        ] {
            assert_eq!(parse(announcement), None, "{announcement:?}");
        }
        assert_eq!(RetentionPolicy::parse_announcement(b"5 9 \xff"), None);
    }
}
