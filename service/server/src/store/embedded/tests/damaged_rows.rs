//! Games whose row is damaged or missing, while their log is there.

use super::*;
use crate::store::Lists;

/// What may be stored in place of a row.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// A value with a wrong checksum.
    Nonsense,
    /// A value with a right checksum that is no row.
    NoRow,
    /// Nothing.
    Missing,
}

const DAMAGES: [Damage; 3] = [Damage::Nonsense, Damage::NoRow, Damage::Missing];

fn spoil_row(store: &EmbeddedStore, id: GameId, damage: Damage) {
    let (rows, key) = (&store.tables.rows, id.as_bytes());
    match damage {
        Damage::Nonsense => rows.insert(key, b"nonsense"),
        Damage::NoRow => rows.insert(key, seal(key, [&[99, 7], &[]])),
        Damage::Missing => rows.remove(key),
    }
    .unwrap();
}

/// A row in a named list.
fn listed(changed_ms: u64) -> IndexRow {
    let names = vec!["u:Ada".into()];
    IndexRow {
        tenant: "red".into(),
        lists: Some(Lists { changed_ms, names }),
        ..row(false)
    }
}

/// The only game that its tenant may have.
fn only_game(id: GameId) -> NewGame {
    NewGame {
        id,
        row: listed(1),
        entry: entry(1),
        past: Vec::new(),
        snapshot: Bytes::from("snapshot"),
        access: Bytes::new(),
        most_of_tenant: Some(1),
    }
}

async fn opened(directory: &std::path::Path, keep_finished: Option<Duration>) -> EmbeddedStore {
    let config = EmbeddedConfig {
        keep_finished,
        ..EmbeddedConfig::new(directory)
    };
    EmbeddedStore::open(config).await.unwrap()
}

/// A tenant does not pay for the damage with a place.
#[tokio::test]
async fn a_deleted_game_leaves_no_place_whatever_its_row_says() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path(), None).await;
    for (damage, number) in DAMAGES.into_iter().zip(1..) {
        let id = Uuid::from_u128(number);
        let other = only_game(Uuid::from_u128(9));
        assert_eq!(store.create(only_game(id)).await.unwrap(), Created::Done);
        assert_eq!(store.create(other).await.unwrap(), Created::Full);
        spoil_row(&store, id, damage);
        assert!(store.delete(id).await.unwrap());
        assert_eq!(store.tables.places.len().unwrap(), 0, "{damage:?}");
        assert!(!store.delete(id).await.unwrap());
    }
}

/// Other games stay where they are.
#[tokio::test]
async fn only_the_places_of_the_deleted_game_are_removed() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path(), None).await;
    let games = [1, 2, 3].map(Uuid::from_u128);
    for id in games {
        let game = NewGame {
            most_of_tenant: None,
            ..only_game(id)
        };
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
    }
    spoil_row(&store, games[1], Damage::Nonsense);
    assert!(store.delete(games[1]).await.unwrap());
    let left = [games[0], games[2]].map(|id| place_keys(id, &listed(1)));
    for key in left.iter().flatten() {
        assert!(store.tables.places.contains_key(key).unwrap());
    }
    assert_eq!(store.tables.places.len().unwrap(), left.concat().len());
}

/// A new row makes the damage good, and the game is in each list once.
#[tokio::test]
async fn a_game_with_a_new_row_has_no_place_of_the_old_one() {
    for damage in DAMAGES {
        let directory = tempfile::tempdir().unwrap();
        let store = opened(directory.path(), None).await;
        let id = Uuid::from_u128(1);
        assert_eq!(store.create(only_game(id)).await.unwrap(), Created::Done);
        spoil_row(&store, id, damage);
        let next = Commit {
            row: Some(listed(2)),
            ..commit(id, 1)
        };
        assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
        let filter = ListFilter {
            tenant: Some("red".into()),
            lists: vec!["u:Ada".into()],
            ..ListFilter::default()
        };
        let page = store.page(&filter, None, 9).await.unwrap();
        let found: Vec<_> = page.games.iter().map(|game| game.id).collect();
        assert_eq!(found, [id], "{damage:?}");
        let places = store.tables.places.len().unwrap();
        assert_eq!(places, place_keys(id, &listed(2)).len(), "{damage:?}");
    }
}
