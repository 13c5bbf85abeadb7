//! What lies within reach (TM-6.11 to TM-6.14).

use super::super::data::{
    BonusCard, Faction, Land, LandSet, TownTile, within_leap, within_shipping,
};
use super::super::state::{Stage, State};
use crate::table::Seat;

/// The lands that an action can go to.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// Directly or indirectly adjacent to an own structure (TM-6.13).
    pub(super) reachable: LandSet,
    /// Not reachable, but within a leap (TM-6.14).
    pub(super) leapable: LandSet,
}

/// May the action leap?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaps {
    /// Once.
    Allowed,
    /// Never.
    Forbidden,
}

impl State {
    /// River hexes that the player's ships cross now (TM-6.12): BON4 adds one in phase II, for
    /// those who have a track and have not passed.
    fn ships(&self, seat: Seat) -> u8 {
        let player = &self.players[seat];
        let card = player.card == Some(BonusCard::Bon4)
            && self.stage == Stage::Action
            && player.sheet().shipping.is_some()
            && !self.has_passed(seat);
        player.shipping + u8::from(card)
    }

    /// How far the player leaps, if at all (TM-6.14, TM-P.14).
    pub(in super::super) fn leap_range(&self, seat: Seat) -> Option<u8> {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "only two factions leap; a third would have a rule of its own"
        )]
        match self.faction(seat) {
            Faction::Dwarves => Some(2),
            Faction::Fakirs => {
                let carpets = self
                    .towns
                    .iter()
                    .filter(|town| town.seat == seat && town.tile == Some(TownTile::Tw7));
                let range = 2 + u8::from(self.has_stronghold(seat));
                Some(carpets.fold(range, |range, _| range + 1))
            }
            _ => None,
        }
    }

    /// The lands within reach of a player.
    pub(super) fn reach(&self, seat: Seat, leaps: Leaps) -> Reach {
        let (own, ships) = (self.board.owned(seat), self.ships(seat));
        let near = |land: Land| within_shipping(land, ships).or(self.board.bridged(land));
        let reachable = own
            .iter()
            .fold(LandSet::EMPTY, |all, land| all.or(near(land)));
        let range = self.leap_range(seat).filter(|_| leaps == Leaps::Allowed);
        let far = |land: Land| range.map_or(LandSet::EMPTY, |range| within_leap(land, range));
        let leapable = own
            .iter()
            .fold(LandSet::EMPTY, |all, land| all.or(far(land)));
        Reach {
            reachable,
            leapable: leapable.minus(reachable),
        }
    }

    /// The lands directly adjacent to a player's structures (TM-6.11).
    pub(super) fn next_to(&self, seat: Seat) -> LandSet {
        let own = self.board.owned(seat);
        own.iter()
            .fold(LandSet::EMPTY, |all, land| all.or(self.board.direct(land)))
    }

    /// The most structures of a player that hang together at the end.
    ///
    /// # Rule TM-8.3
    /// Directly, by the ships of the track alone, or by leaps of any number and at no cost.
    pub(in super::super) fn largest_area(&self, seat: Seat) -> u8 {
        let own = self.board.owned(seat);
        let ships = self.players[seat].shipping;
        let range = self.leap_range(seat);
        let near = |land: Land| {
            let leaps = range.map_or(LandSet::EMPTY, |range| within_leap(land, range));
            within_shipping(land, ships)
                .or(self.board.bridged(land))
                .or(leaps)
                .and(own)
        };
        let (mut left, mut largest) = (own, 0);
        while let Some(land) = left.first() {
            let area = LandSet::of(land).grown(near);
            largest = largest.max(area.len());
            left = left.minus(area);
        }
        u8::try_from(largest).unwrap_or(u8::MAX)
    }
}
