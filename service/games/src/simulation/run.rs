//! A run: several games, from their beginning to their end.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::check::check;
use super::client::{SimClient, watch_game};
use super::history::WATCHES;
use super::simulated_cluster::{FAULT_PERIOD, Simulation};

/// The number of games of a run.
const GAMES: usize = 4;

/// The number of seats of a game. Each seat has two clients, like a player with two windows.
const SEATS: u32 = 2;

/// The time without faults within which all games end, and watches have shown all of them.
const END_TIMEOUT: Duration = Duration::from_secs(600);

/// The time within which calls in flight complete.
const SETTLE_TIME: Duration = Duration::from_secs(30);

/// Plays games through all faults, and returns the flaws found.
pub(super) async fn run(world: &Arc<Simulation>) -> Vec<String> {
    let trouble = tokio::spawn(Arc::clone(world).inject_faults());
    let mut clients = JoinSet::new();
    for number in 0..GAMES {
        let game = SimClient::create(world, SEATS, number).await;
        for client in 0..2 * SEATS {
            let player = SimClient::new(world, game, 1 + client % SEATS, client);
            clients.spawn(player.play());
        }
        for _ in 0..WATCHES {
            clients.spawn(watch_game(Arc::clone(world), game));
        }
    }
    let ended = timeout(FAULT_PERIOD + END_TIMEOUT, async {
        while let Some(client) = clients.join_next().await {
            client.unwrap();
        }
    });
    if ended.await.is_err() {
        let timeout_text = String::from("games or watches did not end in good weather");
        world.history().report_violation(timeout_text);
        clients.abort_all();
    }
    trouble.abort();
    world.stop_faults();
    sleep(SETTLE_TIME).await;
    check(world).await
}
