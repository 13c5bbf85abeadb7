//! A trial: several games, from their beginning to their end.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::check::check;
use super::client::{Player, watch};
use super::history::WATCHES;
use super::world::{TROUBLE, World};

/// The number of games of a trial.
const GAMES: usize = 4;

/// The number of seats of a game. Each seat has two clients, like a player with two windows.
const SEATS: u32 = 2;

/// The time without faults within which all games end, and watches have shown all of them.
const PATIENCE: Duration = Duration::from_secs(600);

/// The time within which calls in flight complete.
const SETTLED: Duration = Duration::from_secs(30);

/// Plays games through all faults, and returns the flaws found.
pub(super) async fn play(world: &Arc<World>) -> Vec<String> {
    let trouble = tokio::spawn(Arc::clone(world).trouble());
    let mut clients = JoinSet::new();
    for number in 0..GAMES {
        let game = Player::create(world, SEATS, number).await;
        for client in 0..2 * SEATS {
            let player = Player::new(world, game, 1 + client % SEATS, client);
            clients.spawn(player.play());
        }
        for _ in 0..WATCHES {
            clients.spawn(watch(Arc::clone(world), game));
        }
    }
    let ended = timeout(TROUBLE + PATIENCE, async {
        while let Some(client) = clients.join_next().await {
            client.unwrap();
        }
    });
    if ended.await.is_err() {
        let late = String::from("games or watches did not end in good weather");
        world.history().flaw(late);
        clients.abort_all();
    }
    trouble.abort();
    world.calm();
    sleep(SETTLED).await;
    check(world).await
}
