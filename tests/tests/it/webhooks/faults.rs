//! Everything is killed again and again: the receiver, `forward`, the server, Redis. Nothing is lost, nothing comes with
//! two ids, and the order of each game is kept.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::Client;
use gamekeeper_tests::fleet::Fleet;
use gamekeeper_tests::proxy::Proxy;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::tokens::{KeyFiles, RED};
use gamekeeper_tests::webhooks::{Answer, Forward, Receiver};
use rand::RngExt;
use tokio::task::block_in_place;
use tokio::time::sleep;

use super::{act, check_arrivals, created, expected, game_at, short_game};
use crate::faults::rounds;

/// Answers at random, mostly well.
fn moody() -> impl FnMut(&gamekeeper_tests::webhooks::Hook) -> Answer {
    let mut rng = gamekeeper_tests::chance::rng();
    move |_| match rng.random_range(0..20) {
        0 => Answer::Refuse(500, String::new()),
        1 => Answer::Refuse(503, String::from("retry-after: 1")),
        2 => Answer::TakeSilently,
        _ => Answer::Take,
    }
}

/// Plays games to their ends, however often the server is away. Returns their ids.
async fn play_games(fleet: Arc<Fleet>, count: u32) -> Vec<String> {
    let mut client = fleet.clients().remove(0);
    let mut games = Vec::new();
    for number in 0..count {
        let call = pb::CreateGameRequest {
            request_id: format!("game {number}"),
            ..short_game(&["ada", "bob"])
        };
        loop {
            if let Ok(id) = created(&mut client, call.clone()).await {
                games.push(id);
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
    }
    let mut open = games.clone();
    while !open.is_empty() {
        let at = gamekeeper_tests::chance::rng().random_range(0..open.len());
        match game_at(&mut client, &open[at], 0).await {
            Ok(info) if info.pending.is_empty() => drop(open.swap_remove(at)),
            Ok(info) => {
                let _away = act(&mut client, &info.game_id, info.pending[0].seat).await;
            }
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
    games
}

/// Waits until the feed is followed: what was answered before is no news.
async fn begun(fleet: &Fleet, receiver: &Receiver) {
    let call = short_game(&["ada", "bob"]);
    created(&mut fleet.clients().remove(0), call).await.unwrap();
    receiver.until("the beginning", |all| all.len() >= 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_killed_nothing_is_lost_or_out_of_order() {
    let mut redis = RedisServer::start(&RedisOptions::new().with_append_only_file());
    let keys = KeyFiles::new();
    let mut flags = keys.flags();
    flags.extend([
        String::from("--store=redis"),
        format!("--redis={}", redis.address()),
    ]);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let fleet = Arc::new(Fleet::start(1, &flags).await);
    let mut receiver = Receiver::start().await;
    receiver.answer(moody());
    let address = fleet.proxy(0).address().to_string();
    let mut forward = Forward::new(&address, RED, &receiver.url(), "").started();
    begun(&fleet, &receiver).await;
    let playing = tokio::spawn(play_games(Arc::clone(&fleet), rounds(40, 1_000)));
    let mut kills = 0;
    while !playing.is_finished() || kills < 12 {
        sleep(Duration::from_millis(
            gamekeeper_tests::chance::rng().random_range(300..900),
        ))
        .await;
        match kills % 4 {
            0 => {
                forward.kill();
                forward.start();
            }
            1 => {
                receiver.kill().await;
                sleep(Duration::from_millis(300)).await;
                receiver.start_again().await;
            }
            2 => block_in_place(|| fleet.replace(0)),
            _ => block_in_place(|| redis.start_again()),
        }
        kills += 1;
    }
    let games = playing.await.unwrap();
    receiver.answer(|_| Answer::Take);
    let mut client = fleet.clients().remove(0);
    while game_at(&mut client, &games[0], 0).await.is_err() {
        sleep(Duration::from_millis(50)).await;
    }
    for id in &games {
        let expected = expected(&mut client, id).await;
        let hooks = receiver
            .until("everything", |all| {
                let of_game = all.iter().filter(|hook| hook.game() == id);
                let ids: std::collections::BTreeSet<_> = of_game.map(|hook| &hook.id).collect();
                ids.len() >= expected.len()
            })
            .await;
        check_arrivals(&hooks, id, &expected);
    }
    forward.kill();
    // A commit of `forward` is at most 200 ms old: a kill repeats little.
    let (arrived, taken) = (receiver.arrived().len(), games.len() * 10);
    assert!(
        arrived < 4 * taken,
        "{arrived} requests for about {taken} webhooks"
    );
}

/// Begins a game in which seats 1 and 3 still choose, and plays two others to their ends. Returns the ids of the first and
/// the last.
async fn play_meanwhile(client: &mut Client) -> (String, String) {
    let game = created(client, short_game(&["ada", "bob", "cyd"]))
        .await
        .unwrap();
    act(client, &game, 2).await.unwrap();
    let mut ended = String::new();
    for _ in 0..2 {
        let id = created(client, short_game(&["ada", "bob"])).await.unwrap();
        super::play(client, &id).await;
        ended = id;
    }
    (game, ended)
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_expired_cursor_lists_tell_whose_turn_it_is() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let proxy = Proxy::before(server.address()).await;
    let receiver = Receiver::start().await;
    let address = proxy.address().to_string();
    let mut forward = Forward::new(&address, RED, &receiver.url(), "").started();
    created(&mut server.games(), short_game(&["ada", "bob"]))
        .await
        .unwrap();
    receiver
        .until("the first store", |all| all.len() >= 2)
        .await;
    assert!(forward.stop(), "the cursor is stored");
    // Another store: the cursor is none of its.
    let other = keys.server(&["--store=memory"]);
    proxy.lead_to(other.address());
    let mut client = other.games();
    let (game, ended) = play_meanwhile(&mut client).await;
    forward.start();
    let hooks = receiver
        .until("waiting turns", |all| {
            all.iter().filter(|hook| hook.kind() == "your_turn").count() >= 4
        })
        .await;
    let of_game: Vec<_> = hooks
        .iter()
        .filter(|hook| hook.game() == game)
        .map(super::about)
        .collect();
    // Seats 1 and 3 wait since the beginning.
    assert_eq!(
        of_game,
        [
            (1, String::from("your_turn"), 1),
            (1, String::from("your_turn"), 3)
        ]
    );
    let hooks = receiver
        .until("games that ended meanwhile", |all| {
            all.iter().any(|hook| hook.game() == ended)
        })
        .await;
    assert!(
        hooks
            .iter()
            .all(|hook| hook.game() != ended || hook.kind() == "over")
    );
    // The feed goes on from there.
    act(&mut client, &game, 1).await.unwrap();
    act(&mut client, &game, 3).await.unwrap();
    let hooks = receiver
        .until("the next round", |all| {
            all.iter().filter(|hook| hook.version() == 4).count() == 3
        })
        .await;
    assert!(
        hooks
            .iter()
            .all(|hook| hook.kind() != "your_turn" || [1, 4].contains(&hook.version()))
    );
}
