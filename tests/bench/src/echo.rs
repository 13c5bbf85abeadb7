//! The lower bound of gRPC: a server that answers any call with bytes of a given size, and does nothing else.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use gamekeeper_proto::BytesCodec;
use gamekeeper_proto::gamekeeper::v1::{CreateGameResponse, GameInfo, Table};
use prost::Message;
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::codegen::Service;
use tonic::codegen::http;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// The name of the echo service.
pub const SERVICE: &str = "gamekeeper.echo.v1.EchoService";

#[derive(Clone)]
struct Echo {
    created: Bytes,
    answer: Bytes,
}

/// Serves on a free port until the process ends.
///
/// # Panics
/// If it cannot listen.
pub fn serve(answer_bytes: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        eprintln!("Gamekeeper listens on {address} and echoes.");
        serve_on(listener, answer_bytes).await;
    });
}

/// Serves at this address until the future is dropped.
///
/// # Panics
/// If it cannot serve.
pub async fn serve_on(listener: TcpListener, answer_bytes: usize) {
    let game = GameInfo {
        game_id: String::from("echo"),
        ..GameInfo::default()
    };
    let created = CreateGameResponse {
        table: Some(Table {
            game: Some(game),
            ..Table::default()
        }),
        ..CreateGameResponse::default()
    };
    let echo = Echo {
        created: created.encode_to_vec().into(),
        answer: vec![0; answer_bytes].into(),
    };
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let serving = Server::builder()
        .add_service(echo)
        .serve_with_incoming(incoming);
    serving.await.expect("the server goes on");
}

impl NamedService for Echo {
    const NAME: &'static str = SERVICE;
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let creates = request.uri().path().ends_with("CreateGame");
        let bytes = if creates { &self.created } else { &self.answer };
        let same = Same(bytes.clone());
        Box::pin(async move { Ok(Grpc::new(BytesCodec).unary(same, request).await) })
    }
}

/// A service that always answers with the same bytes.
struct Same(Bytes);

impl UnaryService<Bytes> for Same {
    type Response = Bytes;
    type Future = Ready<Result<Response<Bytes>, Status>>;

    fn call(&mut self, _request: Request<Bytes>) -> Self::Future {
        ready(Ok(Response::new(self.0.clone())))
    }
}
