//! Changes of games: commits, access records, deletions.

use arrayvec::{ArrayString, ArrayVec};
use bytes::Bytes;
use gamekeeper_store::feed::ChangeKind;
use gamekeeper_store::row::{decode_row, encode_row};
use gamekeeper_store::sizes::len_of_row;
use gamekeeper_store::{
    Commit, Committed, GameId, Head, IndexRow, StoreError, StoredEntry, packed, sizes,
};
use redis::Value;

use super::errors::damaged;
use super::feeding::FeedAppend;
use super::keys::{Key, StreamId, access_key, decimal, keys_of, log_key, stream_id};
use super::link::Link;
use super::list_index::{BundledChange, IndexMode};
use super::reply::Entries;
use super::retention::RetentionPolicy;
use super::rows::row_of;
use super::scripts::ChangeScript;
use super::{RedisStore, list_index, reply};

/// Replies of the script `commit`: the entry is stored; it is stored, and nobody follows the feed; nothing is stored,
/// since somebody follows the feed and there was no record for it.
const STORED: i64 = 1;
const STORED_UNFOLLOWED: i64 = 2;
const FOLLOWED: i64 = -2;

/// The time to live of a game after a commit.
#[derive(Clone, Copy)]
struct TimeToLive {
    /// In milliseconds. 0 means no limit.
    ms: u64,
    /// Whether all games are kept without limit already, so that the commit need not set it.
    is_settled: bool,
}

/// A commit as the script `commit` needs it.
struct EncodedCommit {
    expected_id: StreamId,
    stream_id: StreamId,
    ttl_ms: ArrayString<20>,
    snapshot: Option<Vec<u8>>,
    row: Option<Vec<u8>>,
    is_settled: bool,
}

impl EncodedCommit {
    fn of(commit: &Commit, ttl: TimeToLive) -> Result<EncodedCommit, StoreError> {
        let version = commit.expected.version.saturating_add(1);
        let snapshot = commit.snapshot.as_ref();
        let log_len = sizes::len_of_log(version, commit.log_bytes);
        Ok(EncodedCommit {
            expected_id: stream_id(commit.expected),
            stream_id: stream_id(Head::of(version, &commit.entry)),
            ttl_ms: decimal(ttl.ms),
            snapshot: snapshot.map(|bytes| reply::encode_snapshot(version, log_len, bytes)),
            row: commit.row.as_ref().map(encode_row).transpose()?,
            is_settled: ttl.is_settled,
        })
    }

    /// Whether the script needs the entry alone: most commits change nothing else.
    fn is_short(&self, feed: &FeedAppend) -> bool {
        self.is_settled && self.snapshot.is_none() && self.row.is_none() && !feed.has_args()
    }

    /// Returns the keys of the entry alone.
    fn entry_keys(commit: &Commit, feed: &FeedAppend) -> [Key; 3] {
        let log = log_key(commit.id);
        let required = commit.access.as_ref().map(|_| access_key(commit.id));
        [
            log,
            required.unwrap_or(log),
            feed.start_key().unwrap_or(log),
        ]
    }

    /// Returns the arguments of the entry alone.
    fn entry_args<'a>(&'a self, commit: &'a Commit) -> [&'a [u8]; 4] {
        [
            self.expected_id.as_bytes(),
            self.stream_id.as_bytes(),
            &commit.entry,
            commit.access.as_deref().unwrap_or_default(),
        ]
    }

    /// Returns all keys.
    fn keys(commit: &Commit, feed: &FeedAppend) -> ArrayVec<Key, 7> {
        let [_, snapshot, row, access] = keys_of(commit.id);
        let entry_keys = EncodedCommit::entry_keys(commit, feed).into_iter();
        let further = [snapshot, row, access].into_iter().chain(feed.feed_key());
        entry_keys.chain(further).collect()
    }

    /// Returns all arguments.
    fn args<'a>(&'a self, commit: &'a Commit, feed: &'a FeedAppend) -> ArrayVec<&'a [u8], 9> {
        let further = [
            self.ttl_ms.as_bytes(),
            self.snapshot.as_deref().unwrap_or_default(),
            self.row.as_deref().unwrap_or_default(),
        ];
        let entry_args = self.entry_args(commit).into_iter();
        entry_args.chain(further).chain(feed.args()).collect()
    }
}

impl RedisStore {
    pub(super) async fn commit_entry(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let encoded = EncodedCommit::of(commit, self.time_to_live(commit.ends())?)?;
        let number = &*encoded.stream_id;
        let feed = self.prepare_commit_append(link, commit, number).await?;
        let mut reply = self.send_commit(link, commit, &encoded, &feed).await?;
        if reply == Value::Int(FOLLOWED) {
            self.remember_feed(&commit.tenant, true);
            // Boxed to keep the usual future small: happens once for each feed that somebody begins to follow.
            reply = Box::pin(async {
                let change = (commit.id, ChangeKind::Version, number);
                let feed = self
                    .prepare_feed_append(link, &commit.tenant, change)
                    .await?;
                self.send_commit(link, commit, &encoded, &feed).await
            })
            .await?;
        }
        match reply {
            stored @ (Value::Int(STORED | STORED_UNFOLLOWED) | Value::BulkString(_)) => {
                self.follow_up(link, commit, &stored, &feed);
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

    async fn send_commit(
        &self,
        link: &Link,
        commit: &Commit,
        encoded: &EncodedCommit,
        feed: &FeedAppend,
    ) -> Result<Value, StoreError> {
        if !encoded.is_short(feed) {
            // Boxed to keep the usual future small: most commits have the entry alone.
            return Box::pin(self.send_long_commit(link, commit, encoded, feed)).await;
        }
        let keys = EncodedCommit::entry_keys(commit, feed);
        let args = encoded.entry_args(commit);
        let script = &self.scripts.commit.standalone;
        script.call(&keys, &args).change(link, self.wait).await
    }

    async fn send_long_commit(
        &self,
        link: &Link,
        commit: &Commit,
        encoded: &EncodedCommit,
        feed: &FeedAppend,
    ) -> Result<Value, StoreError> {
        let keys = EncodedCommit::keys(commit, feed);
        let args = encoded.args(commit, feed);
        let script = &self.scripts.commit;
        match &commit.row {
            None => {
                script
                    .standalone
                    .call(&keys, &args)
                    .change(link, self.wait)
                    .await
            }
            Some(row) => {
                let mode = if commit.ends() {
                    IndexMode::Existing
                } else {
                    IndexMode::Moved
                };
                self.listed_change(script, (commit.id, row, mode), &keys, &args)
                    .await
            }
        }
    }

    /// Wakes the watchers of a version that was stored, and starts the work that need not be done at once. The reply is
    /// the previous row of the game if the commit changed it.
    fn follow_up(&self, link: &Link, commit: &Commit, reply: &Value, feed: &FeedAppend) {
        let version = commit.expected.version.saturating_add(1);
        self.notifier.notify_version(commit.id, version);
        if *reply == Value::Int(STORED_UNFOLLOWED) {
            self.remember_feed(&commit.tenant, false);
        }
        self.notify_feed(&commit.tenant);
        if commit.ends() {
            self.pack_later(link, &commit.tenant, commit.id);
        }
        let mut growth = 0;
        if feed.has_args() && *reply != Value::Int(STORED_UNFOLLOWED) {
            growth += self.growth_of_feed(link, &commit.tenant);
        }
        if let Value::BulkString(reply) = reply {
            let (of_snapshot, old_row) = split_reply(commit, reply);
            growth += of_snapshot + growth_of_row(commit.id, old_row, commit.row.as_ref());
            self.remove_from_lists_later(link, commit.id, old_row, commit.row.clone());
        }
        self.count_bytes(link, &commit.tenant, growth);
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

    /// Returns the time to live of a game after a commit.
    fn time_to_live(&self, is_over: bool) -> Result<TimeToLive, StoreError> {
        let (terms, is_applied) = self.monitor.applied_retention_for_changes()?;
        let ms = if is_over {
            terms.finished_ms
        } else {
            terms.game_ms
        };
        Ok(TimeToLive {
            ms,
            is_settled: is_applied && terms == RetentionPolicy::UNLIMITED,
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
        let (row, size) = match call.change(link, self.wait).await? {
            Value::Nil => return Ok(false),
            reply => row_and_size(reply)?,
        };
        self.notifier.notify(id);
        // The game is gone. If this fails, its positions are removed by later reads of the lists, once the positions
        // are old.
        if let Ok(row) = decode_row(&row) {
            self.notify_feed(&row.tenant);
            if let Some(size) = size {
                let growth = sizes::growth(size + len_of_row(id, &row), 0);
                self.count_bytes(link, &row.tenant, growth);
            }
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
            Value::BulkString(kept_row) if row.is_none() => {
                if let Ok(row) = decode_row(&kept_row) {
                    let growth = sizes::growth(expected.len(), access.len());
                    self.count_bytes(link, &row.tenant, growth);
                }
                Ok(true)
            }
            Value::Int(changed) => Ok(changed == 1),
            Value::BulkString(old_row) => {
                self.notifier.notify(id);
                if let Some(row) = &row {
                    let growth = sizes::growth(expected.len(), access.len());
                    let growth = growth + growth_of_row(id, &old_row, Some(row));
                    self.count_bytes(link, &row.tenant, growth);
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

/// Splits the text that the script `commit` returns: by how many bytes the game has grown, and its former row.
fn split_reply<'a>(commit: &Commit, reply: &'a [u8]) -> (i64, &'a [u8]) {
    if commit.snapshot.is_none() {
        return (0, reply);
    }
    let end = reply.iter().position(|byte| *byte == b' ');
    let (growth, row) = reply.split_at(end.unwrap_or(0));
    let growth = std::str::from_utf8(growth).ok();
    let growth = growth.and_then(|growth| growth.parse().ok());
    (growth.unwrap_or(0), row.get(1..).unwrap_or_default())
}

/// Returns by how many bytes a game grows with a new row. Rows that are missing or damaged do not count.
fn growth_of_row(id: GameId, before: &[u8], after: Option<&IndexRow>) -> i64 {
    let before = decode_row(before).ok();
    before.zip(after).map_or(0, |(before, after)| {
        sizes::growth(len_of_row(id, &before), len_of_row(id, after))
    })
}

/// Reads the reply of the script `delete`: the row, and the counted size of the rest, if there is any.
fn row_and_size(reply: Value) -> Result<(Bytes, Option<usize>), StoreError> {
    match <[Value; 2]>::try_from(reply::list(reply)?) {
        Ok([row, Value::Int(size)]) => Ok((reply::bytes(row)?, usize::try_from(size).ok())),
        Ok(_) | Err(_) => Err(damaged("an unexpected reply to a deletion")),
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
