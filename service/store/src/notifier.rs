//! The watchers of games inside this process: a **publish/subscribe** registry.

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::{ChangeReceiver, GameId, Version};

/// The watched games. A game without watchers stays here until the next [`ChangeNotifier::prune_idle`];
/// [`ChangeNotifier::watch`] also removes such games whenever the number of games has doubled.
#[derive(Default)]
pub struct ChangeNotifier {
    watched: Mutex<Watched>,
}

#[derive(Default)]
struct Watched {
    games: HashMap<GameId, watch::Sender<Version>>,
    /// The number of watched games that triggers the next removal of idle ones.
    prune_at: usize,
}

/// The number of games below which `watch` does not remove idle ones.
const MIN_PRUNE_LEN: usize = 64;

impl ChangeNotifier {
    /// Adds a watcher of a game.
    pub fn watch(&self, id: GameId) -> ChangeReceiver {
        let mut watched = self.watched.lock();
        if watched.games.len() >= watched.prune_at.max(MIN_PRUNE_LEN) {
            watched.prune_idle();
            watched.prune_at = 2 * watched.games.len();
        }
        watched
            .games
            .entry(id)
            .or_insert_with(|| watch::Sender::new(0))
            .subscribe()
    }

    /// Reports that a game has reached this version.
    pub fn notify_version(&self, id: GameId, version: Version) {
        if let Some(sender) = self.watched.lock().games.get(&id) {
            sender.send_if_modified(|newest| {
                let is_newer = version > *newest;
                *newest = version.max(*newest);
                is_newer
            });
        }
    }

    /// Wakes the watchers of a game without a new version.
    pub fn notify(&self, id: GameId) {
        if let Some(sender) = self.watched.lock().games.get(&id) {
            sender.send_modify(|_| ());
        }
    }

    /// Wakes all watchers, because wake-ups may have been missed.
    pub fn notify_all(&self) {
        for sender in self.watched.lock().games.values() {
            sender.send_modify(|_| ());
        }
    }

    /// Removes the games without watchers, and returns their ids.
    pub fn prune_idle(&self) -> Vec<GameId> {
        self.watched.lock().prune_idle()
    }

    /// The watched games.
    pub fn games(&self) -> Vec<GameId> {
        self.watched.lock().games.keys().copied().collect()
    }
}

impl Watched {
    fn prune_idle(&mut self) -> Vec<GameId> {
        self.games
            .extract_if(|_, sender| sender.receiver_count() == 0)
            .map(|(id, _)| id)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_newer_version_wakes_and_no_other_one_does() {
        let notifier = ChangeNotifier::default();
        let id = Uuid::from_u128(1);
        let mut watcher = notifier.watch(id);
        notifier.notify_version(id, 3);
        assert!(watcher.has_changed().unwrap());
        assert_eq!(*watcher.borrow_and_update(), 3);
        // A change and its message both report the version.
        notifier.notify_version(id, 3);
        notifier.notify_version(id, 2);
        notifier.notify_version(Uuid::from_u128(2), 9);
        assert!(!watcher.has_changed().unwrap());
        notifier.notify(id);
        assert!(watcher.has_changed().unwrap());
        assert_eq!(*watcher.borrow(), 3);
    }

    #[test]
    fn games_that_nobody_watches_are_forgotten() {
        let notifier = ChangeNotifier::default();
        let held_receiver = notifier.watch(Uuid::from_u128(0));
        for number in 1..=1_000 {
            drop(notifier.watch(Uuid::from_u128(number)));
        }
        assert!(notifier.games().len() <= MIN_PRUNE_LEN);
        notifier.prune_idle();
        assert_eq!(notifier.games(), [Uuid::from_u128(0)]);
        drop(held_receiver);
    }
}
