use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use uuid::Uuid;

use super::{StoreHandles, commit, new_game};
use crate::{
    Commit, Committed, Created, GameId, GameStore, IndexRow, ListFilter, ListPosition, ListedGame,
    NewGame, SCAN_LIMIT,
};

/// Games are ordered by creation time, then by id, newest first, regardless of the order of the calls.
pub async fn the_newest_games_come_first(handles: &StoreHandles) {
    let tenant = new_tenant();
    let mut games = Vec::new();
    for created_ms in [5, 3, 9, 3, 7, 3, 256, 65_536] {
        games.push(listed(&*handles.one, &tenant, "caylus", created_ms).await);
    }
    games.sort_by_key(|game| std::cmp::Reverse((game.row.created_ms, game.id)));
    let filter = ListFilter {
        tenant: Some(tenant.clone()),
        ..ListFilter::default()
    };
    assert_eq!(handles.other.list(&filter, None, 100).await.unwrap(), games);
    let all = handles
        .other
        .list(&ListFilter::default(), None, usize::MAX)
        .await
        .unwrap();
    let ours: Vec<_> = all
        .into_iter()
        .filter(|game| game.row.tenant == tenant)
        .collect();
    assert_eq!(ours, games);
    assert_eq!(handles.other.list(&filter, None, 0).await.unwrap(), []);
}

/// A list contains exactly the games that match the filter.
pub async fn lists_are_filtered(handles: &StoreHandles) {
    let (mine, yours) = (new_tenant(), new_tenant());
    for (tenant, ruleset, created_ms) in [
        (&mine, "caylus", 1),
        (&mine, "dominion", 2),
        (&mine, "caylus", 3),
        (&yours, "caylus", 4),
    ] {
        listed(&*handles.one, tenant, ruleset, created_ms).await;
    }
    let times = async |tenant: &str, ruleset: Option<&str>, finished| {
        let (tenant, ruleset) = (Some(tenant.to_owned()), ruleset.map(str::to_owned));
        let filter = ListFilter {
            tenant,
            ruleset,
            finished,
            ..ListFilter::default()
        };
        let games = handles.other.list(&filter, None, 10).await.unwrap();
        games
            .into_iter()
            .map(|game| game.row.created_ms)
            .collect::<Vec<_>>()
    };
    assert_eq!(times(&mine, None, None).await, [3, 2, 1]);
    assert_eq!(times(&mine, Some("caylus"), None).await, [3, 1]);
    assert_eq!(times(&mine, Some("caylus"), Some(false)).await, [3, 1]);
    assert!(times(&mine, Some("kingsburg"), None).await.is_empty());
    assert!(times(&mine, None, Some(true)).await.is_empty());
    assert_eq!(times(&yours, None, None).await, [4]);
    assert!(times(&new_tenant(), None, None).await.is_empty());
}

/// Pages follow each other without gap or overlap, even if a filter excludes most games.
pub async fn lists_are_paged(handles: &StoreHandles) {
    let tenant = new_tenant();
    for number in 0..30 {
        let ruleset = if number % 5 == 0 {
            "kingsburg"
        } else {
            "caylus"
        };
        // Some games share their time of creation.
        listed(&*handles.one, &tenant, ruleset, number / 4).await;
    }
    for ruleset in [None, Some("kingsburg".to_owned())] {
        let filter = ListFilter {
            tenant: Some(tenant.clone()),
            ruleset,
            finished: Some(false),
            ..ListFilter::default()
        };
        let expected = handles.other.list(&filter, None, 100).await.unwrap();
        for limit in [1, 4, 30] {
            let mut read: Vec<ListedGame> = Vec::new();
            loop {
                let page = handles
                    .other
                    .list(&filter, read.last().map(position_of), limit)
                    .await
                    .unwrap();
                let is_last = page.len() < limit;
                read.extend(page);
                if is_last {
                    break;
                }
            }
            assert_eq!(read, expected, "limit {limit}");
        }
    }
}

/// The last entry of a game changes its row but not its position.
pub async fn a_finished_game_is_listed_as_such(handles: &StoreHandles) {
    let tenant = new_tenant();
    let game = listed(&*handles.one, &tenant, "mythotopia", 77).await;
    listed(&*handles.one, &tenant, "mythotopia", 78).await;
    let row = IndexRow {
        finished: true,
        ..game.row
    };
    let last = Commit {
        snapshot: Some(Bytes::from_static(b"the end")),
        row: Some(row.clone()),
        ..commit(game.id, 1)
    };
    assert_eq!(handles.one.commit(&last).await.unwrap(), Committed::Done);
    let over = async |finished| {
        let tenant = Some(tenant.clone());
        let filter = ListFilter {
            tenant,
            finished,
            ..ListFilter::default()
        };
        handles.other.list(&filter, None, 10).await.unwrap()
    };
    assert_eq!(over(Some(true)).await, [ListedGame { id: game.id, row }]);
    assert_eq!(over(Some(false)).await.len(), 1);
    assert_eq!(over(None).await.len(), 2);
    assert_eq!(over(None).await[1].id, game.id);
}

/// The cost of a page of a rare ruleset or status depends on what it returns, at least eventually: a store may first
/// have to establish that its lists of kinds are complete.
pub async fn a_rare_game_is_on_the_first_page(handles: &StoreHandles) {
    let tenant = new_tenant();
    let oldest = listed(&*handles.one, &tenant, "rare", 1).await;
    let usual = (0..SCAN_LIMIT as u64 + 300)
        .map(|number| listed(&*handles.one, &tenant, "usual", 2 + number / 3));
    let usual = join_all(usual).await;
    let page = async |ruleset: Option<&str>, finished| {
        let filter = ListFilter {
            tenant: Some(tenant.clone()),
            ruleset: ruleset.map(str::to_owned),
            finished,
            ..ListFilter::default()
        };
        let page = handles.other.page(&filter, None, 4).await.unwrap();
        (page.games, page.next)
    };
    let begun = Instant::now();
    while page(Some("rare"), None).await != (vec![oldest.clone()], None) {
        assert!(
            begun.elapsed() < PATIENCE,
            "a rare game is hidden by others"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let rare = Some("rare");
    assert_eq!(page(rare, Some(false)).await, (vec![oldest.clone()], None));
    assert_eq!(page(rare, Some(true)).await, (vec![], None));
    assert_eq!(page(None, Some(true)).await, (vec![], None));
    let over = [&oldest, &usual[700]].map(|game| ListedGame {
        row: IndexRow {
            finished: true,
            ..game.row.clone()
        },
        ..*game
    });
    for game in &over {
        let last = Commit {
            row: Some(game.row.clone()),
            ..commit(game.id, 1)
        };
        assert_eq!(handles.one.commit(&last).await.unwrap(), Committed::Done);
    }
    let [oldest, other] = over;
    assert_eq!(page(rare, Some(false)).await, (vec![], None));
    for status in [None, Some(true)] {
        assert_eq!(page(rare, status).await, (vec![oldest.clone()], None));
    }
    let both = vec![other.clone(), oldest.clone()];
    assert_eq!(page(None, Some(true)).await, (both, None));
    assert!(handles.one.delete(oldest.id).await.unwrap());
    assert_eq!(page(rare, None).await, (vec![], None));
    assert_eq!(page(None, Some(true)).await, (vec![other], None));
    // The same holds for the lists of all tenants.
    let all = ListFilter {
        ruleset: Some(String::from("usual")),
        ..ListFilter::default()
    };
    let mut matching = handles.other.list(&all, None, usize::MAX).await.unwrap();
    matching.retain(|game| game.row.tenant == tenant);
    assert_eq!(matching.len(), usual.len());
}

/// How long a store may take to establish that its lists of kinds are complete.
const PATIENCE: Duration = Duration::from_secs(60);

fn position_of(game: &ListedGame) -> ListPosition {
    let ms = game.row.created_ms;
    ListPosition { ms, id: game.id }
}

pub(super) fn new_tenant() -> String {
    format!("tenant {}", Uuid::now_v7())
}

async fn listed(store: &dyn GameStore, tenant: &str, ruleset: &str, created_ms: u64) -> ListedGame {
    let id: GameId = Uuid::new_v8(rand::random());
    let row = IndexRow {
        tenant: tenant.to_owned(),
        ruleset: ruleset.to_owned(),
        created_ms,
        finished: false,
        lists: None,
    };
    let game = NewGame {
        row: row.clone(),
        ..new_game(id)
    };
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    ListedGame { id, row }
}
