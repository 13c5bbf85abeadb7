//! A store that loses an entry between two reads of one call.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use gamekeeper_proto::gamekeeper::v1::TableOptions;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_store::{GameStore, Head, MemoryStore, NewGame};
use tokio::select;
use uuid::Uuid;

use super::faults::FaultInjector;
use super::faulty_store::FaultyStore;
use super::rng::SimRng;
use crate::aggregate::game::Game;
use crate::authz::Caller;
use crate::handlers::table_commands::TableRequest;
use crate::index::index_keys::index_row;
use crate::test_server::TestServer;

/// The response to a repeated request shows the table after its entry. If another entry has replaced that one
/// meanwhile, the request is validated again.
#[tokio::test(start_paused = true)]
async fn a_repeated_request_is_not_answered_with_the_entry_of_another() {
    let inner_store = Arc::new(MemoryStore::new());
    let slow = Arc::new(FaultyStore::over(
        &inner_store,
        &SimRng::new(1),
        &FaultInjector::without_faults(),
        None,
    ));
    let store: Arc<dyn GameStore> = Arc::<FaultyStore>::clone(&slow);
    let process = TestServer::<Caylus>::new(&store);
    let game = process.create(3, TableOptions::default()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let mut open = process
        .games
        .lock_cached(&Caller::UNAUTHENTICATED, id)
        .await
        .unwrap();
    let created = inner_store.load(id, None).await.unwrap().unwrap();
    let created = NewGame {
        id,
        row: index_row(&open),
        entry: created.entries[0].bytes.clone(),
        history: Vec::new(),
        snapshot: created.snapshot.unwrap().bytes,
        access: created.access,
        tenant_limit: None,
        tenant_bytes: None,
    };
    let fast: Arc<dyn GameStore> = Arc::<MemoryStore>::clone(&inner_store);
    let other = TestServer::<Caylus>::new(&fast);
    let resign = |seat| TableRequest::Resign { seat };
    other
        .change_table_with_id(&game, resign(1), "leave")
        .await
        .unwrap();
    process.games.refresh(&mut open).await.unwrap();
    let entry = inner_store.log(id, 1, 1).await.unwrap().unwrap().remove(0);
    let decoded = Game::<Caylus>::read_entry(&entry).unwrap();
    let key = open.idempotency_key_of(2, &decoded);
    let before = slow.steps();
    let mut repeated = Box::pin(process.games.replay_duplicate(&mut open, key, 2));
    // The entry of the request was read, and the log before it is being read.
    let reads_on = poll_fn(|_| match slow.steps() - before {
        0 | 1 => Poll::Pending,
        _ => Poll::Ready(()),
    });
    select! {
        biased;
        _response = &mut repeated => panic!("it has read the log once"),
        () = reads_on => {}
    }
    assert!(inner_store.delete(id).await.unwrap());
    inner_store.create(created).await.unwrap();
    let other = TestServer::<Caylus>::new(&fast);
    other.change_table(&game, resign(2)).await.unwrap();
    let response = repeated.await.unwrap();
    assert!(response.is_none());
    let newest = inner_store.log(id, 1, 1).await.unwrap().unwrap().remove(0);
    assert_eq!(open.head(), Head::of(2, &newest.bytes));
    assert_ne!(newest, entry);
}
