//! Changes of games: commits, access records, deletions.

use arrayvec::ArrayVec;
use bytes::Bytes;
use gamekeeper_store::feed::ChangeKind;
use gamekeeper_store::row::{decode_row, encode_row};
use gamekeeper_store::{
    Commit, Committed, GameId, Head, IndexRow, StoreError, StoredEntry, Version, packed,
};
use redis::Value;

use super::errors::damaged;
use super::feeding::FeedAppend;
use super::keys::{Key, decimal, keys_of, stream_id};
use super::link::Link;
use super::list_index::{BundledChange, IndexMode};
use super::reply::Entries;
use super::rows::row_of;
use super::scripts::ChangeScript;
use super::{RedisStore, list_index, reply};

impl RedisStore {
    pub(super) async fn commit_entry(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let ttl_ms = self.ttl_ms(commit.ends())?;
        let version = commit.expected.version.saturating_add(1);
        let expected_id = stream_id(commit.expected);
        let stream_id = stream_id(Head::of(version, &commit.entry));
        let snapshot = commit.snapshot.as_ref();
        let snapshot = snapshot.map(|bytes| reply::encode_snapshot(version, bytes));
        let row = commit.row.as_ref().map(encode_row).transpose()?;
        let change = (commit.id, ChangeKind::Version, &*stream_id);
        let feed_append = self
            .prepare_feed_append(link, &commit.tenant, change)
            .await?;
        let keys = feed_append.keys(keys_of(commit.id));
        let ttl_ms = decimal(ttl_ms);
        let mut args = ArrayVec::<&[u8], 9>::new();
        args.extend([expected_id.as_bytes(), stream_id.as_bytes(), &commit.entry]);
        args.push(ttl_ms.as_bytes());
        if snapshot.is_some() || row.is_some() || commit.access.is_some() {
            args.push(snapshot.as_deref().unwrap_or_default());
            args.push(row.as_deref().unwrap_or_default());
            args.extend(commit.access.as_deref());
        }
        args.extend(feed_append.args());
        let script = &self.scripts.commit;
        let reply = match &commit.row {
            None => {
                script
                    .standalone
                    .call(&keys, &args)
                    .change(link, self.wait)
                    .await?
            }
            Some(row) => {
                let mode = if commit.ends() {
                    IndexMode::Existing
                } else {
                    IndexMode::Moved
                };
                // Boxed to keep the usual future small: few commits change a row.
                Box::pin(self.listed_change(script, (commit.id, row, mode), &keys, &args)).await?
            }
        };
        match reply {
            stored @ (Value::Int(1) | Value::BulkString(_)) => {
                self.follow_up(link, commit, version, &stored);
                Ok(Committed::Done)
            }
            Value::Int(0) => Ok(Committed::Missing),
            Value::Int(-1) => Ok(Committed::AccessChanged),
            newer => match Box::pin(reply::entries(newer, commit.expected.version)).await? {
                Entries::Plain(newer) => Ok(Committed::Conflict { newer }),
                Entries::Packed(log) => Ok(conflict_with_packed(commit, log)),
            },
        }
    }

    /// Wakes the watchers of a version that was stored, and starts the work that need not be done at once. The reply is
    /// the previous row of the game if the commit changed it.
    fn follow_up(&self, link: &Link, commit: &Commit, version: Version, reply: &Value) {
        self.notifier.notify_version(commit.id, version);
        self.notify_feed(&commit.tenant);
        if commit.ends() {
            self.pack_later(link, commit.id);
        }
        if let Value::BulkString(old_row) = reply {
            self.remove_from_lists_later(link, commit.id, old_row, commit.row.clone());
        }
    }

    /// Adds a game to its lists and then makes the change. Lists must never lack a game, so its positions come first.
    async fn listed_change(
        &self,
        script: &ChangeScript,
        (id, row, mode): (GameId, &IndexRow, IndexMode),
        keys: &[Key],
        args: &[&[u8]],
    ) -> Result<Value, StoreError> {
        let (link, wait) = (self.connections.for_this_thread().await?, self.wait);
        let change = BundledChange {
            script,
            keys,
            args,
            wait,
        };
        let done =
            list_index::index_insert_with_change(link, &self.scripts, (id, row, mode), &change);
        done.await.map(|(_, reply)| reply)
    }

    /// Returns the time to live of a game after a change, in milliseconds. 0 means no limit.
    fn ttl_ms(&self, is_over: bool) -> Result<u64, StoreError> {
        let terms = self.monitor.retention_for_changes()?;
        Ok(if is_over {
            terms.finished_ms
        } else {
            terms.game_ms
        })
    }

    pub(super) async fn delete_game(&self, id: GameId) -> Result<bool, StoreError> {
        let link = self.connections.for_this_thread().await?;
        // Without a readable row the tenant is unknown, and so is the feed to report the deletion to.
        let feed_append = match row_of(link, id).await? {
            Some(row) => {
                let change = (id, ChangeKind::Deleted, "0-0");
                self.prepare_feed_append(link, &row.tenant, change).await?
            }
            None => FeedAppend::default(),
        };
        let (keys, args) = (feed_append.keys(keys_of(id)), feed_append.args());
        let call = self.scripts.delete.call(&keys, &args);
        let row = match call.change(link, self.wait).await? {
            Value::Nil => return Ok(false),
            row => reply::bytes(row)?,
        };
        self.notifier.notify(id);
        // The game is gone. If this fails, its positions are removed by later reads of the lists, once the positions
        // are old.
        if let Ok(row) = decode_row(&row) {
            self.notify_feed(&row.tenant);
            if let Err(error) = list_index::index_remove(link, &self.scripts, id, &row, None).await
            {
                tracing::debug!(%id, %error, "a deleted game is still in the lists");
            }
        }
        Ok(true)
    }

    pub(super) async fn change_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let stream_id = head.map(stream_id).unwrap_or_default();
        let encoded = row.as_ref().map(encode_row).transpose()?;
        // A script that adds the feed record itself reads the newest entry in any case.
        let known_id = if head.is_some() { &*stream_id } else { "0-0" };
        let feed_append = match &row {
            Some(row) => {
                let change = (id, ChangeKind::Lists, known_id);
                self.prepare_feed_append(link, &row.tenant, change).await?
            }
            None => FeedAppend::default(),
        };
        let keys = feed_append.keys(keys_of(id));
        let mut args: Vec<&[u8]> = vec![&expected, &access, stream_id.as_bytes()];
        args.extend(encoded.as_deref());
        args.extend(feed_append.args());
        let script = &self.scripts.set_access;
        let reply = match &row {
            None => {
                script
                    .standalone
                    .call(&keys, &args)
                    .change(link, self.wait)
                    .await?
            }
            Some(row) => {
                self.listed_change(script, (id, row, IndexMode::Existing), &keys, &args)
                    .await?
            }
        };
        match reply {
            Value::Int(changed) => Ok(changed == 1),
            Value::BulkString(old_row) => {
                self.notifier.notify(id);
                if let Some(row) = &row {
                    self.notify_feed(&row.tenant);
                    self.reappend_to_feed(link, &row.tenant, (id, known_id));
                }
                self.remove_from_lists_later(link, id, &old_row, row);
                Ok(true)
            }
            _ => Err(damaged("an unexpected reply to a change of access")),
        }
    }
}

/// Builds the answer to a commit to a finished game whose log is packed.
fn conflict_with_packed(commit: &Commit, log: Vec<StoredEntry>) -> Committed {
    if !packed::has(&log, commit.expected) {
        return Committed::Conflict { newer: Vec::new() };
    }
    let newer = packed::after(log, commit.expected.version);
    match newer.first() {
        Some(next) if next.bytes == commit.entry => Committed::Done,
        Some(_) | None => Committed::Conflict { newer },
    }
}
