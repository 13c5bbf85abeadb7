//! Kinds of webhooks: each is sent once, for the seats that it concerns.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::Client;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use gamekeeper_tests::webhooks::{Answer, Forward, Hook, Receiver};
use tokio::time::sleep;

use super::{about, act, check_arrivals, created, expected, game_at, play, short_game};

/// Returns version and seat of all webhooks of a kind. Those of one version have no order.
fn of(kind: &str, hooks: &[Hook]) -> Vec<(u64, u64)> {
    let hooks = hooks.iter().filter(|hook| hook.kind() == kind);
    let mut of: Vec<_> = hooks.map(|hook| (hook.version(), hook.seat())).collect();
    of.sort_unstable();
    of
}

async fn update(client: &mut Client, game_id: &str, name: &str, label: &str) {
    let change = pb::PlayerUpdate {
        seat: 1,
        name: Some(name.to_owned()),
        ..Default::default()
    };
    let call = pb::UpdateGameRequest {
        game_id: game_id.to_owned(),
        players: vec![change],
        set_labels: [(String::from("round"), label.to_owned())].into(),
        ..Default::default()
    };
    client.update_game(bearing(RED, call)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_and_ends_arrive_once_and_renames_repeat_none() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    // The receiver hears of earlier games, too.
    let mut client = server.games();
    let before = created(&mut client, short_game(&["ada", "bob"]))
        .await
        .unwrap();
    let mut forward = Forward::new(server.address(), RED, &receiver.url(), "").started();
    receiver
        .until("the game that was there", |all| all.len() >= 2)
        .await;
    let game = created(&mut client, short_game(&["ada", "bob"]))
        .await
        .unwrap();
    receiver.until("the beginning", |all| all.len() == 4).await;
    update(&mut client, &game, "Anna", "one").await;
    act(&mut client, &game, 1).await.unwrap();
    update(&mut client, &game, "Annie", "two").await;
    for id in [&before, &game] {
        play(&mut client, id).await;
        update(&mut client, id, "Ann", "three").await;
    }
    let mut count = 0;
    for id in [&before, &game] {
        let expected = expected(&mut client, id).await;
        count += expected.len();
        let hooks = receiver
            .until("the end", |all| {
                all.iter().filter(|hook| hook.game() == id).count() >= expected.len()
            })
            .await;
        check_arrivals(&hooks, id, &expected);
    }
    // Nothing more comes, and nothing came twice.
    sleep(Duration::from_millis(500)).await;
    assert_eq!(receiver.arrived().len(), count);
    assert!(forward.stop());
    forward.start();
    sleep(Duration::from_secs(2)).await;
    assert_eq!(
        receiver.arrived().len(),
        count,
        "a restart repeats nothing that was noted"
    );

    let hook = &receiver.arrived()[0];
    assert_eq!(hook.body["type"], "game.your_turn");
    assert_eq!(
        hook.body["data"]["user"],
        if hook.seat() == 1 { "ada" } else { "bob" }
    );
    assert!(hook.body["data"]["due"].is_null());
    assert!(hook.id.starts_with("msg_") && hook.signature.starts_with("v1,"));
}

#[tokio::test(flavor = "multi_thread")]
async fn take_backs_repeat_none_and_proposals_go_to_those_asked() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    let _forward = Forward::new(server.address(), RED, &receiver.url(), "").started();
    let mut client = server.games();
    let game = created(
        &mut client,
        pb::CreateGameRequest {
            table: Some(pb::TableOptions {
                take_back: pb::TakeBackPolicy::Agreed.into(),
                end_by_agreement: true,
                ..Default::default()
            }),
            ..short_game(&["ada", "bob", "cyd"])
        },
    )
    .await
    .unwrap();
    // A turn that is over before its webhook is sent has none.
    receiver
        .until("the first turns", |all| of("your_turn", all).len() == 3)
        .await;
    act(&mut client, &game, 1).await.unwrap();
    // Seat 1 asks to take it back (version 3), the others agree (4, 5).
    let take_back = pb::TakeBackRequest {
        game_id: game.clone(),
        seat: 1,
        to_version: 1,
        ..Default::default()
    };
    client.take_back(bearing(RED, take_back)).await.unwrap();
    for seat in [2, 3] {
        let answer = pb::AnswerProposalRequest {
            game_id: game.clone(),
            seat,
            number: 3,
            agrees: true,
            ..Default::default()
        };
        client.answer_proposal(bearing(RED, answer)).await.unwrap();
    }
    let info = game_at(&mut client, &game, 0).await.unwrap();
    assert_eq!(
        (info.version, info.pending.len()),
        (5, 3),
        "the table of version 1"
    );
    // Now seat 2 acts: nobody has a new decision.
    act(&mut client, &game, 2).await.unwrap();
    let end = pb::EndGameRequest {
        game_id: game.clone(),
        ..Default::default()
    };
    client.end_game(bearing(RED, end)).await.unwrap();
    let hooks = receiver
        .until("the end", |all| of("over", all).len() == 3)
        .await;
    assert_eq!(of("your_turn", &hooks), [(1, 1), (1, 2), (1, 3)]);
    assert_eq!(of("proposal", &hooks), [(3, 2), (3, 3)]);
    assert_eq!(of("over", &hooks), [(7, 1), (7, 2), (7, 3)]);
}

fn clock(seconds: u32) -> pb::CreateGameRequest {
    pb::CreateGameRequest {
        table: Some(pb::TableOptions {
            clock: Some(pb::ClockOptions {
                decision_seconds: seconds,
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..short_game(&["ada", "bob"])
    }
}

/// Returns the reminders about a game.
fn reminders(all: &[Hook], id: &str) -> Vec<(u64, u64)> {
    let about_game = all.iter().filter(|hook| hook.game() == id);
    of("due_soon", &about_game.cloned().collect::<Vec<_>>())
}

fn check_due(reminder: &Hook, due_s: i64) {
    let text = reminder.body["data"]["due"].as_str().unwrap();
    let time = humantime::parse_rfc3339(text).unwrap();
    let time = time.duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(time.as_secs(), u64::try_from(due_s).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_are_reminded_once_by_their_clock_or_after_a_while() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    let times = "--due-soon 60s --remind-after 2s --admin-listen 127.0.0.1:0";
    let mut forward = Forward::new(server.address(), RED, &receiver.url(), times).started();
    let mut client = server.games();
    let soon = created(&mut client, clock(50)).await.unwrap();
    let late = created(&mut client, clock(5_000)).await.unwrap();
    let plain = created(&mut client, short_game(&["ada", "bob"]))
        .await
        .unwrap();
    act(&mut client, &plain, 1).await.unwrap();
    let hooks = receiver
        .until("reminders", |all| {
            reminders(all, &soon).len() == 2 && reminders(all, &plain).len() == 1
        })
        .await;
    // The version is that at which the decision began, whatever others did since.
    assert_eq!(reminders(&hooks, &plain), [(1, 2)]);
    assert_eq!(reminders(&hooks, &late), []);
    let reminder = hooks
        .iter()
        .find(|hook| hook.kind() == "due_soon" && hook.game() == soon)
        .unwrap();
    let due = game_at(&mut client, &soon, 0).await.unwrap().pending[0].due;
    check_due(reminder, due.unwrap().seconds);
    // More time makes another reminder, as soon as that is near; a restart makes none.
    sleep(Duration::from_secs(1)).await;
    forward.kill();
    forward.start();
    let call = pb::AddTimeRequest {
        game_id: soon.clone(),
        seats: vec![2],
        time: Some("5s".parse().unwrap()),
        ..Default::default()
    };
    client.add_time(bearing(RED, call)).await.unwrap();
    let hooks = receiver
        .until("another", |all| reminders(all, &soon).len() >= 3)
        .await;
    let ids: std::collections::BTreeSet<_> = hooks
        .iter()
        .filter(|hook| hook.kind() == "due_soon" && hook.game() == soon)
        .map(|hook| (hook.seat(), hook.id.clone()))
        .collect();
    assert_eq!(ids.len(), 3, "{ids:?}");
    sleep(Duration::from_secs(3)).await;
    let taken = receiver.taken();
    assert_eq!(reminders(&taken, &plain), [(1, 2)]);
    let again = taken
        .iter()
        .filter(|hook| hook.kind() == "due_soon")
        .map(|hook| (hook.game().to_owned(), about(hook), hook.id.clone()));
    assert_eq!(again.collect::<std::collections::BTreeSet<_>>().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_choose_games_and_kinds_and_metrics_count() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let receiver = Receiver::start().await;
    receiver.answer(|_| Answer::Take);
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let more = format!("--label league=gold --ruleset goofspiel --kind over --admin-listen {port}");
    let _forward = Forward::new(server.address(), RED, &receiver.url(), &more).started();
    let mut client = server.games();
    let labeled = |league: &str| pb::CreateGameRequest {
        labels: [(String::from("league"), league.to_owned())].into(),
        ..short_game(&["ada", "bob"])
    };
    let tin = created(&mut client, labeled("tin")).await.unwrap();
    let gold = created(&mut client, labeled("gold")).await.unwrap();
    play(&mut client, &tin).await;
    play(&mut client, &gold).await;
    let hooks = receiver.until("the end", |all| all.len() >= 2).await;
    sleep(Duration::from_millis(500)).await;
    assert_eq!(receiver.arrived().len(), 2);
    assert!(
        hooks
            .iter()
            .all(|hook| hook.game() == gold && hook.kind() == "over")
    );
    let address = port.to_string();
    assert_eq!(ask(&address, "GET", "/livez", "").await.0, 200);
    assert_eq!(ask(&address, "GET", "/readyz", "").await.0, 200);
    let (status, text) = ask(&address, "GET", "/metrics", "").await;
    assert_eq!(status, 200);
    for line in [
        "gamekeeper_forward_delivered_total{kind=\"over\"} 2",
        "gamekeeper_forward_requests_total{outcome=\"delivered\"} 2",
        "gamekeeper_forward_queued 0",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
    assert!(!text.contains(&gold), "metrics name no game");
}
