//! The time of lists for a tenant with many games, compared with usual calls.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use futures_util::StreamExt;
use gamekeeper_games::authz::{Caller, Role};
use gamekeeper_games::{AppContext, GameService, Registry, TableRequest};
use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw::{Action, ApplyActionRequest, CreateGameRequest};
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_store::GameStore;
use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_store_redis::{RedisConfig, RedisTopology};
use gamekeeper_wire::Wire;
use gamekeeperd::auth::{AuthConfig, Authenticator};
use gamekeeperd::config::Config;
use gamekeeperd::stores::{StoreConfig, open};
use gamekeeperd::telemetry::Telemetry;
use pb::{GameFilter, GameStatus, GetGameRequest, ListGamesRequest, Player, Show};
use prost_types::Timestamp;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::report::{row, table};

/// The games and lists that are measured.
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

/// The number of games that are created concurrently.
const AT_ONCE: usize = 64;

/// The interval at which a game is over, and at which a game is of another ruleset.
const RARE: u64 = 51;

/// The number of games per page.
const PAGE: i32 = 20;

/// The number of games that precede a deep page.
const DEEP: usize = 5_000;

/// Measures lists.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let mut rows = vec![row(["store", "call", "games", "median us", "99 of 100 us"])];
    for (name, config) in stores(plan, folder.path()) {
        runtime.block_on(of_store(plan, name, config, &mut rows));
    }
    table(&rows);
}

fn stores(plan: &Plan, folder: &Path) -> Vec<(&'static str, StoreConfig)> {
    let embedded = StoreConfig::Embedded(EmbeddedConfig::new(folder));
    let mut stores = vec![
        ("memory", StoreConfig::Memory(DEFAULT_FEED_RETENTION)),
        ("embedded", embedded),
    ];
    if let Some(address) = plan.redis.clone() {
        let redis = RedisConfig::new(RedisTopology::Single { address });
        stores.push(("Redis", StoreConfig::Redis(redis)));
    }
    stores
}

/// The tenant whose games are listed, with the services for its rulesets.
struct Tenant {
    usual: Arc<GameService<Dominion>>,
    other: Arc<GameService<Kingsburg>>,
    registry: Registry,
    games: Vec<pb::GameInfo>,
}

async fn of_store(plan: &Plan, name: &str, config: StoreConfig, rows: &mut Vec<Vec<String>>) {
    let store = open(config).await.expect("a store");
    let begun = Instant::now();
    let tenant = Tenant::of(plan, &store).await;
    println!("{name}: {} games in {:?}", plan.games, begun.elapsed());
    let mut measured = |call: &str, (game_count, mut times): (usize, Vec<Duration>)| {
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 100].as_micros().to_string();
        let game_count = game_count.to_string();
        rows.push(vec![
            name.to_owned(),
            call.to_owned(),
            game_count,
            at(50),
            at(99),
        ]);
    };
    measured("GetGame", tenant.looks(plan.times, None).await);
    let view = Some(Show {
        view: true,
        ..Show::default()
    });
    measured("GetGame, view", tenant.looks(plan.times, view).await);
    measured("ApplyAction", tenant.actions(plan.times).await);
    for list in lists(plan, &tenant.games) {
        for (depth, position) in [(0, "first"), (DEEP, "deep")] {
            if depth == 0 || list.is_long {
                let page = tenant.pages(&list, depth, plan.times).await;
                measured(&format!("{}: {position} page", list.name), page);
            }
        }
    }
    drop(tenant);
    store.close().await.expect("an end");
}

impl Tenant {
    async fn of(plan: &Plan, store: &Arc<dyn GameStore>) -> Self {
        let usual = Arc::new(GameService::<Dominion>::new(shared(store)));
        let other = Arc::new(GameService::<Kingsburg>::new(shared(store)));
        let registry = Registry::empty(shared(store));
        let mut tenant = Self {
            registry: registry
                .with_ruleset::<Dominion>()
                .with_ruleset::<Kingsburg>(),
            usual,
            other,
            games: Vec::new(),
        };
        let created = (0..plan.games).map(|number| tenant.create(plan, number));
        let created = futures_util::stream::iter(created).buffered(AT_ONCE);
        let games: Vec<pb::GameInfo> = created.collect().await;
        tenant.games = games;
        tenant
    }

    async fn create(&self, plan: &Plan, number: u64) -> pb::GameInfo {
        if number % RARE == 1 {
            return create(&*self.other, plan, number).await;
        }
        let game = create(&*self.usual, plan, number).await;
        if number % RARE == 2 {
            // A game for two is over when one of the players resigns.
            let id = id_of(&game);
            let leave = TableRequest::Resign { seat: 1 };
            let over = self
                .usual
                .apply_table_command(&caller(), id, leave, "")
                .await;
            return over.expect("the end of a game");
        }
        game
    }

    /// Returns games of the usual ruleset that are not over, spread over the list.
    fn some(&self, times: u32) -> impl Iterator<Item = &pb::GameInfo> {
        let usual = self
            .games
            .iter()
            .filter(|game| game.ruleset == "dominion" && !game.pending.is_empty());
        let step = (self.games.len() / usize::try_from(times).unwrap_or(1)).max(1);
        usual
            .step_by(step)
            .take(usize::try_from(times).unwrap_or(1))
    }

    async fn looks(&self, times: u32, show: Option<Show>) -> (usize, Vec<Duration>) {
        let mut took = Vec::new();
        for game in self.some(times) {
            let call = GetGameRequest {
                game_id: game.game_id.clone(),
                show: show.clone(),
                ..Default::default()
            };
            let begun = Instant::now();
            let view = self.usual.get_game(&caller(), call).await;
            took.push(begun.elapsed());
            view.expect("a table");
        }
        (1, took)
    }

    async fn actions(&self, times: u32) -> (usize, Vec<Duration>) {
        use dominion::action::Kind;
        let mut took = Vec::new();
        for game in self.some(times) {
            let kind = Some(Kind::EndTurn(dominion::EndTurn::default()));
            let end = EncodedMessage::from_message(&dominion::Action { kind });
            let call = ApplyActionRequest {
                game_id: game.game_id.clone(),
                seat: game.pending[0].seat,
                action: Some(Action {
                    ruleset: Some((Dominion::ONEOF_CODEC.action)(end)),
                }),
                show: Some(Show {
                    view: true,
                    events: true,
                    ..Show::default()
                }),
                ..Default::default()
            };
            let begun = Instant::now();
            let applied = self.usual.apply_action(&caller(), Box::new(call)).await;
            took.push(begun.elapsed());
            applied.expect("an action");
        }
        (1, took)
    }

    /// Reads the page of a list that follows this many games. Returns its number of games, and the duration of each
    /// read.
    async fn pages(&self, list: &List, depth: usize, times: u32) -> (usize, Vec<Duration>) {
        let (mut game_count, mut took) = (0, Vec::new());
        let page_token = self.token_at(list, depth).await;
        for time in 0..times.max(1) {
            let call = ListGamesRequest {
                page_token: page_token.clone(),
                ..(list.call)(time)
            };
            let begun = Instant::now();
            let page = self.registry.list_games(&caller(), &call).await;
            took.push(begun.elapsed());
            game_count = page.expect("a page").games.len();
        }
        (game_count, took)
    }

    async fn token_at(&self, list: &List, depth: usize) -> String {
        let (mut passed, mut page_token) = (0, String::new());
        while passed < depth {
            let call = ListGamesRequest {
                page_size: 1_000,
                page_token,
                ..(list.call)(0)
            };
            let page = self
                .registry
                .list_games(&caller(), &call)
                .await
                .expect("a page");
            passed += page.games.len();
            page_token = page.next_page_token;
            assert!(!page_token.is_empty(), "{} is shorter", list.name);
        }
        page_token
    }
}

fn shared(store: &Arc<dyn GameStore>) -> Arc<AppContext> {
    let authority = Authenticator::load(&AuthConfig::Open).expect("an authority without files");
    let telemetry = Telemetry::silent().expect("metrics that nobody reads");
    AppContext::new(
        Arc::clone(store),
        Arc::new(authority),
        Config::parse_from(["gamekeeperd"]).settings(),
        CancellationToken::new(),
        Arc::clone(telemetry.metrics()),
    )
}

fn caller() -> Caller {
    Caller::new(Role::Tenant(String::from("the tenant")))
}

fn id_of(game: &pb::GameInfo) -> Uuid {
    Uuid::try_parse(&game.game_id).expect("the id of a game")
}

async fn create<W: Wire>(games: &GameService<W>, plan: &Plan, number: u64) -> pb::GameInfo {
    let user = |at: u64| format!("user {}", at % plan.users);
    let player = |at: u64| Player {
        name: format!("player {at}"),
        user: user(number * 7 + at * 13),
        ..Player::default()
    };
    let label = |key: &str, value: u64| (key.to_owned(), value.to_string());
    let call = CreateGameRequest {
        ruleset: W::INFO.id.to_owned(),
        players: (0..2).map(player).collect(),
        labels: BTreeMap::from([label("league", number % 10), label("table", number)]),
        ..Default::default()
    };
    let created = games.create_game(&caller(), call).await.expect("a game");
    let table = created.table.expect("a table");
    table.game.expect("the facts")
}

/// A kind of list that is measured.
struct List {
    name: &'static str,
    /// Whether the list has deep pages.
    is_long: bool,
    /// Builds the request for the given repetition. If there are many users or labels, each repetition uses another
    /// one.
    call: Box<dyn Fn(u32) -> ListGamesRequest>,
}

fn lists(plan: &Plan, games: &[pb::GameInfo]) -> Vec<List> {
    use pb::GameOrder::{CreateTime, UpdateTime};
    let (users, count) = (plan.users, plan.games);
    let user = move |time: u32| format!("user {}", (u64::from(time) * 97 + 7) % users);
    let labels = |key: &str, value: String| BTreeMap::from([(key.to_owned(), value)]);
    let league = move |_| labels("league", String::from("3"));
    let finished: i32 = GameStatus::Finished.into();
    let active: i32 = GameStatus::Active.into();
    let middle: Option<Timestamp> = games.get(games.len() / 2).and_then(|game| game.create_time);
    macro_rules! asking {
        ($name:literal, $is_long:literal, |$time:ident| $($field:ident: $value:expr),* $(,)?) => {
            asking!($name, $is_long, CreateTime, None, |$time| $($field: $value),*)
        };
        ($name:literal, $is_long:literal, $order:expr, $until:expr,
            |$time:ident| $($field:ident: $value:expr),* $(,)?) => {
            List {
                name: $name,
                is_long: $is_long,
                call: Box::new(move |$time| {
                    let _ = $time;
                    let filter = GameFilter { $($field: $value,)* ..GameFilter::default() };
                    ListGamesRequest {
                        filter: Some(filter),
                        order: $order.into(),
                        until_time: $until,
                        page_size: PAGE,
                        ..ListGamesRequest::default()
                    }
                }),
            }
        };
    }
    vec![
        asking!("all, by creation", true, |_time|),
        asking!("all, by change", true, UpdateTime, None, |_time|),
        asking!("of a user", false, |time| user: user(time)),
        asking!("active of a user", false, |time| user: user(time), status: active),
        asking!("finished of a user", false, |time| user: user(time), status: finished),
        asking!("awaiting a user", false, |time| awaiting_user: user(time)),
        asking!("a tenth, by label", true, |time| labels: league(time)),
        asking!("a tenth, by label, active", true, |time| labels: league(time), status: active),
        asking!("a tenth, by label, finished", false, |time| labels: labels("league", String::from("2")), status: finished),
        asking!("one, by label", false, |time| labels: labels("table", (u64::from(time) * 97 % count).to_string())),
        asking!("of a user, by label", false, |time| user: user(time), labels: league(time)),
        asking!("active", true, |_time| status: active),
        asking!("finished, one of 51", false, |_time| status: finished),
        asking!("finished, by change", false, UpdateTime, None, |_time| status: finished),
        asking!("of a ruleset, one of 51", false, |_time| ruleset: String::from("kingsburg")),
        asking!("created before a time", true, CreateTime, middle, |_time|),
        asking!("changed before a time", true, UpdateTime, middle, |_time|),
    ]
}
