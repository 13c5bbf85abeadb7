//! `gamekeeperd check-games`: replays every stored game with this build, and lists those where it would decide
//! differently.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_games::{Finding, Shared, Tally};
use gamekeeper_store::{GameStore, ListedGame};
use gamekeeper_telemetry::Seldom;
use tokio_util::sync::CancellationToken;

use crate::auth::{AuthConfig, Authority};
use crate::config::Config;
use crate::serve;
use crate::telemetry::Telemetry;

/// The interval of progress messages.
const SAY_EVERY: Duration = Duration::from_secs(10);

/// Replays all games of a store. Findings and the summary are lines of the standard output.
///
/// # Errors
/// When the store fails, and when there are findings.
pub(crate) async fn run(
    store: Arc<dyn GameStore>,
    config: &Config,
    telemetry: &Telemetry,
    rulesets: serve::Choice,
) -> Result<(), Box<dyn Error>> {
    let shared = Shared::new(
        Arc::clone(&store),
        // No calls arrive, so no keys are needed.
        Arc::new(Authority::load(&AuthConfig::Open)?),
        config.settings(),
        CancellationToken::new(),
        Arc::clone(telemetry.metrics()),
    );
    let registry = rulesets(shared);
    let mut said = Seldom::every(SAY_EVERY);
    // The first progress is printed after the first interval.
    let _now = said.now();
    let tallies = registry
        .check_games(|game, finding, tallies| report(&mut said, game, finding, tallies))
        .await?;
    store.close().await?;
    for (ruleset, tally) in &tallies {
        let Tally { games, found } = tally;
        say(&format!("{ruleset}: {games} games, {found} with findings"));
    }
    let Tally { games, found } = sum(&tallies);
    say(&format!("all: {games} games, {found} with findings"));
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
    said: &mut Seldom,
    game: &ListedGame,
    finding: Option<&Finding>,
    tallies: &BTreeMap<String, Tally>,
) {
    if let Some(Finding { version, what }) = finding {
        let ListedGame { id, row } = game;
        say(&format!("{id} {} version {version}: {what}", row.ruleset));
    }
    if said.now().is_some() {
        let Tally { games, found } = sum(tallies);
        tell(&format!("{games} games replayed, {found} with findings"));
    }
}

fn sum(tallies: &BTreeMap<String, Tally>) -> Tally {
    let add = |sum: Tally, tally: &Tally| Tally {
        games: sum.games + tally.games,
        found: sum.found + tally.found,
    };
    tallies.values().fold(Tally::default(), add)
}

#[expect(clippy::print_stdout, reason = "the answer to check-games")]
fn say(text: &str) {
    println!("{text}");
}

#[expect(clippy::print_stderr, reason = "the progress, for whoever waits")]
fn tell(text: &str) {
    eprintln!("{text}");
}
