//! **Coalescing** of the records on a page of a feed, by game.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;

use gamekeeper_store::feed::{ChangeKind, FeedRecord};
use gamekeeper_store::{GameId, Version};

/// The records of one game on a page, combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameDelta {
    pub(super) id: GameId,
    /// The range of new versions. Is `None` if there are none.
    pub(super) versions: Option<RangeInclusive<Version>>,
    /// Whether the first of these versions is the creation of the game.
    pub(super) is_created: bool,
    /// The version at which the lists that contain the game changed last. Is `None` if they did not change.
    pub(super) lists_changed_at: Option<Version>,
    /// Whether the game was deleted. The rest is irrelevant then.
    pub(super) is_deleted: bool,
    /// The time of the game's last record.
    pub(super) last_ms: u64,
}

/// Combines the records of each game, in the order in which the games first occur. A game that is created again after
/// its deletion is a separate group.
pub(super) fn coalesce(markers: &[FeedRecord]) -> Vec<GameDelta> {
    let mut deltas: Vec<GameDelta> = Vec::new();
    let mut index_by_game: HashMap<GameId, usize> = HashMap::new();
    for marker in markers {
        let next_index = deltas.len();
        let index = match index_by_game.entry(marker.id) {
            Entry::Occupied(entry) if !deltas[*entry.get()].is_deleted => *entry.get(),
            Entry::Occupied(mut entry) => {
                entry.insert(next_index);
                next_index
            }
            Entry::Vacant(entry) => *entry.insert(next_index),
        };
        if index == next_index {
            deltas.push(GameDelta::empty(marker.id));
        }
        deltas[index].add_marker(marker);
    }
    deltas
}

impl GameDelta {
    fn empty(id: GameId) -> GameDelta {
        GameDelta {
            id,
            versions: None,
            is_created: false,
            lists_changed_at: None,
            is_deleted: false,
            last_ms: 0,
        }
    }

    fn add_marker(&mut self, marker: &FeedRecord) {
        self.last_ms = self.last_ms.max(marker.offset.ms);
        let version = marker.head.version;
        match marker.kind {
            // A creation that is tried again may be reported again, after versions that followed the first one.
            ChangeKind::Created => {
                self.add_version(version);
                self.is_created = true;
            }
            ChangeKind::Version => self.add_version(version),
            ChangeKind::Lists => self.lists_changed_at = Some(version),
            ChangeKind::Deleted => self.is_deleted = true,
        }
    }

    /// Extends the range by a version. A store that lost its newest entries may report a version twice.
    fn add_version(&mut self, version: Version) {
        self.versions = Some(match &self.versions {
            None => version..=version,
            Some(versions) => version.min(*versions.start())..=version.max(*versions.end()),
        });
    }

    /// Extends the range back to the last version that was sent, if this page leaves some versions out.
    pub(super) fn fill_gap_after(&mut self, emitted: Version) {
        if !self.is_created
            && let Some(versions) = &self.versions
            && emitted < *versions.start()
        {
            self.versions = Some(emitted + 1..=*versions.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Head;
    use gamekeeper_store::feed::FeedOffset;
    use uuid::Uuid;

    use super::*;

    fn marker(game: u128, change_kind: ChangeKind, version: Version) -> FeedRecord {
        let head = Head {
            version,
            entry_hash: 0,
        };
        FeedRecord::new(FeedOffset::at(5), Uuid::from_u128(game), change_kind, head)
    }

    #[test]
    fn a_page_says_of_each_game_what_its_markers_say() {
        let markers = [
            marker(1, ChangeKind::Version, 4),
            marker(2, ChangeKind::Created, 3),
            marker(1, ChangeKind::Version, 5),
            marker(2, ChangeKind::Version, 4),
            marker(1, ChangeKind::Lists, 5),
            marker(3, ChangeKind::Deleted, 0),
            marker(3, ChangeKind::Created, 1),
            marker(1, ChangeKind::Version, 3),
        ];
        let groups = coalesce(&markers);
        let ids: Vec<u128> = groups.iter().map(|group| group.id.as_u128()).collect();
        assert_eq!(ids, [1, 2, 3, 3]);
        let versions: Vec<_> = groups.iter().map(|group| group.versions.clone()).collect();
        assert_eq!(versions, [Some(3..=5), Some(3..=4), None, Some(1..=1)]);
        let created: Vec<bool> = groups.iter().map(|group| group.is_created).collect();
        assert_eq!(created, [false, true, false, true]);
        assert_eq!(groups[0].lists_changed_at, Some(5));
        assert!(groups[2].is_deleted && !groups[3].is_deleted);
    }

    #[test]
    fn a_creation_that_is_reported_twice_hides_no_version() {
        let markers = [
            marker(1, ChangeKind::Created, 1),
            marker(1, ChangeKind::Version, 2),
            marker(1, ChangeKind::Version, 3),
            marker(1, ChangeKind::Created, 1),
        ];
        let groups = coalesce(&markers);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].versions, Some(1..=3));
        assert!(groups[0].is_created);
    }

    #[test]
    fn what_a_page_leaves_out_is_made_up_for() {
        let mut group = coalesce(&[marker(1, ChangeKind::Version, 7)]).remove(0);
        group.fill_gap_after(7);
        assert_eq!(group.versions, Some(7..=7));
        group.fill_gap_after(4);
        assert_eq!(group.versions, Some(5..=7));
        let mut group = coalesce(&[marker(1, ChangeKind::Created, 7)]).remove(0);
        group.fill_gap_after(4);
        assert_eq!(group.versions, Some(7..=7));
    }
}
