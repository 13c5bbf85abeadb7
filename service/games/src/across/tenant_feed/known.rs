//! The **cache** of a follower of a feed: what it knows of games.

use std::collections::{HashMap, HashSet};

use gamekeeper_store::{GameId, Version};

use super::groups::Group;

/// The maximum number of games in each collection, which is cleared when it is full. The follower then reads some games
/// again.
const MAX: usize = 50_000;

/// The games that a follower of a feed has met.
#[derive(Default)]
pub(super) struct Known {
    /// The games that the filter does not select. A marker says when that may change.
    others: HashSet<GameId>,
    /// The last version that was sent of each game, to detect versions that the feed leaves out.
    told: HashMap<GameId, Version>,
}

impl Known {
    /// Completes what is to be sent of a game. Returns `None` if the filter does not select the game.
    pub(super) fn wanted(&mut self, mut group: Group) -> Option<Group> {
        let (id, may_differ) = (group.id, group.is_created || group.relisted.is_some());
        let is_other = if may_differ || group.is_deleted {
            self.others.remove(&id)
        } else {
            self.others.contains(&id)
        };
        if is_other && !may_differ {
            return None;
        }
        if let Some(told) = self.told.get(&id) {
            group.continue_after(*told);
        }
        Some(group)
    }

    /// Records that the filter does not select this game.
    pub(super) fn is_other(&mut self, id: GameId) {
        if self.others.len() >= MAX {
            self.others.clear();
        }
        self.told.remove(&id);
        self.others.insert(id);
    }

    /// Records that this version was sent.
    pub(super) fn told(&mut self, id: GameId, version: Version) {
        if self.told.len() >= MAX {
            self.told.clear();
        }
        self.told.insert(id, version);
    }

    /// Forgets the last version of a game that is gone.
    pub(super) fn forget(&mut self, id: GameId) {
        self.told.remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Head;
    use gamekeeper_store::feed::{FeedPlace, Marker, Told};
    use uuid::Uuid;

    use super::super::groups::groups;
    use super::*;

    fn group(told: Told, version: Version) -> Group {
        let head = Head { version, mark: 0 };
        let marker = Marker::new(FeedPlace::at(5), Uuid::from_u128(1), told, head);
        groups(&[marker]).remove(0)
    }

    #[test]
    fn a_game_that_is_not_selected_is_looked_at_again_when_that_may_change() {
        let mut known = Known::default();
        let id = Uuid::from_u128(1);
        assert!(known.wanted(group(Told::Version, 2)).is_some());
        known.is_other(id);
        assert_eq!(known.wanted(group(Told::Version, 3)), None);
        assert!(known.wanted(group(Told::Lists, 3)).is_some());
        known.told(id, 3);
        let next = known.wanted(group(Told::Version, 6)).unwrap();
        assert_eq!(next.versions, Some(4..=6));
        known.is_other(id);
        assert_eq!(known.wanted(group(Told::Deleted, 0)), None);
        let anew = known.wanted(group(Told::Created, 1)).unwrap();
        assert_eq!(anew.versions, Some(1..=1));
    }
}
