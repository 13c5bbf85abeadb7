//! The **cache** of a follower of a feed: what it knows of games.

use std::collections::{HashMap, HashSet};

use gamekeeper_store::{GameId, Version};

use super::game_delta::GameDelta;

/// The maximum number of games in each collection, which is cleared when it is full. The follower then reads some games
/// again.
const MAX_GAMES: usize = 50_000;

/// The games that a follower of a feed has met.
#[derive(Default)]
pub(super) struct FollowerCache {
    /// The games that the filter does not select. A record says when that may change.
    filtered_out: HashSet<GameId>,
    /// The last version that was sent of each game, to detect versions that the feed leaves out.
    emitted: HashMap<GameId, Version>,
}

impl FollowerCache {
    /// Completes what is to be sent of a game. Returns `None` if the filter does not select the game.
    pub(super) fn select(&mut self, mut delta: GameDelta) -> Option<GameDelta> {
        let (id, filter_may_change) = (
            delta.id,
            delta.is_created || delta.lists_changed_at.is_some(),
        );
        let is_filtered_out = if filter_may_change || delta.is_deleted {
            self.filtered_out.remove(&id)
        } else {
            self.filtered_out.contains(&id)
        };
        if is_filtered_out && !filter_may_change {
            return None;
        }
        if let Some(emitted) = self.emitted.get(&id) {
            delta.fill_gap_after(*emitted);
        }
        Some(delta)
    }

    /// Records that the filter does not select this game.
    pub(super) fn set_filtered_out(&mut self, id: GameId) {
        if self.filtered_out.len() >= MAX_GAMES {
            self.filtered_out.clear();
        }
        self.emitted.remove(&id);
        self.filtered_out.insert(id);
    }

    /// Records that this version was sent.
    pub(super) fn set_emitted(&mut self, id: GameId, version: Version) {
        if self.emitted.len() >= MAX_GAMES {
            self.emitted.clear();
        }
        self.emitted.insert(id, version);
    }

    /// Forgets the last version of a game that is gone.
    pub(super) fn forget(&mut self, id: GameId) {
        self.emitted.remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Head;
    use gamekeeper_store::feed::{ChangeKind, FeedOffset, FeedRecord};
    use uuid::Uuid;

    use super::super::game_delta::coalesce;
    use super::*;

    fn delta(change_kind: ChangeKind, version: Version) -> GameDelta {
        let head = Head {
            version,
            entry_hash: 0,
        };
        let marker = FeedRecord::new(FeedOffset::at(5), Uuid::from_u128(1), change_kind, head);
        coalesce(&[marker]).remove(0)
    }

    #[test]
    fn a_game_that_is_not_selected_is_looked_at_again_when_that_may_change() {
        let mut cache = FollowerCache::default();
        let id = Uuid::from_u128(1);
        assert!(cache.select(delta(ChangeKind::Version, 2)).is_some());
        cache.set_filtered_out(id);
        assert_eq!(cache.select(delta(ChangeKind::Version, 3)), None);
        assert!(cache.select(delta(ChangeKind::Lists, 3)).is_some());
        cache.set_emitted(id, 3);
        let next = cache.select(delta(ChangeKind::Version, 6)).unwrap();
        assert_eq!(next.versions, Some(4..=6));
        cache.set_filtered_out(id);
        assert_eq!(cache.select(delta(ChangeKind::Deleted, 0)), None);
        let anew = cache.select(delta(ChangeKind::Created, 1)).unwrap();
        assert_eq!(anew.versions, Some(1..=1));
    }
}
