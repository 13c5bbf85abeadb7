//! The watchers of games inside this process: a **publish/subscribe** registry.

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::{GameId, Version, WakeUps};

/// The watched games. A game without watchers stays here until the next [`Wakers::drop_idle`];
/// [`Wakers::watch`] also removes such games whenever the number of games has doubled.
#[derive(Default)]
pub struct Wakers {
    watched: Mutex<Watched>,
}

#[derive(Default)]
struct Watched {
    games: HashMap<GameId, watch::Sender<Version>>,
    /// The number of watched games that triggers the next removal of idle ones.
    look_at: usize,
}

/// The number of games below which `watch` does not remove idle ones.
const FEW: usize = 64;

impl Wakers {
    /// Adds a watcher of a game.
    pub fn watch(&self, id: GameId) -> WakeUps {
        let mut watched = self.watched.lock();
        if watched.games.len() >= watched.look_at.max(FEW) {
            watched.drop_idle();
            watched.look_at = 2 * watched.games.len();
        }
        watched
            .games
            .entry(id)
            .or_insert_with(|| watch::Sender::new(0))
            .subscribe()
    }

    /// Reports that a game has reached this version.
    pub fn reached(&self, id: GameId, version: Version) {
        if let Some(sender) = self.watched.lock().games.get(&id) {
            sender.send_if_modified(|newest| {
                let is_newer = version > *newest;
                *newest = version.max(*newest);
                is_newer
            });
        }
    }

    /// Wakes the watchers of a game without a new version.
    pub fn poke(&self, id: GameId) {
        if let Some(sender) = self.watched.lock().games.get(&id) {
            sender.send_modify(|_| ());
        }
    }

    /// Wakes all watchers, because wake-ups may have been missed.
    pub fn poke_all(&self) {
        for sender in self.watched.lock().games.values() {
            sender.send_modify(|_| ());
        }
    }

    /// Removes the games without watchers, and returns their ids.
    pub fn drop_idle(&self) -> Vec<GameId> {
        self.watched.lock().drop_idle()
    }

    /// The watched games.
    pub fn games(&self) -> Vec<GameId> {
        self.watched.lock().games.keys().copied().collect()
    }
}

impl Watched {
    fn drop_idle(&mut self) -> Vec<GameId> {
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
        let wakers = Wakers::default();
        let id = Uuid::from_u128(1);
        let mut watcher = wakers.watch(id);
        wakers.reached(id, 3);
        assert!(watcher.has_changed().unwrap());
        assert_eq!(*watcher.borrow_and_update(), 3);
        // A change and its message both report the version.
        wakers.reached(id, 3);
        wakers.reached(id, 2);
        wakers.reached(Uuid::from_u128(2), 9);
        assert!(!watcher.has_changed().unwrap());
        wakers.poke(id);
        assert!(watcher.has_changed().unwrap());
        assert_eq!(*watcher.borrow(), 3);
    }

    #[test]
    fn games_that_nobody_watches_are_forgotten() {
        let wakers = Wakers::default();
        let kept = wakers.watch(Uuid::from_u128(0));
        for number in 1..=1_000 {
            drop(wakers.watch(Uuid::from_u128(number)));
        }
        assert!(wakers.games().len() <= FEW);
        wakers.drop_idle();
        assert_eq!(wakers.games(), [Uuid::from_u128(0)]);
        drop(kept);
    }
}
