use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::join_all;
use uuid::Uuid;

use super::{StoreHandles, new_game};
use crate::clock::now_ms;
use crate::{Created, IndexRow, NewGame};

/// Creations up to the limit succeed and the next one fails; a deletion makes room. A retry never
/// counts as a further game, even at the limit.
pub async fn a_tenant_has_no_more_games_than_it_may(handles: &StoreHandles) {
    let (mine, yours) = (new_tenant(), new_tenant());
    let games: Vec<NewGame> = (0..3).map(|_| game_of(&mine, 3)).collect();
    for game in &games {
        assert_eq!(
            handles.one.create(game.clone()).await.unwrap(),
            Created::Done
        );
    }
    let create = async |game: &NewGame| handles.other.create(game.clone()).await.unwrap();
    let further = game_of(&mine, 3);
    assert_eq!(create(&further).await, Created::Full);
    let missing = handles.other.load(further.id, None).await.unwrap();
    assert!(missing.is_none(), "nothing was changed");
    assert_eq!(create(&games[1]).await, Created::Done, "sent again");
    let rival = NewGame {
        id: games[1].id,
        row: IndexRow {
            created_ms: games[1].row.created_ms + 1,
            ..games[1].row.clone()
        },
        entry: further.entry.clone(),
        ..game_of(&mine, 3)
    };
    assert_eq!(create(&rival).await, Created::Exists);
    assert_eq!(create(&game_of(&yours, 1)).await, Created::Done);
    assert_eq!(create(&game_of(&mine, 4)).await, Created::Done);
    for game in &games[..2] {
        assert!(handles.one.delete(game.id).await.unwrap());
    }
    assert_eq!(create(&further).await, Created::Done, "there is room again");
    assert_eq!(create(&game_of(&mine, 3)).await, Created::Full);
}

/// Of many concurrent creations in two processes, exactly as many succeed as the limit allows.
pub async fn a_race_for_the_last_games_of_a_tenant_has_as_many_winners(handles: &StoreHandles) {
    let tenant = new_tenant();
    let first = handles.one.create(game_of(&tenant, 5)).await.unwrap();
    assert_eq!(first, Created::Done);
    let creations = (0..24).map(|number| {
        let store = if number % 2 == 0 {
            &handles.one
        } else {
            &handles.other
        };
        let (store, game) = (Arc::clone(store), game_of(&tenant, 5));
        async move { store.create(game).await.unwrap() }
    });
    let outcomes = join_all(creations).await;
    let stored = outcomes.iter().filter(|outcome| **outcome == Created::Done);
    assert_eq!(stored.count(), 4, "{outcomes:?}");
}

fn new_tenant() -> String {
    format!("tenant {}", Uuid::now_v7())
}

/// A game that is created now: a store may remove the position of an older one before the creation is complete.
fn game_of(tenant: &str, max: u64) -> NewGame {
    let game = new_game(Uuid::now_v7());
    NewGame {
        row: IndexRow {
            tenant: tenant.to_owned(),
            created_ms: now_ms(),
            ..game.row
        },
        access: Bytes::new(),
        tenant_limit: Some(max),
        ..game
    }
}
