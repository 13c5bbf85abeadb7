//! **Synchronous replication**: with a wait for replicas, no answer shows data that could be lost with the primary.
//!
//! Reads must then be as safe as changes: a read may see an action that was just played and that no replica has yet,
//! and the answer to a retried request comes from a read. So every command is followed, on the same connection, by a
//! write to a probe key and a `WAIT`. The probe is needed because `WAIT` covers only what its own connection changed. A
//! server that is no longer the primary has no replicas, so it cannot answer with old data either.

use gamekeeper_store::StoreError;
use redis::{Cmd, RedisError, Value};

use super::config::ReplicaWait;
use super::errors::{of_change, of_read};
use super::keys::probe_key;
use super::lease::at_least_1_ms;
use super::link::Link;

/// The lifetime of a probe, in milliseconds.
const PROBE_TTL_MS: u32 = 1_000;

/// The reasons why a command has no answer.
pub(super) enum Failure {
    /// The command was refused or not answered.
    Command(RedisError),
    /// Redis has lost its data, or this process cannot tell. Nothing was changed.
    Unproven(StoreError),
    /// The command was carried out, but too few replicas are known to have what it read or changed.
    Replicas(String),
}

impl Failure {
    /// Converts the failure of a read.
    pub(super) fn of_read(&self) -> StoreError {
        match self {
            Failure::Command(error) => of_read(error),
            Failure::Unproven(error) => error.clone(),
            Failure::Replicas(text) => StoreError::Unavailable(text.clone()),
        }
    }

    /// Converts the failure of a change.
    pub(super) fn of_change(&self, link: &Link) -> StoreError {
        match self {
            Failure::Command(error) => of_change(error, link.sent()),
            Failure::Unproven(error) => error.clone(),
            Failure::Replicas(text) => StoreError::OutcomeUnknown(text.clone()),
        }
    }
}

/// Sends one command about a game, and returns its answer once enough replicas have what it read or changed.
/// `key` is any key of the game.
pub(super) async fn ask(
    link: &Link,
    key: &str,
    command: &Cmd,
    wait: Option<ReplicaWait>,
) -> Result<Value, Failure> {
    match wait {
        None => link.ask(command).await.map_err(Failure::Command),
        // Boxed, so that calls without a wait have small futures.
        Some(wait) => Box::pin(ask_and_wait(link, key, command, wait)).await,
    }
}

async fn ask_and_wait(
    link: &Link,
    key: &str,
    command: &Cmd,
    wait: ReplicaWait,
) -> Result<Value, Failure> {
    let mut commands = redis::pipe();
    commands.add_command(command.clone());
    commands.cmd("SET").arg(probe_key(key)).arg("");
    commands.arg("PX").arg(PROBE_TTL_MS);
    commands
        .cmd("WAIT")
        .arg(wait.replicas)
        .arg(at_least_1_ms(wait.timeout));
    let replies = link.ask_pipelined(key, &commands).await;
    let [reply, probe, replicas] = replies.map_err(Failure::Command)?;
    let reply = reply.map_err(Failure::Command)?;
    let too_few = match (probe, replicas) {
        (Ok(_), Ok(Value::Int(replicas))) if replicas >= i64::from(wait.replicas) => {
            return Ok(reply);
        }
        (Ok(_), Ok(Value::Int(replicas))) => replicas.to_string(),
        (Ok(_), Ok(_)) => String::from("an unknown number"),
        (Err(error), _) | (_, Err(error)) => format!("{error}: an unknown number"),
    };
    link.suspect();
    Err(Failure::Replicas(format!(
        "Redis: {too_few} of {} replicas confirmed it",
        wait.replicas
    )))
}
