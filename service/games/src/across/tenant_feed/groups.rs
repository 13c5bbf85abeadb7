//! **Coalescing** of the markers on a page of a feed, by game.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;

use gamekeeper_store::feed::{Marker, Told};
use gamekeeper_store::{GameId, Version};

/// The markers of one game on a page, combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) id: GameId,
    /// The range of new versions. Is `None` if there are none.
    pub(super) versions: Option<RangeInclusive<Version>>,
    /// Whether the first of these versions is the creation of the game.
    pub(super) is_created: bool,
    /// The version at which the lists that contain the game changed last. Is `None` if they did not change.
    pub(super) relisted: Option<Version>,
    /// Whether the game was deleted. The rest is irrelevant then.
    pub(super) is_deleted: bool,
    /// The time of the game's last marker.
    pub(super) last_ms: u64,
}

/// Combines the markers of each game, in the order in which the games first occur. A game that is created again after
/// its deletion is a separate group.
pub(super) fn groups(markers: &[Marker]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut at: HashMap<GameId, usize> = HashMap::new();
    for marker in markers {
        let new = groups.len();
        let place = match at.entry(marker.id) {
            Entry::Occupied(place) if !groups[*place.get()].is_deleted => *place.get(),
            Entry::Occupied(mut place) => {
                place.insert(new);
                new
            }
            Entry::Vacant(place) => *place.insert(new),
        };
        if place == new {
            groups.push(Group::none(marker.id));
        }
        groups[place].note(marker);
    }
    groups
}

impl Group {
    fn none(id: GameId) -> Group {
        Group {
            id,
            versions: None,
            is_created: false,
            relisted: None,
            is_deleted: false,
            last_ms: 0,
        }
    }

    fn note(&mut self, marker: &Marker) {
        self.last_ms = self.last_ms.max(marker.place.ms);
        let version = marker.head.version;
        match marker.told {
            Told::Created => {
                self.versions = Some(version..=version);
                self.is_created = true;
            }
            Told::Version => self.join(version),
            Told::Lists => self.relisted = Some(version),
            Told::Deleted => self.is_deleted = true,
        }
    }

    /// Extends the range by a version. A store that lost its newest entries may report a version twice.
    fn join(&mut self, version: Version) {
        self.versions = Some(match &self.versions {
            None => version..=version,
            Some(all) => version.min(*all.start())..=version.max(*all.end()),
        });
    }

    /// Extends the range back to the last version that was sent, if this page leaves some versions out.
    pub(super) fn continue_after(&mut self, told: Version) {
        if !self.is_created
            && let Some(versions) = &self.versions
            && told < *versions.start()
        {
            self.versions = Some(told + 1..=*versions.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Head;
    use gamekeeper_store::feed::FeedPlace;
    use uuid::Uuid;

    use super::*;

    fn marker(game: u128, told: Told, version: Version) -> Marker {
        let head = Head { version, mark: 0 };
        Marker::new(FeedPlace::at(5), Uuid::from_u128(game), told, head)
    }

    #[test]
    fn a_page_says_of_each_game_what_its_markers_say() {
        let markers = [
            marker(1, Told::Version, 4),
            marker(2, Told::Created, 3),
            marker(1, Told::Version, 5),
            marker(2, Told::Version, 4),
            marker(1, Told::Lists, 5),
            marker(3, Told::Deleted, 0),
            marker(3, Told::Created, 1),
            marker(1, Told::Version, 3),
        ];
        let groups = groups(&markers);
        let ids: Vec<u128> = groups.iter().map(|group| group.id.as_u128()).collect();
        assert_eq!(ids, [1, 2, 3, 3]);
        let versions: Vec<_> = groups.iter().map(|group| group.versions.clone()).collect();
        assert_eq!(versions, [Some(3..=5), Some(3..=4), None, Some(1..=1)]);
        let created: Vec<bool> = groups.iter().map(|group| group.is_created).collect();
        assert_eq!(created, [false, true, false, true]);
        assert_eq!(groups[0].relisted, Some(5));
        assert!(groups[2].is_deleted && !groups[3].is_deleted);
    }

    #[test]
    fn what_a_page_leaves_out_is_made_up_for() {
        let mut group = groups(&[marker(1, Told::Version, 7)]).remove(0);
        group.continue_after(7);
        assert_eq!(group.versions, Some(7..=7));
        group.continue_after(4);
        assert_eq!(group.versions, Some(5..=7));
        let mut group = groups(&[marker(1, Told::Created, 7)]).remove(0);
        group.continue_after(4);
        assert_eq!(group.versions, Some(7..=7));
    }
}
