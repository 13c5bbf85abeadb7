//! Backups of the store: `POST /backup` on the admin port, and `gamekeeperd backup`, which sends this request.

use std::error::Error;
use std::fmt::Display;
use std::fs::DirEntry;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use gamekeeper_store::{Backup, GameStore, StoreError};
use gamekeeper_telemetry::{BackupMetrics, Metrics};
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::hosts::require_trusted_host;

/// Writes backups, one at a time.
#[derive(Clone)]
pub struct Backups {
    store: Arc<dyn GameStore>,
    /// The directory for backups. Is `None` if requests for backups are refused.
    directory: Option<PathBuf>,
    write_lock: Arc<Mutex<()>>,
    metrics: BackupMetrics,
}

impl Backups {
    /// Creates the writer of backups of a store into this directory. Requests are refused if the directory is `None`.
    #[must_use]
    pub fn new(store: Arc<dyn GameStore>, directory: Option<PathBuf>, metrics: &Metrics) -> Self {
        let write_lock = Arc::default();
        let last = directory.as_deref().map_or(0, last_backup_in);
        Self {
            store,
            directory,
            write_lock,
            metrics: metrics.of_backups(last),
        }
    }

    /// Returns the route of the admin port.
    pub(crate) fn router(self) -> Router {
        let route = post(backup).layer(from_fn(require_trusted_host));
        Router::new().route("/backup", route).with_state(self)
    }
}

/// Returns when the last backup in this directory was written, in seconds since the Unix epoch. Returns the present
/// time if there is none, so that an alert on old backups allows a full interval for the first one.
fn last_backup_in(directory: &Path) -> u64 {
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let backups = files.filter(|file| {
        let name = file.file_name();
        let name = name.to_string_lossy();
        name.starts_with("games-") && name.ends_with(".redb")
    });
    let written = |file: DirEntry| seconds(file.metadata().ok()?.modified().ok()?);
    let now = || seconds(SystemTime::now());
    backups.filter_map(written).max().or_else(now).unwrap_or(0)
}

fn seconds(time: SystemTime) -> Option<u64> {
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

/// `POST /backup`: writes a backup, and answers with its path and its size.
async fn backup(State(backups): State<Backups>, headers: HeaderMap) -> Response {
    let refused = |status, text: &str| (status, format!("{text}\n")).into_response();
    if headers.contains_key(header::ORIGIN) {
        // **CSRF**: any web page could send this request from the browser of a person who can reach this port.
        return refused(StatusCode::FORBIDDEN, "web pages may not ask for backups");
    }
    let Some(directory) = backups.directory else {
        let text = "no backups are written: set --backup-dir to the directory for them";
        return refused(StatusCode::NOT_FOUND, text);
    };
    let Ok(write_guard) = backups.write_lock.try_lock_owned() else {
        return refused(StatusCode::CONFLICT, "a backup is being written already");
    };
    // A task of its own, so that the backup continues if the caller disconnects; the lock is released only at its end.
    let written = tokio::spawn(async move {
        let written = backups.store.backup(&directory).await;
        drop(write_guard);
        match &written {
            Ok(_) => backups
                .metrics
                .done(seconds(SystemTime::now()).unwrap_or(0)),
            Err(_) => backups.metrics.failed(),
        }
        written
    });
    match written.await {
        Ok(Ok(backup)) => written_response(&backup),
        Ok(Err(error)) => {
            tracing::warn!(%error, "no backup was written");
            refused(status_of(&error), &error.to_string())
        }
        Err(error) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

fn written_response(Backup { path, bytes }: &Backup) -> Response {
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

/// The timeout of connecting to the admin port. A backup itself may take minutes.
const CONNECT: Duration = Duration::from_secs(5);

/// Requests a backup from the server with this admin port, and returns the path of its file.
///
/// # Errors
/// When the server cannot be reached, or refuses.
pub(crate) fn request_backup(admin: Option<SocketAddr>) -> Result<String, Box<dyn Error>> {
    let admin = admin.ok_or("set --admin-listen to the admin port of the running server")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (status, body) = runtime.block_on(post_backup(reachable(admin)))?;
    path_in(status, &body)
}

async fn post_backup(address: SocketAddr) -> Result<(StatusCode, Bytes), Box<dyn Error>> {
    let unreachable =
        |error: &dyn Display| format!("no server has its admin port on {address}: {error}");
    let stream = timeout(CONNECT, TcpStream::connect(address)).await;
    let stream = stream
        .map_err(|late| unreachable(&late))?
        .map_err(|error| unreachable(&error))?;
    let (mut server, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let driver = tokio::spawn(connection);
    let request = Request::post("/backup")
        .header(header::HOST, address.to_string())
        .body(Empty::<Bytes>::new())?;
    let (head, body) = server.send_request(request).await?.into_parts();
    let body = body.collect().await?.to_bytes();
    drop(server);
    driver.await??;
    Ok((head.status, body))
}

/// Returns the address at which this machine reaches a port that listens at this one.
fn reachable(listens: SocketAddr) -> SocketAddr {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, listens.port())
}

fn path_in(status: StatusCode, body: &[u8]) -> Result<String, Box<dyn Error>> {
    if status != StatusCode::OK {
        let why = String::from_utf8_lossy(body);
        return Err(format!("the server wrote no backup: {}", why.trim()).into());
    }
    let body: serde_json::Value = serde_json::from_slice(body)?;
    let path = body["path"].as_str().ok_or("the server names no file")?;
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_path_or_a_reason() {
        let written = b"{\"path\":\"/b/games.redb\",\"bytes\":7}\n";
        assert_eq!(path_in(StatusCode::OK, written).unwrap(), "/b/games.redb");
        let refused = path_in(StatusCode::CONFLICT, b"not now\n").unwrap_err();
        assert_eq!(refused.to_string(), "the server wrote no backup: not now");
        assert!(path_in(StatusCode::OK, b"").is_err());
    }

    #[test]
    fn the_last_backup_is_found_and_without_one_it_is_now() {
        let folder = tempfile::tempdir().unwrap();
        let now = seconds(SystemTime::now()).unwrap();
        for (name, age) in [
            ("games-1.redb", 9_000),
            ("games-2.redb", 7_000),
            ("games-3.unfinished", 5),
        ] {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            let at = UNIX_EPOCH + Duration::from_secs(now - age);
            file.set_modified(at).unwrap();
        }
        assert_eq!(last_backup_in(folder.path()), now - 7_000);
        assert!(last_backup_in(&folder.path().join("none")) >= now);
    }

    #[test]
    fn a_server_that_listens_everywhere_is_asked_at_home() {
        for (listens, expected) in [
            ("0.0.0.0:9", "127.0.0.1:9"),
            ("[::]:9", "[::1]:9"),
            ("10.0.0.7:9", "10.0.0.7:9"),
        ] {
            assert_eq!(
                reachable(listens.parse().unwrap()),
                expected.parse().unwrap()
            );
        }
    }
}
