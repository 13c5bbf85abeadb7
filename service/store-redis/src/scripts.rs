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
    pub(super) create: Change,
    pub(super) stage: Scripted,
    pub(super) commit: Change,
    pub(super) load: Scripted,
    pub(super) set_access: Change,
    pub(super) delete: Scripted,
    pub(super) note: Scripted,
    pub(super) set_note: Scripted,
    pub(super) agree: Scripted,
    pub(super) expire: Scripted,
    pub(super) pack: Scripted,
    pub(super) enlist: Scripted,
    pub(super) delist: Scripted,
    pub(super) listed: Scripted,
    pub(super) tell: Scripted,
    pub(super) feed: Scripted,
    /// The retention period of feeds, in milliseconds. 0: no feeds are kept.
    pub(super) keep_feed_ms: u64,
}

/// One script: its text and its hash, and the epoch if the script compares it.
pub(super) struct Scripted {
    text: String,
    hash: String,
    epoch: Option<Arc<Epoch>>,
}

/// A change of a game that may have to add the game to lists first.
pub(super) struct Change {
    pub(super) alone: Scripted,
    /// Adds the game to lists and then changes it, for a server that holds all keys.
    pub(super) placed: Scripted,
}

fn placed(change: &str) -> String {
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
    Itself,
    /// The script does not use the epoch.
    None,
}

impl Scripts {
    pub(super) fn new(config: &RedisConfig) -> Scripts {
        let epoch = Arc::new(Epoch::new(&config.topology));
        let publish = config.publish();
        let scripted = |proof, text: &str| {
            let text = match proof {
                Proof::Always => [include_str!("scripts/proven.lua"), text].concat(),
                Proof::Itself | Proof::None => text.to_owned(),
            };
            let text = match publish {
                Publish::Plain => text,
                Publish::Sharded => text.replace("'PUBLISH'", "'SPUBLISH'"),
            };
            let hash = Script::new(&text).get_hash().to_owned();
            let epoch = match proof {
                Proof::Always | Proof::Itself => Some(Arc::clone(&epoch)),
                Proof::None => None,
            };
            Scripted { text, hash, epoch }
        };
        let proven = |text: &str| scripted(Proof::Always, text);
        let telling = |text: &str| [include_str!("scripts/telling.lua"), text].concat();
        let change = |text: &str| Change {
            alone: proven(&telling(text)),
            placed: proven(&placed(&telling(text))),
        };
        Scripts {
            create: change(include_str!("scripts/create.lua")),
            stage: proven(include_str!("scripts/stage.lua")),
            commit: change(include_str!("scripts/commit.lua")),
            load: scripted(Proof::Itself, include_str!("scripts/load.lua")),
            set_access: change(include_str!("scripts/set_access.lua")),
            delete: proven(&telling(include_str!("scripts/delete.lua"))),
            note: proven(include_str!("scripts/note.lua")),
            set_note: proven(include_str!("scripts/set_note.lua")),
            agree: scripted(Proof::None, include_str!("scripts/agree.lua")),
            expire: proven(include_str!("scripts/expire.lua")),
            pack: proven(include_str!("scripts/pack.lua")),
            enlist: proven(include_str!("scripts/enlist.lua")),
            delist: proven(include_str!("scripts/delist.lua")),
            listed: proven(include_str!("scripts/listed.lua")),
            tell: proven(include_str!("scripts/tell.lua")),
            feed: proven(include_str!("scripts/feed.lua")),
            keep_feed_ms: millis(config.keep_feed),
            epoch,
        }
    }

    /// Returns the texts of all scripts.
    #[cfg(test)]
    pub(super) fn texts(&self) -> [&str; 19] {
        [
            &self.create.alone,
            &self.create.placed,
            &self.stage,
            &self.commit.alone,
            &self.commit.placed,
            &self.load,
            &self.set_access.alone,
            &self.set_access.placed,
            &self.delete,
            &self.note,
            &self.set_note,
            &self.agree,
            &self.expire,
            &self.pack,
            &self.enlist,
            &self.delist,
            &self.listed,
            &self.tell,
            &self.feed,
        ]
        .map(|script| script.text.as_str())
    }
}

/// The space for the digits of the number of keys, in bytes.
const NUMBER: usize = 4;

/// The space for the epoch and its key, in bytes.
const PROOF: usize = 64;

/// A script with its keys and arguments.
pub(super) struct Call<'a, K> {
    script: &'a Scripted,
    keys: &'a [K],
    args: &'a [&'a [u8]],
}

impl Scripted {
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
        let answer = self.run(link, wait).await;
        answer.map_err(|failure| failure.of_read())
    }

    /// Runs the script. If it fails, the error says whether a change may have been made.
    pub(super) async fn change(
        &self,
        link: &Link,
        wait: Option<ReplicaWait>,
    ) -> Result<Value, StoreError> {
        let answer = self.run(link, wait).await;
        answer.map_err(|failure| failure.of_change(link))
    }

    async fn run(&self, link: &Link, wait: Option<ReplicaWait>) -> Result<Value, Failure> {
        let key = self.keys[0].as_ref();
        let by_hash = self.by_hash()?;
        match replicas::ask(link, key, &by_hash, wait).await {
            Err(Failure::Command(error)) if is_no_script(&error) => {
                // Happens once for each script that Redis has not cached yet.
                Box::pin(self.run_by_text(link, wait)).await
            }
            answer => answer.map_err(|failure| self.of_epoch(failure)),
        }
    }

    async fn run_by_text(&self, link: &Link, wait: Option<ReplicaWait>) -> Result<Value, Failure> {
        let (key, by_text) = (self.keys[0].as_ref(), self.by_text()?);
        let answer = replicas::ask(link, key, &by_text, wait).await;
        answer.map_err(|failure| self.of_epoch(failure))
    }

    fn by_hash(&self) -> Result<Cmd, Failure> {
        self.command("EVALSHA", &self.script.hash)
    }

    /// Builds a call with the text of the script, which Redis caches for later calls by hash.
    fn by_text(&self) -> Result<Cmd, Failure> {
        self.command("EVAL", &self.script.text)
    }

    /// Converts a failure that reports another epoch into the error for lost data.
    fn of_epoch(&self, failure: Failure) -> Failure {
        match (failure, &self.script.epoch) {
            (Failure::Command(error), Some(epoch)) if epoch.is_refusal(&error) => {
                Failure::Unproven(lost())
            }
            (failure, _) => failure,
        }
    }

    fn command(&self, name: &str, script: &str) -> Result<Cmd, Failure> {
        let epoch = self.script.epoch.as_ref();
        let proof = epoch.map(|epoch| epoch.beside(self.keys[0].as_ref()));
        let proof = proof.transpose().map_err(Failure::Unproven)?;
        let proofs = usize::from(proof.is_some());
        let count = 3 + self.keys.len() + self.args.len() + 2 * proofs;
        let keys: usize = self.keys.iter().map(|key| key.as_ref().len()).sum();
        let args: usize = self.args.iter().map(|arg| arg.len()).sum();
        let mut command = Cmd::with_capacity(
            count,
            NUMBER + name.len() + script.len() + keys + args + PROOF,
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
