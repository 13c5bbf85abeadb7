//! The **permissions** (ACL) of the Redis user: a check that Redis allows all commands that the store needs.
//!
//! Redis can check a command, its keys and channels without running it. So a missing right is reported at the start,
//! and not by the first call that needs it.

use gamekeeper_store::StoreError;
use redis::RedisError;

use super::config::{RedisConfig, RedisTopology};
use super::errors::at_startup;
use super::link::Link;
use super::reply;

/// Commands that every configuration uses, with keys of the kinds that they are used with.
const ALWAYS: &[&str] = &[
    "EVALSHA hash 0",
    "INFO memory",
    "PING",
    "TIME",
    "XADD gk:{game}:log 1-1 e entry",
    "XRANGE gk:{game}:log - +",
    "XREVRANGE gk:{game}:log + -",
    "XLEN gk:{game}:log",
    "XADD gk:{topic}:feed MINID ~ 1 * e marker",
    "XTRIM gk:{topic}:feed MINID ~ 1",
    "GET gk:{game}:row",
    "SET gk:{game}:row row",
    "GETRANGE gk:{game}:snapshot 0 40",
    "STRLEN gk:{game}:snapshot",
    "INCRBY gk:{lists}:bytes 1",
    "GET gk:epoch",
    "SET gk:epoch epoch",
    "DEL gk:{game}:access",
    "UNLINK gk:{game}:log",
    "EXISTS gk:{game}:log",
    "PEXPIRE gk:{game}:log 1",
    "PERSIST gk:{game}:log",
    "PTTL gk:{game}:log",
    "RENAME gk:{game}:waiting gk:{game}:log",
    "ZADD gk:{lists}:games 1 game",
    "ZADD gk:tenants 0 tenant",
    "ZREM gk:{lists}:games game",
    "ZRANGE gk:{lists}:games 0 -1",
    "ZRANGEBYLEX gk:{lists} - +",
    "ZREMRANGEBYSCORE gk:terms:{terms}:wanted -inf 1",
    "ZSCORE gk:{lists}:games game",
    "ZCARD gk:{lists}:games",
];

/// Commands for wake-ups on a server outside of a cluster.
const OF_SERVER: &[&str] = &[
    "PUBLISH gk:{game}:log 1",
    "SUBSCRIBE gk:{game}:log",
    "UNSUBSCRIBE gk:{game}:log",
];

/// Commands for wake-ups and routing in a cluster.
const OF_CLUSTER: &[&str] = &[
    "SPUBLISH gk:{game}:log 1",
    "SSUBSCRIBE gk:{game}:log",
    "SUNSUBSCRIBE gk:{game}:log",
    "CLUSTER SLOTS",
];

const OF_SENTINEL: &[&str] = &["ROLE"];

const OF_WAIT: &[&str] = &["WAIT 1 1"];

/// The script that returns the denied commands.
const SCRIPT: &str = include_str!("scripts/rights.lua");

/// Returns all commands that a configuration needs.
pub(super) fn required_commands(config: &RedisConfig) -> Vec<&'static str> {
    let of_topology = match &config.topology {
        RedisTopology::Single { .. } => vec![OF_SERVER],
        RedisTopology::Cluster { .. } => vec![OF_CLUSTER],
        RedisTopology::Sentinel { .. } => vec![OF_SERVER, OF_SENTINEL],
    };
    let of_wait = config.wait.map(|_| OF_WAIT);
    let all = [ALWAYS].into_iter().chain(of_topology).chain(of_wait);
    all.flatten().copied().collect()
}

/// Returns a sentence that names the rights that the Redis user lacks on any of the primaries, or `None` if no right
/// is missing.
pub(super) async fn missing_permissions(
    link: &Link,
    required: &[&'static str],
) -> Result<Option<String>, RedisError> {
    let mut command = redis::cmd("EVAL");
    // All commands in one argument: Redis answers a client that has not logged in without a reason if a command has
    // many.
    command.arg(SCRIPT).arg(0).arg(required.join("\n"));
    match link.ask_all(&command).await {
        Ok(denied) => Ok(sentence(&reply::texts(&denied))),
        Err(error) if error.code() == Some("NOPERM") => Ok(sentence(&[String::from("EVAL")])),
        Err(error) => Err(error),
    }
}

fn sentence(denied: &[String]) -> Option<String> {
    if denied.is_empty() {
        return None;
    }
    let mut denied: Vec<String> = denied.iter().map(|command| name(command)).collect();
    denied.sort_unstable();
    denied.dedup();
    Some(format!(
        "Redis denies its user {}: deploy/README.md names all permissions that --redis-user needs",
        denied.join(", ")
    ))
}

/// Formats a command as the right that allows it, with the key or channel that it was checked with.
fn name(command: &str) -> String {
    let mut words = command.split(' ');
    let name = words.next().unwrap_or_default().to_lowercase();
    match words.next() {
        Some(on) if on.starts_with("gk:") => format!("+{name} on {on}"),
        Some(part) if name == "cluster" => format!("+{name}|{}", part.to_lowercase()),
        Some(_) | None => format!("+{name}"),
    }
}

/// Fails the start if the user lacks a right.
pub(super) async fn check_at_start(
    link: &Link,
    required: &[&'static str],
) -> Result<(), StoreError> {
    match missing_permissions(link, required).await {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(StoreError::Setup(why)),
        Err(error) => Err(at_startup(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripts::Scripts;

    /// Every command of a script is checked at the start.
    #[test]
    fn every_command_of_a_script_is_tried() {
        let cluster = RedisTopology::Cluster { nodes: vec![] };
        let address = String::new();
        for topology in [cluster, RedisTopology::Single { address }] {
            let config = RedisConfig::new(topology);
            let required = required_commands(&config);
            for text in Scripts::new(&config).texts() {
                let calls = ["redis.call(", "redis.pcall("];
                let used = calls.iter().flat_map(|call| text.split(call).skip(1));
                let used = used.filter_map(|rest| rest.trim_start().strip_prefix('\''));
                let mut count = 0;
                for rest in used {
                    let command = rest.split('\'').next().unwrap();
                    let is_tried = required
                        .iter()
                        .any(|right| right.split(' ').next() == Some(command));
                    assert!(is_tried, "{command}");
                    count += 1;
                }
                assert!(count > 0, "{text}");
            }
        }
    }

    #[test]
    fn rights_are_named_as_operators_write_them() {
        assert_eq!(sentence(&[]), None);
        let denied = ["XADD gk:{game}:log 1-1 e entry", "CLUSTER SLOTS", "PING"];
        let message = sentence(&denied.map(String::from)).unwrap();
        assert!(
            message.contains("+cluster|slots, +ping, +xadd on gk:{game}:log:"),
            "{message}"
        );
    }
}
