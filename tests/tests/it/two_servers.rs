//! Two processes, one Redis: actions are played on the same games at once, and none is lost or
//! played twice.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_tests::dominion::{Client, Table, choose, players, reason};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;

/// Every game is played by so many players at once, all for whichever seat has to act.
const HANDS: usize = 4;
const GAMES: usize = 4;
const ACTIONS: usize = 60;

/// Plays what seems to be due, again and again, and counts the versions that were answered OK.
async fn hand(mut client: Client, game_id: String, name: String) -> Vec<u64> {
    let mut played = Vec::new();
    let mut tries = 0;
    while played.len() < ACTIONS {
        tries += 1;
        let ask = pb::GetGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        };
        let game = client
            .get_game(ask)
            .await
            .unwrap()
            .into_inner()
            .game
            .unwrap();
        let Some(pending) = game.pending.first() else {
            break;
        };
        let ask = pb::ListLegalActionsRequest {
            game_id: game_id.clone(),
            seat: pending.seat,
            ..Default::default()
        };
        let legal = client.list_legal_actions(ask).await.unwrap().into_inner();
        if legal.actions.is_empty() {
            continue;
        }
        let act = pb::ApplyActionRequest {
            game_id: game_id.clone(),
            seat: pending.seat,
            action: Some(choose(&legal.actions)),
            expected_version: legal.version,
            request_id: format!("{name}-{tries}"),
            ..Default::default()
        };
        match client.apply_action(act).await {
            Ok(answer) => played.push(answer.into_inner().game.unwrap().version),
            Err(status) => {
                let (_, reason) = reason(&status);
                assert_eq!(reason, "STALE_VERSION", "{status:?}");
            }
        }
    }
    played
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_share_games_and_lose_nothing() {
    let redis = RedisServer::start(&RedisOptions::new());
    let flags = ["--store=redis", &format!("--redis={}", redis.address())];
    let servers = [Gamekeeperd::start(&flags), Gamekeeperd::start(&flags)];
    let mut hands = Vec::new();
    for _ in 0..GAMES {
        let create = pb::CreateGameRequest {
            players: players(&["Ada", "Bob"]),
            ..Default::default()
        };
        let created = servers[0]
            .dominion()
            .create_game(create)
            .await
            .unwrap()
            .into_inner();
        let game_id = Table::of(created).game.game_id;
        let hands_of_game: Vec<_> = (0..HANDS)
            .map(|at| {
                let client = servers[at % servers.len()].dominion();
                tokio::spawn(hand(client, game_id.clone(), format!("hand {at}")))
            })
            .collect();
        hands.push((game_id, hands_of_game));
    }
    for (game_id, hands) in hands {
        let mut answered = Vec::new();
        for hand in hands {
            let versions = hand.await.unwrap();
            assert!(versions.is_sorted(), "a player's own actions come in order");
            answered.extend(versions);
        }
        let distinct: BTreeSet<u64> = answered.iter().copied().collect();
        assert_eq!(
            distinct.len(),
            answered.len(),
            "every version was answered once"
        );
        let logged = logged_versions(&servers[1], &game_id).await;
        let expected: Vec<u64> = (1..=logged.len() as u64).collect();
        assert_eq!(logged, expected, "the log has every version once");
        assert_eq!(
            distinct,
            (2..=logged.len() as u64).collect(),
            "what was answered is in the log"
        );
    }
}

async fn logged_versions(server: &Gamekeeperd, game_id: &str) -> Vec<u64> {
    let mut client = server.dominion();
    let mut versions = Vec::new();
    let mut ask = pb::ListEventsRequest {
        game_id: game_id.to_owned(),
        page_size: 100,
        ..Default::default()
    };
    loop {
        let page = client.list_events(ask.clone()).await.unwrap().into_inner();
        versions.extend(page.versions.iter().map(|logged| logged.version));
        if page.next_page_token.is_empty() {
            return versions;
        }
        ask.page_token = page.next_page_token;
    }
}
