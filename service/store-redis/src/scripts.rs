//! The scripts. A call takes one round trip.

use gamekeeper_store::StoreError;
use redis::{Cmd, Script, Value};

use super::config::{Publish, ReplicaWait};
use super::errors::is_no_script;
use super::link::Link;
use super::replicas::{self, Failure};

pub(super) struct Scripts {
    pub(super) create: Scripted,
    pub(super) stage: Scripted,
    pub(super) commit: Scripted,
    pub(super) load: Scripted,
    pub(super) set_access: Scripted,
    pub(super) delete: Scripted,
    pub(super) agree: Scripted,
    pub(super) expire: Scripted,
    pub(super) pack: Scripted,
    pub(super) enlist: Scripted,
    pub(super) delist: Scripted,
    pub(super) listed: Scripted,
}

/// One script: its text and its hash.
pub(super) struct Scripted {
    text: String,
    hash: String,
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
            stage: scripted(include_str!("scripts/stage.lua")),
            commit: scripted(include_str!("scripts/commit.lua")),
            load: scripted(include_str!("scripts/load.lua")),
            set_access: scripted(include_str!("scripts/set_access.lua")),
            delete: scripted(include_str!("scripts/delete.lua")),
            agree: scripted(include_str!("scripts/agree.lua")),
            expire: scripted(include_str!("scripts/expire.lua")),
            pack: scripted(include_str!("scripts/pack.lua")),
            enlist: scripted(include_str!("scripts/enlist.lua")),
            delist: scripted(include_str!("scripts/delist.lua")),
            listed: scripted(include_str!("scripts/listed.lua")),
        }
    }
}

/// Room for the digits of the number of keys.
const NUMBER: usize = 4;

/// A script with its keys and arguments.
pub(super) struct Call<'a, K> {
    script: &'a Scripted,
    keys: &'a [K],
    args: &'a [&'a [u8]],
}

impl Scripted {
    /// A call of this script.
    pub(super) fn call<'a, K>(&'a self, keys: &'a [K], args: &'a [&'a [u8]]) -> Call<'a, K> {
        Call {
            script: self,
            keys,
            args,
        }
    }
}

impl<K: AsRef<str>> Call<'_, K> {
    /// Runs the script as a read: an error says that nothing was changed. Also for changes that do no harm if they
    /// were made, such as those of lists.
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
        match replicas::ask(link, key, &self.by_hash(), wait).await {
            Err(Failure::Command(error)) if is_no_script(&error) => {
                // Happens once for each script that Redis does not have yet.
                Box::pin(async { replicas::ask(link, key, &self.by_text(), wait).await }).await
            }
            answer => answer,
        }
    }

    fn by_hash(&self) -> Cmd {
        self.command("EVALSHA", &self.script.hash)
    }

    /// Sends the text, which Redis keeps for the next call by hash.
    fn by_text(&self) -> Cmd {
        self.command("EVAL", &self.script.text)
    }

    fn command(&self, name: &str, script: &str) -> Cmd {
        let count = 3 + self.keys.len() + self.args.len();
        let keys: usize = self.keys.iter().map(|key| key.as_ref().len()).sum();
        let args: usize = self.args.iter().map(|arg| arg.len()).sum();
        let mut command =
            Cmd::with_capacity(count, NUMBER + name.len() + script.len() + keys + args);
        command.arg(name).arg(script).arg(self.keys.len());
        for key in self.keys {
            command.arg(key.as_ref());
        }
        for arg in self.args {
            command.arg(arg);
        }
        command
    }
}
