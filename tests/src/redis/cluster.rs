//! A Redis Cluster of three primaries with one replica each, all on this machine.

use super::{RedisOptions, RedisServer, free_port, wait_until};

/// The number of primaries; each has one replica.
const PRIMARIES: usize = 3;

/// The number of hash slots that the primaries share.
const SLOTS: usize = 16_384;

/// A running cluster.
#[derive(Debug)]
pub struct RedisCluster {
    /// The first primaries, then their first replicas in the same order.
    nodes: Vec<RedisServer>,
}

impl RedisCluster {
    /// Starts six servers and forms a cluster of them.
    ///
    /// # Panics
    /// If they do not form a cluster.
    #[must_use]
    pub fn start() -> RedisCluster {
        let nodes = (0..2 * PRIMARIES).map(|_| {
            RedisServer::start(
                &RedisOptions::new()
                    .set("cluster-enabled", "yes")
                    .set("cluster-port", &free_port().to_string())
                    .set("cluster-node-timeout", "2000")
                    .set("cluster-replica-validity-factor", "0")
                    .with_append_only_file(),
            )
        });
        let cluster = RedisCluster {
            nodes: nodes.collect(),
        };
        cluster.introduce();
        cluster.share_slots();
        cluster.attach_replicas();
        cluster.wait_until_whole();
        cluster
    }

    /// Returns the addresses of all nodes.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        self.nodes.iter().map(RedisServer::address).collect()
    }

    /// Returns all nodes.
    #[must_use]
    pub fn nodes(&self) -> &[RedisServer] {
        &self.nodes
    }

    /// Kills a primary, waits until its replica has taken over, and restarts it as a replica.
    ///
    /// # Panics
    /// If the replica does not take over.
    pub fn fail_over(&mut self) {
        let primary = self.nodes.iter().position(is_primary).expect("a primary");
        self.nodes[primary].kill();
        let others = self
            .nodes
            .iter()
            .enumerate()
            .filter(|(node, _)| *node != primary);
        let others: Vec<&RedisServer> = others.map(|(_, node)| node).collect();
        wait_until("a replica takes over", || {
            let primaries = others.iter().filter(|node| is_primary(node)).count();
            primaries == PRIMARIES && others.iter().all(|node| is_ok(node))
        });
        self.nodes[primary].start_again();
        self.wait_until_whole();
    }

    fn introduce(&self) {
        let first = &self.nodes[0];
        let [port, bus] = [&*first.port.to_string(), &*bus_port(first)];
        for (epoch, node) in self.nodes.iter().enumerate() {
            let epoch = (epoch + 1).to_string();
            let _: String = node.ask(&["CLUSTER", "SET-CONFIG-EPOCH", &epoch]);
            let _: String = node.ask(&["CLUSTER", "MEET", "127.0.0.1", port, bus]);
        }
        let everybody = self.nodes.len();
        wait_until("all nodes know each other", || {
            let known_nodes = |node: &RedisServer| {
                let nodes: String = node.ask(&["CLUSTER", "NODES"]);
                nodes
                    .lines()
                    .filter(|line| !line.contains("handshake"))
                    .count()
            };
            self.nodes.iter().all(|node| known_nodes(node) == everybody)
        });
    }

    fn share_slots(&self) {
        for (number, node) in self.nodes[..PRIMARIES].iter().enumerate() {
            let first = number * SLOTS / PRIMARIES;
            let last = (number + 1) * SLOTS / PRIMARIES - 1;
            let [first, last] = [first, last].map(|slot| slot.to_string());
            let _: String = node.ask(&["CLUSTER", "ADDSLOTSRANGE", &first, &last]);
        }
    }

    fn attach_replicas(&self) {
        let (primaries, replicas) = self.nodes.split_at(PRIMARIES);
        for (primary, replica) in primaries.iter().zip(replicas) {
            let id: String = primary.ask(&["CLUSTER", "MYID"]);
            let _: String = replica.ask(&["CLUSTER", "REPLICATE", &id]);
        }
    }

    /// Waits until all slots are served and all replicas are in sync.
    fn wait_until_whole(&self) {
        wait_until("the cluster is whole", || {
            let replicas = self.nodes.iter().filter(|node| !is_primary(node));
            replicas.filter(|node| is_linked(node)).count() == PRIMARIES
                && self.nodes.iter().all(is_ok)
        });
    }
}

fn is_primary(node: &RedisServer) -> bool {
    replication(node).contains("role:master")
}

fn is_linked(node: &RedisServer) -> bool {
    replication(node).contains("master_link_status:up")
}

fn replication(node: &RedisServer) -> String {
    node.ask(&["INFO", "replication"])
}

fn is_ok(node: &RedisServer) -> bool {
    let info: String = node.ask(&["CLUSTER", "INFO"]);
    info.contains("cluster_state:ok")
}

fn bus_port(node: &RedisServer) -> String {
    let [_, port]: [String; 2] = node.ask(&["CONFIG", "GET", "cluster-port"]);
    port
}
