//! Loading: repeated requests that were played long ago, and the cached home of a game (ruleset, tenant, first game).

use gamekeeper_proto::gamekeeper::v1::{ClockOptions, TableOptions};
use gamekeeper_rules::caylus::Caylus;
use uuid::Uuid;

use super::*;
use crate::handlers::table_commands::TableRequest;
use crate::test_server::{TestServer, store};

/// A process that has just loaded a game knows only its latest requests, so it reads further back in the log.
#[tokio::test]
async fn a_repeated_request_is_found_however_many_came_after_it() {
    let store = store();
    let process = TestServer::<Caylus>::new(&store);
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
    let first = process
        .change_table_with_id(&game, pause.clone(), "early")
        .await
        .unwrap();
    process.change_table(&game, resume.clone()).await.unwrap();
    for _ in 0..IDEMPOTENCY_LOOKBACK {
        process.change_table(&game, pause.clone()).await.unwrap();
        process.change_table(&game, resume.clone()).await.unwrap();
    }
    let newest = process.info(&game).await.version;
    let cold = TestServer::<Caylus>::new(&store);
    let again = cold
        .change_table_with_id(&game, pause.clone(), "early")
        .await
        .unwrap();
    assert_eq!(again, first);
    let reused = cold.change_table_with_id(&game, resume, "early").await;
    assert!(
        matches!(reused, Err(ServiceError::RequestIdReused)),
        "{reused:?}"
    );
    assert_eq!(cold.info(&game).await.version, newest, "nothing was played");
    let another = cold
        .change_table_with_id(&game, pause, "another")
        .await
        .unwrap();
    assert_eq!(another.version, newest + 1);
}

/// A call that names only the id of a game finds its ruleset and tenant without reading the store.
#[tokio::test]
async fn a_process_remembers_where_the_games_belong_that_it_has_met() {
    let store = store();
    let creator = TestServer::<Caylus>::new(&store);
    let red = Caller::new(crate::authz::Role::Tenant(String::from("red")));
    let game = creator.create_with_users(&red, &["ada", "bob"]).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let reader = TestServer::<Caylus>::new(&store);
    assert!(reader.games.context.cached_location(id).is_none());
    reader.info(&game).await;
    for process in [&creator, &reader] {
        let home = process.games.context.cached_location(id).unwrap();
        assert_eq!((&*home.ruleset, &*home.tenant), ("caylus", "red"));
        assert_eq!(home.root_game, id);
    }
}
