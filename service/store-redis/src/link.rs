//! Connections to one server, to a cluster, or to the primary that sentinels name.

use std::sync::Arc;

use gamekeeper_store::StoreError;
use redis::aio::{
    ConnectionLike, ConnectionManager, ConnectionManagerConfig, MultiplexedConnection, PubSub,
};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr};
use redis::sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType};
use redis::{
    AsyncConnectionConfig, Client, ClientTlsConfig, Cmd, ConnectionAddr, IntoConnectionInfo,
    Pipeline, ProtocolVersion, PushInfo, RedisConnectionInfo, RedisError, TlsCertificates, TlsMode,
    Value,
};
use tokio::sync::{Mutex, mpsc};

use super::config::{Publish, RedisConfig, RedisTopology, read_file, setup, split_address};
use super::errors::{Sent, at_startup, is_wrong_server};
use super::keys::slot_of;

/// A connection that any number of tasks share and that reconnects when it breaks.
#[derive(Clone)]
pub(super) enum Link {
    Single(ConnectionManager),
    Cluster(ClusterConnection),
    Sentinel(Arc<Primary>),
}

/// The connection to the primary that the sentinels named last.
pub(super) struct Primary {
    sentinels: Mutex<SentinelClient>,
    settings: AsyncConnectionConfig,
    connection: Mutex<Option<MultiplexedConnection>>,
}

/// Opens connections. Holds the password.
pub(super) struct ConnectionFactory {
    addresses: Vec<(String, u16)>,
    /// The name of the primary at the sentinels, if there are any.
    primary: Option<String>,
    login: RedisConnectionInfo,
    certificates: Option<TlsCertificates>,
    config: RedisConfig,
}

impl ConnectionFactory {
    pub(super) fn new(config: &RedisConfig) -> Result<ConnectionFactory, StoreError> {
        config.check()?;
        let (addresses, primary) = match &config.topology {
            RedisTopology::Single { address } => (std::slice::from_ref(address), None),
            RedisTopology::Cluster { nodes } => (nodes.as_slice(), None),
            RedisTopology::Sentinel { sentinels, primary } => {
                (sentinels.as_slice(), Some(primary.clone()))
            }
        };
        let addresses: Vec<_> = addresses
            .iter()
            .map(|address| split_address(address))
            .collect::<Result<_, _>>()?;
        if addresses.is_empty() {
            return Err(setup("no address of a Redis server is given"));
        }
        let mut login = RedisConnectionInfo::default().set_db(i64::from(config.database));
        if let Some(username) = &config.username {
            login = login.set_username(username);
        }
        if let Some(password) = config.read_password()? {
            login = login.set_password(password);
        }
        let certificates = config.tls.as_ref().map(|tls| {
            let root_cert = tls.authorities.as_ref().map(read_file).transpose()?;
            let client_tls = tls.identity.as_ref().map(|(certificate, key)| {
                Ok::<_, StoreError>(ClientTlsConfig {
                    client_cert: read_file(certificate)?,
                    client_key: read_file(key)?,
                })
            });
            Ok(TlsCertificates {
                client_tls: client_tls.transpose()?,
                root_cert,
            })
        });
        let certificates = certificates.transpose()?;
        Ok(ConnectionFactory {
            addresses,
            primary,
            login,
            certificates,
            config: config.clone(),
        })
    }

    /// Returns how wake-ups are published to these servers.
    pub(super) fn publish(&self) -> Publish {
        self.config.publish()
    }

    /// Connects. With sentinels, the connection is made by the first command.
    pub(super) async fn link(&self) -> Result<Link, StoreError> {
        let link = match &self.config.topology {
            RedisTopology::Single { .. } => self.single().await.map(Link::Single),
            RedisTopology::Cluster { .. } => match self.cluster(None) {
                Ok(client) => client.get_async_connection().await.map(Link::Cluster),
                Err(error) => Err(error),
            },
            RedisTopology::Sentinel { .. } => self.sentinel().map(|sentinels| {
                let settings = self.settings();
                let connection = Mutex::new(None);
                let sentinels = Mutex::new(sentinels);
                Link::Sentinel(Arc::new(Primary {
                    sentinels,
                    settings,
                    connection,
                }))
            }),
        };
        link.map_err(|error| at_startup(&error))
    }

    /// Opens a connection for subscriptions to one server.
    pub(super) async fn subscriber(&self) -> Result<PubSub, RedisError> {
        let client = match &self.config.topology {
            RedisTopology::Sentinel { .. } => self.sentinel()?.async_get_client().await?,
            RedisTopology::Single { .. } | RedisTopology::Cluster { .. } => self.client()?,
        };
        let connecting = client.get_async_pubsub();
        tokio::time::timeout(self.config.connection_timeout, connecting)
            .await
            .map_err(|_| RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut)))?
    }

    /// Opens a connection for subscriptions to a cluster.
    pub(super) async fn cluster_subscriber(
        &self,
        pushes: mpsc::UnboundedSender<PushInfo>,
    ) -> Result<ClusterConnection, RedisError> {
        self.cluster(Some(pushes))?.get_async_connection().await
    }

    async fn single(&self) -> Result<ConnectionManager, RedisError> {
        let settings = ConnectionManagerConfig::new()
            .set_response_timeout(Some(self.config.response_timeout))
            .set_connection_timeout(Some(self.config.connection_timeout))
            // A call on a broken connection fails fast; the next one reconnects.
            .set_number_of_retries(2)
            .set_max_delay(self.config.connection_timeout)
            .set_pipeline_buffer_size(PIPELINE_BUFFER);
        self.client()?
            .get_connection_manager_with_config(settings)
            .await
    }

    fn settings(&self) -> AsyncConnectionConfig {
        AsyncConnectionConfig::new()
            .set_response_timeout(Some(self.config.response_timeout))
            .set_connection_timeout(Some(self.config.connection_timeout))
            .set_pipeline_buffer_size(PIPELINE_BUFFER)
    }

    fn client(&self) -> Result<Client, RedisError> {
        let mut address = self.address(&self.addresses[0]).into_connection_info()?;
        address = address.set_redis_settings(self.login.clone());
        match &self.certificates {
            Some(certificates) => Client::build_with_tls(address, certificates.clone()),
            None => Client::open(address),
        }
    }

    fn cluster(
        &self,
        pushes: Option<mpsc::UnboundedSender<PushInfo>>,
    ) -> Result<ClusterClient, RedisError> {
        let nodes = self.addresses.iter().map(|address| self.address(address));
        let mut builder = ClusterClient::builder(nodes)
            .connection_timeout(self.config.connection_timeout)
            .response_timeout(self.config.response_timeout)
            .overall_response_timeout(Some(self.config.response_timeout));
        if let Some(username) = self.login.username() {
            builder = builder.username(username);
        }
        if let Some(password) = self.login.password() {
            builder = builder.password(password);
        }
        if let Some(certificates) = &self.certificates {
            builder = builder.tls(TlsMode::Secure).certs(certificates.clone());
        }
        if let Some(pushes) = pushes {
            builder = builder
                .use_protocol(ProtocolVersion::RESP3)
                .push_sender(pushes);
        }
        builder.build()
    }

    fn sentinel(&self) -> Result<SentinelClient, RedisError> {
        let addresses = self.addresses.iter().map(|address| self.address(address));
        let primary = self.primary.as_deref().unwrap_or_default();
        let mut builder =
            SentinelClientBuilder::new(addresses, primary, SentinelServerType::Master)?
                .set_client_to_redis_db(i64::from(self.config.database));
        if let Some(username) = self.login.username() {
            builder = builder.set_client_to_redis_username(username);
        }
        if let Some(password) = self.login.password() {
            builder = builder.set_client_to_redis_password(password);
        }
        if let Some(certificates) = &self.certificates {
            builder = builder
                .set_client_to_redis_tls_mode(TlsMode::Secure)
                .set_client_to_redis_certificates(certificates.clone())
                .set_client_to_sentinel_certificates(certificates.clone());
        }
        builder.build()
    }

    fn address(&self, (host, port): &(String, u16)) -> ConnectionAddr {
        let (host, port) = (host.clone(), *port);
        match self.certificates {
            Some(_) => ConnectionAddr::TcpTls {
                host,
                port,
                insecure: false,
                tls_params: None,
            },
            None => ConnectionAddr::Tcp(host, port),
        }
    }
}

/// The length of the queue of commands to be written to a connection. Further commands wait for room
/// (**backpressure**).
const PIPELINE_BUFFER: usize = 1_024;

impl Link {
    /// Returns how many times a command may have been sent.
    pub(super) fn sent(&self) -> Sent {
        match self {
            Link::Single(_) | Link::Sentinel(_) => Sent::Once,
            Link::Cluster(_) => Sent::Retried,
        }
    }

    /// Sends one command and returns its reply.
    pub(super) async fn ask(&self, command: &Cmd) -> Result<Value, RedisError> {
        match self {
            Link::Single(manager) => command.query_async(&mut manager.clone()).await,
            Link::Cluster(cluster) => command.query_async(&mut cluster.clone()).await,
            // Boxed, so that the other kinds of links have small futures.
            Link::Sentinel(primary) => Box::pin(primary.ask(command)).await,
        }
    }

    /// Sends one command to every primary.
    pub(super) async fn ask_all(&self, command: &Cmd) -> Result<Value, RedisError> {
        match self {
            Link::Cluster(cluster) => {
                let all = RoutingInfo::MultiNode((
                    redis::cluster_routing::MultipleNodeRoutingInfo::AllMasters,
                    None,
                ));
                cluster.clone().route_command(command.clone(), all).await
            }
            Link::Single(_) | Link::Sentinel(_) => self.ask(command).await,
        }
    }

    /// Sends commands together on one connection, to the server that holds the key, and returns the reply to each.
    pub(super) async fn ask_pipelined<const COUNT: usize>(
        &self,
        key: &str,
        commands: &Pipeline,
    ) -> Result<[Result<Value, RedisError>; COUNT], RedisError> {
        let replies = match self {
            Link::Single(manager) => {
                let mut manager = manager.clone();
                manager.req_packed_commands(commands, 0, COUNT).await
            }
            Link::Cluster(cluster) => {
                let slot = Route::new(slot_of(key), SlotAddr::Master);
                let route = SingleNodeRoutingInfo::SpecificNode(slot);
                let mut cluster = cluster.clone();
                cluster
                    .route_pipeline(commands.clone(), 0, COUNT, route)
                    .await
            }
            Link::Sentinel(primary) => {
                let mut connection = primary.connection().await?;
                let replies = connection.req_packed_commands(commands, 0, COUNT).await;
                primary.drop_if_broken(&replies).await;
                replies
            }
        };
        let replies: Vec<_> = replies?.into_iter().map(Value::extract_error).collect();
        if let Link::Sentinel(primary) = self {
            for reply in &replies {
                primary.drop_if_broken(reply).await;
            }
        }
        replies.try_into().map_err(|_| {
            let text = "the number of replies differs from the number of commands";
            RedisError::from((redis::ErrorKind::UnexpectedReturnType, text))
        })
    }

    /// Reports that the server may no longer be the primary, so that the next command asks the sentinels again.
    pub(super) async fn mark_suspect(&self) {
        match self {
            Link::Sentinel(primary) => *primary.connection.lock().await = None,
            Link::Single(_) | Link::Cluster(_) => {}
        }
    }
}

impl Primary {
    async fn ask(&self, command: &Cmd) -> Result<Value, RedisError> {
        let mut connection = self.connection().await?;
        let reply = command.query_async(&mut connection).await;
        self.drop_if_broken(&reply).await;
        reply
    }

    /// Returns the connection to the primary. If there is none, asks the sentinels and connects.
    async fn connection(&self) -> Result<MultiplexedConnection, RedisError> {
        let mut connection = self.connection.lock().await;
        if let Some(connection) = &*connection {
            return Ok(connection.clone());
        }
        let opened = self
            .sentinels
            .lock()
            .await
            .get_async_connection_with_config(&self.settings)
            .await?;
        Ok(connection.insert(opened).clone())
    }

    /// Drops the connection if it broke or leads to a server that is not the primary.
    async fn drop_if_broken<A>(&self, reply: &Result<A, RedisError>) {
        if let Err(error) = reply
            && (error.is_unrecoverable_error() || error.is_timeout() || is_wrong_server(error))
        {
            *self.connection.lock().await = None;
        }
    }
}
