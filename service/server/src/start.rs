//! The whole process: starts according to its configuration, and waits for the signal to stop.

use std::error::Error;
use std::fs::DirBuilder;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use clap::{ArgMatches, FromArgMatches};
use gamekeeper_store::{GameStore, StoreError};
use gamekeeper_telemetry::LogRateLimiter;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::auth::{AuthConfig, has_secret};
use crate::config::{Config, Environment, LogFormat, StoreKind, Task};
use crate::telemetry::{Telemetry, log};
use crate::{backup, check_games, migrate, serve, stores, version, workers};

/// The maximum time at the end for the log to be read.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Runs the command line.
#[must_use]
pub fn main(rulesets: serve::RegistryFactory) -> ExitCode {
    let matches = Config::command_line().get_matches();
    let config = Config::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let code = match start(&config, &matches, rulesets) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let console = Console::of(&config);
            console.error(&format!("gamekeeperd: {error}"));
            ExitCode::FAILURE
        }
    };
    log().flush(FLUSH_TIMEOUT);
    code
}

fn start(
    config: &Config,
    matches: &ArgMatches,
    rulesets: serve::RegistryFactory,
) -> Result<(), Box<dyn Error>> {
    if config.print_config {
        // The configuration names files, not the secrets in them; addresses may contain passwords.
        print_stdout(&Config::env_file(matches));
        return Ok(());
    }
    config.validate()?;
    Environment::of_process().validate()?;
    if config.check {
        for warning in warnings(config, &serve::check(config)?) {
            print_stderr(&warning);
        }
        print_stderr("the configuration is valid");
        return Ok(());
    }
    if config.task == Some(Task::Backup) {
        print_stdout(&backup::request_backup(config.listening.admin_listen)?);
        return Ok(());
    }
    let telemetry = Arc::new(Telemetry::start(config)?);
    // The first worker runs here; the others have runtimes of their own.
    let ended = tokio::runtime::Builder::new_current_thread()
        .event_interval(workers::EVENT_INTERVAL)
        .enable_all()
        .build()?
        .block_on(async {
            match config.task {
                Some(Task::CheckGames) => check(config, &telemetry, rulesets).await,
                Some(Task::Migrate { dry_run: _ }) => {
                    print_stdout(migrate::run(config).await?);
                    Ok(())
                }
                Some(Task::Backup) | None => run(config, &telemetry, rulesets).await,
            }
        });
    telemetry.stop();
    ended
}

async fn run(
    config: &Config,
    telemetry: &Arc<Telemetry>,
    rulesets: serve::RegistryFactory,
) -> Result<(), Box<dyn Error>> {
    // Report all errors of the configuration before the address is announced.
    for warning in warnings(config, &serve::check(config)?) {
        tracing::warn!("{warning}");
    }
    let mut shutdown_signal = ShutdownSignal::new()?;
    let store = tokio::select! {
        opened = open_store(config) => opened?,
        () = shutdown_signal.received() => return Ok(()),
    };
    let listener = bind(config.listening.listen).await?;
    let admin = match config.listening.admin_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let address = listener.local_addr()?;
    tracing::info!(%address, store = ?config.store.kind, version = version::LONG, "serving");
    let console = Console::of(config);
    if let Some(admin) = &admin {
        let address = admin.local_addr()?;
        console.info(&format!(
            "Operators find health, /metrics and /log on {address}."
        ));
        if config.listening.playground {
            console.info(&format!("Playground: http://{address}/playground/"));
        }
    }
    print_banner(config, console, &address.to_string());
    let shutdown = async move { shutdown_signal.received().await };
    serve::run(
        listener, admin, store, config, telemetry, rulesets, shutdown,
    )
    .await?;
    tracing::info!("stopped");
    Ok(())
}

/// Replays the stored games, until a signal stops it.
async fn check(
    config: &Config,
    telemetry: &Telemetry,
    rulesets: serve::RegistryFactory,
) -> Result<(), Box<dyn Error>> {
    let mut config = config.clone();
    if config.store.kind == StoreKind::Embedded {
        // An embedded store deletes games while it is open, so do not let it. A Redis must be opened with the
        // retention times of its servers, since the longest of all announced times applies.
        config.store.keep_finished = None;
    }
    let mut shutdown_signal = ShutdownSignal::new()?;
    tokio::select! {
        checked = async {
            let store = open_store(&config).await?;
            check_games::run(store, &config, telemetry, rulesets).await
        } => checked,
        () = shutdown_signal.received() => Err("stopped before all games were replayed".into()),
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {address}: {error}"))
}

/// The interval of attempts to reach the store.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The interval of log lines while the server waits for the store.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Opens the store. Waits for a store that cannot be reached, since it may be starting too.
async fn open_store(config: &Config) -> Result<Arc<dyn GameStore>, Box<dyn Error>> {
    if config.store.kind == StoreKind::Embedded {
        // Games contain secrets that players must not see, so only the owner may read the directory.
        let mut directory = DirBuilder::new();
        directory.recursive(true).mode(0o700);
        let made = directory.create(&config.store.data_dir);
        made.map_err(|error| format!("{}: {error}", config.store.data_dir.display()))?;
    }
    let begun = Instant::now();
    let mut limiter = LogRateLimiter::every(LOG_INTERVAL);
    loop {
        let error = match stores::open(config.store_config()).await {
            Ok(store) => return Ok(store),
            Err(error) => error,
        };
        let is_unreachable = matches!(error, StoreError::Unavailable(_));
        let addresses = config.redis.display_addresses();
        if !is_unreachable || begun.elapsed() >= config.limits.start_timeout {
            return Err(match config.store.kind {
                StoreKind::Redis => format!("{addresses}: {error}").into(),
                StoreKind::Memory | StoreKind::Embedded => error.into(),
            });
        }
        if limiter.should_log().is_some() {
            tracing::warn!(%error, addresses, "waiting for the store");
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
}

/// The signals that stop the process. SIGHUP is not among them: it reloads keys and certificates.
struct ShutdownSignal {
    terminate: Signal,
    interrupt: Signal,
    _hangup: Signal,
}

impl ShutdownSignal {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            _hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Returns what is suspicious about a configuration that can be used.
fn warnings(config: &Config, found: &[String]) -> Vec<String> {
    let exposed = exposed(config).into_iter().map(|file| exposure(&file));
    let ignored = Environment::of_process().warnings();
    exposed
        .chain(found.iter().cloned())
        .chain(ignored)
        .collect()
}

/// Returns the files with secrets that other users of this machine can read.
fn exposed(config: &Config) -> Vec<PathBuf> {
    let is_exposed = |file: &PathBuf| {
        let metadata = std::fs::metadata(file);
        metadata.is_ok_and(|metadata| metadata.permissions().mode() & 0o004 != 0)
    };
    let (tls, auth, redis) = (&config.tls, &config.auth, &config.redis);
    [
        &tls.tls_key_file,
        &auth.token_keys_file,
        &redis.redis_password_file,
        &redis.redis_key_file,
        &redis.redis_sentinel_password_file,
        &redis.redis_sentinel_key_file,
        &config.telemetry.otlp_headers_file,
    ]
    .into_iter()
    .flatten()
    .chain(auth.tenant_jwks_file.iter().filter(|file| has_secret(file)))
    .filter(|file| is_exposed(file))
    .cloned()
    .collect()
}

fn exposure(file: &Path) -> String {
    let file = file.display();
    format!("{file} holds a secret and can be read by every user of this machine: chmod o-r {file}")
}

/// Prints the next steps for a person at a terminal.
fn print_banner(config: &Config, console: Console, address: &str) {
    let location = match config.store.kind {
        StoreKind::Memory => String::from("in memory"),
        StoreKind::Embedded => format!("in {}", config.store.data_dir.display()),
        StoreKind::Redis => String::from("in Redis"),
    };
    console.info(&format!(
        "Gamekeeper listens on {address} and keeps games {location}."
    ));
    if console == Console::Text && matches!(config.auth_config(), Ok(AuthConfig::Open)) {
        let client = client(config, address);
        print_stderr(&format!(
            "Try it from another terminal:\n  \
             {client} rulesets\n  \
             {client} create dominion Ada Bob\n  \
             {client} play last"
        ));
    }
}

/// Returns the client's command, with the address if it is not the default.
fn client(config: &Config, address: &str) -> String {
    let client = "cargo run --bin gamekeeper --";
    match &config.tls.tls_cert_file {
        Some(_) => format!("{client} --server https://{address}"),
        None if address == "127.0.0.1:50051" => client.to_owned(),
        None => format!("{client} --server http://{address}"),
    }
}

/// The format of messages to the person who started the server: JSON if log lines are JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Console {
    Text,
    Json,
}

impl Console {
    fn of(config: &Config) -> Self {
        match config.log.format {
            LogFormat::Text => Self::Text,
            LogFormat::Json => Self::Json,
        }
    }

    fn info(self, text: &str) {
        self.print("INFO", text);
    }

    fn error(self, text: &str) {
        self.print("ERROR", text);
    }

    /// Prints a line without the log: independent of its filter, and before it is started.
    fn print(self, level: &str, text: &str) {
        match self {
            Self::Text => print_stderr(text),
            Self::Json => {
                let timestamp = humantime::format_rfc3339_micros(SystemTime::now()).to_string();
                let line = serde_json::json!({
                    "timestamp": timestamp,
                    "level": level,
                    "target": "gamekeeperd::start",
                    "message": text,
                });
                print_stderr(&line.to_string());
            }
        }
    }
}

fn print_stderr(text: &str) {
    log().print(text);
}

#[expect(
    clippy::print_stdout,
    reason = "the answer to --print-config and backup"
)]
fn print_stdout(text: &str) {
    println!("{text}");
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions, write};

    use clap::Parser;

    use super::*;

    #[test]
    fn key_sets_with_a_secret_must_not_be_public() {
        let folder = tempfile::tempdir().unwrap();
        let exposed = |keys: &str, mode| {
            let file = folder.path().join("keys");
            write(&file, keys).unwrap();
            set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let mut config = Config::parse_from(["gamekeeperd"]);
            config.auth.tenant_jwks_file = Some(file);
            exposed(&config).len()
        };
        let secret = r#"{"keys": [{"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"}]}"#;
        let public = r#"{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;
        assert_eq!(exposed(secret, 0o644), 1);
        assert_eq!(exposed(secret, 0o640), 0);
        assert_eq!(exposed(public, 0o644), 0);
    }
}
