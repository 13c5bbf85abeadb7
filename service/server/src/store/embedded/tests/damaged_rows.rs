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

/// Ends a game and closes the store.
async fn finished(directory: &std::path::Path, id: GameId, version: Version, pack: bool) {
    let config = EmbeddedConfig {
        pack_after: Duration::from_secs(if pack { 0 } else { 3_600 }),
        ..EmbeddedConfig::new(directory)
    };
    let store = EmbeddedStore::open(config).await.unwrap();
    let end = Commit {
        row: Some(row(true)),
        ..commit(id, version)
    };
    assert_eq!(store.commit(&end).await.unwrap(), Committed::Done);
    while pack && !store.tables.packed.contains_key(id.as_bytes()).unwrap() {
        store.ping().await.unwrap();
    }
    store.close().await.unwrap();
}

/// Pings the store, which then looks for what has expired, until this game is gone. False: it remains.
async fn expires(store: &EmbeddedStore, id: GameId) -> bool {
    for _ in 0..500 {
        store.ping().await.unwrap();
        if store.load(id, None).await.unwrap().is_none() {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn a_finished_game_expires_whatever_its_row_says() {
    for damage in DAMAGES {
        for is_packed in [false, true] {
            let directory = tempfile::tempdir().unwrap();
            let id = grown(directory.path(), 20).await;
            finished(directory.path(), id, 20, is_packed).await;
            let store = opened(directory.path(), None).await;
            spoil_row(&store, id, damage);
            store.close().await.unwrap();
            drop(store);
            let store = opened(directory.path(), Some(Duration::ZERO)).await;
            assert!(expires(&store, id).await, "{damage:?}, packed: {is_packed}");
            assert_eq!(store.tables.places.len().unwrap(), 0, "{damage:?}");
        }
    }
}

/// The end may be that of an earlier game with the same id.
#[tokio::test]
async fn a_game_that_may_be_played_is_kept() {
    for damage in DAMAGES {
        let directory = tempfile::tempdir().unwrap();
        let id = grown(directory.path(), 2).await;
        finished(directory.path(), id, 2, false).await;
        let store = opened(directory.path(), None).await;
        assert!(store.delete(id).await.unwrap());
        assert_eq!(store.create(only_game(id)).await.unwrap(), Created::Done);
        spoil_row(&store, id, damage);
        store.close().await.unwrap();
        drop(store);
        let store = opened(directory.path(), Some(Duration::ZERO)).await;
        for _ in 0..20 {
            store.ping().await.unwrap();
        }
        assert!(store.load(id, None).await.unwrap().is_some(), "{damage:?}");
        assert_eq!(store.tables.ends.len().unwrap(), 1, "{damage:?}");
    }
}

/// The number of games that cannot expire: more than one group looks at.
const KEPT: u128 = 150;

/// Creates games that may be active, although they have an end.
async fn kept(store: &EmbeddedStore) -> Vec<GameId> {
    let games: Vec<GameId> = (1..=KEPT).map(|at| Uuid::from_u128(100 + at)).collect();
    for id in &games {
        let game = NewGame {
            most_of_tenant: None,
            ..only_game(*id)
        };
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
        spoil_row(store, *id, Damage::Nonsense);
        let end = Tables::end_key(1, *id);
        store.tables.ends.insert(end, []).unwrap();
    }
    games
}

/// However many games cannot expire, the others do.
#[tokio::test]
async fn games_that_are_kept_hold_up_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let over = grown(directory.path(), 2).await;
    finished(directory.path(), over, 2, false).await;
    let store = opened(directory.path(), None).await;
    kept(&store).await;
    store.close().await.unwrap();
    drop(store);
    let store = opened(directory.path(), Some(Duration::ZERO)).await;
    assert!(expires(&store, over).await);
    let ends = store.tables.ends.len().unwrap();
    assert!(ends >= usize::try_from(KEPT).unwrap(), "{ends}");
}

/// Lines of the log.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_sweep_names_each_game_that_it_keeps_once() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path(), None).await;
    let games = kept(&store).await;
    let lines = Lines::default();
    let writer = lines.clone();
    let log = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .finish();
    let mut ends = Ends::new(Some(Duration::from_secs(3_600)), Duration::ZERO);
    let found = tracing::subscriber::with_default(log, || {
        let groups = 0..10;
        let due = groups.map(|_| ends.due(&store.tables, u64::MAX).unwrap());
        due.collect::<Vec<_>>().concat()
    });
    assert!(found.is_empty(), "{found:?}");
    let log = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    for id in games {
        let id = id.to_string();
        let lines = log.lines().filter(|line| line.contains(&id)).count();
        assert_eq!(lines, 1, "{id}");
    }
}
