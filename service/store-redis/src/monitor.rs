//! **Health checks**: Redis still has its data and does not evict games.
//!
//! Every few seconds a task reads the eviction policy and the memory in use, the epoch, the rights of the user, and
//! the retention times that all processes want. If Redis may evict games, has lost its data or denies a right,
//! acknowledged changes could be lost, so the store refuses changes and the server is no longer ready. Scripts detect
//! lost data without waiting for this task (`epoch`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{Capacity, StoreError};
use parking_lot::RwLock;
use redis::RedisError;
use tokio::sync::Mutex;
use tokio::task::{AbortHandle, JoinHandle};

use super::config::{Eviction, RedisConfig, ReplicaWait};
use super::epoch::{LOST, lost};
use super::errors::{of_read, of_start};
use super::keys::TIDY;
use super::lease::take_lease;
use super::link::Link;
use super::links::Links;
use super::reply;
use super::rights;
use super::scripts::Scripts;
use super::sweeping::sweep_all;
use super::terms::{Agreement, Heard, Terms, give};

/// The time between two checks.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The age at which retention times may be outdated. From then on games are kept without limit, which loses none.
const STALE: Duration = Duration::from_secs(15);

/// How often one of the processes sweeps the lists for expired games.
const TIDY_EVERY: Duration = Duration::from_secs(3_600);

/// Checks Redis in the background.
pub(super) struct Monitor {
    scripts: Arc<Scripts>,
    seen: Arc<RwLock<Seen>>,
    eye: Arc<Mutex<Eye>>,
    task: AbortHandle,
}

/// The results of the last checks.
#[derive(Clone)]
struct Seen {
    terms: Terms,
    heard: Instant,
    capacity: Capacity,
    /// The reason why changes are refused, if they are.
    fault: Option<Fault>,
}

impl Seen {
    /// Returns the retention times this long after they were read.
    fn terms_after(&self, time: Duration) -> Terms {
        if time > STALE {
            Terms::FOR_EVER
        } else {
            self.terms
        }
    }
}

/// A reason why changes are refused.
#[derive(Clone, PartialEq, Eq)]
enum Fault {
    /// Redis may evict games, under this policy.
    Evicts(String),
    /// Redis has lost its data.
    Lost,
    /// Redis denies its user something that the store needs, as this sentence says.
    Denies(String),
}

/// The state of the background task.
struct Eye {
    links: Arc<Links>,
    scripts: Arc<Scripts>,
    eviction: Eviction,
    wait: Option<ReplicaWait>,
    agreement: Agreement,
    /// The rights that the store needs.
    rights: Vec<&'static str>,
    policy: Option<String>,
    /// The current background work on all games.
    chores: Option<JoinHandle<()>>,
}

impl Monitor {
    /// Checks Redis once, and then every few seconds in the background.
    pub(super) async fn start(
        config: &RedisConfig,
        links: Arc<Links>,
        scripts: Arc<Scripts>,
    ) -> Result<Monitor, StoreError> {
        let agreement = Agreement::new(config);
        let seen = Arc::new(RwLock::new(Seen {
            terms: agreement.own(),
            heard: Instant::now(),
            capacity: Capacity::default(),
            fault: None,
        }));
        let mut eye = Eye {
            links,
            scripts: Arc::clone(&scripts),
            eviction: config.eviction,
            wait: config.wait,
            agreement,
            rights: rights::needed(config),
            policy: None,
            chores: None,
        };
        eye.begin(&seen).await?;
        let eye = Arc::new(Mutex::new(eye));
        let task = tokio::spawn({
            let (seen, eye) = (Arc::clone(&seen), Arc::clone(&eye));
            async move {
                loop {
                    tokio::time::sleep(LOOK_EVERY).await;
                    if let Err(error) = eye.lock().await.look(&seen).await {
                        tracing::debug!(%error, "Redis could not be checked");
                    }
                }
            }
        });
        let task = task.abort_handle();
        Ok(Monitor {
            scripts,
            seen,
            eye,
            task,
        })
    }

    /// Returns how long games are kept. Fails if changes are refused.
    pub(super) fn terms_of_changes(&self) -> Result<Terms, StoreError> {
        self.check()?;
        let seen = self.seen.read();
        Ok(seen.terms_after(seen.heard.elapsed()))
    }

    /// Fails if changes are refused.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.scripts.epoch.is_lost() {
            return Err(lost());
        }
        let seen = self.seen.read();
        match &seen.fault {
            None => Ok(()),
            Some(fault) => Err(StoreError::Unavailable(fault.text())),
        }
    }

    pub(super) fn capacity(&self) -> Capacity {
        let seen = self.seen.read();
        seen.capacity
    }

    /// Stops the checks, and withdraws the retention times that this process announced.
    pub(super) async fn stop(&self) {
        self.task.abort();
        // A check that hangs must not delay the shutdown.
        let Ok(mut eye) = self.eye.try_lock() else {
            return;
        };
        if let Some(mut chores) = eye.chores.take()
            && tokio::time::timeout(LOOK_EVERY, &mut chores).await.is_err()
        {
            chores.abort();
        }
        let left = async { eye.agreement.leave(eye.links.here().await?).await };
        if let Ok(Err(error)) = tokio::time::timeout(LOOK_EVERY, left).await {
            tracing::debug!(%error, "the retention time of this process could not be withdrawn");
        }
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Fault {
    fn text(&self) -> String {
        match self {
            Fault::Evicts(policy) => evicts(policy),
            Fault::Lost => LOST.to_owned(),
            Fault::Denies(what) => what.clone(),
        }
    }
}

fn evicts(policy: &str) -> String {
    format!(
        "Redis has maxmemory-policy {policy} and would evict games when it is full; set it to \
         noeviction, or allow it"
    )
}

impl Eye {
    /// Runs the first check. If Redis is full and refuses the epoch or an announcement, a later check writes it.
    async fn begin(&mut self, seen: &RwLock<Seen>) -> Result<(), StoreError> {
        let links = Arc::clone(&self.links);
        let link = links.here().await?;
        rights::check_at_start(link, &self.rights).await?;
        let (policy, capacity) = memory(link).await.map_err(|error| of_start(&error))?;
        match (self.eviction, &policy) {
            (Eviction::Refuse, Some(policy)) => return Err(StoreError::Setup(evicts(policy))),
            (Eviction::Allow, Some(policy)) => {
                tracing::warn!(%policy, "Redis may evict games, stored actions included");
            }
            (Eviction::Refuse | Eviction::Allow, None) => {}
        }
        self.policy = policy;
        self.see(seen, |seen| seen.capacity = capacity);
        if let Err(error) = self.scripts.epoch.learn(link).await {
            if matches!(error, StoreError::Setup(_)) {
                return Err(error);
            }
            tracing::warn!(%error, "Redis does not take the key that proves its data: no call is served until it does");
        }
        // Postpones the sweep: lists do not need one at every start.
        let _taken = take_lease(link, TIDY, TIDY_EVERY).await;
        if let Err(error) = self.agree(link, seen).await {
            tracing::warn!(%error, "the retention time could not be published to other processes");
        }
        Ok(())
    }

    async fn look(&mut self, seen: &RwLock<Seen>) -> Result<(), StoreError> {
        let links = Arc::clone(&self.links);
        let link = links.here().await?;
        let denied = rights::lacking(link, &self.rights).await;
        let denied = denied.map_err(|error| of_read(&error))?;
        if denied.is_some() {
            self.judge(seen, denied.map(Fault::Denies));
            return Ok(());
        }
        let (policy, mut capacity) = memory(link).await.map_err(|error| of_read(&error))?;
        capacity.clock_ahead_ms = clock_ahead_ms(link)
            .await
            .map_err(|error| of_read(&error))?;
        if policy != self.policy {
            tracing::warn!(
                policy = policy.as_deref().unwrap_or("noeviction"),
                "the eviction policy of Redis has changed"
            );
            self.policy.clone_from(&policy);
        }
        self.scripts.epoch.look(link).await?;
        let is_lost = self.scripts.epoch.is_lost();
        let fault = match (policy, self.eviction) {
            _ if is_lost => Some(Fault::Lost),
            (Some(policy), Eviction::Refuse) => Some(Fault::Evicts(policy)),
            (Some(_), Eviction::Allow) | (None, Eviction::Refuse | Eviction::Allow) => None,
        };
        self.see(seen, |seen| seen.capacity = capacity);
        self.judge(seen, fault);
        if is_lost {
            return Ok(());
        }
        self.agree(link, seen).await
    }

    /// Records the reason why changes are refused from now on, if any, and logs it when it changes.
    fn judge(&self, seen: &RwLock<Seen>, fault: Option<Fault>) {
        self.see(seen, |seen| {
            if seen.fault != fault {
                match &fault {
                    Some(fault) => tracing::error!("{}", fault.text()),
                    None => tracing::info!("Redis is healthy again"),
                }
                seen.fault = fault;
            }
        });
    }

    async fn agree(&mut self, link: &Link, seen: &RwLock<Seen>) -> Result<(), StoreError> {
        let heard = self.agreement.hear(link, &self.scripts).await?;
        let Heard { terms, is_due } = heard;
        self.see(seen, |seen| {
            seen.terms = terms;
            seen.heard = Instant::now();
        });
        if self.chores.as_ref().is_none_or(JoinHandle::is_finished) {
            let (link, scripts, wait) = (link.clone(), Arc::clone(&self.scripts), self.wait);
            let chores = async move {
                if is_due {
                    give(&link, &scripts, terms, wait, now_ms()).await?;
                }
                if take_lease(&link, TIDY, TIDY_EVERY).await? {
                    sweep_all(&link, &scripts, now_ms()).await?;
                }
                Ok::<_, StoreError>(())
            };
            self.chores = Some(tokio::spawn(async move {
                if let Err(error) = chores.await {
                    tracing::warn!(%error, "the sweep of all games failed");
                }
            }));
        }
        Ok(())
    }

    fn see(&self, seen: &RwLock<Seen>, change: impl FnOnce(&mut Seen)) {
        change(&mut seen.write());
    }
}

/// Returns the eviction policy and the capacity of the fullest server. The policy is `None` if all servers have
/// `noeviction`.
async fn memory(link: &Link) -> Result<(Option<String>, Capacity), RedisError> {
    let mut command = redis::cmd("INFO");
    command.arg("memory");
    let info = link.ask_all(&command).await?;
    Ok(memory_in(&reply::texts(&info)))
}

/// Extracts the eviction policy and the fullest capacity from the `INFO memory` texts of all servers, see [`memory`].
fn memory_in(texts: &[String]) -> (Option<String>, Capacity) {
    let mut policy = None;
    let mut fullest = Capacity::default();
    for text in texts {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let number = |name| field(name).and_then(|text| text.trim().parse().ok());
        let found = field("maxmemory_policy:").map(str::trim);
        policy = policy.or(found
            .filter(|found| *found != "noeviction")
            .map(String::from));
        let room = Capacity {
            used_bytes: number("used_memory:").unwrap_or(0),
            limit_bytes: number("maxmemory:").unwrap_or(0),
            ..Capacity::default()
        };
        let fuller = |one: &Capacity, other: &Capacity| {
            let share = |room: &Capacity, of: &Capacity| {
                u128::from(room.used_bytes) * u128::from(of.limit_bytes.max(1))
            };
            share(one, other) > share(other, one)
        };
        if fullest == Capacity::default() || fuller(&room, &fullest) {
            fullest = room;
        }
    }
    (policy, fullest)
}

/// Returns how far the clock of Redis is ahead, in milliseconds, at the server that differs most.
async fn clock_ahead_ms(link: &Link) -> Result<i64, RedisError> {
    let sent = now_ms();
    let reply = link.ask_all(&redis::cmd("TIME")).await?;
    Ok(ahead_ms((sent, now_ms()), &reply::texts(&reply)))
}

/// Returns a lower bound of how far a clock is ahead, in milliseconds, from its replies to `TIME` (seconds, and
/// microseconds beyond them) between these two times of our clock. A reply between both proves no difference.
fn ahead_ms((sent, received): (u64, u64), told: &[String]) -> i64 {
    let number = |text: &String| text.parse::<u64>().ok();
    let of = |told: &[String]| {
        let [seconds, micros] = told else {
            return 0;
        };
        let Some((seconds, micros)) = number(seconds).zip(number(micros)) else {
            return 0;
        };
        let told = seconds.saturating_mul(1_000).saturating_add(micros / 1_000);
        let between =
            |more: u64, less| i64::try_from(more.saturating_sub(less)).unwrap_or(i64::MAX);
        between(told, received) - between(sent, told)
    };
    let all = told.chunks(2).map(of);
    all.max_by_key(|ahead| ahead.unsigned_abs()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_that_were_not_heard_lately_lose_no_game() {
        let terms = Terms {
            game_ms: 5_000,
            finished_ms: 1_000,
        };
        let seen = Seen {
            terms,
            heard: Instant::now(),
            capacity: Capacity::default(),
            fault: None,
        };
        assert_eq!(seen.terms_after(Duration::ZERO), terms);
        assert_eq!(seen.terms_after(STALE), terms);
        let late = [STALE + Duration::from_millis(1), 100 * STALE];
        assert!(
            late.iter()
                .all(|late| seen.terms_after(*late) == Terms::FOR_EVER)
        );
    }

    #[test]
    fn of_many_servers_the_fullest_counts_and_any_that_evicts() {
        let server = |used: u64, limit: u64, policy: &str| {
            format!(
                "# Memory\r\nused_memory:{used}\r\nused_memory_human:1M\r\nmaxmemory:{limit}\r\nmaxmemory_policy:{policy}\r\n"
            )
        };
        let check = |servers: &[String], policy: Option<&str>, fullest: (u64, u64)| {
            let (found, room) = memory_in(servers);
            assert_eq!(found.as_deref(), policy);
            assert_eq!((room.used_bytes, room.limit_bytes), fullest, "{servers:?}");
        };
        let [half, tenth, most] = [(50, 100), (100, 1_000), (90, 100)]
            .map(|(used, limit)| server(used, limit, "noeviction"));
        check(std::slice::from_ref(&half), None, (50, 100));
        check(&[half.clone(), tenth.clone()], None, (50, 100));
        check(&[tenth.clone(), half.clone()], None, (50, 100));
        check(&[tenth, most.clone(), half.clone()], None, (90, 100));
        let evicting = server(10, 100, "allkeys-lru");
        check(&[half, evicting, most], Some("allkeys-lru"), (90, 100));
        check(&[], None, (0, 0));
    }

    #[test]
    fn a_clock_differs_if_it_told_no_time_of_the_round_trip() {
        let ahead = |told: &[&str]| {
            let told: Vec<String> = told.iter().map(|text| (*text).to_owned()).collect();
            ahead_ms((10_000, 10_040), &told)
        };
        assert_eq!(ahead(&["10", "0"]), 0);
        assert_eq!(ahead(&["10", "40999"]), 0);
        assert_eq!(ahead(&["12", "0"]), 1_960);
        assert_eq!(ahead(&["9", "500000"]), -500);
        assert_eq!(
            ahead(&["10", "20000", "7", "0", "11", "0"]),
            -3_000,
            "the one that differs most"
        );
        assert_eq!(ahead(&["noon", "0"]), 0);
        assert_eq!(ahead(&[]), 0);
    }
}
