//! Lists of a user's games, of games that wait for the user, and of games with a label, on every store.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, assert_reason, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use pb::{GameFilter, GameOrder, GameStatus, ListGamesRequest};
use tokio::time::sleep;
use tonic::Code;

use super::{asking_for, awaited_user, house, ids, list, new_table, try_new_table};

fn those(filter: GameFilter) -> ListGamesRequest {
    ListGamesRequest {
        filter: Some(filter),
        ..Default::default()
    }
}

fn of_user(user: &str) -> ListGamesRequest {
    those(GameFilter {
        user: user.to_owned(),
        ..Default::default()
    })
}

fn awaiting(user: &str) -> ListGamesRequest {
    those(GameFilter {
        awaiting_user: user.to_owned(),
        ..Default::default()
    })
}

fn labeled(pairs: &[(&str, &str)]) -> ListGamesRequest {
    those(GameFilter {
        labels: super::labels(pairs),
        ..Default::default()
    })
}

/// Waits, because lists are ordered by the time of the change in milliseconds.
async fn later() {
    sleep(Duration::from_millis(2)).await;
}

/// Makes the calls of a front end, with one server that plays and one that lists.
async fn a_lobby(plays: &Gamekeeperd, queried: &Gamekeeperd) {
    let mut client = plays.games();
    let mut tables: Vec<Table> = Vec::new();
    for (users, league) in [
        (["ada", "bob"], "gold"),
        (["bob", "cyd"], "gold"),
        (["ada", "cyd"], "tin"),
        (["ada", ""], "tin"),
    ] {
        let call = asking_for(&users, &[("league", league), ("open", "yes")]);
        tables.push(try_new_table(plays, RED, call).await.unwrap());
        later().await;
    }
    let plain = new_table(plays, RED, &["", ""]).await;
    let foreign = new_table(plays, BLUE, &["ada", "bob"]).await;
    for (at, turns) in [(0, 3), (2, 2), (1, 1), (0, 2)] {
        tables[at].pass(&mut client, turns).await.unwrap();
        later().await;
    }
    let now = async |call: &ListGamesRequest| list(queried, RED, call).await.unwrap();
    let at = |numbers: &[usize]| -> Vec<&str> {
        let ids = numbers.iter().map(|at| tables[*at].game.game_id.as_str());
        ids.collect()
    };
    by_user_and_label(queried, &at).await;
    let changed = in_order(queried, &plain, &at).await;
    let blue = list(queried, BLUE, &of_user("ada")).await.unwrap();
    assert_eq!(ids(&blue), [foreign.game.game_id.as_str()]);
    times(queried, &changed).await;
    pages(queried, &of_user("ada")).await;
    pages(queried, &ListGamesRequest::default()).await;
    let delete = pb::DeleteGameRequest {
        game_id: tables[0].game.game_id.clone(),
        ..Default::default()
    };
    plays
        .games()
        .delete_game(bearing(RED, delete))
        .await
        .unwrap();
    assert_eq!(ids(&now(&of_user("ada")).await), at(&[2, 3]));
    for turn in 0..4 {
        tables[2].pass(&mut client, 1).await.unwrap();
        let game = list(queried, RED, &of_user("cyd")).await.unwrap();
        let moved = game.first().unwrap();
        assert_eq!(moved.game_id, tables[2].game.game_id);
        for user in ["ada", "cyd"] {
            let waiting = list(queried, RED, &awaiting(user)).await.unwrap();
            let waits = ids(&waiting).contains(&&*moved.game_id);
            assert_eq!(waits, awaited_user(moved) == user, "turn {turn}: {user}");
        }
    }
}

/// Checks the lists of users and labels, ordered by the last change.
async fn by_user_and_label<'a>(queried: &Gamekeeperd, at: &impl Fn(&[usize]) -> Vec<&'a str>) {
    let now = async |call: &ListGamesRequest| list(queried, RED, call).await.unwrap();
    assert_eq!(ids(&now(&of_user("ada")).await), at(&[0, 2, 3]));
    assert_eq!(ids(&now(&of_user("bob")).await), at(&[0, 1]));
    assert_eq!(ids(&now(&of_user("nobody")).await), at(&[]));
    assert_eq!(ids(&now(&labeled(&[("league", "tin")])).await), at(&[2, 3]));
    let both = [("league", "gold"), ("open", "yes")];
    assert_eq!(ids(&now(&labeled(&both)).await), at(&[0, 1]));
    let neither = [("league", "gold"), ("open", "no")];
    assert_eq!(ids(&now(&labeled(&neither)).await), at(&[]));
    let of_bob = those(GameFilter {
        user: String::from("bob"),
        labels: super::labels(&[("league", "gold")]),
        ..Default::default()
    });
    assert_eq!(ids(&now(&of_bob).await), at(&[0, 1]));
}

/// Checks all games in both orders, and those that wait for a user. Returns the games by the time of their change.
async fn in_order<'a>(
    queried: &Gamekeeperd,
    plain: &Table,
    at: &impl Fn(&[usize]) -> Vec<&'a str>,
) -> Vec<pb::GameInfo> {
    let now = async |call: &ListGamesRequest| list(queried, RED, call).await.unwrap();
    let by_change = ListGamesRequest {
        order: GameOrder::UpdateTime.into(),
        ..Default::default()
    };
    let changed = now(&by_change).await;
    assert_eq!(ids(&changed), at(&[0, 1, 2, 3]));
    assert!(changed.is_sorted_by_key(|game| {
        let time = game.update_time.unwrap();
        std::cmp::Reverse((time.seconds, time.nanos))
    }));
    // By creation, including games without users and labels.
    let all = now(&ListGamesRequest::default()).await;
    let newest = [
        &*plain.game.game_id,
        at(&[3])[0],
        at(&[2])[0],
        at(&[1])[0],
        at(&[0])[0],
    ];
    assert_eq!(ids(&all), newest);
    for user in ["ada", "bob", "cyd"] {
        let pending = all.iter().filter(|game| awaited_user(game) == user);
        let mut expected: Vec<&str> = pending.map(|game| game.game_id.as_str()).collect();
        let waiting = now(&awaiting(user)).await;
        let mut listed = ids(&waiting);
        expected.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, expected, "{user}");
    }
    changed
}

/// Checks that time filters cut a list at the given times.
async fn times(server: &Gamekeeperd, changed: &[pb::GameInfo]) {
    let time = changed[1].update_time;
    let by_change = || ListGamesRequest {
        order: GameOrder::UpdateTime.into(),
        ..Default::default()
    };
    let from = ListGamesRequest {
        from_time: time,
        ..by_change()
    };
    let until = ListGamesRequest {
        until_time: time,
        ..by_change()
    };
    let from = list(server, RED, &from).await.unwrap();
    let until = list(server, RED, &until).await.unwrap();
    assert_eq!(ids(&from), ids(&changed[..2]));
    assert_eq!(ids(&until), ids(&changed[2..]));
    // In the order of creation, the filters apply to the time of creation. The game that changed last is the oldest.
    let time = changed[0].create_time;
    let made = ListGamesRequest {
        until_time: time,
        ..Default::default()
    };
    assert!(list(server, RED, &made).await.unwrap().is_empty());
    let made = ListGamesRequest {
        from_time: time,
        ..Default::default()
    };
    assert_eq!(list(server, RED, &made).await.unwrap().len(), 5);
}

/// Checks that a list read game by game, in pages of one, is the same.
async fn pages(server: &Gamekeeperd, whole: &ListGamesRequest) {
    let one = ListGamesRequest {
        page_size: 1,
        ..whole.clone()
    };
    let whole = list(server, RED, whole).await.unwrap();
    assert_eq!(list(server, RED, &one).await.unwrap(), whole);
    let first = server.games().list_games(bearing(RED, one)).await;
    let other = ListGamesRequest {
        page_token: first.unwrap().into_inner().next_page_token,
        ..of_user("bob")
    };
    let status = list(server, RED, &other).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
}

#[tokio::test]
async fn a_lobby_in_memory() {
    let (server, _keys) = house();
    a_lobby(&server, &server).await;
}

#[tokio::test]
async fn a_lobby_on_disk_that_is_there_after_a_kill() {
    let (keys, store) = (KeyFiles::new(), Store::embedded());
    let mut server = keys.server(&store.with(&[]));
    a_lobby(&server, &server).await;
    let before = list(&server, RED, &of_user("ada")).await.unwrap();
    let waits = list(&server, RED, &awaiting("cyd")).await.unwrap();
    server.kill();
    drop(server);
    let server = keys.server(&store.with(&[]));
    assert_eq!(list(&server, RED, &of_user("ada")).await.unwrap(), before);
    assert_eq!(list(&server, RED, &awaiting("cyd")).await.unwrap(), waits);
}

#[tokio::test]
async fn a_lobby_in_redis_of_two_servers() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let servers = [0; 2].map(|_| keys.server(&store.with(&[])));
    a_lobby(&servers[0], &servers[1]).await;
}

#[tokio::test]
async fn a_game_that_is_over_waits_for_nobody() {
    let (server, _keys) = house();
    let mut table = new_table(&server, RED, &["ada", "bob"]).await;
    table.play(&mut server.games(), 2_000).await.unwrap();
    new_table(&server, RED, &["eve", ""]).await;
    let of_ada = |status: GameStatus| {
        those(GameFilter {
            user: String::from("ada"),
            status: status.into(),
            ..Default::default()
        })
    };
    let over = list(&server, RED, &of_ada(GameStatus::Finished))
        .await
        .unwrap();
    assert_eq!(over.len(), 1);
    assert_eq!(over[0].version, table.game.version);
    let of_all = |ruleset: &str, status: GameStatus| {
        those(GameFilter {
            ruleset: ruleset.to_owned(),
            status: status.into(),
            ..Default::default()
        })
    };
    for (ruleset, status, count) in [
        ("", GameStatus::Finished, 1),
        ("", GameStatus::Active, 1),
        ("dominion", GameStatus::Unspecified, 2),
        ("caylus", GameStatus::Unspecified, 0),
    ] {
        let games = list(&server, RED, &of_all(ruleset, status)).await.unwrap();
        assert_eq!(games.len(), count, "{ruleset} {status:?}");
    }
    for ask in [of_ada(GameStatus::Active), awaiting("ada"), awaiting("bob")] {
        assert!(
            list(&server, RED, &ask).await.unwrap().is_empty(),
            "{ask:?}"
        );
    }
}

#[tokio::test]
async fn lists_of_users_have_bounds() {
    let (server, _keys) = house();
    let malformed = (Code::InvalidArgument, String::from("MALFORMED"));
    for wrong in [
        of_user(&"x".repeat(65)),
        awaiting(&"x".repeat(65)),
        labeled(&[("", "value")]),
        ListGamesRequest {
            order: GameOrder::CreateTime.into(),
            ..of_user("ada")
        },
        ListGamesRequest {
            order: 7,
            ..Default::default()
        },
    ] {
        let status = list(&server, RED, &wrong).await.unwrap_err();
        assert_eq!(reason(&status), malformed, "{wrong:?}");
    }
}
