//! A Redis that goes back to an earlier state while servers run.

use std::time::Duration;

use gamekeeper_tests::dominion::Table;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::waiting::until_metric;
use tokio::time::sleep;

/// The epoch is in the dump, so nothing else shows that actions are lost. Every server notices.
#[tokio::test(flavor = "multi_thread")]
async fn an_older_dump_is_noticed_by_every_server() {
    let mut redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--admin-listen=127.0.0.1:0"];
    let servers = [Gamekeeperd::start(&flags), Gamekeeperd::start(&flags)];
    let mut client = servers[0].games();
    let mut table = Table::begin(&mut client).await;
    let _: String = redis.ask(&["SAVE"]);
    table.pass(&mut client, 3).await.unwrap();
    // Longer than the interval of checks: both servers raise the mark once more.
    sleep(Duration::from_secs(5)).await;
    let said = |server: &Gamekeeperd| {
        let log = server.log();
        let lines = log
            .iter()
            .filter(|line| line.contains("gone back to an earlier state"));
        lines.count()
    };
    for server in &servers {
        until_metric(server, "gamekeeper_store_rollbacks_total 0").await;
        assert_eq!(said(server), 0);
    }
    redis.start_again();
    for server in &servers {
        until_metric(server, "gamekeeper_store_rollbacks_total 1").await;
        assert_eq!(said(server), 1, "{:#?}", server.log());
    }
    // A restart that loses nothing is no rollback. No mark is raised between the dump and the end.
    let _: String = redis.ask(&["CLIENT", "PAUSE", "60000", "WRITE"]);
    let _: String = redis.ask(&["SAVE"]);
    redis.start_again();
    sleep(Duration::from_secs(5)).await;
    for server in &servers {
        until_metric(server, "gamekeeper_store_rollbacks_total 1").await;
        let (status, _) = ask(server.admin(), "GET", "/readyz", "").await;
        assert_eq!(status, 200);
    }
}
