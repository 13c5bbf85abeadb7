//! The scripts, and one round trip for each call.

use redis::{Cmd, Pipeline, RedisError, Script, Value};

use super::ReplicaWait;
use super::errors::{is_no_script, of_change, of_read};
use super::link::Link;
use crate::store::StoreError;

/// All scripts.
pub(super) struct Scripts {
    pub(super) create: Scripted,
    pub(super) commit: Scripted,
    pub(super) load: Scripted,
    pub(super) set_access: Scripted,
    pub(super) delete: Scripted,
    pub(super) reserve: Scripted,
}

/// One script: its text and its hash.
pub(super) struct Scripted {
    text: String,
    hash: String,
}

/// Which way a wake-up goes.
#[derive(Clone, Copy)]
pub(super) enum Publish {
    /// To all of the one server's subscribers.
    Plain,
    /// To the subscribers at the shard of the game.
    Sharded,
}

impl Scripts {
    pub(super) fn new(publish: Publish) -> Scripts {
        let scripted = |text: &str| {
            let text = match publish {
                Publish::Plain => text.to_owned(),
                Publish::Sharded => text.replace("'PUBLISH'", "'SPUBLISH'"),
            };
            let hash = Script::new(&text).get_hash().to_owned();
            Scripted { text, hash }
        };
        Scripts {
            create: scripted(include_str!("scripts/create.lua")),
            commit: scripted(include_str!("scripts/commit.lua")),
            load: scripted(include_str!("scripts/load.lua")),
            set_access: scripted(include_str!("scripts/set_access.lua")),
            delete: scripted(include_str!("scripts/delete.lua")),
            reserve: scripted(include_str!("scripts/reserve.lua")),
        }
    }
}

/// What a script is called with.
pub(super) struct Call<'a> {
    script: &'a Scripted,
    keys: Vec<&'a str>,
    args: Vec<&'a [u8]>,
}

impl Scripted {
    /// A call of this script.
    pub(super) fn call<'a>(&'a self, keys: Vec<&'a str>, args: Vec<&'a [u8]>) -> Call<'a> {
        Call {
            script: self,
            keys,
            args,
        }
    }
}

impl Call<'_> {
    /// Asks something.
    pub(super) async fn ask(&self, link: &Link) -> Result<Value, StoreError> {
        self.run(link).await.map_err(|error| of_read(&error))
    }

    /// Changes something, and waits for the replicas if told so.
    pub(super) async fn change(
        &self,
        link: &Link,
        wait: Option<ReplicaWait>,
    ) -> Result<Value, StoreError> {
        let changed = match wait {
            None => self.run(link).await,
            Some(wait) => return self.change_and_wait(link, wait).await,
        };
        changed.map_err(|error| of_change(&error, link.sent()))
    }

    async fn run(&self, link: &Link) -> Result<Value, RedisError> {
        match link.ask(&self.by_hash()).await {
            Err(error) if is_no_script(&error) => link.ask(&self.by_text()).await,
            answer => answer,
        }
    }

    /// The change and the wait travel together: on another connection the wait would know nothing
    /// of the change.
    async fn change_and_wait(&self, link: &Link, wait: ReplicaWait) -> Result<Value, StoreError> {
        let first = link
            .ask_both(self.keys[0], &with_wait(self.by_hash(), wait))
            .await;
        let answers = match first {
            Err(error) if is_no_script(&error) => {
                link.ask_both(self.keys[0], &with_wait(self.by_text(), wait))
                    .await
            }
            answers => answers,
        };
        let [answer, Value::Int(replicas)] =
            answers.map_err(|error| of_change(&error, link.sent()))?
        else {
            return Err(super::errors::damaged(
                "an answer without a number of replicas",
            ));
        };
        if replicas < i64::from(wait.replicas) {
            return Err(StoreError::OutcomeUnknown(format!(
                "Redis: {replicas} of {} replicas have the change",
                wait.replicas
            )));
        }
        Ok(answer)
    }

    fn by_hash(&self) -> Cmd {
        self.command("EVALSHA", &self.script.hash)
    }

    /// Leaves the script with Redis for the next time.
    fn by_text(&self) -> Cmd {
        self.command("EVAL", &self.script.text)
    }

    fn command(&self, name: &str, script: &str) -> Cmd {
        let mut command = redis::cmd(name);
        command.arg(script).arg(self.keys.len());
        for key in &self.keys {
            command.arg(key);
        }
        for arg in &self.args {
            command.arg(arg);
        }
        command
    }
}

fn with_wait(command: Cmd, wait: ReplicaWait) -> Pipeline {
    let millis = u64::try_from(wait.timeout.as_millis())
        .unwrap_or(u64::MAX)
        .max(1);
    let mut both = redis::pipe();
    both.add_command(command);
    both.cmd("WAIT").arg(wait.replicas).arg(millis);
    both
}
