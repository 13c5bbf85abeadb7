//! Redis behind one name, such as a Service of Kubernetes or the name of a managed Redis: the name leads to a new
//! primary, while the former one becomes a replica and keeps its connections. And a Redis that can only be read.

use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, ada_and_bob, facts};
use gamekeeper_tests::http::ask;
use gamekeeper_tests::proxy::Proxy;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::waiting::eventually;
use tokio::time::{sleep, timeout};

/// Maximum time for everything that the server finds out by itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// A primary and its replica behind one name.
struct Pair {
    first: RedisServer,
    second: RedisServer,
    name: Proxy,
}

impl Pair {
    async fn start() -> Self {
        let first = RedisServer::start(&RedisOptions::new());
        let address = first.address().replace(':', " ");
        let second = RedisServer::start(&RedisOptions::new().set("replicaof", &address));
        let name = Proxy::before(&first.address()).await;
        Self {
            first,
            second,
            name,
        }
    }

    /// Waits until the replica has everything, and promotes it. The former primary keeps all of its connections. It
    /// hears of nothing from now on, so that whoever still reads from it is found out.
    async fn move_on(&self) {
        let section = |server: &RedisServer| server.ask::<String>(&["INFO", "replication"]);
        let offset = |info: &str| {
            let offset = info
                .lines()
                .find_map(|line| line.strip_prefix("master_repl_offset:"));
            offset.map(str::to_owned)
        };
        let begun = Instant::now();
        loop {
            let (first, second) = (section(&self.first), section(&self.second));
            if second.contains("master_link_status:up") && offset(&first) == offset(&second) {
                break;
            }
            assert!(begun.elapsed() < PATIENCE, "{second}");
            sleep(Duration::from_millis(20)).await;
        }
        let _: String = self.second.ask(&["REPLICAOF", "NO", "ONE"]);
        let _: String = self.first.ask(&["REPLICAOF", "127.0.0.1", "1"]);
        self.name.lead_to(&self.second.address());
    }

    fn server(&self) -> Gamekeeperd {
        let redis = format!("--redis={}", self.name.address());
        Gamekeeperd::start(&[
            "--store=redis",
            &redis,
            "--workers=2",
            "--bookmark-every=10m",
            "--admin-listen=127.0.0.1:0",
        ])
    }
}

/// Every connection finds the new primary: that of a worker which writes, that of one which only reads, that of
/// wake-ups, and that of health checks.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_primary_behind_the_same_name_is_found() {
    let pair = Pair::start().await;
    let (server, other) = (pair.server(), pair.server());
    // Connections go to the workers in turn.
    let (mut writer, mut reader) = (server.games(), server.games());
    let mut table = Table::begin(&mut writer).await;
    let look = table.ask();
    reader.get_game(look.clone()).await.unwrap();
    let watch = pb::WatchGameRequest {
        game_id: table.game.game_id.clone(),
        ..Default::default()
    };
    let watched = other.games().watch_game(watch).await.unwrap();
    let mut watched = watched.into_inner();
    watched.message().await.unwrap().expect("the table");

    pair.move_on().await;
    eventually("a move", async || table.pass(&mut writer, 1).await.ok()).await;
    let seen = eventually("a read", async || {
        let answer = reader.get_game(look.clone()).await.ok()?.into_inner();
        let version = facts(answer.table).version;
        (version == table.game.version).then_some(version)
    });
    assert_eq!(seen.await, table.game.version);
    // The wake-ups come from the new primary too: without them the watch would wait for its bookmark.
    let shown = eventually("a version that the other server shows", async || {
        table.pass(&mut writer, 1).await.ok()?;
        let next = timeout(Duration::from_secs(1), watched.message());
        Some(next.await.ok()?.unwrap().expect("an update").version)
    });
    assert!(shown.await > 1);
    for server in [&server, &other] {
        eventually("readiness", async || {
            let (status, _) = ask(server.admin(), "GET", "/readyz", "").await;
            (status == 200).then_some(())
        })
        .await;
    }
}

/// A store that cannot be written is no place to send calls to, though it can be read. A full one stays ready: it has
/// an alert of its own, and games can be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_only_reads_is_not_ready_and_a_full_one_is() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--admin-listen=127.0.0.1:0"];
    let server = Gamekeeperd::start(&flags);
    let game = server.games().create_game(ada_and_bob()).await.unwrap();
    let look = Table::of(game.into_inner()).ask();
    let until = async |status: u16, read_only: u8| {
        let wanted = format!("gamekeeper_store_read_only {read_only}");
        eventually(&format!("{status} and {wanted}"), async || {
            let (now, _) = ask(server.admin(), "GET", "/readyz", "").await;
            let (_, metrics) = ask(server.admin(), "GET", "/metrics", "").await;
            let is_so = metrics.lines().any(|line| line == wanted);
            (now == status && is_so).then_some(())
        })
        .await;
    };
    until(200, 0).await;
    let settings: [&[&str]; 2] = [
        &["REPLICAOF", "127.0.0.1", "1"],
        &["CONFIG", "SET", "min-replicas-to-write", "1"],
    ];
    let back: [&[&str]; 2] = [
        &["REPLICAOF", "NO", "ONE"],
        &["CONFIG", "SET", "min-replicas-to-write", "0"],
    ];
    for (refuse, take) in settings.into_iter().zip(back) {
        let _: String = redis.ask(refuse);
        until(503, 1).await;
        server.games().get_game(look.clone()).await.unwrap();
        let log = server.log();
        let said = "Redis can be read, but refuses writes";
        assert!(log.iter().any(|line| line.contains(said)), "{log:#?}");
        let _: String = redis.ask(take);
        until(200, 0).await;
    }
    let _: String = redis.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    // Longer than it takes to become unready.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(9) {
        let (status, _) = ask(server.admin(), "GET", "/readyz", "").await;
        assert_eq!(status, 200);
        sleep(Duration::from_millis(200)).await;
    }
    until(200, 0).await;
    server.games().get_game(look).await.unwrap();
}
