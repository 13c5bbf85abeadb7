//! The **epoch** (a fencing token): the proof that Redis still has what was stored in it.
//!
//! The first process that uses an empty Redis gives it an epoch: a random id, which vanishes only with the data. Each
//! script that changes something, reads a list or finds no game compares the epoch in Redis with the one that the
//! process read at its start. A Redis that was emptied, or came back without its data, therefore refuses every change
//! at once, and no call reports a game as missing because Redis lost it. A process that starts afterward writes a new
//! epoch; processes that know the former one go on refusing. The epoch begins with the number of the layout, so that
//! no process works on a layout other than its own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::try_join_all;
use gamekeeper_store::{StorageFormat, StoreError};
use redis::{RedisError, Value};
use uuid::Uuid;

use super::config::RedisTopology;
use super::errors::of_read;
use super::keys::{EPOCH_LEASE, EpochKey, epoch_keys, slot_of};
use super::lease::take_lease;
use super::link::Link;
use super::reply;

/// The layout of the data that this build stores. A new layout gets a new number, and a step of `gamekeeperd migrate`.
const FORMAT: u64 = 1;

/// The code of the error that scripts raise if Redis has another epoch.
const CODE: &str = "EPOCH";

/// The lifetime of the lease for writing a new epoch.
const LEASE_TTL: Duration = Duration::from_secs(30);

/// The time between two attempts to get the lease.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// The number of keys that are read or written at once.
const BATCH: usize = 512;

/// The number of keys of a cluster that a regular check reads: enough that each primary is likely to have one.
const SAMPLE: usize = 16;

/// The epoch that this process works with.
pub(super) struct Epoch {
    /// One key, or one for each slot of a cluster.
    keys: Vec<EpochKey>,
    value: OnceLock<String>,
    is_lost: AtomicBool,
}

/// The epoch that the keys of a Redis contain.
enum EpochState {
    /// All keys have this epoch.
    Consistent(String),
    /// No key has an epoch.
    Missing,
    /// Some keys have no epoch or another one.
    Partial,
}

impl Epoch {
    pub(super) fn new(topology: &RedisTopology) -> Epoch {
        Epoch {
            keys: epoch_keys(topology),
            value: OnceLock::new(),
            is_lost: AtomicBool::new(false),
        }
    }

    /// Returns the key of the epoch in the slot of another key, and the expected value.
    pub(super) fn key_in_slot_of(&self, key: &str) -> Result<(&str, &str), StoreError> {
        let value = self.value.get().ok_or_else(|| {
            StoreError::Unavailable("Redis did not take the key that proves its data yet".into())
        })?;
        let key = match self.keys.as_slice() {
            [only] => only,
            keys => &keys[usize::from(slot_of(key))],
        };
        Ok((key, value))
    }

    /// Whether an error says that Redis has another epoch. If so, the data counts as lost from now on.
    pub(super) fn is_refusal(&self, error: &RedisError) -> bool {
        let is_refusal = error.code() == Some(CODE);
        if is_refusal {
            self.set_lost(true);
        }
        is_refusal
    }

    /// Whether Redis was last found to have lost its data.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    fn set_lost(&self, is_lost: bool) {
        self.is_lost.store(is_lost, Ordering::Relaxed);
    }

    /// Fails unless Redis has the epoch beside this key.
    pub(super) async fn check_in_slot_of(&self, link: &Link, key: &str) -> Result<(), StoreError> {
        let (key, value) = self.key_in_slot_of(key)?;
        let stored = link.ask(redis::cmd("GET").arg(key)).await;
        if equals(&stored.map_err(|error| of_read(&error))?, value) {
            return Ok(());
        }
        self.set_lost(true);
        Err(lost())
    }

    /// Returns the keys of the epoch; in a cluster, those of a sample of the slots, of which each primary probably has
    /// one.
    pub(super) fn sample(&self) -> impl Iterator<Item = &EpochKey> {
        let step = (self.keys.len() / SAMPLE).max(1);
        self.keys.iter().step_by(step)
    }

    /// Checks that Redis has the epoch; in a cluster, in a sample of the slots. Reads or writes the epoch if this
    /// process has none yet.
    pub(super) async fn check_sample(&self, link: &Link) -> Result<(), StoreError> {
        let Some(value) = self.value.get() else {
            return self.learn(link).await;
        };
        let some: Vec<&EpochKey> = self.sample().collect();
        let stored_epochs = read(link, &some).await?;
        self.set_lost(!stored_epochs.iter().all(|stored| equals(stored, value)));
        Ok(())
    }

    /// Reads the epoch of Redis, or writes one if it has none. A lease lets only one process write.
    pub(super) async fn learn(&self, link: &Link) -> Result<(), StoreError> {
        loop {
            if let EpochState::Consistent(value) = self.read_state(link).await? {
                return self.adopt(value);
            }
            if take_lease(link, EPOCH_LEASE, LEASE_TTL).await? {
                break;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
        let outcome = self.initialize(link).await;
        let mut free = redis::cmd("DEL");
        free.arg(EPOCH_LEASE);
        link.ask(&free).await.map_err(|error| of_read(&error))?;
        outcome
    }

    /// Writes a new epoch, unless another process just did. The caller holds the lease.
    async fn initialize(&self, link: &Link) -> Result<(), StoreError> {
        let value = match self.read_state(link).await? {
            EpochState::Consistent(value) => value,
            state @ (EpochState::Missing | EpochState::Partial) => {
                if matches!(state, EpochState::Partial) {
                    tracing::error!("part of Redis has lost what it held");
                }
                let new = format!("{FORMAT} {}", Uuid::now_v7());
                self.write(link, &new).await?;
                new
            }
        };
        self.adopt(value)
    }

    /// Uses this epoch from now on, unless it has another layout.
    fn adopt(&self, value: String) -> Result<(), StoreError> {
        format_in(&value)?.check()?;
        self.value.get_or_init(|| value);
        Ok(())
    }

    /// Returns the layout of the data in Redis. Changes nothing.
    pub(super) async fn storage_format(&self, link: &Link) -> Result<StorageFormat, StoreError> {
        match self.read_state(link).await? {
            EpochState::Consistent(value) => format_in(&value),
            EpochState::Missing => Ok(StorageFormat {
                stored: None,
                supported: FORMAT,
            }),
            EpochState::Partial => Err(lost()),
        }
    }

    async fn read_state(&self, link: &Link) -> Result<EpochState, StoreError> {
        let (mut first, mut is_first) = (Value::Nil, true);
        for keys in self.keys.chunks(BATCH) {
            for stored in read(link, &keys.iter().collect::<Vec<_>>()).await? {
                if is_first {
                    (first, is_first) = (stored, false);
                } else if stored != first {
                    return Ok(EpochState::Partial);
                }
            }
        }
        Ok(match first {
            Value::Nil => EpochState::Missing,
            stored => {
                EpochState::Consistent(String::from_utf8_lossy(&reply::bytes(stored)?).into_owned())
            }
        })
    }

    async fn write(&self, link: &Link, value: &str) -> Result<(), StoreError> {
        for keys in self.keys.chunks(BATCH) {
            let commands: Vec<_> = keys
                .iter()
                .map(|key| {
                    let mut command = redis::cmd("SET");
                    command.arg(&**key).arg(value);
                    command
                })
                .collect();
            let written = try_join_all(commands.iter().map(|command| link.ask(command)));
            written.await.map_err(|error| of_read(&error))?;
        }
        Ok(())
    }
}

async fn read(link: &Link, keys: &[&EpochKey]) -> Result<Vec<Value>, StoreError> {
    let commands: Vec<_> = keys
        .iter()
        .map(|key| {
            let mut command = redis::cmd("GET");
            command.arg(&***key);
            command
        })
        .collect();
    let read = try_join_all(commands.iter().map(|command| link.ask(command)));
    read.await.map_err(|error| of_read(&error))
}

fn format_in(epoch: &str) -> Result<StorageFormat, StoreError> {
    let number = epoch.split_once(' ').map(|(number, _)| number.parse());
    match number {
        Some(Ok(number)) => Ok(StorageFormat {
            stored: Some(number),
            supported: FORMAT,
        }),
        Some(Err(_)) | None => Err(StoreError::Setup(
            "the key gk:epoch of Redis is none that Gamekeeper writes".into(),
        )),
    }
}

fn equals(stored: &Value, value: &str) -> bool {
    matches!(stored, Value::BulkString(bytes) if bytes == value.as_bytes())
}

/// Returns the error for a Redis that lost its data. Changes that were made before the loss are lost too.
pub(super) fn lost() -> StoreError {
    StoreError::Unavailable(String::from(LOST))
}

/// The message about lost data: what happened and what operators can do.
pub(super) const LOST: &str = "Redis has lost what it held (it was emptied, or restarted without its data): restore it, \
     or restart every gamekeeperd to continue without that data";
