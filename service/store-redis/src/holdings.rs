//! The **bytes** that tenants store: a number for each tenant, beside its lists.
//!
//! A creation moves it in its own script, which also compares it with the limit. Other changes are summed in the process
//! and written about once a second, since a tenant's number may lie on another node than its games. What a process had
//! not written when it died, and what expires, is corrected by the hourly sweep (`sweeping`).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_store::StoreError;
use gamekeeper_store::feed::feed_topic;
use gamekeeper_store::sizes::growth;
use parking_lot::Mutex;
use redis::Value;

use super::errors::of_read;
use super::keys::{SlotGroup, feed_key};
use super::link::Link;
use super::{RedisStore, reply};

/// The length of a record of a feed with its key, as long as most: game, kind of change, and the number of the entry in
/// decimal, which has three digits of the version, a dash and some nine of the hash.
const FEED_RECORD_LEN: usize = 24 + 16 + 1 + 13;

/// How long growths are summed before they are written.
const WRITE_AFTER: Duration = Duration::from_secs(1);

/// By how many bytes tenants have grown since the last write.
#[derive(Default)]
pub(super) struct Growths(Mutex<HashMap<String, i64>>);

impl Growths {
    /// Adds a growth. Returns whether it is the first since the last write.
    pub(super) fn add(&self, tenant: &str, growth: i64) -> bool {
        let mut growths = self.0.lock();
        let is_first = growths.is_empty();
        match growths.get_mut(tenant) {
            Some(sum) => *sum = sum.saturating_add(growth),
            None => drop(growths.insert(tenant.to_owned(), growth)),
        }
        is_first
    }

    /// Writes what has grown. Keeps what could not be written. Returns whether nothing was kept.
    pub(super) async fn write(&self, link: &Link) -> bool {
        let growths = std::mem::take(&mut *self.0.lock());
        let mut is_written = true;
        for (tenant, growth) in growths {
            let mut command = redis::cmd("INCRBY");
            command.arg(SlotGroup::Tenant(&tenant).bytes()).arg(growth);
            if let Err(error) = link.ask(&command).await {
                // It may have been written all the same: the hourly sweep counts again.
                tracing::debug!(%error, "the bytes of a tenant were not counted");
                is_written = false;
                self.add(&tenant, growth);
            }
        }
        is_written
    }
}

impl RedisStore {
    /// Returns how many bytes a tenant stores.
    pub(super) async fn read_bytes(&self, tenant: &str) -> Result<u64, StoreError> {
        let link = self.connections.for_this_thread().await?;
        read(link, tenant).await
    }

    /// Counts that a tenant stores more or less, in the background.
    pub(super) fn count_bytes(&self, link: &Link, tenant: &str, growth: i64) {
        count(link, &self.growths, tenant, growth);
    }

    /// Returns by how many bytes the feed of a tenant grows with a record, as far as this process knows that it does.
    /// In a cluster, records are written in any case.
    pub(super) fn growth_of_feed(&self, link: &Link, tenant: &str) -> i64 {
        let is_written = matches!(link, Link::Cluster(_)) || self.is_followed(tenant);
        if is_written {
            growth(0, FEED_RECORD_LEN)
        } else {
            0
        }
    }
}

/// Counts that a tenant stores more or less, in the background.
pub(super) fn count(link: &Link, growths: &Arc<Growths>, tenant: &str, growth: i64) {
    if growth == 0 || !growths.add(tenant, growth) {
        return;
    }
    let (link, growths) = (link.clone(), Arc::clone(growths));
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(WRITE_AFTER).await;
            if growths.write(&link).await {
                break;
            }
        }
    });
}

/// Returns how many bytes a tenant stores.
async fn read(link: &Link, tenant: &str) -> Result<u64, StoreError> {
    let mut command = redis::cmd("GET");
    command.arg(SlotGroup::Tenant(tenant).bytes());
    let reply = link.ask(&command).await.map_err(|error| of_read(&error))?;
    if reply == Value::Nil {
        return Ok(0);
    }
    let bytes = reply::bytes(reply)?;
    let number = std::str::from_utf8(&bytes).ok();
    let number = number.and_then(|number| number.parse::<i64>().ok());
    Ok(number
        .and_then(|number| u64::try_from(number).ok())
        .unwrap_or(0))
}

/// Replaces the number of bytes that a tenant stores, by the size of its games and the length of its feed.
pub(super) async fn set(link: &Link, tenant: &str, games: u64) -> Result<(), StoreError> {
    let mut length = redis::cmd("XLEN");
    length.arg(&*feed_key(feed_topic(tenant)));
    let reply = link.ask(&length).await.map_err(|error| of_read(&error))?;
    let records = match reply {
        Value::Int(records) => u64::try_from(records).unwrap_or(0),
        _ => 0,
    };
    let feed = records.saturating_mul(gamekeeper_store::sizes::bytes(FEED_RECORD_LEN));
    let key = SlotGroup::Tenant(tenant).bytes();
    let command = match games.saturating_add(feed) {
        0 => {
            let mut delete = redis::cmd("DEL");
            delete.arg(key);
            delete
        }
        bytes => {
            let mut set = redis::cmd("SET");
            set.arg(key).arg(bytes);
            set
        }
    };
    let done = link.ask(&command).await;
    done.map(drop).map_err(|error| of_read(&error))
}
