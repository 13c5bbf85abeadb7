//! The thread that makes all changes, and packs and deletes finished games when it is time.

use std::collections::VecDeque;

use tokio::sync::mpsc;

use super::arrivals::{Arrival, Arrivals};
use super::change::Change;
use super::counts::Counts;
use super::ends::Ends;
use super::errors::guarded;
use super::group::Group;
use super::manifest::Copies;
use super::register::Register;
use super::tables::Tables;
use crate::clock::now_ms;
use crate::store::wakers::Wakers;

/// The maximum number of changes that share one write to the disk.
const GROUP: usize = 256;

/// The maximum number of games packed at once if there is nothing else to write.
const PACKED_AT_REST: usize = 16;

/// Runs until the queue is closed and empty.
pub(super) fn run(
    queue: mpsc::Receiver<Change>,
    tables: &Tables,
    wakers: &Wakers,
    mut register: Register,
    mut ends: Ends,
) {
    let mut arrivals = Arrivals::on_this_thread(queue);
    let mut waiting = VecDeque::new();
    let mut counts = Counts::default();
    let mut copies = Copies::default();
    loop {
        copies.look(&tables.directory);
        if waiting.is_empty() {
            match arrivals.next(Some(ends.next())) {
                Arrival::Item(change) => waiting.push_back(change),
                Arrival::Time => {}
                Arrival::Closed => break,
            }
        }
        while waiting.len() < GROUP
            && let Some(change) = arrivals.waiting()
        {
            waiting.push_back(change);
        }
        let mut group = Group::new(tables, &mut counts, &mut register);
        let mut later = VecDeque::new();
        for change in waiting {
            match change.game() {
                Some(game) if group.games.contains(&game) => later.push_back(change),
                Some(_) | None => group.take(change),
            }
        }
        // With no caller waiting for this write, there is time to pack more games.
        for _ in 0..if group.games.is_empty() {
            PACKED_AT_REST
        } else {
            1
        } {
            match ends.next_to_pack() {
                Some(id) if !group.games.contains(&id) => group.pack(id),
                Some(id) => ends.ended(id),
                None => break,
            }
        }
        let due = guarded(|| ends.due(tables, now_ms())).unwrap_or_else(|error| {
            tracing::warn!(%error, "finished games were not deleted");
            Vec::new()
        });
        for id in due {
            if !group.games.contains(&id) {
                group.expire(id);
            }
        }
        let ended = std::mem::take(&mut group.ended);
        if group.write(wakers) {
            ended.into_iter().for_each(|id| ends.ended(id));
        }
        waiting = later;
    }
    if let Err(error) = copies.keep(&tables.directory) {
        tracing::warn!(%error, "a list of files was not copied");
    }
    if let Err(error) = register.sync() {
        tracing::warn!(%error, "the register may lack its last records");
    }
}
