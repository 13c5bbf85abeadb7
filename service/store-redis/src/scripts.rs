//! The Lua scripts. A call takes one round trip.

use std::sync::Arc;

use gamekeeper_store::StoreError;
use gamekeeper_store::clock::millis;
use redis::{Cmd, Script, Value};

use super::config::{Publish, RedisConfig, ReplicaWait};
use super::epoch::{Epoch, lost};
use super::errors::is_no_script;
use super::link::Link;
use super::replicas::{self, Failure};

pub(super) struct Scripts {
    pub(super) epoch: Arc<Epoch>,
    pub(super) create: ChangeScript,
    pub(super) stage: LuaScript,
    pub(super) commit: ChangeScript,
    pub(super) load: LuaScript,
    pub(super) set_access: ChangeScript,
    pub(super) delete: LuaScript,
    pub(super) kv_get: LuaScript,
    pub(super) kv_compare_and_set: LuaScript,
    pub(super) vote_retention: LuaScript,
    pub(super) raise_mark: LuaScript,
    pub(super) expire: LuaScript,
    pub(super) pack: LuaScript,
    pub(super) measure: LuaScript,
    pub(super) index_insert: LuaScript,
    pub(super) index_remove: LuaScript,
    pub(super) list_range: LuaScript,
    pub(super) append_feed: LuaScript,
    pub(super) feed: LuaScript,
    /// The retention period of feeds, in milliseconds. 0: no feeds are kept.
    pub(super) feed_retention_ms: u64,
}

/// One script: its text and its hash, and the epoch if the script compares it.
pub(super) struct LuaScript {
    text: String,
    hash: String,
    epoch: Option<Arc<Epoch>>,
}

/// A change of a game that may have to add the game to lists first.
pub(super) struct ChangeScript {
    pub(super) standalone: LuaScript,
    /// Adds the game to lists and then changes it, for a server that holds all keys.
    pub(super) with_index: LuaScript,
}

fn bundle_with_index(change: &str) -> String {
    let function =
        |name: &str, body: &str| format!("local function {name}(KEYS, ARGV)\n{body}\nend\n");
    [
        function("enlist", include_str!("scripts/enlist.lua")),
        function("change", change),
        include_str!("scripts/placed.lua").to_owned(),
    ]
    .concat()
}

/// How a script uses the epoch, see [`Epoch`].
#[derive(Clone, Copy)]
enum Proof {
    /// The script refuses to run if the epoch in Redis differs.
    Always,
    /// The script itself compares the epoch where its answer depends on it.
    InScript,
    /// The script does not use the epoch.
    None,
}

impl Scripts {
    pub(super) fn new(config: &RedisConfig) -> Scripts {
        let epoch = Arc::new(Epoch::new(&config.topology));
        let publish = config.publish();
        let compile = |proof, text: &str| {
            let text = match proof {
                Proof::Always => [include_str!("scripts/proven.lua"), text].concat(),
                Proof::InScript | Proof::None => text.to_owned(),
            };
            let text = match publish {
                Publish::Plain => text,
                Publish::Sharded => text.replace("'PUBLISH'", "'SPUBLISH'"),
            };
            let hash = Script::new(&text).get_hash().to_owned();
            let epoch = match proof {
                Proof::Always | Proof::InScript => Some(Arc::clone(&epoch)),
                Proof::None => None,
            };
            LuaScript { text, hash, epoch }
        };
        let proven = |text: &str| compile(Proof::Always, text);
        let with_feed_append = |text: &str| [include_str!("scripts/telling.lua"), text].concat();
        let change = |text: &str| ChangeScript {
            standalone: proven(text),
            with_index: proven(&bundle_with_index(text)),
        };
        Scripts {
            create: change(&with_feed_append(include_str!("scripts/create.lua"))),
            stage: proven(include_str!("scripts/stage.lua")),
            commit: change(include_str!("scripts/commit.lua")),
            load: compile(Proof::InScript, include_str!("scripts/load.lua")),
            set_access: change(&with_feed_append(include_str!("scripts/set_access.lua"))),
            delete: proven(&with_feed_append(include_str!("scripts/delete.lua"))),
            kv_get: proven(include_str!("scripts/note.lua")),
            kv_compare_and_set: proven(include_str!("scripts/set_note.lua")),
            vote_retention: compile(Proof::None, include_str!("scripts/agree.lua")),
            raise_mark: compile(Proof::None, include_str!("scripts/mark.lua")),
            expire: proven(include_str!("scripts/expire.lua")),
            pack: proven(include_str!("scripts/pack.lua")),
            measure: proven(include_str!("scripts/measure.lua")),
            index_insert: proven(include_str!("scripts/enlist.lua")),
            index_remove: proven(include_str!("scripts/delist.lua")),
            list_range: proven(include_str!("scripts/listed.lua")),
            append_feed: proven(include_str!("scripts/tell.lua")),
            feed: proven(include_str!("scripts/feed.lua")),
            feed_retention_ms: millis(config.keep_feed),
            epoch,
        }
    }

    /// Returns the texts of all scripts.
    #[cfg(test)]
    pub(super) fn texts(&self) -> [&str; 21] {
        [
            &self.create.standalone,
            &self.create.with_index,
            &self.stage,
            &self.commit.standalone,
            &self.commit.with_index,
            &self.load,
            &self.set_access.standalone,
            &self.set_access.with_index,
            &self.delete,
            &self.kv_get,
            &self.kv_compare_and_set,
            &self.vote_retention,
            &self.raise_mark,
            &self.expire,
            &self.pack,
            &self.measure,
            &self.index_insert,
            &self.index_remove,
            &self.list_range,
            &self.append_feed,
            &self.feed,
        ]
        .map(|script| script.text.as_str())
    }
}

/// The space for the digits of the number of keys, in bytes.
const COUNT_DIGITS: usize = 4;

/// The space for the epoch and its key, in bytes.
const PROOF_LEN: usize = 64;

/// A script with its keys and arguments.
pub(super) struct Call<'a, K> {
    script: &'a LuaScript,
    keys: &'a [K],
    args: &'a [&'a [u8]],
}

impl LuaScript {
    /// Prepares a call of this script.
    pub(super) fn call<'a, K>(&'a self, keys: &'a [K], args: &'a [&'a [u8]]) -> Call<'a, K> {
        Call {
            script: self,
            keys,
            args,
        }
    }
}

impl<K: AsRef<str>> Call<'_, K> {
    /// Runs the script as a read: an error means that nothing was changed. Also used for idempotent changes such as
    /// those of lists, which do no harm if they were made in spite of an error.
    pub(super) async fn ask(
        &self,
        link: &Link,
        wait: Option<ReplicaWait>,
    ) -> Result<Value, StoreError> {
        let reply = self.run(link, wait).await;
        reply.map_err(|failure| failure.of_read())
    }

    /// Runs the script. If it fails, the error says whether a change may have been made.
    pub(super) async fn change(
        &self,
        link: &Link,
        wait: Option<ReplicaWait>,
    ) -> Result<Value, StoreError> {
        let reply = self.run(link, wait).await;
        reply.map_err(|failure| failure.of_change(link))
    }

    async fn run(&self, link: &Link, wait: Option<ReplicaWait>) -> Result<Value, Failure> {
        let key = self.keys[0].as_ref();
        let by_hash = self.by_hash()?;
        match replicas::ask(link, key, &by_hash, wait).await {
            Err(Failure::Command(error)) if is_no_script(&error) => {
                // Happens once for each script that Redis has not cached yet.
                Box::pin(self.run_by_text(link, wait)).await
            }
            reply => reply.map_err(|failure| self.classify_epoch_error(failure)),
        }
    }

    async fn run_by_text(&self, link: &Link, wait: Option<ReplicaWait>) -> Result<Value, Failure> {
        let (key, by_text) = (self.keys[0].as_ref(), self.by_text()?);
        let reply = replicas::ask(link, key, &by_text, wait).await;
        reply.map_err(|failure| self.classify_epoch_error(failure))
    }

    fn by_hash(&self) -> Result<Cmd, Failure> {
        self.command("EVALSHA", &self.script.hash)
    }

    /// Builds a call with the text of the script, which Redis caches for later calls by hash.
    fn by_text(&self) -> Result<Cmd, Failure> {
        self.command("EVAL", &self.script.text)
    }

    /// Converts a failure that reports another epoch into the error for lost data.
    fn classify_epoch_error(&self, failure: Failure) -> Failure {
        match (failure, &self.script.epoch) {
            (Failure::Command(error), Some(epoch)) if epoch.is_refusal(&error) => {
                Failure::Unproven(lost())
            }
            (failure, _) => failure,
        }
    }

    fn command(&self, name: &str, script: &str) -> Result<Cmd, Failure> {
        let epoch = self.script.epoch.as_ref();
        let proof = epoch.map(|epoch| epoch.key_in_slot_of(self.keys[0].as_ref()));
        let proof = proof.transpose().map_err(Failure::Unproven)?;
        let proofs = usize::from(proof.is_some());
        let count = 3 + self.keys.len() + self.args.len() + 2 * proofs;
        let keys: usize = self.keys.iter().map(|key| key.as_ref().len()).sum();
        let args: usize = self.args.iter().map(|arg| arg.len()).sum();
        let mut command = Cmd::with_capacity(
            count,
            COUNT_DIGITS + name.len() + script.len() + keys + args + PROOF_LEN,
        );
        command.arg(name).arg(script).arg(self.keys.len() + proofs);
        for key in self.keys {
            command.arg(key.as_ref());
        }
        command.arg(proof.map(|(key, _)| key));
        for arg in self.args {
            command.arg(arg);
        }
        command.arg(proof.map(|(_, epoch)| epoch));
        Ok(command)
    }
}
