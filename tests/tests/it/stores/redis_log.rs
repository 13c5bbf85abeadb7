//! The log of a server while Redis cannot be reached.

use std::time::{Duration, Instant};

use gamekeeper_tests::proxy::{Proxy, Way};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use tokio::time::sleep;

/// A persistent failure is not logged repeatedly.
#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_cut_off_does_not_fill_the_log() {
    let redis = RedisServer::start(&RedisOptions::new());
    let proxy = Proxy::before(&redis.address()).await;
    let at = format!("--redis={}", proxy.address());
    let server = Gamekeeperd::start(&["--store=redis", &at]);
    let (before, begun) = (server.log().len(), Instant::now());
    for way in [Way::Closed, Way::OneWay] {
        proxy.set(way);
        proxy.cut();
        sleep(Duration::from_secs(3)).await;
    }
    let log = server.log().split_off(before);
    let wake_ups = log.iter().filter(|line| line.contains("wake-ups"));
    // Logged once in ten seconds, instead of four times a second.
    let most = 1 + begun.elapsed().as_secs() / 10;
    assert!((1..=most).contains(&(wake_ups.count() as u64)), "{log:#?}");
}
