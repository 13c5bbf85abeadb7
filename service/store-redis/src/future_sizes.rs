//! The futures of commits and loads stay small, as in `games`.

use gamekeeper_store::{Commit, GameId, Head};

use super::RedisStore;

const MAX: usize = 1_280;

fn size<A, F: Future>(_made_by: impl FnOnce(A) -> F) -> usize {
    size_of::<F>()
}

#[test]
fn futures_of_usual_calls_are_small() {
    type Store = &'static RedisStore;
    let commit = size(|(store, commit): (Store, &'static Commit)| store.commit_entry(commit));
    let load = size(|(store, id, known_head): (Store, GameId, Option<Head>)| {
        store.load_game(id, known_head)
    });
    assert!(commit <= MAX && load <= MAX, "{commit}, {load}");
}
