//! Calls as bytes: the messages of rulesets (options and actions) are encoded in advance, and responses are counted but
//! hardly decoded. The client is then cheap compared with the server that it measures.

use bytes::Bytes;
use gamekeeper::{Failure, bearer};
use gamekeeper_proto::BytesCodec;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, Player, Show, Viewer};
use prost::Message;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Status, Streaming};

/// The request `CreateGameRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Create {
    #[prost(string, tag = "1")]
    pub(crate) ruleset: String,
    /// The encoded `Options`.
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) options: Bytes,
    #[prost(message, repeated, tag = "3")]
    pub(crate) players: Vec<Player>,
    #[prost(bytes = "bytes", tag = "7")]
    pub(crate) seed: Bytes,
}

/// The fields read from `CreateGameResponse`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Created {
    #[prost(message, optional, tag = "1")]
    pub(crate) table: Option<CreatedTable>,
}

/// The fields read from `Table`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CreatedTable {
    #[prost(message, optional, tag = "1")]
    pub(crate) game: Option<GameInfo>,
}

/// The request `ApplyActionRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Apply {
    #[prost(string, tag = "1")]
    pub(crate) game_id: String,
    #[prost(uint32, tag = "2")]
    pub(crate) seat: u32,
    /// The encoded `Action`.
    #[prost(bytes = "bytes", tag = "3")]
    pub(crate) action: Bytes,
    #[prost(uint64, tag = "4")]
    pub(crate) expected_version: u64,
    #[prost(string, tag = "5")]
    pub(crate) request_id: String,
    #[prost(message, optional, tag = "7")]
    pub(crate) show: Option<Show>,
}

/// The request `GetGameRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Get {
    #[prost(string, tag = "1")]
    pub(crate) game_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) viewer: Option<Viewer>,
    #[prost(message, optional, tag = "4")]
    pub(crate) show: Option<Show>,
}

/// The request `ListLegalActionsRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Legal {
    #[prost(string, tag = "1")]
    pub(crate) game_id: String,
    #[prost(uint32, tag = "2")]
    pub(crate) seat: u32,
}

/// The request `WatchGameRequest`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Watch {
    #[prost(string, tag = "1")]
    pub(crate) game_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) viewer: Option<Viewer>,
    #[prost(uint64, tag = "3")]
    pub(crate) after_version: u64,
    #[prost(message, optional, tag = "5")]
    pub(crate) show: Option<Show>,
}

/// The fields read from `WatchGameResponse`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Watched {
    #[prost(message, optional, tag = "2")]
    pub(crate) entry: Option<WatchedEntry>,
}

/// The fields read from `LogEntry`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct WatchedEntry {
    #[prost(uint64, tag = "1")]
    pub(crate) version: u64,
}

/// A client of the game service.
#[derive(Clone)]
pub(crate) struct Caller {
    client: Grpc<Channel>,
    paths: Paths,
    token: Option<String>,
}

#[derive(Clone)]
struct Paths {
    create: PathAndQuery,
    apply: PathAndQuery,
    get: PathAndQuery,
    legal: PathAndQuery,
    watch: PathAndQuery,
}

impl Caller {
    /// Creates a client of this service on this channel.
    pub(crate) fn new(
        channel: Channel,
        service: &str,
        token: Option<&str>,
    ) -> Result<Self, Failure> {
        let path = |method: &str| {
            let path = format!("/{service}/{method}").parse();
            path.map_err(|error| Failure::Usage(format!("{service}: {error}")))
        };
        Ok(Self {
            client: Grpc::new(channel).max_decoding_message_size(usize::MAX),
            paths: Paths {
                create: path("CreateGame")?,
                apply: path("ApplyAction")?,
                get: path("GetGame")?,
                legal: path("ListLegalActions")?,
                watch: path("WatchGame")?,
            },
            token: token.map(str::to_owned),
        })
    }

    /// Creates a game and returns its id.
    pub(crate) async fn create(&mut self, create: &Create) -> Result<String, Status> {
        let path = self.paths.create.clone();
        let answer = self.unary(path, create).await?;
        let created = Created::decode(answer)
            .map_err(|error| Status::internal(format!("CreateGame: {error}")))?;
        let game = created.table.unwrap_or_default().game;
        Ok(game.unwrap_or_default().game_id)
    }

    /// Plays an action. The response is counted, but not decoded.
    pub(crate) async fn apply(&mut self, apply: &Apply) -> Result<Bytes, Status> {
        let path = self.paths.apply.clone();
        self.unary(path, apply).await
    }

    /// Gets a table.
    pub(crate) async fn get(&mut self, get: &Get) -> Result<Bytes, Status> {
        let path = self.paths.get.clone();
        self.unary(path, get).await
    }

    /// Lists legal actions.
    pub(crate) async fn legal(&mut self, legal: &Legal) -> Result<Bytes, Status> {
        let path = self.paths.legal.clone();
        self.unary(path, legal).await
    }

    /// Follows a game.
    pub(crate) async fn watch(&mut self, watch: &Watch) -> Result<Streaming<Bytes>, Status> {
        let path = self.paths.watch.clone();
        self.ready().await?;
        let request = bearer(Bytes::from(watch.encode_to_vec()), self.token.as_deref())?;
        let answer = self
            .client
            .server_streaming(request, path, BytesCodec)
            .await?;
        Ok(answer.into_inner())
    }

    async fn unary(&mut self, path: PathAndQuery, message: &impl Message) -> Result<Bytes, Status> {
        self.ready().await?;
        let request = bearer(Bytes::from(message.encode_to_vec()), self.token.as_deref())?;
        let answer = self.client.unary(request, path, BytesCodec).await?;
        Ok(answer.into_inner())
    }

    async fn ready(&mut self) -> Result<(), Status> {
        let ready = self.client.ready().await;
        ready.map_err(|error| Status::from_error(Box::new(error)))
    }
}
