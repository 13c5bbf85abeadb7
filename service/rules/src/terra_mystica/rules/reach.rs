//! Reachable lands (TM-6.11 to TM-6.14).

use crate::table::{Refusal as _, Seat};
use crate::terra_mystica::data::{
    BonusCard, Faction, Land, LandSet, River, Space, Terrain, TownTile, within_leap,
    within_shipping,
};
use crate::terra_mystica::refusal::{Refusal, RefusedAction};
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::State;

/// The land that a player names in this field.
pub fn land_of(
    space: Space,
    field: &'static str,
    rule: &'static str,
) -> Result<Land, RefusedAction> {
    match space {
        Space::Land(land) => Ok(land),
        Space::River(space) => Err(Refusal::NotALandSpace { space }.citing(rule)),
        Space::Unknown => Err(Refusal::UnknownId { field }.citing(rule)),
    }
}

/// The river hex that a player names in this field.
pub fn river_of(
    space: Space,
    field: &'static str,
    rule: &'static str,
) -> Result<River, RefusedAction> {
    match space {
        Space::River(river) => Ok(river),
        Space::Land(space) => Err(Refusal::NotARiverSpace { space }.citing(rule)),
        Space::Unknown => Err(Refusal::UnknownId { field }.citing(rule)),
    }
}

/// Checks that the land has no structure.
pub fn empty(state: &State, land: Land, rule: &'static str) -> Result<(), RefusedAction> {
    if state.board.piece(land).is_none() {
        Ok(())
    } else {
        Err(Refusal::SpaceOccupied { space: land }.citing(rule))
    }
}

/// Checks that the land currently has this terrain.
pub fn has_terrain(
    state: &State,
    space: Land,
    needed: Terrain,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    let terrain = state.board.terrain(space);
    if terrain == needed {
        return Ok(());
    }
    let needed = Some(needed);
    Err(Refusal::WrongTerrain {
        space,
        terrain,
        needed,
    }
    .citing(rule))
}

/// The lands that an action can reach.
#[derive(Clone, Copy)]
pub struct Reach {
    /// The lands directly or indirectly adjacent to an own structure (TM-6.13).
    pub reachable: LandSet,
    /// The lands that are not reachable, but within a leap (TM-6.14).
    pub leapable: LandSet,
}

impl Reach {
    /// Both together.
    pub const fn all(&self) -> LandSet {
        self.reachable.or(self.leapable)
    }

    pub const fn has(&self, land: Land) -> bool {
        self.all().contains(land)
    }
}

/// Whether an action may leap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LeapRule {
    /// The action may leap once.
    Allowed,
    /// The action may not leap.
    Forbidden,
}

impl State {
    /// The number of river hexes that the player's ships cross now (TM-6.12): BON4 adds one in phase II, for players
    /// who have a track and have not passed.
    fn ships(&self, seat: Seat) -> u8 {
        let player = &self.players[seat];
        let card = player.card == Some(BonusCard::Bon4)
            && self.stage == Stage::Action
            && player.sheet().shipping.is_some()
            && !self.has_passed(seat);
        player.shipping + u8::from(card)
    }

    /// The player's leap range, if any (TM-6.14, TM-P.14).
    pub fn leap_range(&self, seat: Seat) -> Option<u8> {
        let first = self.faction(seat).first_leap()?;
        if self.faction(seat) != Faction::Fakirs {
            return Some(first);
        }
        let carpets = self
            .towns
            .iter()
            .filter(|town| town.seat == seat && town.tile == Some(TownTile::Tw7));
        let range = first + u8::from(self.has_stronghold(seat));
        Some(carpets.fold(range, |range, _| range + 1))
    }

    /// The lands within reach of a player.
    pub fn reach(&self, seat: Seat, leaps: LeapRule) -> Reach {
        let (own, ships) = (self.board.owned(seat), self.ships(seat));
        let near = |land: Land| within_shipping(land, ships).or(self.board.bridged(land));
        let reachable = own
            .iter()
            .fold(LandSet::EMPTY, |all, land| all.or(near(land)));
        let range = self.leap_range(seat).filter(|_| leaps == LeapRule::Allowed);
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
    pub fn next_to(&self, seat: Seat) -> LandSet {
        let own = self.board.owned(seat);
        own.iter()
            .fold(LandSet::EMPTY, |all, land| all.or(self.board.direct(land)))
    }

    /// The size of a player's largest connected area at the end.
    ///
    /// # Rule TM-8.3
    /// Connected directly, by the ships of the track only, or by any number of free leaps.
    pub fn largest_area(&self, seat: Seat) -> u8 {
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
        largest
    }
}
