//! A primary, a replica, and three sentinels that monitor them.

use super::{RedisOptions, RedisServer, wait_until};

/// The name under which the sentinels know the primary.
pub const PRIMARY: &str = "gamekeeper";

/// A running set of servers and sentinels.
#[derive(Debug)]
pub struct RedisSentinels {
    servers: [RedisServer; 2],
    sentinels: Vec<RedisServer>,
}

impl RedisSentinels {
    /// Starts all servers and waits until the sentinels know each other and the replica.
    ///
    /// # Panics
    /// If they do not find each other.
    #[must_use]
    pub fn start() -> RedisSentinels {
        let primary = RedisServer::start(&RedisOptions::new().with_append_only_file());
        let address = primary.address().replace(':', " ");
        let replica = RedisServer::start(
            &RedisOptions::new()
                .with_append_only_file()
                .set("replicaof", &address),
        );
        let options = RedisOptions::sentinel()
            .set("sentinel monitor", &format!("{PRIMARY} {address} 2"))
            .set(
                "sentinel down-after-milliseconds",
                &format!("{PRIMARY} 1000"),
            )
            .set("sentinel failover-timeout", &format!("{PRIMARY} 5000"));
        let sentinels = (0..3).map(|_| RedisServer::start(&options)).collect();
        let group = RedisSentinels {
            servers: [primary, replica],
            sentinels,
        };
        group.wait_until_whole();
        group
    }

    /// Returns the addresses of the sentinels.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        self.sentinels.iter().map(RedisServer::address).collect()
    }

    /// Kills the primary, and restarts it as soon as the replica has taken over. Until it hears of the new primary, it
    /// still considers itself the primary, and so may some sentinels.
    ///
    /// # Panics
    /// If the replica does not take over.
    pub fn fail_over(&mut self) {
        let old = self.primary();
        let number = self.servers.iter().position(|server| server.port == old);
        let number = number.expect("a primary of ours");
        self.servers[number].kill();
        wait_until("the replica takes over", || {
            let info = self.servers[1 - number].info("replication");
            info.unwrap_or_default().contains("role:master")
        });
        self.servers[number].start_again();
        wait_until("the sentinels hear of it", || self.primary() != old);
        self.wait_until_whole();
    }

    /// Returns the port of the primary, as the first sentinel sees it.
    fn primary(&self) -> u16 {
        let [_, port]: [String; 2] =
            self.sentinels[0].ask(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", PRIMARY]);
        port.parse().expect("a port")
    }

    fn wait_until_whole(&self) {
        wait_until("the sentinels know everybody", || {
            let is_whole = |sentinel: &RedisServer| {
                let info = sentinel.info("sentinel").unwrap_or_default();
                info.contains("status=ok") && info.contains("slaves=1,sentinels=3")
            };
            let is_linked = |server: &RedisServer| {
                let info = server.info("replication").unwrap_or_default();
                info.contains("role:master") || info.contains("master_link_status:up")
            };
            self.sentinels.iter().all(is_whole) && self.servers.iter().all(is_linked)
        });
    }
}
