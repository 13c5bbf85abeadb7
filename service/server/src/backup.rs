//! Backups of the store: `POST /backup` on the admin port, and `gamekeeperd backup`, which asks for one there.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::sync::Mutex;

use crate::hosts::by_address;
use crate::store::{Backup, GameStore, StoreError};

/// Writes backups, one at a time.
#[derive(Clone)]
pub struct Backups {
    store: Arc<dyn GameStore>,
    /// `None`: no backups are written.
    directory: Option<PathBuf>,
    busy: Arc<Mutex<()>>,
}

impl Backups {
    /// Backups of a store, written into this directory. `None`: requests are refused.
    #[must_use]
    pub fn new(store: Arc<dyn GameStore>, directory: Option<PathBuf>) -> Self {
        let busy = Arc::default();
        Self {
            store,
            directory,
            busy,
        }
    }

    /// The route of the admin port.
    pub(crate) fn router(self) -> Router {
        let route = post(backup).layer(from_fn(by_address));
        Router::new().route("/backup", route).with_state(self)
    }
}

/// `POST /backup`: writes a backup, and answers with its path and its size.
async fn backup(State(backups): State<Backups>, headers: HeaderMap) -> Response {
    let refused = |status, text: &str| (status, format!("{text}\n")).into_response();
    if headers.contains_key(header::ORIGIN) {
        // Any page can send this request from the browser of somebody who can reach this port.
        return refused(StatusCode::FORBIDDEN, "web pages may not ask for backups");
    }
    let Some(directory) = backups.directory else {
        let text = "no backups are written: set --backup-dir to the directory for them";
        return refused(StatusCode::NOT_FOUND, text);
    };
    let Ok(only) = backups.busy.try_lock_owned() else {
        return refused(StatusCode::CONFLICT, "a backup is being written already");
    };
    // A task of its own: it goes on if the caller is gone, and only then may the next one begin.
    let written = tokio::spawn(async move {
        let written = backups.store.backup(&directory).await;
        drop(only);
        written
    });
    match written.await {
        Ok(Ok(backup)) => answer(&backup),
        Ok(Err(error)) => {
            tracing::warn!(%error, "no backup was written");
            refused(status_of(&error), &error.to_string())
        }
        Err(error) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

fn answer(Backup { path, bytes }: &Backup) -> Response {
    tracing::info!(path = %path.display(), bytes, "a backup was written");
    let body = serde_json::json!({ "path": path, "bytes": bytes });
    let kind = (header::CONTENT_TYPE, "application/json");
    ([kind], format!("{body}\n")).into_response()
}

fn status_of(error: &StoreError) -> StatusCode {
    match error {
        StoreError::Setup(_) => StatusCode::NOT_FOUND,
        StoreError::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
        StoreError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        StoreError::OutcomeUnknown(_) | StoreError::Damaged(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// How long to wait for a connection to the admin port. A backup itself may take minutes.
const CONNECT: Duration = Duration::from_secs(5);

/// Asks the server with this admin port for a backup, and returns the path of its file.
///
/// # Errors
/// When the server cannot be reached, or refuses.
pub(crate) fn ask(admin: Option<SocketAddr>) -> Result<String, Box<dyn Error>> {
    let admin = admin.ok_or("set --admin-listen to the admin port of the running server")?;
    let address = reachable(admin);
    let mut stream = TcpStream::connect_timeout(&address, CONNECT)
        .map_err(|error| format!("no server has its admin port on {address}: {error}"))?;
    let request = format!(
        "POST /backup HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    path_in(&answer)
}

/// The address at which this machine reaches a port that listens here.
fn reachable(listens: SocketAddr) -> SocketAddr {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, listens.port())
}

fn path_in(answer: &str) -> Result<String, Box<dyn Error>> {
    let (head, body) = answer
        .split_once("\r\n\r\n")
        .ok_or("the server broke off")?;
    if head.split_whitespace().nth(1) != Some("200") {
        return Err(format!("the server wrote no backup: {}", body.trim()).into());
    }
    let body: serde_json::Value = serde_json::from_str(body)?;
    let path = body["path"].as_str().ok_or("the server names no file")?;
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_path_or_a_reason() {
        let written = "HTTP/1.1 200 OK\r\nx: y\r\n\r\n{\"path\":\"/b/games.redb\",\"bytes\":7}\n";
        assert_eq!(path_in(written).unwrap(), "/b/games.redb");
        let refused = path_in("HTTP/1.1 409 Conflict\r\n\r\nnot now\n").unwrap_err();
        assert_eq!(refused.to_string(), "the server wrote no backup: not now");
        assert!(path_in("").is_err());
    }

    #[test]
    fn a_server_that_listens_everywhere_is_asked_at_home() {
        for (listens, asked) in [
            ("0.0.0.0:9", "127.0.0.1:9"),
            ("[::]:9", "[::1]:9"),
            ("10.0.0.7:9", "10.0.0.7:9"),
        ] {
            assert_eq!(reachable(listens.parse().unwrap()), asked.parse().unwrap());
        }
    }
}
