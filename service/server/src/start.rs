//! The whole process: starts as its configuration says, and waits for the signal to stop.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::auth::AuthConfig;
use crate::config::{Config, StoreKind};
use crate::telemetry::Telemetry;
use crate::{serve, store, version};

/// Does what the command line says.
#[must_use]
pub fn main(rulesets: serve::Choice) -> ExitCode {
    let config = Config::parse();
    match start(&config, rulesets) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("gamekeeperd: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn start(config: &Config, rulesets: serve::Choice) -> Result<(), Box<dyn Error>> {
    if config.print_config {
        // The configuration names files, not the secrets in them; addresses may hold passwords.
        println_out(&config.redacted());
        return Ok(());
    }
    config.validate()?;
    if config.check {
        serve::check(config)?;
        say("the configuration is valid");
        return Ok(());
    }
    let telemetry = Arc::new(Telemetry::start(config)?);
    // The first worker; the others have runtimes of their own.
    let ended = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(run(config, &telemetry, rulesets));
    telemetry.stop();
    ended
}

async fn run(
    config: &Config,
    telemetry: &Arc<Telemetry>,
    rulesets: serve::Choice,
) -> Result<(), Box<dyn Error>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let store = store::open(config.store_config()).await?;
    let listener = TcpListener::bind(config.listening.listen)
        .await
        .map_err(|error| format!("cannot listen on {}: {error}", config.listening.listen))?;
    let admin = match config.listening.admin_listen {
        Some(address) => Some(TcpListener::bind(address).await?),
        None => None,
    };
    let address = listener.local_addr()?;
    tracing::info!(%address, store = ?config.store.kind, version = version::LONG, "serving");
    if let Some(admin) = &admin {
        let address = admin.local_addr()?;
        say(&format!(
            "Operators find health, /metrics and /log on {address}."
        ));
        if config.listening.playground {
            say(&format!("Playground: http://{address}/playground/"));
        }
    }
    greet(config, &address.to_string());
    let shutdown = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    };
    serve::run(
        listener, admin, store, config, telemetry, rulesets, shutdown,
    )
    .await?;
    tracing::info!("stopped");
    Ok(())
}

/// Says to a person at a terminal how to go on.
fn greet(config: &Config, address: &str) {
    let kept = match config.store.kind {
        StoreKind::Memory => String::from("in memory"),
        StoreKind::Embedded => format!("in {}", config.store.data_dir.display()),
        StoreKind::Redis => String::from("in Redis"),
    };
    say(&format!(
        "Gamekeeper listens on {address} and keeps games {kept}."
    ));
    if matches!(config.auth_config(), Ok(AuthConfig::Open)) {
        say("Poke it from another terminal:\n  \
             cargo run --release --bin gamekeeper -- rulesets\n  \
             cargo run --release --bin gamekeeper -- create dominion Ada Bob\n  \
             cargo run --release --bin gamekeeper -- play last");
    }
}

#[expect(
    clippy::print_stderr,
    reason = "words for the person who started the server"
)]
fn say(text: &str) {
    eprintln!("{text}");
}

#[expect(clippy::print_stdout, reason = "the answer to --print-config")]
fn println_out(text: &str) {
    println!("{text}");
}
