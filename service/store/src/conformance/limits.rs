use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use uuid::Uuid;

use super::{StoreHandles, new_game};
use crate::clock::now_ms;
use crate::{
    Commit, Committed, Created, Head, IndexRow, ListFilter, ListedGame, Lists, NewGame,
    TenantLimit, Version, sizes,
};

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
    assert_eq!(create(&further).await, Created::Full(TenantLimit::Games));
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
    assert_eq!(
        create(&game_of(&mine, 3)).await,
        Created::Full(TenantLimit::Games)
    );
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

/// The bytes that a tenant stores follow its games: creation, snapshots, rows and access records, deletion, in whichever
/// process. A commit that writes none of these moves nothing but the feed.
pub async fn the_bytes_of_a_tenant_are_those_of_its_games(handles: &StoreHandles) {
    let tenant = new_tenant();
    let with_past = NewGame {
        history: (2..=40).map(large_entry).collect(),
        ..large_game(&tenant)
    };
    let games = [large_game(&tenant), with_past, large_game(&tenant)];
    let mut changes = 0;
    let stores = [&handles.one, &handles.other];
    for (game, store) in games.iter().zip(stores.iter().cycle()) {
        store.create(game.clone()).await.unwrap();
        changes += 1;
    }
    counts_all_of(handles, &tenant, changes).await;
    for version in 2..=20 {
        let store = stores[usize::try_from(version % 2).unwrap()];
        let commit = commit_with_some_of_all(&games[0], version);
        assert_eq!(store.commit(&commit).await.unwrap(), Committed::Done);
        changes += 1;
    }
    counts_all_of(handles, &tenant, changes).await;
    let (id, access) = (games[1].id, large_entry(7));
    let row = IndexRow {
        lists: Some(Lists {
            names: vec![String::from("mine")],
            ..Lists::default()
        }),
        ..games[1].row.clone()
    };
    for (before, after, row) in [
        (Bytes::new(), access.clone(), None),
        (access, Bytes::from("less"), Some(row)),
    ] {
        let set = handles.other.set_access(id, before, after, None, row).await;
        assert!(set.unwrap());
        changes += 1;
        counts_all_of(handles, &tenant, changes).await;
    }
    for (game, store) in games.iter().zip(stores.iter().cycle()) {
        assert!(store.delete(game.id).await.unwrap());
        changes += 1;
    }
    counts_all_of(handles, &tenant, changes).await;
}

/// Returns the commit of a version after the first one of a game: now and then with a snapshot, now and then with a row.
fn commit_with_some_of_all(game: &NewGame, version: Version) -> Commit {
    let before = if version == 2 {
        game.entry.clone()
    } else {
        large_entry(version - 1)
    };
    let row = || IndexRow {
        // A finished game may be packed at any time, and is smaller then.
        finished: false,
        lists: Some(Lists {
            changed_ms: version,
            names: (0..version)
                .map(|number| format!("list {number}"))
                .collect(),
            timed: Vec::new(),
        }),
        ..game.row.clone()
    };
    Commit {
        id: game.id,
        tenant: game.row.tenant.clone(),
        expected: Head::of(version - 1, &before),
        entry: large_entry(version),
        log_bytes: (2..=version)
            .map(large_entry)
            .chain([game.entry.clone()])
            .map(|entry| sizes::bytes(entry.len()))
            .sum(),
        snapshot: version
            .is_multiple_of(7)
            .then(|| large_entry(100 * version)),
        row: version.is_multiple_of(5).then(row),
        access: None,
    }
}

/// No creation exceeds the limit of bytes. A deletion makes room, and a retry needs none.
pub async fn a_tenant_stores_no_more_bytes_than_it_may(handles: &StoreHandles) {
    let tenant = new_tenant();
    let one = large_game(&tenant).stored_len();
    // There is room for three games, and for the records of a feed.
    let game = || NewGame {
        tenant_bytes: Some(sizes::bytes(3 * one + one / 2)),
        ..large_game(&tenant)
    };
    let games = [game(), game(), game()];
    for (game, store) in games
        .iter()
        .zip([&handles.one, &handles.other].iter().cycle())
    {
        assert_eq!(store.create(game.clone()).await.unwrap(), Created::Done);
    }
    let create = async |game: &NewGame| handles.other.create(game.clone()).await.unwrap();
    let further = game();
    assert_eq!(create(&further).await, Created::Full(TenantLimit::Bytes));
    let missing = handles.other.load(further.id, None).await.unwrap();
    assert!(missing.is_none(), "nothing was changed");
    assert_eq!(create(&games[1]).await, Created::Done, "sent again");
    let unlimited = large_game(&tenant);
    assert_eq!(create(&unlimited).await, Created::Done);
    for game in [&games[0], &unlimited] {
        assert!(handles.one.delete(game.id).await.unwrap());
    }
    counts_all_of(handles, &tenant, 10).await;
    assert_eq!(create(&further).await, Created::Done, "there is room again");
    assert_eq!(create(&game()).await, Created::Full(TenantLimit::Bytes));
}

/// Checks that the bytes of a tenant are soon those of its games, as they are read. Its feed has at most this many
/// records.
async fn counts_all_of(handles: &StoreHandles, tenant: &str, changes: usize) {
    let mut games = 0;
    let filter = ListFilter {
        tenant: Some(tenant.to_owned()),
        ..ListFilter::default()
    };
    let listed = handles.one.list(&filter, None, 1_000).await.unwrap();
    for ListedGame { id, row } in listed {
        let loaded = handles.one.load(id, None).await.unwrap().unwrap();
        let snapshot = loaded.snapshot.unwrap();
        let settled = usize::try_from(snapshot.version).unwrap();
        let log = handles.one.log(id, 0, settled).await.unwrap().unwrap();
        games += sizes::len_of_entries(log.iter().map(|entry| entry.bytes.len()))
            + sizes::GAME_KEY_LEN
            + snapshot.bytes.len()
            + loaded.access.len()
            + sizes::len_of_row(id, &row);
    }
    let range = sizes::bytes(games)..=sizes::bytes(games + changes * sizes::FEED_RECORD_LEN);
    let begun = Instant::now();
    for store in [&handles.one, &handles.other] {
        loop {
            let counted = store.stored_bytes(tenant).await.unwrap();
            if range.contains(&counted) {
                break;
            }
            let is_late = begun.elapsed() > Duration::from_secs(10);
            assert!(!is_late, "{counted} bytes are counted, not {range:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// An entry that is much larger than a record of a feed.
fn large_entry(number: u64) -> Bytes {
    let digits = number.to_string().repeat(400);
    Bytes::from(digits)
}

fn large_game(tenant: &str) -> NewGame {
    NewGame {
        entry: Bytes::from(Uuid::now_v7().to_string().repeat(50)),
        tenant_limit: None,
        ..game_of(tenant, 1)
    }
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
