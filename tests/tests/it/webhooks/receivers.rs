//! Receivers that fail: they hold up their game alone, are tried again as they ask, and are left alone once they are
//! gone.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use gamekeeper_tests::dominion::Client;
use gamekeeper_tests::tokens::{KeyFiles, RED};
use gamekeeper_tests::webhooks::{Answer, Forward, Hook, Receiver};
use tokio::time::sleep;

use super::{check_arrivals, created, expected, play, short_game};

async fn twelve_games(client: &mut Client) -> Vec<String> {
    let mut games = Vec::new();
    for _ in 0..12 {
        let call = short_game(&["ada", "bob"]);
        games.push(created(client, call).await.unwrap());
    }
    games
}

/// Waits until something arrived about this many games: what is answered before the feed begins is no news.
async fn begun(receiver: &Receiver, count: usize) {
    loop {
        let arrived = receiver.arrived();
        let games: BTreeSet<_> = arrived.iter().map(Hook::game).collect();
        if games.len() >= count {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_fail_or_hang_hold_up_no_other() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    let mut client = server.games();
    let games = twelve_games(&mut client).await;
    // Each way to fail, for a third of the games; with four requests at once, all of them are soon under way.
    let failing = games[..9].to_vec();
    receiver.answer(move |hook| {
        let at = failing.iter().position(|id| id == hook.game());
        match at.map(|at| at % 3) {
            Some(0) => Answer::Refuse(500, String::new()),
            Some(1) => Answer::Hang,
            Some(_) => Answer::Refuse(302, String::from("location: /elsewhere")),
            None => Answer::Take,
        }
    });
    let _forward =
        Forward::new(server.address(), RED, &receiver.url(), "--concurrency 4").started();
    begun(&receiver, games.len()).await;
    for id in &games {
        play(&mut client, id).await;
    }
    for id in &games[9..] {
        let expected = expected(&mut client, id).await;
        let hooks = receiver
            .until("games that do not fail", |all| {
                all.iter().filter(|hook| hook.game() == id).count() >= expected.len()
            })
            .await;
        check_arrivals(&hooks, id, &expected);
    }
    assert!(
        receiver
            .taken()
            .iter()
            .all(|hook| games[9..].iter().any(|id| id == hook.game()))
    );
    // As soon as it is well, everything arrives, in order.
    receiver.answer(|_| Answer::Take);
    for id in &games {
        let expected = expected(&mut client, id).await;
        let hooks = receiver
            .until("everything", |all| {
                all.iter().filter(|hook| hook.game() == id).count() >= expected.len()
            })
            .await;
        check_arrivals(&hooks, id, &expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_may_ask_to_be_left_alone_for_a_while() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    let mut is_asked = false;
    receiver.answer(move |_| match std::mem::replace(&mut is_asked, true) {
        false => Answer::Refuse(429, String::from("retry-after: 4")),
        true => Answer::Take,
    });
    let _forward = Forward::new(server.address(), RED, &receiver.url(), "").started();
    created(&mut server.games(), short_game(&["ada", "bob"]))
        .await
        .unwrap();
    let begun = Instant::now();
    receiver
        .until("the second attempt", |all| all.len() >= 2)
        .await;
    let arrived = receiver.arrived();
    assert_eq!(arrived[0].id, arrived[1].id);
    assert!(arrived[1].at - arrived[0].at >= Duration::from_secs(4));
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_never_taken_becomes_a_dead_letter() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    receiver.answer(|hook| match hook.seat() {
        1 => Answer::Refuse(400, String::new()),
        _ => Answer::Take,
    });
    let more = "--give-up-after 3s --kind your_turn";
    let mut forward = Forward::new(server.address(), RED, &receiver.url(), more).started();
    let game = created(&mut server.games(), short_game(&["ada", "bob"]))
        .await
        .unwrap();
    let taken = receiver
        .until("what follows it", |all| !all.is_empty())
        .await;
    assert_eq!(taken[0].seat(), 2);
    let letters = forward.dead_letters();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0]["body"]["data"]["game"], game.as_str());
    assert_eq!(letters[0]["body"]["data"]["seat"], 1);
    assert_eq!(letters[0]["id"], receiver.arrived()[0].id.as_str());
    assert!(letters[0]["attempts"].as_u64() > Some(1));
    assert!(letters[0]["last_failure"].as_str().unwrap().contains("400"));
    // It is settled.
    assert!(forward.stop());
    let count = receiver.arrived().len();
    forward.start();
    sleep(Duration::from_secs(2)).await;
    assert_eq!(receiver.arrived().len(), count);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_gets_nothing_until_somebody_says_so() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    receiver.answer(|_| Answer::Refuse(410, String::new()));
    let mut forward = Forward::new(server.address(), RED, &receiver.url(), "").started();
    created(&mut server.games(), short_game(&["ada", "bob"]))
        .await
        .unwrap();
    assert_eq!(forward.ended(), Some(1));
    let count = receiver.arrived().len();
    let ended = forward.run("");
    assert_eq!((ended.code, receiver.arrived().len()), (1, count));
    assert!(ended.err.contains("410 Gone"), "{}", ended.err);
    receiver.answer(|_| Answer::Take);
    let ended = forward.run("--give-up-after 1x");
    assert_eq!(ended.code, 2, "{}", ended.err);
    let mut again = forward;
    again.start_with("--again");
    receiver.until("both turns", |all| all.len() >= 2).await;
    again.kill();
    again.start();
    created(&mut server.games(), short_game(&["ada", "bob"]))
        .await
        .unwrap();
    receiver
        .until("it is remembered no more", |all| all.len() >= 4)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn command_lines_that_cannot_work_are_refused() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    let plain = receiver.url().replace("127.0.0.1", "example.org");
    let forward = Forward::new(server.address(), RED, &plain, "");
    let ended = forward.run("");
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("https://"), "{}", ended.err);
    let forward = Forward::new(server.address(), "no key at all", &receiver.url(), "");
    assert_eq!(forward.run("").code, 6);
    let mut forward = Forward::new(server.address(), RED, &receiver.url(), "").started();
    created(&mut server.games(), short_game(&["ada", "bob"]))
        .await
        .unwrap();
    receiver.until("it runs", |all| all.len() >= 2).await;
    let ended = forward.run("");
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("another process"), "{}", ended.err);
    forward.kill();
}
