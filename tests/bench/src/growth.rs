//! The cost of many stored games, and of long games.

use serde::Serialize;

use crate::report::{row, table, write};
use crate::service::Store;
use crate::service::processes::{Load, Process, build, load};

/// The numbers and lengths of the games that are measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Stores
    #[arg(long, value_delimiter = ',', default_values = ["memory", "redis"])]
    stores: Vec<Store>,
    /// Numbers of stored games
    #[arg(long, value_delimiter = ',', default_values = ["1", "1000", "100000"])]
    stored: Vec<u64>,
    /// Lengths of games
    #[arg(long, value_delimiter = ',', default_values = ["50", "200", "2000"])]
    lengths: Vec<u64>,
    /// The ruleset
    #[arg(long, default_value = "dominion")]
    ruleset: String,
    /// How long each time, in seconds
    #[arg(long, default_value_t = 3)]
    seconds: u64,
}

#[derive(Debug, Serialize)]
struct Grown {
    store: String,
    stored: u64,
    longest: u64,
    cached: bool,
    load: Load,
}

/// Measures the growth of the cost.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    build();
    let mut all = Vec::new();
    for store in &plan.stores {
        for stored in &plan.stored {
            for cached in [true, false] {
                all.push(try_one(plan, *store, *stored, 2_000, cached));
            }
        }
        for longest in &plan.lengths {
            all.push(try_one(plan, *store, 1, *longest, true));
        }
    }
    let mut rows = vec![row([
        "store",
        "stored games",
        "cached",
        "moves",
        "apply/s",
        "CPU us",
        "server B/game",
        "store B/game",
    ])];
    for one in &all {
        let bytes = |name| match one.load.process(name) {
            Some(used) if one.stored > 1 => {
                let grown = used.memory_before.saturating_sub(used.memory_at_start);
                (grown / one.stored).to_string()
            }
            Some(_) | None => String::from("-"),
        };
        let rate = one.load.method("apply").per_second;
        rows.push(vec![
            one.store.clone(),
            one.stored.to_string(),
            one.cached.to_string(),
            one.longest.to_string(),
            format!("{rate:.0}"),
            format!("{:.1}", one.load.cpu()),
            bytes("server"),
            bytes("store"),
        ]);
    }
    table(&rows);
    write("growth", &all);
}

fn try_one(plan: &Plan, store: Store, stored: u64, longest: u64, cached: bool) -> Grown {
    let folder = tempfile::tempdir().expect("a folder");
    let redis = store.redis();
    // Either all games stay in the cache, or only those that are played.
    let cached_games = if cached { "200000" } else { "256" };
    let server = store.server(
        "gamekeeperd",
        redis.as_ref(),
        folder.path(),
        &["--cached-games", cached_games],
    );
    let others: Vec<(&str, &Process)> = redis.iter().map(|redis| ("store", redis)).collect();
    let flags = [
        plan.ruleset.clone(),
        format!("--idle={stored}"),
        format!("--time={}s", plan.seconds),
        format!("--max-moves={longest}"),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Grown {
        store: format!("{store:?}").to_lowercase(),
        stored,
        longest,
        cached,
        load: load(&server, &others, &flags),
    }
}
