//! Users and labels: set at creation, changed by the owner, visible to nobody else.

use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, action, assert_reason, facts, field_of, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{OPERATOR, RED, bearing, seat_holder};
use tonic::{Code, Status};

use super::{asking_for, house, labels, list, new_table, seat_user, try_new_table, users};

async fn info(server: &Gamekeeperd, token: &str, game_id: &str) -> pb::GameInfo {
    let call = pb::GetGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let answer = server.games().get_game(bearing(token, call)).await;
    facts(answer.unwrap().into_inner().table)
}

async fn update(
    server: &Gamekeeperd,
    token: &str,
    call: pb::UpdateGameRequest,
) -> Result<pb::GameInfo, Status> {
    let answer = server.games().update_game(bearing(token, call)).await?;
    Ok(answer.into_inner().game.unwrap())
}

#[tokio::test]
async fn what_is_given_at_creation_is_visible_to_owner_and_operator_alone() {
    let (server, _keys) = house();
    let call = pb::CreateGameRequest {
        request_id: String::from("once"),
        ..asking_for(&["ada", ""], &[("league", "gold"), ("table", "7")])
    };
    let create = bearing(RED, call.clone());
    let created = server.games().create_game(create).await;
    let created = created.unwrap().into_inner();
    let spectator = created.tokens.clone().unwrap().spectator;
    let table = Table::of(created);
    let game_id = &table.game.game_id;
    assert_eq!(users(&table.game), ["ada", ""]);
    assert_eq!(
        table.game.labels,
        labels(&[("league", "gold"), ("table", "7")])
    );
    for token in [RED, OPERATOR] {
        assert_eq!(info(&server, token, game_id).await, table.game, "{token}");
    }
    for token in [table.token(1), table.token(2), &spectator] {
        let game = info(&server, token, game_id).await;
        assert_eq!(users(&game), ["", ""]);
        assert!(game.labels.is_empty());
        assert_eq!(game.players[0].name, "the player ada", "the rest is there");
    }
    // A repeated request gets the same response, even after later changes.
    let change = pb::UpdateGameRequest {
        game_id: game_id.clone(),
        players: vec![seat_user(1, "eve")],
        ..Default::default()
    };
    update(&server, RED, change).await.unwrap();
    let again = try_new_table(&server, RED, call.clone()).await.unwrap();
    assert_eq!(
        (again.game, again.tokens),
        (table.game.clone(), table.tokens)
    );
    for other in [
        asking_for(&["bob", ""], &[("league", "gold"), ("table", "7")]),
        asking_for(&["ada", ""], &[("league", "gold"), ("table", "8")]),
        asking_for(&["ada", ""], &[("league", "gold")]),
    ] {
        let other = pb::CreateGameRequest {
            players: call
                .players
                .iter()
                .zip(other.players)
                .map(|(player, other)| pb::Player {
                    name: player.name.clone(),
                    ..other
                })
                .collect(),
            request_id: call.request_id.clone(),
            ..other
        };
        let status = try_new_table(&server, RED, other).await.unwrap_err();
        assert_eq!(reason(&status).1, "REQUEST_ID_REUSED");
    }
}

#[tokio::test]
async fn every_answer_about_a_game_has_its_users_and_labels() {
    let (server, _keys) = house();
    let mut client = server.games();
    let call = asking_for(&["ada", "bob"], &[("league", "gold")]);
    let table = try_new_table(&server, RED, call).await.unwrap();
    let (game_id, seat) = (table.game.game_id.clone(), table.game.pending[0].seat);
    let act = |request_id: &str| pb::ApplyActionRequest {
        game_id: game_id.clone(),
        seat,
        action: Some(action(dominion::action::Kind::EndTurn(
            dominion::EndTurn::default(),
        ))),
        request_id: request_id.to_owned(),
        ..Default::default()
    };
    let applied = client
        .apply_action(bearing(RED, act("once")))
        .await
        .unwrap();
    let again = client
        .apply_action(bearing(RED, act("once")))
        .await
        .unwrap();
    let look = |at_version| pb::GetGameRequest {
        game_id: game_id.clone(),
        at_version,
        ..Default::default()
    };
    let now = client.get_game(bearing(RED, look(0))).await.unwrap();
    let before = client.get_game(bearing(RED, look(1))).await.unwrap();
    let watch = pb::WatchGameRequest {
        game_id: game_id.clone(),
        after_version: 1,
        ..Default::default()
    };
    let watch = client.watch_game(bearing(RED, watch)).await.unwrap();
    let message = watch.into_inner().message().await.unwrap().unwrap();
    let export = pb::ExportGameRequest {
        game_id: game_id.clone(),
        ..Default::default()
    };
    let export = client.export_game(bearing(OPERATOR, export)).await.unwrap();
    let header = export.into_inner().message().await.unwrap().unwrap().part;
    let Some(pb::export_game_response::Part::Header(header)) = header else {
        panic!("{header:?}");
    };
    for game in [
        facts(applied.into_inner().table),
        facts(again.into_inner().table),
        facts(now.into_inner().table),
        facts(before.into_inner().table),
        facts(message.table),
        header.game.unwrap(),
    ] {
        assert_eq!(users(&game), ["ada", "bob"]);
        assert_eq!(game.labels, labels(&[("league", "gold")]));
    }
}

#[tokio::test]
async fn the_owner_changes_what_is_named_and_nothing_else() {
    let (server, _keys) = house();
    let mut table = new_table(&server, RED, &["ada", "bob"]).await;
    let game_id = table.game.game_id.clone();
    let change = pb::UpdateGameRequest {
        game_id: game_id.clone(),
        players: vec![seat_user(2, "eve")],
        set_labels: labels(&[("a", "1"), ("b", "2")]),
        ..Default::default()
    };
    let changed = update(&server, RED, change.clone()).await.unwrap();
    assert_eq!(users(&changed), ["ada", "eve"]);
    assert_eq!(changed.labels, labels(&[("a", "1"), ("b", "2")]));
    assert_eq!(changed.version, 1, "the log knows nothing of it");
    assert_eq!(update(&server, RED, change).await.unwrap(), changed);
    let change = pb::UpdateGameRequest {
        game_id: game_id.clone(),
        players: vec![seat_user(1, "")],
        set_labels: labels(&[("c", "")]),
        remove_labels: vec![String::from("a"), String::from("none")],
    };
    let changed = update(&server, RED, change).await.unwrap();
    assert_eq!(users(&changed), ["", "eve"]);
    assert_eq!(changed.labels, labels(&[("b", "2"), ("c", "")]));
    // Seats keep their tokens.
    let mut client = server.games();
    table.pass(&mut client, 3).await.unwrap();
    let issue = pb::IssueTokenRequest {
        holder: Some(seat_holder(&game_id, 1)),
        expire_time: None,
    };
    let mut access = server.access();
    access.issue_token(bearing(RED, issue)).await.unwrap();
    let game = info(&server, RED, &game_id).await;
    assert_eq!((game.version, users(&game)), (4, vec!["", "eve"]));
    assert_eq!(game.labels, changed.labels);
    // No label is left when all are removed.
    let change = pb::UpdateGameRequest {
        game_id: game_id.clone(),
        players: vec![seat_user(2, "")],
        remove_labels: vec![String::from("b"), String::from("c")],
        ..Default::default()
    };
    update(&server, RED, change).await.unwrap();
    let ask = pb::ListGamesRequest {
        order: pb::GameOrder::UpdateTime.into(),
        ..Default::default()
    };
    assert!(list(&server, RED, &ask).await.unwrap().is_empty());
}

#[tokio::test]
async fn users_and_labels_have_bounds() {
    let (server, _keys) = house();
    let table = new_table(&server, RED, &["ada", "bob"]).await;
    let game_id = table.game.game_id.clone();
    let change = || pb::UpdateGameRequest {
        game_id: game_id.clone(),
        set_labels: labels(&[("a", "1")]),
        ..Default::default()
    };
    let seat = pb::UpdateGameRequest {
        players: vec![seat_user(3, "eve")],
        ..change()
    };
    let status = update(&server, RED, seat).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "NO_SUCH_SEAT");
    let long = "x".repeat(65);
    let many: Vec<String> = (0..17).map(|number| number.to_string()).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|key| (key.as_str(), "")).collect();
    for (wrong, field) in [
        (
            pb::UpdateGameRequest {
                players: vec![seat_user(1, "eve"), seat_user(2, &long)],
                ..change()
            },
            "players[1].user",
        ),
        (
            pb::UpdateGameRequest {
                set_labels: labels(&[(&*long, "1")]),
                ..change()
            },
            "set_labels",
        ),
        (
            pb::UpdateGameRequest {
                set_labels: labels(&many),
                ..change()
            },
            "set_labels",
        ),
    ] {
        let status = update(&server, RED, wrong).await.unwrap_err();
        assert_eq!(field_of(&status), field);
    }
    let game = info(&server, RED, &game_id).await;
    assert_eq!((users(&game), game.labels.len()), (vec!["ada", "bob"], 0));
    let wrong = asking_for(&["ada", &long], &[]);
    let status = try_new_table(&server, RED, wrong).await.unwrap_err();
    assert_eq!(field_of(&status), "players[1].user");
}

#[tokio::test]
async fn changes_of_users_and_actions_at_once_all_come_about() {
    let (server, _keys) = house();
    let mut table = new_table(&server, RED, &["ada", "bob"]).await;
    let game_id = table.game.game_id.clone();
    let changes = async {
        for number in 0..30 {
            let number = number.to_string();
            let change = pb::UpdateGameRequest {
                game_id: game_id.clone(),
                players: vec![seat_user(1, &format!("ada {number}"))],
                set_labels: labels(&[("number", &number)]),
                ..Default::default()
            };
            update(&server, RED, change).await.unwrap();
        }
    };
    let mut client = server.games();
    let (passed, ()) = tokio::join!(table.pass(&mut client, 60), changes);
    passed.unwrap();
    let game = info(&server, RED, &game_id).await;
    assert_eq!(game.version, 61);
    assert_eq!(users(&game), ["ada 29", "bob"]);
    for (user, count) in [("ada 29", 1), ("ada 28", 0), ("bob", 1)] {
        let ask = pb::ListGamesRequest {
            filter: Some(pb::GameFilter {
                user: user.to_owned(),
                status: pb::GameStatus::Active.into(),
                ..Default::default()
            }),
            ..Default::default()
        };
        assert_eq!(
            list(&server, RED, &ask).await.unwrap().len(),
            count,
            "{user}"
        );
    }
    let ask = pb::ListGamesRequest {
        filter: Some(pb::GameFilter {
            awaiting_user: super::awaited_user(&game),
            ..Default::default()
        }),
        ..Default::default()
    };
    assert_eq!(list(&server, RED, &ask).await.unwrap(), [game]);
}
