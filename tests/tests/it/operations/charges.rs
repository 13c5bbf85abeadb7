//! Charges depend on the calls of a tenant, not on who else uses the server.

use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{ada_and_bob, facts};
use gamekeeper_tests::http::ask;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use serde_json::Value;
use tokio::time::sleep;

/// The number of rounds alone and beside the attacker, in turns.
const ROUNDS: usize = 6;

/// The number of calls of each kind in a round.
const CALLS: usize = 150;

/// The part by which processor time may differ: caches of the processor are colder beside others.
const DIFFERENCE: f64 = 0.1;

/// The use that the tenant has paid for.
#[derive(Clone, Copy, Debug, Default)]
struct Charges {
    cpu_seconds: f64,
    bytes_answered: f64,
    bytes_stored: f64,
}

impl Charges {
    async fn of_red(server: &Gamekeeperd) -> Self {
        let (status, text) = ask(server.admin(), "GET", "/top?tenant=red", "").await;
        assert_eq!(status, 200, "{text}");
        let top: Value = serde_json::from_str(&text).unwrap();
        let number = |name: &str| top["tenants"][0][name].as_f64().unwrap();
        Self {
            cpu_seconds: number("cpu_seconds"),
            bytes_answered: number("bytes_answered"),
            bytes_stored: number("bytes_stored"),
        }
    }

    fn add(&mut self, before: Self, after: Self) {
        self.cpu_seconds += after.cpu_seconds - before.cpu_seconds;
        self.bytes_answered += after.bytes_answered - before.bytes_answered;
        self.bytes_stored += after.bytes_stored - before.bytes_stored;
    }
}

/// Creates a game and looks at it, as the owner of this key.
async fn create_and_look(server: &Gamekeeperd, key: &str) {
    let mut games = server.games();
    for _ in 0..CALLS {
        let created = games
            .create_game(bearing(key, ada_and_bob()))
            .await
            .unwrap();
        let look = pb::GetGameRequest {
            game_id: facts(created.into_inner().table).game_id,
            show: Some(pb::Show {
                view: true,
                text: true,
                ..Default::default()
            }),
            ..Default::default()
        };
        games.get_game(bearing(key, look)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_pays_the_same_beside_an_attacker() {
    let keys = KeyFiles::new();
    let flags = [
        "--store=memory",
        "--admin-listen=127.0.0.1:0",
        "--max-rate=0",
    ];
    let server = keys.server(&flags);
    create_and_look(&server, RED).await;
    let [mut alone, mut beside] = [Charges::default(); 2];
    for round in 0..2 * ROUNDS {
        let is_alone = round % 2 == 0;
        let work = async {
            let before = Charges::of_red(&server).await;
            create_and_look(&server, RED).await;
            sleep(Duration::from_millis(50)).await;
            (before, Charges::of_red(&server).await)
        };
        let sum = if is_alone { &mut alone } else { &mut beside };
        let flood = join_all((0..8).map(|_| async {
            loop {
                create_and_look(&server, BLUE).await;
            }
        }));
        let (before, after) = if is_alone {
            work.await
        } else {
            tokio::select! {
                _ = flood => unreachable!("it does not end"),
                charges = work => charges,
            }
        };
        sum.add(before, after);
    }
    let differ = |of: fn(Charges) -> f64| (of(beside) / of(alone) - 1.0).abs();
    let of_bytes = differ(|of| of.bytes_answered).max(differ(|of| of.bytes_stored));
    assert!(of_bytes < 0.01, "{alone:?}, {beside:?}");
    let of_time = differ(|of| of.cpu_seconds);
    assert!(of_time < DIFFERENCE, "{alone:?}, {beside:?}");
}
