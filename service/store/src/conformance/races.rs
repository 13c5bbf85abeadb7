use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::join_all;
use uuid::Uuid;

use super::{StoreHandles, created, entry_bytes, head, new_game, whole_log};
use crate::{Commit, Committed, Created, GameId, GameStore, Head, NewGame, Version, sizes};

/// Of many concurrent creations with one id, exactly one wins, and its game is the one that is stored.
pub async fn concurrent_creations_have_one_winner(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    let attempts = (0..16).map(|number| {
        let store = Arc::clone(if number % 2 == 0 {
            &handles.one
        } else {
            &handles.other
        });
        let entry = Bytes::from(format!("beginning {number}"));
        let snapshot = Bytes::from(format!("state {number}"));
        tokio::spawn(async move {
            let game = NewGame {
                entry,
                snapshot,
                ..new_game(id)
            };
            (number, store.create(game).await.unwrap())
        })
    });
    let mut winners = Vec::new();
    for attempt in join_all(attempts).await {
        let (number, outcome) = attempt.unwrap();
        if outcome == Created::Done {
            winners.push(number);
        }
    }
    assert_eq!(winners.len(), 1);
    let loaded = handles.one.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.entries[0].bytes, format!("beginning {}", winners[0]));
    assert_eq!(
        loaded.snapshot.unwrap().bytes,
        format!("state {}", winners[0])
    );
}

/// The number of tasks that race for one game, and the number of versions that each must win.
const RACERS: usize = 16;
const LAPS: usize = 12;

/// Every version has exactly one winner, and the log contains exactly the winning entries.
pub async fn concurrent_commits_have_one_winner_each(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    let racers = (0..RACERS).map(|racer| {
        let store = Arc::clone(if racer % 2 == 0 {
            &handles.one
        } else {
            &handles.other
        });
        tokio::spawn(race(store, id, racer))
    });
    let mut won: Vec<(Version, Bytes)> = Vec::new();
    for racer in join_all(racers).await {
        won.extend(racer.unwrap());
    }
    won.sort();
    let log = whole_log(&*handles.other, id).await;
    let stored: Vec<_> = log
        .into_iter()
        .skip(1)
        .map(|entry| (entry.version, entry.bytes))
        .collect();
    assert_eq!(stored, won);
    assert_eq!(won.len(), RACERS * LAPS);
}

/// Commits until it has won every lap. After a conflict, continues from the newest entry in the answer.
async fn race(store: Arc<dyn GameStore>, id: GameId, racer: usize) -> Vec<(Version, Bytes)> {
    let mut expected = head(id, 1);
    let mut log_bytes = sizes::bytes(entry_bytes(id, 1).len());
    let mut won = Vec::new();
    while won.len() < LAPS {
        let entry = Bytes::from(format!("racer {racer} lap {}", won.len()));
        let next = Commit {
            id,
            tenant: String::from("contract"),
            expected,
            entry: entry.clone(),
            log_bytes: log_bytes + sizes::bytes(entry.len()),
            snapshot: (expected.version % 16 == 15).then(|| entry.clone()),
            row: None,
            access: None,
        };
        match store.commit(&next).await.unwrap() {
            Committed::Done => {
                expected = Head::of(expected.version + 1, &entry);
                log_bytes = next.log_bytes;
                won.push((expected.version, entry));
            }
            Committed::Conflict { newer } => {
                assert_eq!(newer[0].version, expected.version + 1);
                let last = newer.last().unwrap();
                log_bytes += newer
                    .iter()
                    .map(|entry| sizes::bytes(entry.bytes.len()))
                    .sum::<u64>();
                expected = Head::of(last.version, &last.bytes);
            }
            outcome @ (Committed::AccessChanged | Committed::Missing) => panic!("{outcome:?}"),
        }
        // Yield, so that other tasks can win as well.
        tokio::task::yield_now().await;
    }
    won
}

/// Many games grow concurrently without affecting each other.
pub async fn games_do_not_disturb_each_other(handles: &StoreHandles) {
    let games = (0..24).map(|number| {
        let handles = handles.clone();
        tokio::spawn(async move {
            let store = if number % 2 == 0 {
                &handles.one
            } else {
                &handles.other
            };
            let id = created(&**store).await;
            super::grown(&**store, id, 20, &[16]).await;
            assert_eq!(
                whole_log(&*handles.other, id).await,
                super::entries(id, 1..=20)
            );
        })
    });
    for game in join_all(games).await {
        game.unwrap();
    }
}
