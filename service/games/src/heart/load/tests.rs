//! Loading: repeated requests that were played long ago, and the cached home of a game (ruleset, tenant, first game).

use gamekeeper_proto::gamekeeper::v1::{ClockOptions, TableOptions};
use gamekeeper_rules::caylus::Caylus;
use uuid::Uuid;

use super::*;
use crate::process::{Process, store};
use crate::verbs::table_life::TableRequest;

/// A process that has just loaded a game knows only its latest requests, so it reads further back in the log.
#[tokio::test]
async fn a_repeated_request_is_found_however_many_came_after_it() {
    let store = store();
    let process = Process::<Caylus>::over(&store);
    let table = TableOptions {
        clock: Some(ClockOptions {
            bank_seconds: 3_600,
            ..Default::default()
        }),
        ..Default::default()
    };
    let game = process.create(2, table).await;
    let (pause, resume) = (
        TableRequest::Pause { seat: 0 },
        TableRequest::Resume { seat: 0 },
    );
    let first = process.named(&game, pause.clone(), "early").await.unwrap();
    process.ask(&game, resume.clone()).await.unwrap();
    for _ in 0..LOOK_BACK {
        process.ask(&game, pause.clone()).await.unwrap();
        process.ask(&game, resume.clone()).await.unwrap();
    }
    let newest = process.info(&game).await.version;
    let cold = Process::<Caylus>::over(&store);
    let again = cold.named(&game, pause.clone(), "early").await.unwrap();
    assert_eq!(again, first);
    let reused = cold.named(&game, resume, "early").await;
    assert!(
        matches!(reused, Err(Problem::RequestIdReused)),
        "{reused:?}"
    );
    assert_eq!(cold.info(&game).await.version, newest, "nothing was played");
    let another = cold.named(&game, pause, "another").await.unwrap();
    assert_eq!(another.version, newest + 1);
}

/// A call that names only the id of a game finds its ruleset and tenant without reading the store.
#[tokio::test]
async fn a_process_remembers_where_the_games_belong_that_it_has_met() {
    let store = store();
    let creator = Process::<Caylus>::over(&store);
    let red = Caller::new(crate::heart::access::Role::Tenant(String::from("red")));
    let game = creator.create_of(&red, &["ada", "bob"]).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let reader = Process::<Caylus>::over(&store);
    assert!(reader.games.shared.home_if_met(id).is_none());
    reader.info(&game).await;
    for process in [&creator, &reader] {
        let home = process.games.shared.home_if_met(id).unwrap();
        assert_eq!((&*home.ruleset, &*home.tenant), ("caylus", "red"));
        assert_eq!(home.first_game, id);
    }
}
