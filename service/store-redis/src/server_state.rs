//! The state of the servers of Redis, as they tell it: whether they take writes, how full they are, and their clocks.

use futures_util::future::join_all;
use gamekeeper_store::Capacity;
use gamekeeper_store::clock::now_ms;
use redis::RedisError;

use super::errors::is_access_denied;
use super::held::write_probe;
use super::keys::write_probe_key;
use super::link::Link;
use super::reply;
use super::scripts::Scripts;

/// The writes that Redis refused though it could be reached.
pub(super) struct RefusedWrites {
    /// The error of the first.
    pub(super) first: Option<String>,
    /// Whether all were refused. In a cluster, one primary may refuse them.
    pub(super) are_all: bool,
}

/// Tries to write, in a cluster on several primaries. What a full Redis refuses does not count.
pub(super) async fn refused_writes(link: &Link, scripts: &Scripts) -> RefusedWrites {
    let keys = scripts.epoch.sample();
    let probes: Vec<_> = keys.map(|key| write_probe(&write_probe_key(key))).collect();
    let replies = join_all(probes.iter().map(|probe| link.ask(probe))).await;
    let count = replies.len();
    let errors = replies.into_iter().filter_map(Result::err);
    // Without a code it is no answer of Redis; without access, nothing can be read either.
    let is_refusal = |error: &RedisError| {
        error.code().is_some_and(|code| code != "OOM") && !is_access_denied(error)
    };
    let refusals: Vec<_> = errors.filter(is_refusal).collect();
    RefusedWrites {
        are_all: refusals.len() == count,
        first: refusals.first().map(ToString::to_string),
    }
}

/// Returns the eviction policy and the capacity of the fullest server. The policy is `None` if all servers have
/// `noeviction`.
pub(super) async fn memory(link: &Link) -> Result<(Option<String>, Capacity), RedisError> {
    let mut command = redis::cmd("INFO");
    command.arg("memory");
    let info = link.ask_all(&command).await?;
    Ok(parse_memory(&reply::texts(&info)))
}

/// Extracts the eviction policy and the fullest capacity from the `INFO memory` texts of all servers, see [`memory`].
fn parse_memory(texts: &[String]) -> (Option<String>, Capacity) {
    let mut policy = None;
    let mut fullest = Capacity::default();
    for text in texts {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let number = |name| field(name).and_then(|text| text.trim().parse().ok());
        let policy_field = field("maxmemory_policy:").map(str::trim);
        policy = policy.or(policy_field
            .filter(|policy_field| *policy_field != "noeviction")
            .map(String::from));
        let capacity = Capacity {
            used_bytes: number("used_memory:").unwrap_or(0),
            limit_bytes: number("maxmemory:").unwrap_or(0),
            ..Capacity::default()
        };
        let fuller = |one: &Capacity, other: &Capacity| {
            let share = |capacity: &Capacity, of: &Capacity| {
                u128::from(capacity.used_bytes) * u128::from(of.limit_bytes.max(1))
            };
            share(one, other) > share(other, one)
        };
        if fullest == Capacity::default() || fuller(&capacity, &fullest) {
            fullest = capacity;
        }
    }
    (policy, fullest)
}

/// Returns how far the clock of Redis is ahead, in milliseconds, at the server that differs most.
pub(super) async fn clock_ahead_ms(link: &Link) -> Result<i64, RedisError> {
    let sent = now_ms();
    let reply = link.ask_all(&redis::cmd("TIME")).await?;
    Ok(min_skew_ms((sent, now_ms()), &reply::texts(&reply)))
}

/// Returns a lower bound of how far a clock is ahead, in milliseconds, from its replies to `TIME` (seconds, and
/// microseconds beyond them) between these two times of our clock. A reply between both proves no difference.
fn min_skew_ms((sent, received): (u64, u64), times: &[String]) -> i64 {
    let number = |text: &String| text.parse::<u64>().ok();
    let of = |time: &[String]| {
        let [seconds, micros] = time else {
            return 0;
        };
        let Some((seconds, micros)) = number(seconds).zip(number(micros)) else {
            return 0;
        };
        let told_ms = seconds.saturating_mul(1_000).saturating_add(micros / 1_000);
        let between =
            |more: u64, less| i64::try_from(more.saturating_sub(less)).unwrap_or(i64::MAX);
        between(told_ms, received) - between(sent, told_ms)
    };
    let all = times.chunks(2).map(of);
    all.max_by_key(|ahead| ahead.unsigned_abs()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_servers_the_fullest_counts_and_any_that_evicts() {
        let server = |used: u64, limit: u64, policy: &str| {
            format!(
                "# Memory\r\nused_memory:{used}\r\nused_memory_human:1M\r\nmaxmemory:{limit}\r\nmaxmemory_policy:{policy}\r\n"
            )
        };
        let check = |servers: &[String], policy: Option<&str>, fullest: (u64, u64)| {
            let (policy_found, capacity) = parse_memory(servers);
            assert_eq!(policy_found.as_deref(), policy);
            assert_eq!(
                (capacity.used_bytes, capacity.limit_bytes),
                fullest,
                "{servers:?}"
            );
        };
        let [half, tenth, most] = [(50, 100), (100, 1_000), (90, 100)]
            .map(|(used, limit)| server(used, limit, "noeviction"));
        check(std::slice::from_ref(&half), None, (50, 100));
        check(&[half.clone(), tenth.clone()], None, (50, 100));
        check(&[tenth.clone(), half.clone()], None, (50, 100));
        check(&[tenth, most.clone(), half.clone()], None, (90, 100));
        let evicting = server(10, 100, "allkeys-lru");
        check(&[half, evicting, most], Some("allkeys-lru"), (90, 100));
        check(&[], None, (0, 0));
    }

    #[test]
    fn a_clock_differs_if_it_told_no_time_of_the_round_trip() {
        let ahead = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            min_skew_ms((10_000, 10_040), &texts)
        };
        assert_eq!(ahead(&["10", "0"]), 0);
        assert_eq!(ahead(&["10", "40999"]), 0);
        assert_eq!(ahead(&["12", "0"]), 1_960);
        assert_eq!(ahead(&["9", "500000"]), -500);
        assert_eq!(
            ahead(&["10", "20000", "7", "0", "11", "0"]),
            -3_000,
            "the one that differs most"
        );
        assert_eq!(ahead(&["noon", "0"]), 0);
        assert_eq!(ahead(&[]), 0);
    }
}
