//! Nothing is answered that could be lost with the primary.
//!
//! With a wait for replicas, what is read must be as safe as what is changed: whoever reads may see an
//! action that was just played and that no replica has yet, and the answer to a request that is sent
//! again is read. So every command is followed, on the same connection, by a mark and a wait for it.
//! The mark is a small change of its own, since a wait counts only what its own connection changed. A
//! server that is no longer the primary has no replicas, so neither does it answer what is old.

use redis::{Cmd, RedisError, Value};

use super::config::ReplicaWait;
use super::errors::{of_change, of_read};
use super::keys::mark_key;
use super::link::Link;
use crate::store::StoreError;

/// How long a mark stays, in milliseconds.
const MARK_MS: u32 = 1_000;

/// Why there is no answer.
pub(super) enum Failure {
    /// The command was refused or not answered.
    Command(RedisError),
    /// It was carried out, but too few replicas are known to have what it saw or did.
    Replicas(String),
}

impl Failure {
    /// The error of something that changes nothing.
    pub(super) fn of_read(&self) -> StoreError {
        match self {
            Failure::Command(error) => of_read(error),
            Failure::Replicas(text) => StoreError::Unavailable(text.clone()),
        }
    }

    /// The error of a change.
    pub(super) fn of_change(&self, link: &Link) -> StoreError {
        match self {
            Failure::Command(error) => of_change(error, link.sent()),
            Failure::Replicas(text) => StoreError::OutcomeUnknown(text.clone()),
        }
    }
}

/// One command about a game, and its answer once the replicas have it. The key is one of the game's.
pub(super) async fn ask(
    link: &Link,
    key: &str,
    command: &Cmd,
    wait: Option<ReplicaWait>,
) -> Result<Value, Failure> {
    match wait {
        None => link.ask(command).await.map_err(Failure::Command),
        // Kept apart, so that those who do not wait carry nothing for it.
        Some(wait) => Box::pin(ask_safely(link, key, command, wait)).await,
    }
}

async fn ask_safely(
    link: &Link,
    key: &str,
    command: &Cmd,
    wait: ReplicaWait,
) -> Result<Value, Failure> {
    let mut commands = redis::pipe();
    commands.add_command(command.clone());
    commands.cmd("SET").arg(mark_key(key)).arg("");
    commands.arg("PX").arg(MARK_MS);
    let millis = u64::try_from(wait.timeout.as_millis()).unwrap_or(u64::MAX);
    commands.cmd("WAIT").arg(wait.replicas).arg(millis.max(1));
    let answers = link.ask_together(key, &commands).await;
    let [answer, mark, replicas] = answers.map_err(Failure::Command)?;
    let answer = answer.map_err(Failure::Command)?;
    let too_few = match (mark, replicas) {
        (Ok(_), Ok(Value::Int(replicas))) if replicas >= i64::from(wait.replicas) => {
            return Ok(answer);
        }
        (Ok(_), Ok(Value::Int(replicas))) => replicas.to_string(),
        (Ok(_), Ok(_)) => String::from("nobody knows how many"),
        (Err(error), _) | (_, Err(error)) => format!("{error}: nobody knows how many"),
    };
    link.doubt().await;
    Err(Failure::Replicas(format!(
        "Redis: {too_few} of {} replicas have it",
        wait.replicas
    )))
}
