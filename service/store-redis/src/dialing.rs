//! **Dialing**: new connections to one server, to a cluster, or to the primary that sentinels name.
//!
//! Each dial looks the name up again, and reads the password and the certificates again: they may have been replaced.

use gamekeeper_store::StoreError;
use redis::aio::MultiplexedConnection;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType};
use redis::{
    AsyncConnectionConfig, Client, ClientTlsConfig, ConnectionAddr, ErrorKind, IntoConnectionInfo,
    ProtocolVersion, PushInfo, RedisConnectionInfo, RedisError, TlsCertificates, TlsMode,
};
use tokio::sync::mpsc;

use super::config::{
    Publish, RedisConfig, RedisTls, RedisTopology, SentinelTls, read_file, setup, split_address,
};
use super::errors::{denied_by_sentinel, is_access_denied};

/// The length of the queue of commands to be written to a connection. Further commands wait for room
/// (**backpressure**).
const PIPELINE_BUFFER: usize = 1_024;

/// The receiver of messages of channels.
pub(super) type PushSender = mpsc::UnboundedSender<PushInfo>;

/// Opens connections.
pub(super) struct ConnectionFactory {
    addresses: Vec<(String, u16)>,
    /// The name of the primary at the sentinels, if there are any.
    primary: Option<String>,
    config: RedisConfig,
}

/// The content of the files that a dial reads.
struct Credentials {
    password: Option<String>,
    certificates: Option<TlsCertificates>,
    sentinel_password: Option<String>,
    sentinel_certificates: Option<TlsCertificates>,
}

impl Credentials {
    fn read(config: &RedisConfig) -> Result<Credentials, StoreError> {
        let certificates = config.tls.as_ref().map(read_certificates).transpose()?;
        let sentinel_certificates = match &config.sentinel.tls {
            SentinelTls::AsRedis => certificates.clone(),
            SentinelTls::Off => None,
            SentinelTls::Own(tls) => Some(read_certificates(tls)?),
        };
        let password_of = |flag, password: &Option<_>| {
            let password = password.as_ref();
            let read = password.map(|password| RedisConfig::read_password(flag, password));
            read.transpose()
        };
        Ok(Credentials {
            password: password_of("--redis-password-file", &config.password)?,
            certificates,
            sentinel_password: password_of(
                "--redis-sentinel-password-file",
                &config.sentinel.password,
            )?,
            sentinel_certificates,
        })
    }
}

fn read_certificates(tls: &RedisTls) -> Result<TlsCertificates, StoreError> {
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
}

impl ConnectionFactory {
    /// Checks the configuration and reads its files once.
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
        let factory = ConnectionFactory {
            addresses,
            primary,
            config: config.clone(),
        };
        // The library refuses certificates that it cannot use.
        let credentials = Credentials::read(config)?;
        let built = match &config.topology {
            RedisTopology::Single { .. } => factory.client(&credentials).map(drop),
            RedisTopology::Cluster { .. } => factory.cluster_client(&credentials, None).map(drop),
            RedisTopology::Sentinel { .. } => factory.sentinels(&credentials).map(drop),
        };
        built.map_err(|error| setup(error.to_string()))?;
        Ok(factory)
    }

    /// Returns how wake-ups are published to these servers.
    pub(super) fn publish(&self) -> Publish {
        self.config.publish()
    }

    /// Whether the servers are a cluster.
    pub(super) fn is_cluster(&self) -> bool {
        matches!(self.config.topology, RedisTopology::Cluster { .. })
    }

    /// Connects to the server, or to the primary that the sentinels name.
    pub(super) async fn server(&self) -> Result<MultiplexedConnection, RedisError> {
        self.connect(ProtocolVersion::RESP2, None).await
    }

    /// Connects to the server for subscriptions.
    pub(super) async fn subscriber(
        &self,
        pushes: PushSender,
    ) -> Result<MultiplexedConnection, RedisError> {
        self.connect(ProtocolVersion::RESP3, Some(pushes)).await
    }

    /// Connects to the cluster.
    pub(super) async fn cluster(&self) -> Result<ClusterConnection, RedisError> {
        let client = self.cluster_client(&self.credentials()?, None)?;
        client.get_async_connection().await
    }

    /// Connects to the cluster for subscriptions.
    pub(super) async fn cluster_subscriber(
        &self,
        pushes: PushSender,
    ) -> Result<ClusterConnection, RedisError> {
        let client = self.cluster_client(&self.credentials()?, Some(pushes))?;
        client.get_async_connection().await
    }

    async fn connect(
        &self,
        protocol: ProtocolVersion,
        pushes: Option<PushSender>,
    ) -> Result<MultiplexedConnection, RedisError> {
        let credentials = self.credentials()?;
        let client = match &self.primary {
            None => self.client(&credentials)?,
            Some(_) => self.primary_client(&credentials).await?,
        };
        let address = client.get_connection_info().clone();
        let redis = address.redis_settings().clone().set_protocol(protocol);
        let address = address.set_redis_settings(redis);
        let client = match credentials.certificates {
            Some(certificates) => Client::build_with_tls(address, certificates)?,
            None => Client::open(address)?,
        };
        let mut settings = AsyncConnectionConfig::new()
            .set_response_timeout(Some(self.config.response_timeout))
            .set_connection_timeout(Some(self.config.connection_timeout))
            .set_pipeline_buffer_size(PIPELINE_BUFFER);
        if let Some(pushes) = pushes {
            settings = settings.set_push_sender(pushes);
        }
        client
            .get_multiplexed_async_connection_with_config(&settings)
            .await
    }

    /// Reads the files again.
    fn credentials(&self) -> Result<Credentials, RedisError> {
        Credentials::read(&self.config).map_err(|error| {
            let kind = ErrorKind::InvalidClientConfig;
            RedisError::from((kind, "not connected", error.to_string()))
        })
    }

    fn client(&self, credentials: &Credentials) -> Result<Client, RedisError> {
        let mut login = RedisConnectionInfo::default().set_db(i64::from(self.config.database));
        if let Some(username) = &self.config.username {
            login = login.set_username(username);
        }
        if let Some(password) = &credentials.password {
            login = login.set_password(password);
        }
        let certificates = credentials.certificates.clone();
        let mut address =
            address(&self.addresses[0], certificates.is_some()).into_connection_info()?;
        address = address.set_redis_settings(login);
        match certificates {
            Some(certificates) => Client::build_with_tls(address, certificates),
            None => Client::open(address),
        }
    }

    /// Returns a client of the primary that the sentinels name.
    async fn primary_client(&self, credentials: &Credentials) -> Result<Client, RedisError> {
        let mut sentinels = self.sentinels(credentials)?;
        let asked = sentinels.async_get_client().await;
        match asked {
            // The library does not say who denied it.
            Err(error) if is_access_denied(&error) => {
                match sentinels.async_get_sentinel_client().await {
                    Err(error) if is_access_denied(&error) => Err(denied_by_sentinel(&error)),
                    Ok(_) | Err(_) => Err(error),
                }
            }
            asked => asked,
        }
    }

    fn cluster_client(
        &self,
        credentials: &Credentials,
        pushes: Option<PushSender>,
    ) -> Result<ClusterClient, RedisError> {
        let is_tls = credentials.certificates.is_some();
        let nodes = self.addresses.iter().map(|node| address(node, is_tls));
        let mut builder = ClusterClient::builder(nodes)
            .connection_timeout(self.config.connection_timeout)
            .response_timeout(self.config.response_timeout)
            .overall_response_timeout(Some(self.config.response_timeout));
        if let Some(username) = &self.config.username {
            builder = builder.username(username);
        }
        if let Some(password) = &credentials.password {
            builder = builder.password(password);
        }
        if let Some(certificates) = &credentials.certificates {
            builder = builder.tls(TlsMode::Secure).certs(certificates.clone());
        }
        if let Some(pushes) = pushes {
            builder = builder
                .use_protocol(ProtocolVersion::RESP3)
                .push_sender(pushes);
        }
        builder.build()
    }

    fn sentinels(&self, credentials: &Credentials) -> Result<SentinelClient, RedisError> {
        let is_tls = credentials.sentinel_certificates.is_some();
        let addresses = self.addresses.iter().map(|one| address(one, is_tls));
        let primary = self.primary.as_deref().unwrap_or_default();
        let mut builder =
            SentinelClientBuilder::new(addresses, primary, SentinelServerType::Master)?
                .set_client_to_redis_db(i64::from(self.config.database));
        if let Some(username) = &self.config.username {
            builder = builder.set_client_to_redis_username(username);
        }
        if let Some(password) = &credentials.password {
            builder = builder.set_client_to_redis_password(password);
        }
        if let Some(username) = &self.config.sentinel.username {
            builder = builder.set_client_to_sentinel_username(username);
        }
        if let Some(password) = &credentials.sentinel_password {
            builder = builder.set_client_to_sentinel_password(password);
        }
        if let Some(certificates) = &credentials.certificates {
            builder = builder
                .set_client_to_redis_tls_mode(TlsMode::Secure)
                .set_client_to_redis_certificates(certificates.clone());
        }
        if let Some(certificates) = &credentials.sentinel_certificates {
            builder = builder.set_client_to_sentinel_certificates(certificates.clone());
        }
        builder.build()
    }
}

fn address((host, port): &(String, u16), is_tls: bool) -> ConnectionAddr {
    let (host, port) = (host.clone(), *port);
    if is_tls {
        ConnectionAddr::TcpTls {
            host,
            port,
            insecure: false,
            tls_params: None,
        }
    } else {
        ConnectionAddr::Tcp(host, port)
    }
}
