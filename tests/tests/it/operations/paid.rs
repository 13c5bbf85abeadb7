//! Everything is paid by somebody: the kernel's account of the process, and the rows of `GET /top`, agree under floods of
//! every method's kind through every door. What belongs to nobody is measured too, and is little.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Client, Table, ada_and_bob, game_of};
use gamekeeper_tests::http::{ask, send};
use gamekeeper_tests::http1::{Http1, head};
use gamekeeper_tests::raw::framed;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use gamekeeper_tests::turns::{LONGEST_TURN, longest_turn};
use gamekeeper_tests::waiting::eventually;
use prost::Message;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

/// The processor time of the process in each flood, in seconds: floods last until it is used, so a busy machine makes them
/// longer and not less exact.
const WORK: f64 = 1.0;

/// The time after which a flood has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// The number of callers of a flood.
const CALLERS: usize = 8;

/// The part of the processor time that rows and kernel may differ by. Both count what threads ran, not what time has
/// passed, so that other processes change nothing.
const DIFFERENCE: f64 = 0.1;

/// How far rows and kernel may differ because they are not read at the same moment, and because the kernel counts in
/// hundredths of a second, in seconds.
const READING: f64 = 0.05;

/// The greatest part of the processor time that belongs to nobody in a flood of small calls: reading sockets, the drivers
/// of timers and Redis.
const SMALL: f64 = 0.25;

/// The greatest part in a flood of large calls. With optimization it is at most 0.04.
const HEAVY: f64 = 0.15;

/// Returns the processor time of the process, from the kernel, in seconds.
fn of_kernel(server: &Gamekeeperd) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.pid())).unwrap();
    // The name of the process is in brackets, and may contain spaces.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks: u64 = fields
        .split(' ')
        .skip(11)
        .take(2)
        .map(|field| field.parse::<u64>().unwrap())
        .sum();
    let millis = ticks * 1_000 / rustix::param::clock_ticks_per_second();
    Duration::from_millis(millis).as_secs_f64()
}

/// The processor time of a process up to now, in seconds.
#[derive(Clone, Copy, Debug)]
struct Used {
    kernel: f64,
    /// The time of all tenants and strangers.
    accounts: f64,
    /// The time of the service itself.
    service: f64,
}

impl Used {
    async fn by(server: &Gamekeeperd) -> Self {
        // Threads without work say once a second what they have used.
        sleep(Duration::from_millis(1_100)).await;
        eventually("a reading within little time of the process", async || {
            let kernel = of_kernel(server);
            let (status, text) = ask(server.admin(), "GET", "/top?limit=1000", "").await;
            assert_eq!(status, 200, "{text}");
            let is_quick = of_kernel(server) - kernel < READING;
            let top: Value = serde_json::from_str(&text).unwrap();
            let tenants = top["tenants"].as_array().unwrap().iter();
            is_quick.then(|| Self {
                kernel,
                accounts: tenants
                    .map(|tenant| tenant["cpu_seconds"].as_f64().unwrap())
                    .sum(),
                service: top["service"]["cpu_seconds"].as_f64().unwrap(),
            })
        })
        .await
    }

    fn since(self, before: Self) -> Self {
        Self {
            kernel: self.kernel - before.kernel,
            accounts: self.accounts - before.accounts,
            service: self.service - before.service,
        }
    }
}

/// A server with a game, and the clients of floods.
struct Scene {
    server: Gamekeeperd,
    /// A connection of each tenant.
    connections: HashMap<&'static str, Client>,
    /// A game of each tenant.
    game_ids: HashMap<&'static str, String>,
    _keys: KeyFiles,
}

impl Scene {
    async fn of(store: &[&str]) -> Self {
        let keys = KeyFiles::new();
        let flags = [store, &["--admin-listen=127.0.0.1:0", "--max-rate=0"]].concat();
        let server = keys.server(&flags);
        let (mut connections, mut game_ids) = (HashMap::new(), HashMap::new());
        for key in [RED, BLUE] {
            let mut games = server.games();
            let created = games.create_game(bearing(key, ada_and_bob())).await;
            let table = Table::of(created.unwrap().into_inner());
            game_ids.insert(key, table.game.game_id);
            connections.insert(key, games);
        }
        Self {
            connections,
            game_ids,
            server,
            _keys: keys,
        }
    }

    /// Measures a flood: rows and kernel agree, at most this part belongs to nobody, and no turn is long. What the
    /// first call makes for all later ones, another tenant has asked for before.
    async fn is_paid(&self, what: &str, part: f64, call: impl AsyncFn(&'static str)) {
        let server = &self.server;
        call(BLUE).await;
        let before = Used::by(server).await;
        let callers = (0..CALLERS).map(|_| async {
            while of_kernel(server) < before.kernel + WORK {
                call(RED).await;
            }
        });
        let flood = timeout(PATIENCE, join_all(callers)).await;
        flood.unwrap_or_else(|_| panic!("{what}: not in time"));
        let used = Used::by(server).await.since(before);
        let rows = used.accounts + used.service;
        assert!(
            (rows - used.kernel).abs() <= used.kernel * DIFFERENCE + READING,
            "{what}: rows and kernel differ: {used:?}"
        );
        assert!(
            used.service <= used.kernel * part + READING,
            "{what}: too much belongs to nobody: {used:?}"
        );
        let longest = longest_turn(server, "red").await;
        assert!(longest <= LONGEST_TURN, "{what}: a turn of {longest:?}");
    }

    fn games(&self, key: &str) -> Client {
        self.connections[key].clone()
    }

    fn game_of(&self, key: &str) -> String {
        self.game_ids[key].clone()
    }

    fn look(&self, key: &str) -> pb::GetGameRequest {
        pb::GetGameRequest {
            game_id: self.game_of(key),
            show: Some(pb::Show {
                view: true,
                ..Default::default()
            }),
            ..Default::default()
        }
    }

    async fn calls(&self) {
        let look = async |key| {
            let look = bearing(key, self.look(key));
            self.games(key).get_game(look).await.unwrap();
        };
        self.is_paid("looks", SMALL, look).await;
        let gateway = self.server.games();
        let look = async |key| {
            let look = bearing(key, self.look(key));
            gateway.clone().get_game(look).await.unwrap();
        };
        self.is_paid("looks through a gateway", SMALL, look).await;
        let create = async |key| {
            let create = bearing(key, ada_and_bob());
            self.games(key).create_game(create).await.unwrap();
        };
        self.is_paid("creations", SMALL, create).await;
        let list = async |key| {
            let list = bearing(key, pb::ListGamesRequest::default());
            self.games(key).list_games(list).await.unwrap();
        };
        self.is_paid("lists", SMALL, list).await;
        let connect = async |key| {
            let mut games = self.server.games();
            games.get_game(bearing(key, self.look(key))).await.unwrap();
        };
        self.is_paid("connections", SMALL, connect).await;
        let refused = async |key| {
            let look = bearing("nobody", self.look(key));
            self.games(key).get_game(look).await.unwrap_err();
        };
        self.is_paid("refusals", SMALL, refused).await;
    }

    async fn streams(&self) {
        let watch = async |key| {
            let watch = bearing(
                key,
                pb::WatchGameRequest {
                    game_id: self.game_of(key),
                    ..Default::default()
                },
            );
            let mut watch = self
                .games(key)
                .watch_game(watch)
                .await
                .unwrap()
                .into_inner();
            watch.message().await.unwrap().unwrap();
        };
        self.is_paid("watches", SMALL, watch).await;
        let mut ended = HashMap::new();
        for key in [RED, BLUE] {
            let mut games = self.games(key);
            let created = games.create_game(bearing(key, ada_and_bob())).await;
            let game_id = Table::of(created.unwrap().into_inner()).game.game_id;
            let end = pb::EndGameRequest {
                game_id: game_id.clone(),
                ..Default::default()
            };
            games.end_game(bearing(key, end)).await.unwrap();
            ended.insert(key, game_id);
        }
        let export = async |key| {
            let export = bearing(
                key,
                pb::ExportGameRequest {
                    game_id: ended[key].clone(),
                    ..Default::default()
                },
            );
            let mut parts = self
                .games(key)
                .export_game(export)
                .await
                .unwrap()
                .into_inner();
            while parts.message().await.unwrap().is_some() {}
        };
        self.is_paid("exports", HEAVY, export).await;
    }

    /// Posts a body and reads the status, on a connection of its own.
    async fn post(&self, method: &str, headers: &str, body: &[u8]) {
        let mut connection = Http1::connect(self.server.address()).await.unwrap();
        let path = format!("/gamekeeper.v1.{method}");
        let head = head(&path, headers, body.len());
        connection
            .send([head.as_bytes(), body].concat())
            .await
            .unwrap();
        assert_eq!(connection.response().await.unwrap().status, 200);
    }

    async fn pages(&self) {
        let bearer = |key| format!("authorization: Bearer {key}\r\n");
        let on_web = async |key| {
            let headers = bearer(key) + "content-type: application/grpc-web+proto\r\n";
            let body = framed(&self.look(key).encode_to_vec());
            self.post("GameService/GetGame", &headers, &body).await;
        };
        self.is_paid("looks of pages", SMALL, on_web).await;
        let in_json = async |key| {
            let body = json!({"gameId": self.game_of(key), "show": {"view": true, "drawing": {}}});
            let (token, body) = (format!("Bearer {key}"), body.to_string());
            let headers = [
                ("content-type", "application/json"),
                ("authorization", token.as_str()),
            ];
            let path = "/gamekeeper.v1.GameService/GetGame";
            let answer = send(self.server.address(), "POST", path, &headers, &body).await;
            assert_eq!(answer.status, 200);
        };
        self.is_paid("drawings in JSON", HEAVY, in_json).await;
        let picture = async |key| {
            let style = pb::DrawingStyle {
                raster: true,
                ..Default::default()
            };
            let look = pb::GetGameRequest {
                show: Some(pb::Show {
                    drawing: Some(style),
                    ..Default::default()
                }),
                ..self.look(key)
            };
            self.games(key).get_game(bearing(key, look)).await.unwrap();
        };
        self.is_paid("pictures", HEAVY, picture).await;
        // Something large, converted and compressed.
        let catalogue = async |key| {
            let headers =
                bearer(key) + "content-type: application/json\r\naccept-encoding: gzip\r\n";
            let body = br#"{"ruleset": "terra_mystica"}"#;
            self.post("RulesetService/GetCatalogue", &headers, body)
                .await;
        };
        self.is_paid("compressed catalogues", HEAVY, catalogue)
            .await;
    }

    /// Measures work that no call asks for. The games play on while the next flood is measured.
    async fn unattended(&self) {
        let clock = pb::ClockOptions {
            decision_seconds: 1,
            claim: pb::TimeoutClaim::Automatic.into(),
            ..Default::default()
        };
        for _ in 0..200 {
            let mut create = ada_and_bob();
            create.table = Some(pb::TableOptions {
                clock: Some(clock),
                ..Default::default()
            });
            self.games(RED)
                .create_game(bearing(RED, create))
                .await
                .unwrap();
        }
        let wait = async |_| sleep(Duration::from_millis(20)).await;
        self.is_paid("clocks", SMALL, wait).await;
        let play = async |key| {
            let mut create = game_of(&["Ada", "Bob"]);
            "caylus".clone_into(&mut create.ruleset);
            for player in &mut create.players {
                player.bot = Some(pb::Bot {
                    policy: String::from("greedy"),
                    ..pb::Bot::default()
                });
            }
            self.games(key)
                .create_game(bearing(key, create))
                .await
                .unwrap();
            sleep(Duration::from_millis(500)).await;
        };
        self.is_paid("bots", HEAVY, play).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_have_what_the_kernel_has_at_every_door() {
    let directory = TempDir::new().unwrap();
    let data = format!("--data-dir={}", directory.path().join("games").display());
    let scene = Scene::of(&["--store=embedded", &data]).await;
    scene.calls().await;
    scene.streams().await;
    scene.pages().await;
    scene.unattended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_have_what_the_kernel_has_with_redis() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let scene = Scene::of(&["--store=redis", &address]).await;
    scene.calls().await;
    scene.streams().await;
}
