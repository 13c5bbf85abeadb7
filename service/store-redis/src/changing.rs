//! Changes of games: commits, access records, deletions.

use arrayvec::ArrayVec;
use bytes::Bytes;
use gamekeeper_store::feed::Told;
use gamekeeper_store::row::{decode_row, encode_row};
use gamekeeper_store::{
    Commit, Committed, GameId, Head, IndexRow, StoreError, StoredEntry, packed,
};
use redis::Value;

use super::errors::damaged;
use super::feeding::Telling;
use super::keys::{Key, decimal, keys_of, number_of};
use super::lists::{Following, How};
use super::reply::Entries;
use super::rows::row_of;
use super::scripts::Change;
use super::{RedisStore, lists, reply};

impl RedisStore {
    pub(super) async fn commit_entry(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let link = self.links.here().await?;
        let time_to_live = self.time_to_live(commit.ends())?;
        let version = commit.expected.version.saturating_add(1);
        let before = number_of(commit.expected);
        let number = number_of(Head::of(version, &commit.entry));
        let snapshot = commit.snapshot.as_ref();
        let snapshot = snapshot.map(|bytes| reply::encode_snapshot(version, bytes));
        let row = commit.row.as_ref().map(encode_row).transpose()?;
        let told = (commit.id, Told::Version, &*number);
        let telling = self.telling(link, &commit.tenant, told).await?;
        let keys = telling.keys(keys_of(commit.id));
        let time_to_live = decimal(time_to_live);
        let mut args = ArrayVec::<&[u8], 9>::new();
        args.extend([before.as_bytes(), number.as_bytes(), &commit.entry]);
        args.push(time_to_live.as_bytes());
        if snapshot.is_some() || row.is_some() || commit.access.is_some() {
            args.push(snapshot.as_deref().unwrap_or_default());
            args.push(row.as_deref().unwrap_or_default());
            args.extend(commit.access.as_deref());
        }
        args.extend(telling.args());
        let script = &self.scripts.commit;
        let answer = match &commit.row {
            None => {
                script
                    .alone
                    .call(&keys, &args)
                    .change(link, self.wait)
                    .await?
            }
            Some(row) => {
                let how = if commit.ends() {
                    How::Known
                } else {
                    How::Moved
                };
                // Boxed to keep the usual future small: few commits change a row.
                Box::pin(self.listed_change(script, (commit.id, row, how), &keys, &args)).await?
            }
        };
        match answer {
            stored @ (Value::Int(1) | Value::BulkString(_)) => {
                self.wakers.reached(commit.id, version);
                self.wake_feed(&commit.tenant);
                if commit.ends() {
                    self.pack_later(link, commit.id);
                }
                if let Value::BulkString(before) = stored {
                    self.leave_lists(link, commit.id, &before, commit.row.clone());
                }
                Ok(Committed::Done)
            }
            Value::Int(0) => Ok(Committed::Missing),
            Value::Int(-1) => Ok(Committed::AccessChanged),
            newer => match Box::pin(reply::entries(newer, commit.expected.version)).await? {
                Entries::Plain(newer) => Ok(Committed::Conflict { newer }),
                Entries::Packed(log) => Ok(late(commit, log)),
            },
        }
    }

    /// Adds a game to its lists and then makes the change. Lists must never lack a game, so its places come first.
    async fn listed_change(
        &self,
        script: &Change,
        (id, row, how): (GameId, &IndexRow, How),
        keys: &[Key],
        args: &[&[u8]],
    ) -> Result<Value, StoreError> {
        let (link, wait) = (self.links.here().await?, self.wait);
        let change = Following {
            script,
            keys,
            args,
            wait,
        };
        let done = lists::enlist_and_change(link, &self.scripts, (id, row, how), &change);
        done.await.map(|(_, answer)| answer)
    }

    /// Returns the time to live of a game after a change, in milliseconds. 0 means no limit.
    fn time_to_live(&self, is_over: bool) -> Result<u64, StoreError> {
        let terms = self.monitor.terms_of_changes()?;
        Ok(if is_over {
            terms.finished_ms
        } else {
            terms.game_ms
        })
    }

    pub(super) async fn delete_game(&self, id: GameId) -> Result<bool, StoreError> {
        let link = self.links.here().await?;
        // Without a readable row the tenant is unknown, and so is the feed to report the deletion to.
        let telling = match row_of(link, id).await? {
            Some(row) => {
                let told = (id, Told::Deleted, "0-0");
                self.telling(link, &row.tenant, told).await?
            }
            None => Telling::default(),
        };
        let (keys, args) = (telling.keys(keys_of(id)), telling.args());
        let call = self.scripts.delete.call(&keys, &args);
        let row = match call.change(link, self.wait).await? {
            Value::Nil => return Ok(false),
            row => reply::bytes(row)?,
        };
        self.wakers.poke(id);
        // The game is gone. If this fails, its places are removed by later reads of the lists, once the places are
        // old.
        if let Ok(row) = decode_row(&row) {
            self.wake_feed(&row.tenant);
            if let Err(error) = lists::delist(link, &self.scripts, id, &row, None).await {
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
        let link = self.links.here().await?;
        let number = head.map(number_of).unwrap_or_default();
        let encoded = row.as_ref().map(encode_row).transpose()?;
        // A script that adds the marker itself reads the newest entry in any case.
        let known = if head.is_some() { &*number } else { "0-0" };
        let telling = match &row {
            Some(row) => {
                let told = (id, Told::Lists, known);
                self.telling(link, &row.tenant, told).await?
            }
            None => Telling::default(),
        };
        let keys = telling.keys(keys_of(id));
        let mut args: Vec<&[u8]> = vec![&expected, &access, number.as_bytes()];
        args.extend(encoded.as_deref());
        args.extend(telling.args());
        let script = &self.scripts.set_access;
        let answer = match &row {
            None => {
                script
                    .alone
                    .call(&keys, &args)
                    .change(link, self.wait)
                    .await?
            }
            Some(row) => {
                self.listed_change(script, (id, row, How::Known), &keys, &args)
                    .await?
            }
        };
        match answer {
            Value::Int(changed) => Ok(changed == 1),
            Value::BulkString(before) => {
                self.wakers.poke(id);
                if let Some(row) = &row {
                    self.wake_feed(&row.tenant);
                    self.tell_again(link, &row.tenant, (id, known));
                }
                self.leave_lists(link, id, &before, row);
                Ok(true)
            }
            _ => Err(damaged("an unexpected reply to a change of access")),
        }
    }
}

/// Builds the answer to a commit to a finished game whose log is packed.
fn late(commit: &Commit, log: Vec<StoredEntry>) -> Committed {
    if !packed::has(&log, commit.expected) {
        return Committed::Conflict { newer: Vec::new() };
    }
    let newer = packed::after(log, commit.expected.version);
    match newer.first() {
        Some(next) if next.bytes == commit.entry => Committed::Done,
        Some(_) | None => Committed::Conflict { newer },
    }
}
