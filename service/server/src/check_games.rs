//! `gamekeeperd check-games`: replays every stored game with this build, and lists those where it would decide
//! differently.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_games::{AppContext, ReplayMismatch, ReplayTally};
use gamekeeper_store::{GameStore, ListedGame};
use gamekeeper_telemetry::LogRateLimiter;
use tokio_util::sync::CancellationToken;

use crate::auth::{AuthConfig, Authenticator};
use crate::config::Config;
use crate::serve;
use crate::telemetry::Telemetry;

/// The interval of progress messages.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// Replays all games of a store. Findings and the summary are lines of the standard output.
///
/// # Errors
/// When the store fails, and when there are findings.
pub(crate) async fn run(
    store: Arc<dyn GameStore>,
    config: &Config,
    telemetry: &Telemetry,
    rulesets: serve::RegistryFactory,
) -> Result<(), Box<dyn Error>> {
    let shared = AppContext::new(
        Arc::clone(&store),
        // No calls arrive, so no keys are needed.
        Arc::new(Authenticator::load(&AuthConfig::Open)?),
        config.settings(),
        CancellationToken::new(),
        Arc::clone(telemetry.metrics()),
    );
    let registry = rulesets(shared);
    let mut limiter = LogRateLimiter::every(PROGRESS_INTERVAL);
    // The first progress is printed after the first interval.
    let _now = limiter.should_log();
    let tallies = registry
        .check_games(|game, finding, tallies| report(&mut limiter, game, finding, tallies))
        .await?;
    store.close().await?;
    for (ruleset, tally) in &tallies {
        let ReplayTally {
            games,
            mismatches: found,
        } = tally;
        print_line(&format!("{ruleset}: {games} games, {found} with findings"));
    }
    let ReplayTally {
        games,
        mismatches: found,
    } = sum(&tallies);
    print_line(&format!("all: {games} games, {found} with findings"));
    if found > 0 {
        return Err(format!(
            "this build would not play {found} of {games} games as they were played"
        )
        .into());
    }
    Ok(())
}

/// Prints a finding immediately, and a progress message at intervals.
fn report(
    said: &mut LogRateLimiter,
    game: &ListedGame,
    finding: Option<&ReplayMismatch>,
    tallies: &BTreeMap<String, ReplayTally>,
) {
    if let Some(ReplayMismatch { version, what }) = finding {
        let ListedGame { id, row } = game;
        print_line(&format!("{id} {} version {version}: {what}", row.ruleset));
    }
    if said.should_log().is_some() {
        let ReplayTally {
            games,
            mismatches: found,
        } = sum(tallies);
        print_progress(&format!("{games} games replayed, {found} with findings"));
    }
}

fn sum(tallies: &BTreeMap<String, ReplayTally>) -> ReplayTally {
    let add = |sum: ReplayTally, tally: &ReplayTally| ReplayTally {
        games: sum.games + tally.games,
        mismatches: sum.mismatches + tally.mismatches,
    };
    tallies.values().fold(ReplayTally::default(), add)
}

#[expect(clippy::print_stdout, reason = "the answer to check-games")]
fn print_line(text: &str) {
    println!("{text}");
}

#[expect(clippy::print_stderr, reason = "the progress, for whoever waits")]
fn print_progress(text: &str) {
    eprintln!("{text}");
}
