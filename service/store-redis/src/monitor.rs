//! Checks that Redis still has its data and does not evict games.
//!
//! Every few seconds a task reads the eviction policy and the memory in use, the marker keys, which vanish
//! only when Redis loses its data, and the retention times that all processes want. If Redis may evict
//! games or has lost its data, the store refuses changes and the server is no longer ready: what it
//! acknowledged could be lost.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{Capacity, StoreError};
use redis::{RedisError, Value};
use tokio::sync::Mutex;
use tokio::task::{AbortHandle, JoinHandle};

use super::config::{Eviction, RedisConfig, ReplicaWait};
use super::errors::{is_shut_out, of_read, of_start};
use super::keys::{TIDY, marker_keys};
use super::link::Link;
use super::links::Links;
use super::reply;
use super::scripts::Scripts;
use super::sweeping::sweep_all;
use super::terms::{Agreement, Heard, Terms, give, take_lease};

/// The time between two checks.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Terms that were read longer ago may have changed. Games are then kept without limit, which loses none.
const STALE: Duration = Duration::from_secs(15);

/// How often one of the processes sweeps the lists for expired games.
const TIDY_EVERY: Duration = Duration::from_secs(3_600);

/// Checks Redis in the background.
pub(super) struct Monitor {
    seen: Arc<RwLock<Seen>>,
    eye: Arc<Mutex<Eye>>,
    task: AbortHandle,
}

/// What the last checks found.
#[derive(Clone)]
struct Seen {
    terms: Terms,
    heard: Instant,
    capacity: Capacity,
    /// Why changes are refused.
    fault: Option<Fault>,
}

/// Why changes are refused.
#[derive(Clone, PartialEq, Eq)]
enum Fault {
    /// Redis may evict games; its policy.
    Evicts(String),
    /// Redis has lost its data.
    Lost,
}

/// The state of the task.
struct Eye {
    links: Arc<Links>,
    scripts: Arc<Scripts>,
    eviction: Eviction,
    wait: Option<ReplicaWait>,
    agreement: Agreement,
    /// The marker keys and their values. `None`: could not be created yet.
    markers: Vec<(String, Option<Value>)>,
    policy: Option<String>,
    /// The current background work on all games.
    chores: Option<JoinHandle<()>>,
}

impl Monitor {
    /// Checks Redis once, and from then on every few seconds.
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
        let keys = marker_keys(&config.topology).into_iter();
        let mut eye = Eye {
            links,
            scripts,
            eviction: config.eviction,
            wait: config.wait,
            agreement,
            markers: keys.map(|key| (key, None)).collect(),
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
        Ok(Monitor { seen, eye, task })
    }

    /// How long games are kept. Fails if changes are refused.
    pub(super) fn terms_of_changes(&self) -> Result<Terms, StoreError> {
        self.check()?;
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        Ok(if seen.heard.elapsed() > STALE {
            Terms::FOR_EVER
        } else {
            seen.terms
        })
    }

    /// Fails if changes are refused.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        match &seen.fault {
            None => Ok(()),
            Some(fault) => Err(StoreError::Unavailable(fault.text())),
        }
    }

    pub(super) fn capacity(&self) -> Capacity {
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        seen.capacity
    }

    /// Stops checking, and withdraws what this process wants.
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
            Fault::Lost => String::from(
                "Redis has lost what it held (it was emptied, or restarted without its data): \
                 restore it, or restart every gamekeeperd to continue without that data",
            ),
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
    /// The first check. What a full Redis refuses to store now is created by a later check.
    async fn begin(&mut self, seen: &RwLock<Seen>) -> Result<(), StoreError> {
        let links = Arc::clone(&self.links);
        let link = links.here().await?;
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
        if let Err(error) = self.mark(link).await {
            if is_shut_out(&error) {
                return Err(of_start(&error));
            }
            tracing::warn!(%error, "the marker keys could not be created: a loss of games would go unnoticed");
        }
        // Postpones the sweep: the lists need none at every start.
        let _taken = take_lease(link, TIDY, TIDY_EVERY).await;
        if let Err(error) = self.agree(link, seen).await {
            tracing::warn!(%error, "the retention time could not be published to other processes");
        }
        Ok(())
    }

    /// Creates missing markers. If only some are missing, part of a cluster lost its data while no process
    /// was checking.
    async fn mark(&mut self, link: &Link) -> Result<(), RedisError> {
        let mut missing = 0;
        let count = self.markers.len();
        for (key, known) in &mut self.markers {
            let mut kept = link.ask(redis::cmd("GET").arg(&*key)).await?;
            if kept == Value::Nil {
                missing += 1;
                let name = uuid::Uuid::now_v7().to_string();
                link.ask(redis::cmd("SET").arg(&*key).arg(name).arg("NX"))
                    .await?;
                kept = link.ask(redis::cmd("GET").arg(&*key)).await?;
            }
            *known = Some(kept);
        }
        if missing > 0 && missing < count {
            tracing::error!(missing, of = count, "part of Redis has lost what it held");
        }
        Ok(())
    }

    async fn look(&mut self, seen: &RwLock<Seen>) -> Result<(), StoreError> {
        let links = Arc::clone(&self.links);
        let link = links.here().await?;
        let (policy, capacity) = memory(link).await.map_err(|error| of_read(&error))?;
        if policy != self.policy {
            tracing::warn!(
                policy = policy.as_deref().unwrap_or("noeviction"),
                "the eviction policy of Redis has changed"
            );
            self.policy.clone_from(&policy);
        }
        let is_lost = self.is_lost(link).await.map_err(|error| of_read(&error))?;
        let fault = match (policy, self.eviction) {
            _ if is_lost => Some(Fault::Lost),
            (Some(policy), Eviction::Refuse) => Some(Fault::Evicts(policy)),
            (Some(_), Eviction::Allow) | (None, Eviction::Refuse | Eviction::Allow) => None,
        };
        self.see(seen, |seen| {
            seen.capacity = capacity;
            if seen.fault != fault {
                match &fault {
                    Some(fault) => tracing::error!("{}", fault.text()),
                    None => tracing::info!("Redis is healthy again"),
                }
                seen.fault = fault;
            }
        });
        if is_lost {
            return Ok(());
        }
        self.agree(link, seen).await
    }

    /// Whether a marker is gone or has another value.
    async fn is_lost(&mut self, link: &Link) -> Result<bool, RedisError> {
        if self.markers.iter().any(|(_, known)| known.is_none()) {
            self.mark(link).await?;
        }
        for (key, known) in &self.markers {
            if Some(link.ask(redis::cmd("GET").arg(key)).await?) != *known {
                return Ok(true);
            }
        }
        Ok(false)
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
        change(&mut seen.write().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The eviction policy (`None`: `noeviction` everywhere), and the capacity of the fullest server.
async fn memory(link: &Link) -> Result<(Option<String>, Capacity), RedisError> {
    let mut command = redis::cmd("INFO");
    command.arg("memory");
    let info = link.ask_all(&command).await;
    let texts = reply::texts(&info?);
    let mut policy = None;
    let mut fullest = Capacity::default();
    for text in &texts {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let number = |name| field(name).and_then(|text| text.trim().parse().ok());
        let found = field("maxmemory_policy:").map(str::trim);
        policy = policy.or(found
            .filter(|found| *found != "noeviction")
            .map(String::from));
        let room = Capacity {
            used_bytes: number("used_memory:").unwrap_or(0),
            limit_bytes: number("maxmemory:").unwrap_or(0),
            damaged_games: 0,
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
    Ok((policy, fullest))
}
