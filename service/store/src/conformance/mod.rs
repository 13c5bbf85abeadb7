//! The **conformance suite** of all stores. Each promise is a function that panics if the store breaks it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a broken promise is to stop the test"
)]

mod access;
mod committing;
mod deleting;
mod feeding;
mod histories;
mod kv;
mod limits;
mod listing;
mod loading;
mod named_lists;
mod races;
mod timed_lists;
mod watching;

use std::sync::Arc;

pub use access::*;
use bytes::Bytes;
pub use committing::*;
pub use deleting::*;
pub use feeding::*;
pub use histories::*;
pub use kv::*;
pub use limits::*;
pub use listing::*;
pub use loading::*;
pub use named_lists::*;
pub use races::*;
pub use timed_lists::*;
use uuid::Uuid;
pub use watching::*;

use super::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, NewGame, StoredEntry, Version,
    sizes,
};

/// The store under test, as two processes would see it.
#[derive(Clone)]
pub struct StoreHandles {
    /// One handle of the store.
    pub one: Arc<dyn GameStore>,
    /// Another handle of the same data; the same handle for a store of a single process.
    pub other: Arc<dyn GameStore>,
}

impl StoreHandles {
    /// A store of a single process.
    #[must_use]
    pub fn single(store: Arc<dyn GameStore>) -> StoreHandles {
        StoreHandles {
            one: Arc::clone(&store),
            other: store,
        }
    }
}

async fn check_feeds_and_kv(handles: &StoreHandles) {
    // Feeds.
    every_change_is_reported_in_order(handles).await;
    a_feed_resumes_at_every_offset(handles).await;
    a_feed_can_be_read_from_its_end(handles).await;
    a_feed_reports_its_own_tenant_only(handles).await;
    a_follower_misses_nothing(handles).await;
    a_feed_begins_with_its_first_reader(handles).await;
    a_feed_wakes_its_watchers(handles).await;
    a_lost_or_expired_offset_is_handled(handles).await;
    // Key-value records.
    a_kv_record_is_compared_and_set(handles).await;
    a_kv_record_expires(handles).await;
    a_kv_change_wakes_its_watchers(handles).await;
    concurrent_kv_changes_have_one_winner_each(handles).await;
}

/// Checks every promise in turn.
pub async fn run_all(handles: &StoreHandles) {
    // Committing.
    a_created_game_exists_once(handles).await;
    a_creation_may_be_sent_again(handles).await;
    a_game_may_begin_with_a_history(handles).await;
    a_long_history_is_stored_completely(handles).await;
    long_histories_are_not_mixed(handles).await;
    a_commit_adds_the_next_entry(handles).await;
    a_commit_to_a_missing_game_is_reported(handles).await;
    a_conflict_brings_the_newer_entries(handles).await;
    a_commit_ahead_of_the_game_conflicts(handles).await;
    nothing_is_built_on_an_entry_that_is_gone(handles).await;
    the_same_commit_may_be_sent_again(handles).await;
    entries_may_hold_any_bytes(handles).await;
    // Races.
    concurrent_creations_have_one_winner(handles).await;
    concurrent_commits_have_one_winner_each(handles).await;
    games_do_not_disturb_each_other(handles).await;
    // Loading.
    a_missing_game_is_reported(handles).await;
    a_young_game_loads_whole(handles).await;
    a_cold_load_looks_back(handles).await;
    a_warm_load_brings_what_is_newer(handles).await;
    a_known_version_that_is_gone_loads_cold(handles).await;
    a_log_is_read_in_pages(handles).await;
    // Access records.
    an_access_record_is_compared_and_set(handles).await;
    an_access_record_can_insist_on_the_newest_entry(handles).await;
    a_commit_can_insist_on_the_access_record(handles).await;
    // Watching.
    a_commit_wakes_a_watcher(handles).await;
    a_deletion_wakes_a_watcher(handles).await;
    a_watcher_of_another_game_sleeps(handles).await;
    what_is_watched_can_be_woken(handles).await;
    // Lists.
    the_newest_games_come_first(handles).await;
    lists_are_filtered(handles).await;
    lists_are_paged(handles).await;
    a_finished_game_is_listed_as_such(handles).await;
    a_rare_game_is_on_the_first_page(handles).await;
    // Named lists.
    a_game_is_in_the_lists_of_its_row(handles).await;
    a_list_of_all_has_the_games_of_every_tenant(handles).await;
    a_game_that_changes_moves_in_its_lists(handles).await;
    a_refused_change_is_in_no_list(handles).await;
    named_lists_are_paged(handles).await;
    games_of_one_moment_come_by_id(handles).await;
    lists_are_cut_by_time(handles).await;
    a_page_scans_a_limited_number_of_games(handles).await;
    a_game_is_listed_anew_with_its_access_record(handles).await;
    a_game_that_moved_on_is_not_listed_anew(handles).await;
    // Timed lists.
    timed_lists_follow_the_times_of_their_rows(handles).await;
    timed_lists_are_cut_and_paged(handles).await;
    a_refused_change_loses_no_game_of_a_timed_list(handles).await;
    // Limits.
    a_tenant_has_no_more_games_than_it_may(handles).await;
    a_race_for_the_last_games_of_a_tenant_has_as_many_winners(handles).await;
    the_bytes_of_a_tenant_are_those_of_its_games(handles).await;
    a_tenant_stores_no_more_bytes_than_it_may(handles).await;
    check_feeds_and_kv(handles).await;
    // Deleting.
    a_deleted_game_is_gone(handles).await;
    a_deleted_game_can_be_created_anew(handles).await;
    handles.one.ping().await.unwrap();
}

/// The row of an active game of this tenant, in no named list.
fn row_of(tenant: &str) -> IndexRow {
    IndexRow {
        tenant: tenant.to_owned(),
        ruleset: "dominion".to_owned(),
        created_ms: 1_790_000_000_000,
        finished: false,
        lists: None,
    }
}

/// A new game with recognizable contents.
fn new_game(id: GameId) -> NewGame {
    NewGame {
        id,
        row: row_of("contract"),
        entry: entry_bytes(id, 1),
        history: Vec::new(),
        snapshot: snapshot_bytes(id, 1),
        access: Bytes::new(),
        tenant_limit: None,
        tenant_bytes: None,
    }
}

/// A new game with recognizable contents and a past up to a version.
fn game_with_history(id: GameId, version: Version) -> NewGame {
    NewGame {
        history: (2..=version)
            .map(|version| entry_bytes(id, version))
            .collect(),
        snapshot: snapshot_bytes(id, version),
        ..new_game(id)
    }
}

/// Creates a game.
async fn created(store: &dyn GameStore) -> GameId {
    let id = Uuid::now_v7();
    assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
    id
}

/// Adds entries up to a version, with a snapshot at each version in `snapshots`.
async fn grown(store: &dyn GameStore, id: GameId, to: Version, snapshots: &[Version]) {
    let from = store.log(id, 0, usize::MAX).await.unwrap().unwrap().len() as Version;
    for expected in from..to {
        let mut commit = commit(id, expected);
        if snapshots.contains(&(expected + 1)) {
            commit.snapshot = Some(snapshot_bytes(id, expected + 1));
        }
        assert_eq!(store.commit(&commit).await.unwrap(), Committed::Done);
    }
}

/// A commit of the next entry.
fn commit(id: GameId, expected: Version) -> Commit {
    Commit {
        id,
        tenant: String::from("contract"),
        expected: head(id, expected),
        entry: entry_bytes(id, expected + 1),
        log_bytes: (1..=expected + 1)
            .map(|version| sizes::bytes(entry_bytes(id, version).len()))
            .sum(),
        snapshot: None,
        row: None,
        access: None,
    }
}

/// A commit of another entry at the same version.
fn rival(id: GameId, expected: Version) -> Commit {
    Commit {
        entry: Bytes::from(format!("rival {id} {expected}")),
        ..commit(id, expected)
    }
}

fn head(id: GameId, version: Version) -> Head {
    Head::of(version, &entry_bytes(id, version))
}

fn entry_bytes(id: GameId, version: Version) -> Bytes {
    Bytes::from(format!("entry {version} of {id}"))
}

fn snapshot_bytes(id: GameId, version: Version) -> Bytes {
    Bytes::from(format!("snapshot {version} of {id}"))
}

fn entries(id: GameId, versions: impl Iterator<Item = Version>) -> Vec<StoredEntry> {
    versions
        .map(|version| StoredEntry {
            version,
            bytes: entry_bytes(id, version),
        })
        .collect()
}

/// The whole log of a game.
async fn whole_log(store: &dyn GameStore, id: GameId) -> Vec<StoredEntry> {
    store.log(id, 0, usize::MAX).await.unwrap().unwrap()
}
