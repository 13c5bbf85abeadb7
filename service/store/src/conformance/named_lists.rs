use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use uuid::Uuid;

use super::listing::new_tenant;
use super::{StoreHandles, commit, head, new_game, row_of};
use crate::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, ListFilter, Lists, NewGame,
    Period, SCAN_LIMIT, Version,
};

/// A time long ago: stores that keep recent stale positions for a while remove positions of this age at once.
const LONG_AGO: u64 = 1_600_000_000_000;

const NONE: [GameId; 0] = [];

fn row(tenant: &str, changed_ms: u64, names: &[&str]) -> IndexRow {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    IndexRow {
        created_ms: LONG_AGO,
        lists: Some(Lists {
            changed_ms,
            names,
            ..Lists::default()
        }),
        ..row_of(tenant)
    }
}

async fn created(store: &dyn GameStore, row: IndexRow) -> GameId {
    let id = Uuid::now_v7();
    let game = NewGame {
        row,
        access: Bytes::from("its access record"),
        ..new_game(id)
    };
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    id
}

async fn moved(store: &dyn GameStore, id: GameId, expected: Version, row: IndexRow) {
    let row = Some(row);
    let next = Commit {
        row,
        ..commit(id, expected)
    };
    assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
}

fn in_lists(tenant: &str, lists: &[&str]) -> ListFilter {
    ListFilter {
        tenant: Some(tenant.to_owned()),
        lists: lists.iter().map(|name| (*name).to_owned()).collect(),
        ..ListFilter::default()
    }
}

async fn ids(store: &dyn GameStore, filter: &ListFilter) -> Vec<GameId> {
    let games = store.list(filter, None, usize::MAX).await.unwrap();
    games.into_iter().map(|game| game.id).collect()
}

/// A game is in exactly the lists that its row names, ordered by its last change.
pub async fn a_game_is_in_the_lists_of_its_row(handles: &StoreHandles) {
    let (mine, yours) = (new_tenant(), new_tenant());
    let store = &*handles.one;
    let one = created(store, row(&mine, LONG_AGO + 1, &["ada", "bob"])).await;
    let two = created(store, row(&mine, LONG_AGO + 2, &["ada"])).await;
    let three = created(store, row(&yours, LONG_AGO + 3, &["ada", "bob"])).await;
    let other = &*handles.other;
    let listed = async |tenant: &str, lists: &[&str]| ids(other, &in_lists(tenant, lists)).await;
    assert_eq!(listed(&mine, &["ada"]).await, [two, one]);
    assert_eq!(listed(&mine, &["bob"]).await, [one]);
    assert_eq!(listed(&mine, &["ada", "bob"]).await, [one]);
    assert_eq!(listed(&mine, &["bob", "ada"]).await, [one]);
    assert_eq!(listed(&mine, &["ada", "eve"]).await, NONE);
    assert_eq!(listed(&mine, &["eve"]).await, NONE);
    assert_eq!(listed(&yours, &["ada"]).await, [three]);
    // The list of all games of the tenant has them as well.
    assert_eq!(listed(&mine, &[]).await.len(), 2);
    let access = other.load(one, None).await.unwrap().unwrap().access;
    assert_eq!(
        access, "its access record",
        "it is there from the beginning"
    );
}

/// A list that all tenants share has the games of each, and a game leaves it like any other list.
pub async fn a_list_of_all_has_the_games_of_every_tenant(handles: &StoreHandles) {
    let (mine, yours) = (new_tenant(), new_tenant());
    let due = format!("*due {}", Uuid::now_v7());
    let (store, other) = (&*handles.one, &*handles.other);
    let one = created(store, row(&mine, LONG_AGO + 1, &["ada", &due])).await;
    let two = created(store, row(&yours, LONG_AGO + 2, &[&due])).await;
    let of_all = ListFilter {
        lists: vec![due.clone()],
        ..ListFilter::default()
    };
    assert_eq!(ids(other, &of_all).await, [two, one]);
    assert_eq!(ids(other, &in_lists(&mine, &[&due])).await, [one]);
    assert_eq!(ids(other, &in_lists(&mine, &["ada", &due])).await, [one]);
    moved(store, one, 1, row(&mine, LONG_AGO + 3, &["ada"])).await;
    assert_eq!(ids(other, &of_all).await, [two]);
    moved(store, one, 2, row(&mine, LONG_AGO + 4, &[&due])).await;
    assert_eq!(ids(other, &of_all).await, [one, two]);
    assert!(store.delete(two).await.unwrap());
    assert_eq!(ids(other, &of_all).await, [one]);
}

/// Every change of its row may add a game to lists or remove it from some, and moves it to the front of its remaining
/// lists.
pub async fn a_game_that_changes_moves_in_its_lists(handles: &StoreHandles) {
    let tenant = new_tenant();
    let store = &*handles.one;
    let one = created(store, row(&tenant, LONG_AGO + 1, &["ada", "turn of ada"])).await;
    let two = created(store, row(&tenant, LONG_AGO + 2, &["ada", "turn of ada"])).await;
    moved(
        store,
        one,
        1,
        row(&tenant, LONG_AGO + 3, &["ada", "turn of bob"]),
    )
    .await;
    let other = &*handles.other;
    let listed = async |lists: &[&str]| ids(other, &in_lists(&tenant, lists)).await;
    assert_eq!(listed(&["ada"]).await, [one, two]);
    assert_eq!(listed(&["turn of ada"]).await, [two]);
    assert_eq!(listed(&["turn of bob"]).await, [one]);
    moved(
        store,
        one,
        2,
        row(&tenant, LONG_AGO + 4, &["ada", "turn of ada"]),
    )
    .await;
    assert_eq!(listed(&["turn of ada"]).await, [one, two]);
    assert_eq!(listed(&["turn of bob"]).await, NONE);
    // A commit without a row does not move the game.
    let silent = commit(one, 3);
    assert_eq!(store.commit(&silent).await.unwrap(), Committed::Done);
    assert_eq!(listed(&["turn of ada"]).await, [one, two]);
    let last = IndexRow {
        finished: true,
        ..row(&tenant, LONG_AGO + 5, &["ada"])
    };
    moved(store, one, 4, last).await;
    assert_eq!(listed(&["turn of ada"]).await, [two]);
    let over = ListFilter {
        finished: Some(true),
        ..in_lists(&tenant, &["ada"])
    };
    assert_eq!(ids(other, &over).await, [one]);
    assert!(store.delete(two).await.unwrap());
    assert_eq!(listed(&["ada"]).await, [one]);
    assert_eq!(listed(&["turn of ada"]).await, NONE);
}

/// A refused commit moves no game visibly.
pub async fn a_refused_change_is_in_no_list(handles: &StoreHandles) {
    let tenant = new_tenant();
    let store = &*handles.one;
    let id = created(store, row(&tenant, LONG_AGO + 1, &["ada"])).await;
    moved(store, id, 1, row(&tenant, LONG_AGO + 2, &["bob"])).await;
    let late = Commit {
        entry: Bytes::from(format!("late {id}")),
        row: Some(row(&tenant, LONG_AGO + 3, &["eve"])),
        ..commit(id, 1)
    };
    let refused = store.commit(&late).await.unwrap();
    assert!(matches!(refused, Committed::Conflict { .. }));
    let unknown = Commit {
        access: Some(Bytes::from("another")),
        row: Some(row(&tenant, LONG_AGO + 3, &["joe"])),
        ..commit(id, 2)
    };
    let refused = store.commit(&unknown).await.unwrap();
    assert_eq!(refused, Committed::AccessChanged);
    for (list, expected) in [
        ("bob", vec![id]),
        ("ada", vec![]),
        ("eve", vec![]),
        ("joe", vec![]),
    ] {
        let listed = ids(&*handles.other, &in_lists(&tenant, &[list])).await;
        assert_eq!(listed, expected, "{list}");
    }
}

/// Pages follow each other without gap or overlap, even among games of one moment, and while games move to
/// the front.
pub async fn named_lists_are_paged(handles: &StoreHandles) {
    let tenant = new_tenant();
    let store = &*handles.one;
    let mut expected = Vec::new();
    for number in 0..40 {
        let changed_ms = LONG_AGO + number / 15;
        let names: &[&str] = if number % 4 == 0 {
            &["ada", "bob"]
        } else {
            &["ada"]
        };
        let id = created(store, row(&tenant, changed_ms, names)).await;
        expected.push((changed_ms, id, names.len() > 1));
    }
    expected.sort_by_key(|(ms, id, _)| std::cmp::Reverse((*ms, *id)));
    for both in [false, true] {
        let lists: &[&str] = if both { &["ada", "bob"] } else { &["ada"] };
        let filter = in_lists(&tenant, lists);
        let wanted = expected.iter().filter(|(_, _, of_bob)| !both || *of_bob);
        let wanted: Vec<GameId> = wanted.map(|(_, id, _)| *id).collect();
        for limit in [1, 7, 40, 100] {
            let (mut read, mut after) = (Vec::new(), None);
            loop {
                let page = handles.other.page(&filter, after, limit).await.unwrap();
                assert!(page.games.len() <= limit);
                read.extend(page.games.into_iter().map(|game| game.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(read, wanted, "limit {limit}");
        }
    }
    let filter = in_lists(&tenant, &["ada"]);
    let first = handles.other.page(&filter, None, 10).await.unwrap();
    let (_, seen, _) = expected[3];
    let (_, unseen, _) = expected[30];
    for id in [seen, unseen] {
        moved(store, id, 1, row(&tenant, LONG_AGO + 99, &["ada"])).await;
    }
    let rest = handles.other.list(&filter, first.next, 100).await.unwrap();
    let rest: Vec<GameId> = rest.into_iter().map(|game| game.id).collect();
    let wanted = expected[10..].iter().map(|(_, id, _)| *id);
    let wanted: Vec<GameId> = wanted.filter(|id| *id != unseen).collect();
    assert_eq!(rest, wanted, "games that moved are only at the front");
    let front = handles.other.page(&filter, None, 2).await.unwrap().games;
    let front: BTreeSet<GameId> = front.into_iter().map(|game| game.id).collect();
    assert_eq!(front, BTreeSet::from([seen, unseen]));
}

/// Games of one moment are ordered by id, greatest first, in every list of any length and with any size of
/// pages.
pub async fn games_of_one_moment_come_by_id(handles: &StoreHandles) {
    const GAMES: usize = 600;
    let tenant = new_tenant();
    let one = row(&tenant, LONG_AGO, &["ada"]);
    let games = (0..GAMES).map(|_| async {
        // Ids whose order does not follow time.
        let id = Uuid::from_u128(Uuid::now_v7().as_u128().reverse_bits());
        let row = one.clone();
        let game = NewGame {
            row,
            ..new_game(id)
        };
        assert_eq!(handles.one.create(game).await.unwrap(), Created::Done);
        id
    });
    let mut wanted = join_all(games).await;
    wanted.sort_unstable_by(|one, other| other.cmp(one));
    for filter in [in_lists(&tenant, &["ada"]), in_lists(&tenant, &[])] {
        for limit in [7, 256, 1_000] {
            let (mut read, mut after) = (Vec::new(), None);
            loop {
                let page = handles.other.page(&filter, after, limit).await.unwrap();
                read.extend(page.games.into_iter().map(|game| game.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert!(read == wanted, "{filter:?}, pages of {limit}");
        }
    }
}

/// Lists can be filtered by creation time and by the time of the last change.
pub async fn lists_are_cut_by_time(handles: &StoreHandles) {
    let tenant = new_tenant();
    let mut games = Vec::new();
    for number in 0..6 {
        let game = row(&tenant, LONG_AGO + 10 * number, &["ada"]);
        let created_ms = LONG_AGO + number;
        games.push(created(&*handles.one, IndexRow { created_ms, ..game }).await);
    }
    let period = |from, until| Period {
        from_ms: LONG_AGO + from,
        until_ms: LONG_AGO + until,
    };
    let changed = ListFilter {
        changed: period(10, 40),
        ..in_lists(&tenant, &["ada"])
    };
    let made = ListFilter {
        created: period(1, 3),
        ..in_lists(&tenant, &["ada"])
    };
    let of_all = ListFilter {
        created: period(4, 9),
        ..in_lists(&tenant, &[])
    };
    let none = ListFilter {
        created: period(9, 4),
        ..in_lists(&tenant, &[])
    };
    for (filter, expected) in [
        (changed, vec![games[3], games[2], games[1]]),
        (made, vec![games[2], games[1]]),
        (of_all, vec![games[5], games[4]]),
        (none, vec![]),
    ] {
        assert_eq!(ids(&*handles.other, &filter).await, expected, "{filter:?}");
    }
}

/// A page scans a limited number of games, and further pages still find a rare one.
pub async fn a_page_scans_a_limited_number_of_games(handles: &StoreHandles) {
    let tenant = new_tenant();
    let rare = created(&*handles.one, row(&tenant, LONG_AGO, &["ada", "rare"])).await;
    let usual = |number| created(&*handles.one, row(&tenant, LONG_AGO + 1 + number, &["ada"]));
    join_all((0..SCAN_LIMIT as u64 + 300).map(usual)).await;
    let by_change = in_lists(&tenant, &["ada", "rare"]);
    let by_creation = ListFilter {
        changed: Period {
            from_ms: 0,
            until_ms: LONG_AGO + 1,
        },
        ..in_lists(&tenant, &[])
    };
    for filter in [by_change, by_creation] {
        let first = handles.other.page(&filter, None, 10).await.unwrap();
        assert!(first.next.is_some(), "{filter:?}");
        let listed = ids(&*handles.other, &filter).await;
        assert_eq!(listed, [rare], "{filter:?}");
    }
}

/// The row, and with it the lists, can change together with the access record.
pub async fn a_game_is_listed_anew_with_its_access_record(handles: &StoreHandles) {
    let tenant = new_tenant();
    let plain = IndexRow {
        lists: None,
        ..row(&tenant, 0, &[])
    };
    let id = created(&*handles.one, plain.clone()).await;
    let [none, one, two] = ["its access record", "one", "two"].map(Bytes::from);
    let set = |from: &Bytes, to: &Bytes, row: &IndexRow| {
        let (head, row) = (Some(head(id, 1)), Some(row.clone()));
        let other = &handles.other;
        other.set_access(id, from.clone(), to.clone(), head, row)
    };
    let listed = async |name: &str| ids(&*handles.one, &in_lists(&tenant, &[name])).await;
    let mut watcher = handles.one.watch(id).await.unwrap();
    watcher.borrow_and_update();
    let ada = row(&tenant, LONG_AGO + 1, &["ada"]);
    assert!(set(&none, &one, &ada).await.unwrap());
    assert_eq!(listed("ada").await, [id]);
    let woken = tokio::time::timeout(Duration::from_secs(10), watcher.changed()).await;
    woken.unwrap().unwrap();
    assert!(!set(&none, &one, &ada).await.unwrap(), "sent again");
    assert_eq!(listed("ada").await, [id]);
    let bob = row(&tenant, LONG_AGO + 2, &["bob"]);
    assert!(!set(&none, &two, &bob).await.unwrap(), "too late");
    assert_eq!(listed("bob").await, NONE);
    assert!(set(&one, &two, &bob).await.unwrap());
    assert_eq!(listed("ada").await, NONE);
    assert_eq!(listed("bob").await, [id]);
    assert!(set(&two, &none, &plain).await.unwrap());
    assert_eq!(listed("bob").await, NONE, "in no list any more");
    let all = ids(&*handles.one, &in_lists(&tenant, &[])).await;
    assert_eq!(all, [id], "but in that of all games");
}

/// A row that was not made from the newest entry is refused, together with the access record.
pub async fn a_game_that_moved_on_is_not_listed_anew(handles: &StoreHandles) {
    let tenant = new_tenant();
    let id = created(&*handles.one, row(&tenant, LONG_AGO, &["ada"])).await;
    moved(&*handles.one, id, 1, row(&tenant, LONG_AGO + 1, &["ada"])).await;
    let [none, one] = ["its access record", "one"].map(Bytes::from);
    let foreign = Head {
        version: 2,
        entry_hash: head(id, 2).entry_hash.wrapping_add(1),
    };
    for (head, is_newest) in [
        (head(id, 1), false),
        (head(id, 3), false),
        (foreign, false),
        (head(id, 2), true),
    ] {
        let row = row(&tenant, LONG_AGO + 2, &["bob"]);
        let set = handles
            .other
            .set_access(id, none.clone(), one.clone(), Some(head), Some(row));
        assert_eq!(set.await.unwrap(), is_newest, "{head:?}");
        let loaded = handles.one.load(id, None).await.unwrap().unwrap();
        let (access, list) = if is_newest {
            (&one, "bob")
        } else {
            (&none, "ada")
        };
        assert_eq!(loaded.access, access);
        for name in ["ada", "bob"] {
            let ids_in_list = ids(&*handles.one, &in_lists(&tenant, &[name])).await;
            assert_eq!(
                ids_in_list.len(),
                usize::from(name == list),
                "{head:?}: {name}"
            );
        }
    }
}
