use uuid::Uuid;

use super::listing::new_tenant;
use super::{StoreHandles, commit, new_game, row_of};
use crate::{
    Commit, Committed, Created, GameId, GameStore, IndexRow, ListFilter, Lists, NewGame, Period,
    Version,
};

const LIST: &str = "due";

/// A row of a game that is in a timed list at this time, and in a named list.
fn row(tenant: &str, ms: Option<u64>) -> IndexRow {
    let lists = Lists {
        changed_ms: 1_790_000_000_000,
        names: vec![String::from("ada")],
        timed: ms.map(|ms| (LIST.to_owned(), ms)).into_iter().collect(),
    };
    IndexRow {
        lists: Some(lists),
        ..row_of(tenant)
    }
}

async fn created(store: &dyn GameStore, row: IndexRow) -> GameId {
    let id = Uuid::now_v7();
    let game = NewGame {
        row,
        ..new_game(id)
    };
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    id
}

async fn moved(store: &dyn GameStore, id: GameId, expected: Version, row: IndexRow) {
    let next = Commit {
        row: Some(row),
        ..commit(id, expected)
    };
    assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
}

fn timed(tenant: &str) -> ListFilter {
    ListFilter {
        tenant: Some(tenant.to_owned()),
        timed: Some(LIST.to_owned()),
        ..ListFilter::default()
    }
}

async fn ids(store: &dyn GameStore, filter: &ListFilter) -> Vec<GameId> {
    let games = store.list(filter, None, usize::MAX).await.unwrap();
    games.into_iter().map(|game| game.id).collect()
}

/// A timed list is ordered by the games' times in it; each change of a row may move a game either way.
pub async fn timed_lists_follow_the_times_of_their_rows(handles: &StoreHandles) {
    let (tenant, another) = (new_tenant(), new_tenant());
    let (store, other) = (&*handles.one, &*handles.other);
    let listed = async || ids(other, &timed(&tenant)).await;
    let one = created(store, row(&tenant, Some(10))).await;
    let two = created(store, row(&tenant, Some(20))).await;
    let three = created(store, row(&tenant, None)).await;
    created(store, row(&another, Some(30))).await;
    assert_eq!(listed().await, [two, one]);
    moved(store, one, 1, row(&tenant, Some(40))).await;
    assert_eq!(listed().await, [one, two]);
    moved(store, one, 2, row(&tenant, Some(5))).await;
    moved(store, three, 1, row(&tenant, Some(15))).await;
    assert_eq!(listed().await, [two, three, one]);
    moved(store, two, 1, row(&tenant, None)).await;
    assert_eq!(listed().await, [three, one]);
    assert!(store.delete(three).await.unwrap());
    assert_eq!(listed().await, [one]);
    let named = ListFilter {
        lists: vec![String::from("ada")],
        ..ListFilter {
            timed: None,
            ..timed(&tenant)
        }
    };
    assert_eq!(
        ids(other, &named).await.len(),
        2,
        "the others are as before"
    );
}

/// A timed list can be limited to a period of its times and read in pages; the other conditions of a filter apply too.
pub async fn timed_lists_are_cut_and_paged(handles: &StoreHandles) {
    let tenant = new_tenant();
    let (store, other) = (&*handles.one, &*handles.other);
    let mut all = Vec::new();
    for ms in (0..30).map(|number| 100 + number / 3) {
        all.push((ms, created(store, row(&tenant, Some(ms))).await));
    }
    all.sort_unstable_by(|one, other| other.cmp(one));
    let (mut read, mut after) = (Vec::new(), None);
    loop {
        let page = other.page(&timed(&tenant), after, 7).await.unwrap();
        read.extend(page.games.into_iter().map(|game| game.id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let expected = |from: u64, until: u64| {
        let games = all.iter().filter(move |(ms, _)| (from..until).contains(ms));
        games.map(|(_, id)| *id).collect::<Vec<GameId>>()
    };
    assert_eq!(read, expected(0, u64::MAX));
    let cut = ListFilter {
        changed: Period {
            from_ms: 103,
            until_ms: 106,
        },
        ..timed(&tenant)
    };
    assert_eq!(ids(other, &cut).await, expected(103, 106));
    let elsewhere = ListFilter {
        lists: vec![String::from("bob")],
        ..timed(&tenant)
    };
    assert_eq!(ids(other, &elsewhere).await, [] as [GameId; 0]);
}

/// A refused change never loses or duplicates a game in a timed list, and the next change moves the game to its right
/// time.
pub async fn a_refused_change_loses_no_game_of_a_timed_list(handles: &StoreHandles) {
    let tenant = new_tenant();
    let (store, other) = (&*handles.one, &*handles.other);
    let one = created(store, row(&tenant, Some(10))).await;
    let two = created(store, row(&tenant, Some(20))).await;
    moved(store, one, 1, row(&tenant, Some(11))).await;
    let late = Commit {
        row: Some(row(&tenant, Some(99))),
        entry: bytes::Bytes::from(format!("late {one}")),
        ..commit(one, 1)
    };
    let refused = store.commit(&late).await.unwrap();
    assert!(matches!(refused, Committed::Conflict { .. }));
    let mut listed = ids(other, &timed(&tenant)).await;
    listed.sort_unstable();
    let mut both = [one, two];
    both.sort_unstable();
    assert_eq!(listed, both);
    assert_eq!(
        ids(other, &timed(&tenant)).await,
        [two, one],
        "the place is right again"
    );
    moved(store, one, 2, row(&tenant, Some(30))).await;
    assert_eq!(ids(other, &timed(&tenant)).await, [one, two]);
}
