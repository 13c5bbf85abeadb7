//! Very large numbers of watches and connections.

use futures_util::future::join_all;
use gamekeeper_tests::dominion::{Table, facts};
use gamekeeper_tests::process::holdings;
use gamekeeper_tests::server::Gamekeeperd;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{SOON, eventually, new_game, watch};

/// The number of watches that are open at the same time.
const WATCHES: usize = 2_000;

#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_watches_all_get_the_version() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut tables = Vec::new();
    for _ in 0..10 {
        tables.push(Table::begin(&mut server.games()).await);
    }
    // Each connection carries the maximum number of streams that the server allows.
    let clients: Vec<_> = (0..WATCHES / 100).map(|_| server.games()).collect();
    let open = (0..WATCHES).map(|number| {
        let client = clients[number % clients.len()].clone();
        let id = tables[number % tables.len()].game.game_id.clone();
        async move { watch(client, &id).await.unwrap() }
    });
    let mut watches = join_all(open).await;
    for table in &mut tables {
        table.play(&mut server.games(), 1).await.unwrap();
    }
    let versions = watches.iter_mut().map(|watch| async {
        let message = timeout(SOON, watch.message()).await.expect("in time");
        let message = message.unwrap().expect("a message");
        facts(message.table).version
    });
    assert!(
        join_all(versions)
            .await
            .into_iter()
            .all(|version| version == 2)
    );
    let open = holdings(server.pid());
    drop(watches);
    drop(clients);
    eventually("the connections are closed", || async {
        let now = holdings(server.pid());
        (now.files + WATCHES / 100 <= open.files).then_some(())
    })
    .await;
    tables[0].play(&mut server.games(), 1).await.unwrap();
}

/// The number of connections that are opened and closed.
const CONNECTIONS: usize = 10_000;

/// Opens a connection, sends some bytes, and closes it.
async fn come_and_go(address: &str, number: usize) {
    use tokio::io::AsyncWriteExt;

    let mut stream = TcpStream::connect(address).await.unwrap();
    let begin: &[u8] = match number % 4 {
        0 => b"",
        1 => b"PRI * HTTP/2.0\r\n",
        // The preface of HTTP/2 with empty settings.
        2 => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
        _ => b"POST /gamekeeper.v1.GameService/ListGames HTTP/1.1\r\nhost: x\r\n",
    };
    stream.write_all(begin).await.unwrap();
    // Reset instead of closed: otherwise their number would fill the system's tables.
    stream.set_zero_linger().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_connections_come_and_go_and_leave_nothing() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let wave = async |count: usize| {
        for first in (0..count).step_by(100) {
            let connections =
                (first..first + 100).map(|number| come_and_go(server.address(), number));
            join_all(connections).await;
        }
    };
    let settled = async |most: usize| {
        eventually("the connections are closed", || async {
            let now = holdings(server.pid());
            (now.files <= most).then_some(now)
        })
        .await
    };
    // Once a call is answered, all threads have started with their resources.
    new_game(&server).await;
    let files = holdings(server.pid()).files;
    // Resources that the server allocates for the first connections are not a leak.
    wave(1_000).await;
    let before = settled(files).await;
    wave(CONNECTIONS).await;
    let after = settled(files).await;
    let grown = after.resident_kib.saturating_sub(before.resident_kib);
    assert!(grown < 16 * 1_024, "{before:?}, {after:?}");
    new_game(&server).await;
}
