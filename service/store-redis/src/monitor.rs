//! **Health checks**: Redis still has its data and does not evict games.
//!
//! Every few seconds a task reads the eviction policy and the memory in use, the epoch, the rights of the user, and
//! the retention times that all processes want. If Redis may evict games, has lost its data or denies a right,
//! acknowledged changes could be lost, so the store refuses changes and the server is no longer ready. Scripts detect
//! lost data without waiting for this task (`epoch`). Each time it also tries whether Redis takes writes: a replica,
//! and a primary that cannot save (`MISCONF`), only read. Then the server is not ready either, but goes on trying.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{Capacity, StoreError};
use gamekeeper_telemetry::LogRateLimiter;
use parking_lot::RwLock;
use tokio::sync::Mutex;
use tokio::task::{AbortHandle, JoinHandle};

use super::acl_check;
use super::config::{Eviction, RedisConfig, ReplicaWait};
use super::connections::Connections;
use super::epoch::{LOST, lost};
use super::errors::{at_startup, of_read};
use super::keys::SWEEP_COOLDOWN;
use super::lease::take_lease;
use super::link::Link;
use super::retention::{AgreedRetention, RetentionPolicy, RetentionVote, apply_retention};
use super::rollback::Marks;
use super::scripts::Scripts;
use super::server_state::{RefusedWrites, clock_ahead_ms, memory, refused_writes};
use super::sweeping::sweep_all;

/// The time between two checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// The minimum time between two log lines about failed checks.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// The age at which retention times may be outdated. From then on games are kept without limit, which loses none.
const RETENTION_MAX_AGE: Duration = Duration::from_secs(15);

/// How often one of the processes sweeps the lists for expired games.
const SWEEP_INTERVAL: Duration = Duration::from_secs(3_600);

/// Checks Redis in the background.
pub(super) struct Monitor {
    scripts: Arc<Scripts>,
    observed: Arc<RwLock<Observed>>,
    state: Arc<Mutex<MonitorState>>,
    abort_handle: AbortHandle,
}

/// The results of the last checks.
#[derive(Clone)]
struct Observed {
    retention: RetentionPolicy,
    /// Whether all games have these retention times.
    is_applied: bool,
    read_at: Instant,
    capacity: Capacity,
    /// The reason why changes are refused, if they are.
    write_block: Option<WriteBlock>,
    /// The error with which Redis refused all writes that the last check tried, if it did.
    write_error: Option<String>,
}

impl Observed {
    /// Returns the retention times this long after they were read.
    fn retention_after(&self, time: Duration) -> RetentionPolicy {
        if time > RETENTION_MAX_AGE {
            RetentionPolicy::UNLIMITED
        } else {
            self.retention
        }
    }
}

/// A reason why changes are refused.
#[derive(Clone, PartialEq, Eq)]
enum WriteBlock {
    /// Redis may evict games, under this policy.
    Evicts(String),
    /// Redis has lost its data.
    Lost,
    /// Redis denies its user something that the store needs, as this sentence says.
    Denies(String),
}

/// The state of the background task.
struct MonitorState {
    links: Arc<Connections>,
    scripts: Arc<Scripts>,
    eviction: Eviction,
    wait: Option<ReplicaWait>,
    vote: RetentionVote,
    /// The rights that the store needs.
    required_commands: Vec<&'static str>,
    policy: Option<String>,
    marks: Marks,
    /// The current background work on all games.
    background_work: Option<JoinHandle<()>>,
}

impl Monitor {
    /// Checks Redis once, and then every few seconds in the background.
    pub(super) async fn start(
        config: &RedisConfig,
        links: Arc<Connections>,
        scripts: Arc<Scripts>,
    ) -> Result<Monitor, StoreError> {
        let vote = RetentionVote::new(config);
        let observed = Arc::new(RwLock::new(Observed {
            retention: vote.configured(),
            is_applied: false,
            read_at: Instant::now(),
            capacity: Capacity::default(),
            write_block: None,
            write_error: None,
        }));
        let mut state = MonitorState {
            links,
            scripts: Arc::clone(&scripts),
            eviction: config.eviction,
            wait: config.wait,
            vote,
            required_commands: acl_check::required_commands(config),
            policy: None,
            marks: Marks::new(&scripts.epoch),
            background_work: None,
        };
        state.first_check(&observed).await?;
        let state = Arc::new(Mutex::new(state));
        let task = tokio::spawn({
            let (observed, state) = (Arc::clone(&observed), Arc::clone(&state));
            async move {
                let mut limiter = LogRateLimiter::every(LOG_INTERVAL);
                loop {
                    tokio::time::sleep(CHECK_INTERVAL).await;
                    if let Err(error) = state.lock().await.check(&observed).await
                        && let Some(times) = limiter.should_log()
                    {
                        tracing::warn!(%error, times, "Redis could not be checked");
                    }
                }
            }
        });
        let task = task.abort_handle();
        Ok(Monitor {
            scripts,
            observed,
            state,
            abort_handle: task,
        })
    }

    /// Returns how long games are kept. Fails if changes are refused.
    pub(super) fn retention_for_changes(&self) -> Result<RetentionPolicy, StoreError> {
        self.applied_retention_for_changes()
            .map(|(retention, _)| retention)
    }

    /// Returns how long games are kept, and whether all games have these times already. Fails if changes are refused.
    pub(super) fn applied_retention_for_changes(
        &self,
    ) -> Result<(RetentionPolicy, bool), StoreError> {
        self.check()?;
        let observed = self.observed.read();
        let age = observed.read_at.elapsed();
        let is_applied = observed.is_applied && age <= RETENTION_MAX_AGE;
        Ok((observed.retention_after(age), is_applied))
    }

    /// Fails if Redis can be read but not written, except when it is full.
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        let observed = self.observed.read();
        match &observed.write_error {
            None => Ok(()),
            Some(error) => Err(StoreError::Unavailable(format!(
                "Redis can be read, but refuses writes: {error}"
            ))),
        }
    }

    /// Fails if changes are refused.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.scripts.epoch.is_lost() {
            return Err(lost());
        }
        let observed = self.observed.read();
        match &observed.write_block {
            None => Ok(()),
            Some(write_block) => Err(StoreError::Unavailable(write_block.text())),
        }
    }

    pub(super) fn capacity(&self) -> Capacity {
        let observed = self.observed.read();
        observed.capacity
    }

    /// Stops the checks, and withdraws the retention times that this process announced.
    pub(super) async fn stop(&self) {
        self.abort_handle.abort();
        // A check that hangs must not delay the shutdown.
        let Ok(mut state) = self.state.try_lock() else {
            return;
        };
        if let Some(mut background_work) = state.background_work.take()
            && tokio::time::timeout(CHECK_INTERVAL, &mut background_work)
                .await
                .is_err()
        {
            background_work.abort();
        }
        let withdrawal = async {
            state
                .vote
                .withdraw(state.links.for_this_thread().await?)
                .await
        };
        if let Ok(Err(error)) = tokio::time::timeout(CHECK_INTERVAL, withdrawal).await {
            tracing::debug!(%error, "the retention time of this process could not be withdrawn");
        }
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.abort_handle.abort();
    }
}

impl WriteBlock {
    fn text(&self) -> String {
        match self {
            WriteBlock::Evicts(policy) => evicts(policy),
            WriteBlock::Lost => LOST.to_owned(),
            WriteBlock::Denies(what) => what.clone(),
        }
    }
}

fn evicts(policy: &str) -> String {
    format!(
        "Redis has maxmemory-policy {policy} and would evict games when it is full; set it to \
         noeviction, or allow it"
    )
}

impl MonitorState {
    /// Runs the first check. If Redis is full and refuses the epoch or an announcement, a later check writes it.
    async fn first_check(&mut self, observed: &RwLock<Observed>) -> Result<(), StoreError> {
        let links = Arc::clone(&self.links);
        let link = links.for_this_thread().await?;
        acl_check::check_at_start(link, &self.required_commands).await?;
        let (policy, capacity) = memory(link).await.map_err(|error| at_startup(&error))?;
        match (self.eviction, &policy) {
            (Eviction::Refuse, Some(policy)) => return Err(StoreError::Setup(evicts(policy))),
            (Eviction::Allow, Some(policy)) => {
                tracing::warn!(%policy, "Redis may evict games, stored actions included");
            }
            (Eviction::Refuse | Eviction::Allow, None) => {}
        }
        self.policy = policy;
        self.update(observed, |observed| observed.capacity = capacity);
        if let Err(error) = self.scripts.epoch.learn(link).await {
            if matches!(error, StoreError::Setup(_)) {
                return Err(error);
            }
            tracing::warn!(%error, "Redis does not take the key that proves its data: no call is served until it does");
        }
        // Later checks compare with the marks of today.
        let _raised = self.marks.raise(link, &self.scripts).await;
        // Postpones the sweep: lists do not need one at every start.
        let _taken = take_lease(link, SWEEP_COOLDOWN, SWEEP_INTERVAL).await;
        if let Err(error) = self.agree_on_retention(link, observed).await {
            tracing::warn!(%error, "the retention time could not be published to other processes");
        }
        Ok(())
    }

    async fn check(&mut self, observed: &RwLock<Observed>) -> Result<(), StoreError> {
        let links = Arc::clone(&self.links);
        let link = links.for_this_thread().await?;
        let refused = refused_writes(link, &self.scripts).await;
        self.set_write_error(observed, refused);
        let missing = acl_check::missing_permissions(link, &self.required_commands).await;
        let missing = missing.map_err(|error| of_read(&error))?;
        if missing.is_some() {
            self.set_write_block(observed, missing.map(WriteBlock::Denies));
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
        self.scripts.epoch.check_sample(link).await?;
        let is_lost = self.scripts.epoch.is_lost();
        let write_block = match (policy, self.eviction) {
            _ if is_lost => Some(WriteBlock::Lost),
            (Some(policy), Eviction::Refuse) => Some(WriteBlock::Evicts(policy)),
            (Some(_), Eviction::Allow) | (None, Eviction::Refuse | Eviction::Allow) => None,
        };
        self.update(observed, |observed| {
            let Capacity {
                is_read_only,
                rollbacks,
                ..
            } = observed.capacity;
            observed.capacity = Capacity {
                is_read_only,
                rollbacks,
                ..capacity
            };
        });
        self.set_write_block(observed, write_block);
        if is_lost {
            return Ok(());
        }
        self.look_for_rollback(link, observed).await?;
        self.agree_on_retention(link, observed).await
    }

    /// Records the reason why changes are refused from now on, if any, and logs it when it changes.
    fn set_write_block(&self, observed: &RwLock<Observed>, write_block: Option<WriteBlock>) {
        self.update(observed, |observed| {
            if observed.write_block != write_block {
                match &write_block {
                    Some(write_block) => tracing::error!("{}", write_block.text()),
                    None => tracing::info!("Redis is healthy again"),
                }
                observed.write_block = write_block;
            }
        });
    }

    /// Reports a Redis that has gone back to an earlier state. What it stored since then is lost.
    async fn look_for_rollback(
        &mut self,
        link: &Link,
        observed: &RwLock<Observed>,
    ) -> Result<(), StoreError> {
        if self.marks.raise(link, &self.scripts).await? {
            tracing::error!(
                "Redis has gone back to an earlier state: what was stored since then is lost"
            );
            self.update(observed, |observed| observed.capacity.rollbacks += 1);
        }
        Ok(())
    }

    /// Records which writes Redis refused, and logs it when that changes.
    fn set_write_error(&self, observed: &RwLock<Observed>, refused: RefusedWrites) {
        self.update(observed, |observed| {
            let is_read_only = refused.first.is_some();
            if observed.capacity.is_read_only != is_read_only {
                match &refused.first {
                    Some(error) => {
                        tracing::error!(%error, "Redis can be read, but refuses writes");
                    }
                    None => tracing::info!("Redis takes writes again"),
                }
            }
            observed.capacity.is_read_only = is_read_only;
            observed.write_error = refused.first.filter(|_| refused.are_all);
        });
    }

    async fn agree_on_retention(
        &mut self,
        link: &Link,
        observed: &RwLock<Observed>,
    ) -> Result<(), StoreError> {
        let agreed = self.vote.exchange(link, &self.scripts).await?;
        let AgreedRetention {
            retention,
            is_applied,
            is_due,
        } = agreed;
        self.update(observed, |observed| {
            observed.retention = retention;
            observed.is_applied = is_applied;
            observed.read_at = Instant::now();
        });
        if self
            .background_work
            .as_ref()
            .is_none_or(JoinHandle::is_finished)
        {
            let (link, scripts, wait) = (link.clone(), Arc::clone(&self.scripts), self.wait);
            let background_work = async move {
                if is_due {
                    apply_retention(&link, &scripts, retention, wait, now_ms()).await?;
                }
                if take_lease(&link, SWEEP_COOLDOWN, SWEEP_INTERVAL).await? {
                    sweep_all(&link, &scripts, now_ms()).await?;
                }
                Ok::<_, StoreError>(())
            };
            self.background_work = Some(tokio::spawn(async move {
                if let Err(error) = background_work.await {
                    tracing::warn!(%error, "the sweep of all games failed");
                }
            }));
        }
        Ok(())
    }

    fn update(&self, observed: &RwLock<Observed>, change: impl FnOnce(&mut Observed)) {
        change(&mut observed.write());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_that_were_not_heard_lately_lose_no_game() {
        let retention = RetentionPolicy {
            game_ms: 5_000,
            finished_ms: 1_000,
        };
        let observed = Observed {
            retention,
            is_applied: true,
            read_at: Instant::now(),
            capacity: Capacity::default(),
            write_block: None,
            write_error: None,
        };
        assert_eq!(observed.retention_after(Duration::ZERO), retention);
        assert_eq!(observed.retention_after(RETENTION_MAX_AGE), retention);
        let late = [
            RETENTION_MAX_AGE + Duration::from_millis(1),
            100 * RETENTION_MAX_AGE,
        ];
        assert!(
            late.iter()
                .all(|late| observed.retention_after(*late) == RetentionPolicy::UNLIMITED)
        );
    }
}
