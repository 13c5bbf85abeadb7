//! The **contract suite** of all stores. Each promise is a function that panics if the store breaks it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a broken promise is to stop the test"
)]

mod access;
mod committing;
mod deleting;
mod feeding;
mod limits;
mod listing;
mod loading;
mod named_lists;
mod notes;
mod pasts;
mod races;
mod timed_lists;
mod watching;

use std::sync::Arc;

pub use access::*;
use bytes::Bytes;
pub use committing::*;
pub use deleting::*;
pub use feeding::*;
pub use limits::*;
pub use listing::*;
pub use loading::*;
pub use named_lists::*;
pub use notes::*;
pub use pasts::*;
pub use races::*;
pub use timed_lists::*;
use uuid::Uuid;
pub use watching::*;

use super::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, NewGame, StoredEntry, Version,
};

/// The store under test, as two processes would see it.
#[derive(Clone)]
pub struct Subject {
    /// One handle of the store.
    pub one: Arc<dyn GameStore>,
    /// Another handle of the same data; the same handle for a store of a single process.
    pub other: Arc<dyn GameStore>,
}

impl Subject {
    /// A store of a single process.
    #[must_use]
    pub fn single(store: Arc<dyn GameStore>) -> Subject {
        Subject {
            one: Arc::clone(&store),
            other: store,
        }
    }
}

async fn check_feeds_and_notes(subject: &Subject) {
    // Feeds.
    all_that_happens_is_told_in_order(subject).await;
    a_feed_resumes_at_every_place(subject).await;
    a_feed_can_be_read_from_its_end(subject).await;
    a_feed_tells_of_its_own_tenant_alone(subject).await;
    a_follower_misses_nothing(subject).await;
    a_feed_wakes_its_watchers(subject).await;
    a_place_that_is_gone_is_told(subject).await;
    // Notes.
    a_note_is_compared_and_set(subject).await;
    a_note_is_forgotten_at_its_time(subject).await;
    a_note_wakes_its_watchers(subject).await;
    concurrent_changes_of_a_note_have_one_winner_each(subject).await;
}

/// Checks every promise in turn.
pub async fn run_all(subject: &Subject) {
    // Committing.
    a_created_game_exists_once(subject).await;
    a_creation_may_be_sent_again(subject).await;
    a_game_may_begin_with_a_past(subject).await;
    a_long_past_is_kept_whole(subject).await;
    long_pasts_are_not_mixed(subject).await;
    a_commit_adds_the_next_entry(subject).await;
    a_commit_to_a_missing_game_is_reported(subject).await;
    a_conflict_brings_the_newer_entries(subject).await;
    a_commit_ahead_of_the_game_conflicts(subject).await;
    nothing_is_built_on_an_entry_that_is_gone(subject).await;
    the_same_commit_may_be_sent_again(subject).await;
    entries_may_hold_any_bytes(subject).await;
    // Races.
    concurrent_creations_have_one_winner(subject).await;
    concurrent_commits_have_one_winner_each(subject).await;
    games_do_not_disturb_each_other(subject).await;
    // Loading.
    a_missing_game_is_reported(subject).await;
    a_young_game_loads_whole(subject).await;
    a_cold_load_looks_back(subject).await;
    a_warm_load_brings_what_is_newer(subject).await;
    a_known_version_that_is_gone_loads_cold(subject).await;
    a_log_is_read_in_pages(subject).await;
    // Access records.
    an_access_record_is_compared_and_set(subject).await;
    an_access_record_can_insist_on_the_newest_entry(subject).await;
    a_commit_can_insist_on_the_access_record(subject).await;
    // Watching.
    a_commit_wakes_a_watcher(subject).await;
    a_deletion_wakes_a_watcher(subject).await;
    a_watcher_of_another_game_sleeps(subject).await;
    what_is_watched_can_be_woken(subject).await;
    // Lists.
    the_newest_games_come_first(subject).await;
    lists_are_filtered(subject).await;
    lists_are_paged(subject).await;
    a_finished_game_is_listed_as_such(subject).await;
    a_rare_game_is_on_the_first_page(subject).await;
    // Named lists.
    a_game_is_in_the_lists_of_its_row(subject).await;
    a_list_of_all_has_the_games_of_every_tenant(subject).await;
    a_game_that_changes_moves_in_its_lists(subject).await;
    a_refused_change_is_in_no_list(subject).await;
    named_lists_are_paged(subject).await;
    games_of_one_moment_come_by_id(subject).await;
    lists_are_cut_by_time(subject).await;
    a_page_looks_at_a_limited_number_of_games(subject).await;
    a_game_is_listed_anew_with_its_access_record(subject).await;
    a_game_that_moved_on_is_not_listed_anew(subject).await;
    // Timed lists.
    timed_lists_follow_the_times_of_their_rows(subject).await;
    timed_lists_are_cut_and_paged(subject).await;
    a_refused_change_loses_no_game_of_a_timed_list(subject).await;
    // Limits.
    a_tenant_has_no_more_games_than_it_may(subject).await;
    a_race_for_the_last_games_of_a_tenant_has_as_many_winners(subject).await;
    check_feeds_and_notes(subject).await;
    // Deleting.
    a_deleted_game_is_gone(subject).await;
    a_deleted_game_can_be_created_anew(subject).await;
    subject.one.ping().await.unwrap();
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
        past: Vec::new(),
        snapshot: snapshot_bytes(id, 1),
        access: Bytes::new(),
        max_of_tenant: None,
    }
}

/// A new game with recognizable contents and a past up to a version.
fn game_with_past(id: GameId, version: Version) -> NewGame {
    NewGame {
        past: (2..=version)
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
