//! Everything is paid by somebody: the kernel's account of the process, and the accounts of `GET /top`, agree under floods
//! through every door. What is left is the work of the server itself.

use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, ada_and_bob, game_of};
use gamekeeper_tests::http::{ask, send};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

/// The duration of each flood.
const FLOOD: Duration = Duration::from_secs(3);

/// The number of callers of a flood.
const CALLERS: usize = 8;

/// How far the two accounts may differ because they are not read at the same moment, and because the kernel counts in
/// ticks, in seconds.
const READING: f64 = 0.1;

/// The least part of the processor time that accounts have in a flood of small calls. The rest is handing work from one
/// thread to another, reading and writing, drivers of stores, and timers: about half with the embedded store.
const SMALL: f64 = 0.3;

/// The least part of the processor time that accounts have in a flood of large calls.
const HEAVY: f64 = 0.8;

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

/// Returns the processor time of all tenants and strangers, in seconds.
async fn of_accounts(server: &Gamekeeperd) -> f64 {
    let (status, text) = ask(server.admin(), "GET", "/top?limit=1000", "").await;
    assert_eq!(status, 200, "{text}");
    let top: Value = serde_json::from_str(&text).unwrap();
    let tenants = top["tenants"].as_array().unwrap().iter();
    tenants
        .map(|tenant| tenant["cpu_seconds"].as_f64().unwrap())
        .sum()
}

/// Repeats calls for as long as a flood lasts, by several callers at once.
async fn flood<F: Future<Output = ()>>(call: impl Fn() -> F) {
    let until = Instant::now() + FLOOD;
    let callers = (0..CALLERS).map(|_| async {
        while Instant::now() < until {
            call().await;
        }
    });
    join_all(callers).await;
}

/// Measures a flood: the accounts never have more than the kernel, and at least this part of it.
async fn is_paid(server: &Gamekeeperd, what: &str, part: f64, flood: impl Future<Output = ()>) {
    let before = (of_kernel(server), of_accounts(server).await);
    flood.await;
    let (kernel, accounts) = (
        of_kernel(server) - before.0,
        of_accounts(server).await - before.1,
    );
    // On a busy machine a flood gets less of the processor; the bounds below allow for the error of a reading.
    assert!(kernel > 2.0 * READING, "{what}: a flood of {kernel} s");
    assert!(
        accounts <= kernel * 1.02 + READING,
        "{what}: {accounts} s of {kernel} s"
    );
    assert!(
        accounts + READING >= kernel * part,
        "{what}: {accounts} s of {kernel} s"
    );
}

/// Creates a game of Caylus in which bots that search have all seats.
async fn game_of_bots(server: &Gamekeeperd) {
    let mut create = game_of(&["Ada", "Bob"]);
    "caylus".clone_into(&mut create.ruleset);
    for player in &mut create.players {
        player.bot = Some(pb::Bot {
            policy: String::from("search"),
            // A thought is charged when it is over.
            max_think_time: Some(prost_types::Duration {
                seconds: 0,
                nanos: 50_000_000,
            }),
        });
    }
    let created = server.games().create_game(bearing(RED, create)).await;
    created.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_accounts_have_what_the_kernel_has_at_every_door() {
    let keys = KeyFiles::new();
    let directory = TempDir::new().unwrap();
    let data = format!("--data-dir={}", directory.path().join("games").display());
    let flags = [
        "--store=embedded",
        &data,
        "--admin-listen=127.0.0.1:0",
        "--max-rate=0",
    ];
    let server = &keys.server(&flags);
    let created = server
        .games()
        .create_game(bearing(RED, ada_and_bob()))
        .await;
    let table = Table::of(created.unwrap().into_inner());
    let game_id = table.game.game_id.clone();

    let games = server.games();
    let look = || {
        let mut games = games.clone();
        let show = pb::Show {
            view: true,
            ..Default::default()
        };
        let look = pb::GetGameRequest {
            game_id: game_id.clone(),
            show: Some(show),
            ..Default::default()
        };
        async move {
            games.get_game(bearing(RED, look)).await.unwrap();
        }
    };
    is_paid(server, "small calls", SMALL, flood(look)).await;

    let create = || {
        let mut games = games.clone();
        async move {
            let create = bearing(RED, ada_and_bob());
            games.create_game(create).await.unwrap();
        }
    };
    is_paid(server, "creations", SMALL, flood(create)).await;

    let token = format!("Bearer {RED}");
    let body = json!({"gameId": game_id, "show": {"view": true, "drawing": {}}}).to_string();
    let in_json = || async {
        let headers = [
            ("content-type", "application/json"),
            ("authorization", token.as_str()),
        ];
        let path = "/gamekeeper.v1.GameService/GetGame";
        let answer = send(server.address(), "POST", path, &headers, &body).await;
        assert_eq!(answer.status, 200);
    };
    is_paid(server, "drawings in JSON", HEAVY, flood(in_json)).await;

    let picture = || {
        let mut games = games.clone();
        let show = pb::Show {
            drawing: Some(pb::DrawingStyle {
                raster: true,
                ..Default::default()
            }),
            ..Default::default()
        };
        let look = pb::GetGameRequest {
            game_id: game_id.clone(),
            show: Some(show),
            ..Default::default()
        };
        async move {
            games.get_game(bearing(RED, look)).await.unwrap();
        }
    };
    is_paid(server, "pictures", HEAVY, flood(picture)).await;

    let bots = async {
        game_of_bots(server).await;
        game_of_bots(server).await;
        sleep(FLOOD).await;
    };
    is_paid(server, "bots", HEAVY, bots).await;
}
