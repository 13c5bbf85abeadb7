//! How long lists of one tenant's games take, however many it has.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use futures_util::StreamExt;
use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::dominion::Dominion;
use gamekeeperd::auth::{AuthConfig, Authority, Caller};
use gamekeeperd::config::Config;
use gamekeeperd::games::{Games, House, Keeper, Registry};
use gamekeeperd::store::{
    EmbeddedConfig, GameStore, RedisConfig, RedisTopology, StoreConfig, open,
};
use gamekeeperd::telemetry::Telemetry;
use pb::{GameStatus, ListGamesRequest, Player};
use tokio_util::sync::CancellationToken;

use crate::report::{row, table};

/// What is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Games of the tenant
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    /// Users; each game has two
    #[arg(long, default_value_t = 20_000)]
    users: u64,
    /// How often each list is asked for
    #[arg(long, default_value_t = 200)]
    times: u32,
    /// Measure a Redis at this address too
    #[arg(long, value_name = "HOST:PORT")]
    redis: Option<String>,
}

/// How many games are created at the same time.
const AT_ONCE: usize = 64;

/// Measures lists.
///
/// # Panics
/// When anything goes wrong.
pub fn run(plan: &Plan) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let mut rows = vec![row(["store", "list", "games", "median us", "99 of 100 us"])];
    for (name, config) in stores(plan, folder.path()) {
        runtime.block_on(of_store(plan, name, config, &mut rows));
    }
    table(&rows);
}

fn stores(plan: &Plan, folder: &Path) -> Vec<(&'static str, StoreConfig)> {
    let embedded = StoreConfig::Embedded(EmbeddedConfig::new(folder));
    let mut stores = vec![("memory", StoreConfig::Memory), ("embedded", embedded)];
    if let Some(address) = plan.redis.clone() {
        let redis = RedisConfig::new(RedisTopology::Single { address });
        stores.push(("Redis", StoreConfig::Redis(redis)));
    }
    stores
}

async fn of_store(plan: &Plan, name: &str, config: StoreConfig, rows: &mut Vec<Vec<String>>) {
    let store = open(config).await.expect("a store");
    let games = games(&store);
    let begun = Instant::now();
    let created = (0..plan.games).map(|number| create(&games, plan, number));
    let mut created = futures_util::stream::iter(created).buffer_unordered(AT_ONCE);
    while created.next().await.is_some() {}
    println!("{name}: {} games in {:?}", plan.games, begun.elapsed());
    drop(created);
    let keepers: Vec<Arc<dyn Keeper>> = vec![Arc::clone(&games) as Arc<dyn Keeper>];
    let registry = Registry::new(games_house(&store), keepers);
    for (list, call) in lists(plan) {
        let (found, mut times) = measured(&registry, &call, plan.times).await;
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 100].as_micros().to_string();
        rows.push(vec![
            name.to_owned(),
            list.to_owned(),
            found.to_string(),
            at(50),
            at(99),
        ]);
    }
    store.close().await.expect("an end");
}

fn games_house(store: &Arc<dyn GameStore>) -> Arc<House> {
    let authority = Authority::load(&AuthConfig::Open).expect("an authority without files");
    let telemetry = Telemetry::silent().expect("metrics that nobody reads");
    House::new(
        Arc::clone(store),
        Arc::new(authority),
        Config::parse_from(["gamekeeperd"]).settings(),
        CancellationToken::new(),
        Arc::clone(telemetry.metrics()),
    )
}

fn games(store: &Arc<dyn GameStore>) -> Arc<Games<Dominion>> {
    Arc::new(Games::new(games_house(store)))
}

fn caller() -> Caller {
    Caller::Tenant(String::from("the tenant"))
}

async fn create(games: &Games<Dominion>, plan: &Plan, number: u64) {
    let user = |at: u64| format!("user {}", at % plan.users);
    let player = |at: u64| Player {
        name: format!("player {at}"),
        user: user(number * 7 + at * 13),
        ..Player::default()
    };
    let label = |key: &str, value: u64| (key.to_owned(), value.to_string());
    let call = dominion::CreateGameRequest {
        players: (0..2).map(player).collect(),
        labels: BTreeMap::from([label("league", number % 10), label("table", number)]),
        ..Default::default()
    };
    games.create(&caller(), call).await.expect("a game");
}

fn lists(plan: &Plan) -> Vec<(&'static str, ListGamesRequest)> {
    let plain = ListGamesRequest {
        page_size: 20,
        ..Default::default()
    };
    let user = String::from("user 7");
    let label = |key: &str, value: String| BTreeMap::from([(key.to_owned(), value)]);
    vec![
        ("all, by creation", plain.clone()),
        (
            "all, by change",
            ListGamesRequest {
                order: pb::GameOrder::UpdateTime.into(),
                ..plain.clone()
            },
        ),
        (
            "of a user",
            ListGamesRequest {
                user: user.clone(),
                ..plain.clone()
            },
        ),
        (
            "active of a user",
            ListGamesRequest {
                user: user.clone(),
                status: GameStatus::Active.into(),
                ..plain.clone()
            },
        ),
        (
            "awaiting a user",
            ListGamesRequest {
                awaiting_user: user.clone(),
                ..plain.clone()
            },
        ),
        (
            "a tenth, by label",
            ListGamesRequest {
                labels: label("league", String::from("3")),
                ..plain.clone()
            },
        ),
        (
            "one, by label",
            ListGamesRequest {
                labels: label("table", (plan.games / 2).to_string()),
                ..plain.clone()
            },
        ),
        (
            "finished, of which there are none",
            ListGamesRequest {
                status: GameStatus::Finished.into(),
                ..plain
            },
        ),
    ]
}

/// How many games the first page has, and how long it took.
async fn measured(
    registry: &Registry,
    call: &ListGamesRequest,
    times: u32,
) -> (usize, Vec<Duration>) {
    let (mut found, mut took) = (0, Vec::new());
    for _ in 0..times.max(1) {
        let begun = Instant::now();
        let page = registry.list(&caller(), call).await.expect("a page");
        took.push(begun.elapsed());
        found = page.games.len();
    }
    (found, took)
}
