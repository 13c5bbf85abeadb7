//! A store that loses an entry between two reads of one call.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use gamekeeper_proto::gamekeeper::v1::TableOptions;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_store::{GameStore, Head, MemoryStore, NewGame};
use tokio::select;
use uuid::Uuid;

use super::dice::Dice;
use super::store::Unreliable;
use super::weather::Sky;
use crate::heart::access::Caller;
use crate::heart::game::Game;
use crate::heart::tags::row;
use crate::process::Process;
use crate::verbs::table_life::TableRequest;

/// The response to a repeated request shows the table after its entry. If another entry has replaced that one
/// meanwhile, the request is validated again.
#[tokio::test(start_paused = true)]
async fn a_repeated_request_is_not_answered_with_the_entry_of_another() {
    let kept = Arc::new(MemoryStore::new());
    let slow = Arc::new(Unreliable::over(&kept, &Dice::new(1), &Sky::calm(), None));
    let store: Arc<dyn GameStore> = Arc::<Unreliable>::clone(&slow);
    let process = Process::<Caylus>::over(&store);
    let game = process.create(3, TableOptions::default()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let mut open = process.games.open(&Caller::OPEN, id).await.unwrap();
    let born = kept.load(id, None).await.unwrap().unwrap();
    let born = NewGame {
        id,
        row: row(&open),
        entry: born.entries[0].bytes.clone(),
        past: Vec::new(),
        snapshot: born.snapshot.unwrap().bytes,
        access: born.access,
        max_of_tenant: None,
    };
    let fast: Arc<dyn GameStore> = Arc::<MemoryStore>::clone(&kept);
    let other = Process::<Caylus>::over(&fast);
    let leave = |seat| TableRequest::Resign { seat };
    other.named(&game, leave(1), "leave").await.unwrap();
    process.games.refresh(&mut open).await.unwrap();
    let entry = kept.log(id, 1, 1).await.unwrap().unwrap().remove(0);
    let played = Game::<Caylus>::read_entry(&entry).unwrap();
    let request = open.request_of(2, &played);
    let before = slow.steps();
    let mut again = Box::pin(process.games.played_before(&mut open, request, 2));
    // The entry of the request was read, and the log before it is being read.
    let reads_on = poll_fn(|_| match slow.steps() - before {
        0 | 1 => Poll::Pending,
        _ => Poll::Ready(()),
    });
    select! {
        biased;
        _answer = &mut again => panic!("it has read the log once"),
        () = reads_on => {}
    }
    assert!(kept.delete(id).await.unwrap());
    kept.create(born).await.unwrap();
    let other = Process::<Caylus>::over(&fast);
    other.ask(&game, leave(2)).await.unwrap();
    let answer = again.await.unwrap();
    assert!(answer.is_none());
    let newest = kept.log(id, 1, 1).await.unwrap().unwrap().remove(0);
    assert_eq!(open.head(), Head::of(2, &newest.bytes));
    assert_ne!(newest, entry);
}
