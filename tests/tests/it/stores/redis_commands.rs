//! The **commands** that Redis carries out for a commit, of which each costs as much as a part of the entry. Whoever uses
//! no feeds, no retention times and no lists pays for none of them, so every further command of a commit is listed here.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use gamekeeper_store::feed::FeedFrom;
use gamekeeper_store::{Commit, Committed, GameId, GameStore, Version};
use gamekeeper_store_redis::RedisConfig;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::{next_commit, snapshot_bytes};
use tokio::time::timeout;

use super::created;
use super::redis::{config_of, open_settled};

/// The number of games that are played at once.
const GAMES: usize = 64;

/// The number of commits of each game in a measurement.
const COMMITS: Version = 16;

/// Maximum time until a process knows that all games have its retention time.
const SETTLED: Duration = Duration::from_secs(60);

/// The names of commands, with the number of calls for each commit.
type Calls = BTreeMap<String, u64>;

/// Returns how often each command was called since the last reset, by name.
fn command_stats(server: &RedisServer) -> BTreeMap<String, u64> {
    let stats: String = server.ask(&["INFO", "commandstats"]);
    let of_line = |line: &str| {
        let (name, stats) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
        let calls = stats.split(',').next()?.parse().ok()?;
        Some((name.to_owned(), calls))
    };
    stats.lines().filter_map(of_line).collect()
}

/// Returns how many bytes Redis has read from its clients since the last reset.
fn bytes_read(server: &RedisServer) -> u64 {
    let stats: String = server.ask(&["INFO", "stats"]);
    let field = "total_net_input_bytes:";
    let line = stats.lines().find_map(|line| line.strip_prefix(field));
    line.unwrap().trim().parse().unwrap()
}

/// A store with games that are played at once.
struct Scene<'a> {
    server: &'a RedisServer,
    store: Arc<dyn GameStore>,
    games: Vec<GameId>,
    version: Version,
}

impl Scene<'_> {
    /// Plays all games on, and returns the calls of each command for each commit, and the bytes of a commit beside its
    /// entry. Work in the background makes a few calls, which rounding leaves out.
    async fn play(&mut self, commit_of: impl Fn(GameId, Version) -> Commit) -> (Calls, u64) {
        let _: String = self.server.ask(&["CONFIG", "RESETSTAT"]);
        let mut entry_bytes = 0;
        for version in self.version..self.version + COMMITS {
            let commits: Vec<Commit> = self
                .games
                .iter()
                .map(|id| commit_of(*id, version))
                .collect();
            let sent = commits.iter().map(|commit| self.store.commit(commit));
            for committed in join_all(sent).await {
                assert_eq!(committed.unwrap(), Committed::Done);
            }
            let stored = |commit: &Commit| {
                commit.entry.len() + commit.snapshot.as_ref().map_or(0, Bytes::len)
            };
            entry_bytes += commits.iter().map(stored).sum::<usize>();
        }
        self.version += COMMITS;
        let bytes = bytes_read(self.server) - u64::try_from(entry_bytes).unwrap();
        let commits = u64::try_from(GAMES).unwrap() * COMMITS;
        let calls = command_stats(self.server).into_iter();
        let calls = calls.map(|(name, calls)| (name, (calls + commits / 2) / commits));
        (
            calls.filter(|(_, calls)| *calls > 0).collect(),
            bytes / commits,
        )
    }
}

fn calls(rows: &[(&str, u64)]) -> Calls {
    rows.iter()
        .map(|(name, calls)| ((*name).to_owned(), *calls))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_costs_few_commands() {
    let server = RedisServer::start(&RedisOptions::new());
    let config = RedisConfig {
        expire_games: None,
        ..config_of(&server)
    };
    let store = open_settled(&server, config).await;
    let mut games = Vec::new();
    for _ in 0..GAMES {
        games.push(created(&*store).await);
    }
    let mut scene = Scene {
        server: &server,
        store: Arc::clone(&store),
        games,
        version: 1,
    };
    let no_access = Some(Bytes::new());
    let plain = |id, version| Commit {
        access: no_access.clone(),
        snapshot: None,
        ..next_commit(id, version)
    };
    // A process learns after a while that all games have its retention time. Until then every commit looks for another.
    let settled = async {
        loop {
            let (commands, bytes) = scene.play(plain).await;
            if !commands.contains_key("pttl") {
                return (commands, bytes);
            }
        }
    };
    let (commands, bytes) = timeout(SETTLED, settled).await.expect("it is settled");
    let of_entry = [
        ("evalsha", 1),
        ("get", 3),
        ("publish", 1),
        ("xadd", 1),
        ("xrevrange", 1),
    ];
    assert_eq!(commands, calls(&of_entry));
    // 415 on an idle machine; on a busy one, work in the background has a larger share.
    assert!(bytes <= 480, "{bytes}");

    let (commands, _) = scene
        .play(|id, version| Commit {
            snapshot: Some(snapshot_bytes(id, version + 1)),
            ..plain(id, version)
        })
        .await;
    // The script counts by how much the game grows: it reads the size of the log and of the state before.
    let more = ["getrange", "pttl", "set", "strlen"].map(|command| (command, 1));
    assert_eq!(commands, calls(&[&of_entry[..], &more].concat()));

    store.feed("writer", FeedFrom::End, 1).await.unwrap();
    let (commands, bytes) = scene.play(plain).await;
    let of_feed = [
        ("evalsha", 1),
        ("get", 3),
        ("pttl", 1),
        ("publish", 2),
        ("xadd", 2),
        ("xrevrange", 1),
    ];
    assert_eq!(commands, calls(&of_feed));
    assert!(bytes <= 800, "{bytes}");
}
