//! Commands to one server, to a cluster, or to the primary that sentinels name.

use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{
    MultipleNodeRoutingInfo, Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr,
};
use redis::{Cmd, Pipeline, RedisError, Value};

use super::dialing::ConnectionFactory;
use super::errors::Sent;
use super::held::Held;
use super::keys::slot_of;

/// A connection of a thread that any number of its tasks share.
#[derive(Clone)]
pub(super) enum Link {
    /// To one server, or to the primary that the sentinels named last.
    Server(Arc<Held<MultiplexedConnection>>),
    Cluster(Arc<Held<ClusterConnection>>),
}

impl Link {
    /// Creates a link that is not connected yet.
    pub(super) fn new(factory: Arc<ConnectionFactory>) -> Link {
        if factory.is_cluster() {
            Link::Cluster(Held::new(factory))
        } else {
            Link::Server(Held::new(factory))
        }
    }

    /// Connects, unless the link is connected.
    pub(super) async fn connect(&self) -> Result<(), RedisError> {
        match self {
            Link::Server(held) => held.open().await,
            Link::Cluster(held) => held.open().await,
        }
    }

    /// Returns how many times a command may have been sent.
    pub(super) fn sent(&self) -> Sent {
        match self {
            Link::Server(_) => Sent::Once,
            Link::Cluster(_) => Sent::Retried,
        }
    }

    /// Sends one command and returns its reply.
    pub(super) async fn ask(&self, command: &Cmd) -> Result<Value, RedisError> {
        match self {
            Link::Server(held) => held.ask(command).await,
            Link::Cluster(held) => held.ask(command).await,
        }
    }

    /// Sends one command to every primary.
    pub(super) async fn ask_all(&self, command: &Cmd) -> Result<Value, RedisError> {
        match self {
            Link::Cluster(held) => {
                let all = MultipleNodeRoutingInfo::AllMasters;
                let route = RoutingInfo::MultiNode((all, None));
                let mut cluster = held.get().await?.connection;
                cluster.route_command(command.clone(), route).await
            }
            Link::Server(_) => self.ask(command).await,
        }
    }

    /// Sends commands together on one connection, to the server that holds the key, and returns the reply to each.
    pub(super) async fn ask_pipelined<const COUNT: usize>(
        &self,
        key: &str,
        commands: &Pipeline,
    ) -> Result<[Result<Value, RedisError>; COUNT], RedisError> {
        let replies = match self {
            Link::Server(held) => held.ask_pipelined(commands, COUNT).await,
            Link::Cluster(held) => {
                let slot = Route::new(slot_of(key), SlotAddr::Master);
                let route = SingleNodeRoutingInfo::SpecificNode(slot);
                let commands = commands.clone();
                let mut cluster = held.get().await?.connection;
                let replies = cluster.route_pipeline(commands, 0, COUNT, route).await;
                replies.map(|replies| replies.into_iter().map(Value::extract_error).collect())
            }
        };
        replies?.try_into().map_err(|_| {
            let text = "the number of replies differs from the number of commands";
            RedisError::from((redis::ErrorKind::UnexpectedReturnType, text))
        })
    }

    /// Reports that the server may no longer be the primary, so that a following command dials again.
    pub(super) fn suspect(&self) {
        match self {
            Link::Server(held) => held.suspect(),
            // The client of a cluster finds the new primary by itself.
            Link::Cluster(_) => {}
        }
    }
}
