//! `gamekeeper mcp`: tables as tools of the Model Context Protocol, for agents that read and write.

mod answer;
mod arguments;
mod begin;
mod happened;
mod http;
mod list;
mod names;
mod play;
mod prompts;
mod rulebook;
mod rulesets;
mod seat;
mod server;
mod show;
mod text;
mod tools;

use std::net::SocketAddr;
use std::sync::Arc;

use crate::failure::Failure;
use crate::session::Session;

use self::server::McpServer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Address to serve streamable HTTP on, such as 127.0.0.1:8765; port 0 takes a free one
    /// [default: none, the standard input and output are the connection]
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// Further name by which clients may address the server (header Host), with or without a port; may be repeated
    /// [default: localhost and the address of --http]
    #[arg(long = "allow-host", value_name = "HOST", requires = "http")]
    hosts: Vec<String>,
    /// Further origin of web pages that may call (header Origin), such as https://play.example:443; may be
    /// repeated [default: pages of this machine]
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "http")]
    origins: Vec<String>,
}

/// Serves one client over the standard input and output, or many over HTTP.
pub(crate) async fn run(session: Session, args: &Args) -> Result<(), Failure> {
    session.check_reachable().await?;
    let session = Arc::new(session);
    match args.http {
        Some(address) => http::serve(&session, address, &args.hosts, &args.origins).await,
        None => serve_pipe(session).await,
    }
}

/// Serves the client at the other end of the standard input and output until it closes them.
async fn serve_pipe(session: Arc<Session>) -> Result<(), Failure> {
    let failed = |error: &dyn std::error::Error| Failure::Io {
        what: String::from("the connection to the client"),
        error: error.to_string(),
    };
    let served = rmcp::serve_server(McpServer::of_session(session), rmcp::transport::stdio()).await;
    match served {
        Ok(running) => match running.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(failed(&error)),
        },
        // Closed before the first message: nobody was there.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(failed(&error)),
    }
}
