//! `WatchGames` while connections are cut, servers are killed and a cluster fails over: no gaps or duplicates.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Client, Table, facts};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::proxy::{Proxy, Way};
use gamekeeper_tests::redis::{RedisCluster, RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};
use tonic::transport::Endpoint;

use super::backend::Backend;
use super::watch::{Messages, of_user, watch};
use super::{house, new_table};

/// Opens a stream at an address. Returns `None` if no server responds.
async fn watch_at(address: &str, backend: &Backend) -> Option<Messages> {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    let mut games = Client::new(Channel::of_this_test(endpoint.connect_lazy(), address));
    let answer = games.watch_games(bearing(RED, backend.ask())).await;
    answer.ok().map(tonic::Response::into_inner)
}

/// Ends turns up to this version, and reads the game again after every failure.
async fn pass(table: &mut Table, server: &Gamekeeperd, until: u64) {
    while table.game.version < until {
        let turns = u32::try_from(until - table.game.version).unwrap();
        if table.pass(&mut server.games(), turns).await.is_err() {
            sleep(Duration::from_millis(100)).await;
            let game_id = table.game.game_id.clone();
            let look = bearing(
                RED,
                pb::GetGameRequest {
                    game_id,
                    ..Default::default()
                },
            );
            if let Ok(response) = server.games().get_game(look).await {
                table.game = facts(response.into_inner().table);
            }
        }
    }
}

/// Each stream is cut after a number of bytes, possibly in the middle of a message.
#[tokio::test(flavor = "multi_thread")]
async fn streams_that_are_cut_anywhere_go_on_where_they_were() {
    const LAST: u64 = 31;
    let (server, _keys) = house();
    let proxy = Proxy::before(server.address()).await;
    let mut tables = Vec::new();
    for _ in 0..5 {
        tables.push(new_table(&server, RED, &["ada", "bob"]).await);
    }
    let mut backend = Backend::default();
    for round in 0..15_u64 {
        proxy.set(Way::UpTo(400 + 331 * usize::try_from(round).unwrap()));
        let until = 1 + 2 * (round + 1);
        let play = async {
            for table in &mut tables {
                pass(table, &server, until).await;
            }
        };
        let read = async {
            if let Some(mut messages) = watch_at(proxy.address(), &backend).await {
                // Read until the stream is cut or everything was reported.
                let reading = backend.read(&mut messages, usize::MAX);
                let _cut = timeout(Duration::from_secs(1), reading).await;
            }
        };
        tokio::join!(play, read);
        proxy.cut();
    }
    proxy.set(Way::Open);
    let mut messages = watch_at(proxy.address(), &backend).await.unwrap();
    backend.read_whole(&mut messages, tables.len(), LAST).await;
}

/// A stream survives while the store behind it stalls, is cut off, and comes back.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_missed_when_the_way_to_redis_is_broken() {
    let (keys, redis) = (KeyFiles::new(), RedisServer::start(&RedisOptions::new()));
    let proxy = Proxy::before(&redis.address()).await;
    let direct = format!("--redis={}", redis.address());
    let broken = format!("--redis={}", proxy.address());
    let often = "--bookmark-every=500ms";
    let plays = keys.server(&["--store=redis", &direct]);
    let tells = keys.server(&["--store=redis", &broken, often]);
    let mut table = new_table(&plays, RED, &["ada", "bob"]).await;
    let mut backend = Backend::default();
    for round in 0..6_u64 {
        let messages = watch(&tells, RED, backend.ask()).await;
        match round % 3 {
            0 => proxy.cut(),
            1 => proxy.set(Way::Stalled),
            _ => proxy.set(Way::Closed),
        }
        pass(&mut table, &plays, 1 + 5 * (round + 1)).await;
        sleep(Duration::from_millis(200)).await;
        proxy.cut();
        proxy.set(Way::Open);
        if let Ok(mut messages) = messages {
            let reading = backend.read(&mut messages, usize::MAX);
            let _silent = timeout(Duration::from_secs(2), reading).await;
        }
    }
    // A stream may still hit a broken connection; then the next one resumes.
    let resumed = timeout(Duration::from_secs(60), async {
        while backend.lacks(31) {
            if let Ok(mut messages) = watch(&tells, RED, backend.ask()).await {
                backend.read(&mut messages, 1).await;
                let until = backend.in_all(31);
                backend.read(&mut messages, until).await;
            }
            sleep(Duration::from_millis(100)).await;
        }
    });
    resumed.await.expect("the last version");
    backend.is_whole(1, 31);
}

/// Ten games on two servers of a cluster with a wait for replicas; one server is killed and a primary fails over.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_missed_on_a_cluster_that_fails_over() {
    let mut cluster = block_in_place(RedisCluster::start);
    let keys = KeyFiles::new();
    let nodes = format!("--redis={}", cluster.addresses().join(","));
    let topology = "--redis-topology=cluster";
    let waits = "--redis-wait-replicas=1";
    let begin = || keys.server(&["--store=redis", &nodes, topology, waits]);
    let (plays, mut tells) = (begin(), begin());
    let mut tables = Vec::new();
    for _ in 0..10 {
        tables.push(new_table(&plays, RED, &["ada", "bob"]).await);
    }
    let mut backend = Backend::default();
    let mut messages = watch(&tells, RED, of_user("ada")).await.unwrap();
    for table in &mut tables {
        pass(table, &plays, 5).await;
    }
    backend.read(&mut messages, 15).await;
    tells.kill();
    tells = begin();
    let mut messages = watch(&tells, RED, backend.ask()).await.unwrap();
    block_in_place(|| cluster.fail_over());
    for table in &mut tables {
        pass(table, &plays, 10).await;
    }
    let enough = tables.len() * 6;
    let reading = backend.read(&mut messages, enough);
    let _cut = timeout(Duration::from_secs(10), reading).await;
    let resumed = async {
        loop {
            match watch(&tells, RED, backend.ask()).await {
                Ok(messages) => return messages,
                Err(_) => sleep(Duration::from_millis(200)).await,
            }
        }
    };
    let mut messages = timeout(Duration::from_secs(60), resumed).await.unwrap();
    backend.read_whole(&mut messages, tables.len(), 10).await;
}
