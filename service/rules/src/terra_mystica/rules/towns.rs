//! Towns (TM-6.50 to TM-6.53).

use arrayvec::ArrayVec;

use super::super::data::{
    Faction, FavorTile, Land, LandSet, River, STRUCTURES, Space, Structure, TOWN_POWER,
    TOWN_STRUCTURES, TOWN_STRUCTURES_WITH_SANCTUARY, lands_at_river,
};
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::state::{State, Town};
use super::Play;
use crate::table::Seat;

/// A river town that may be founded.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct RiverTown {
    river: River,
    lands: LandSet,
}

impl State {
    /// The own structures connected with these, for towns: directly, or over a river hex that
    /// carries an own town tile (TM-6.50, TM-6.53).
    pub(in super::super) fn component(&self, seat: Seat, of: LandSet) -> LandSet {
        let own = self.board.owned(seat);
        let rivers = self
            .towns
            .iter()
            .filter(|town| town.seat == seat)
            .filter_map(|town| town.river.map(lands_at_river));
        of.grown(|land| {
            let over = rivers.clone().filter(|lands| lands.contains(land));
            over.fold(self.board.direct(land), LandSet::or).and(own)
        })
    }

    /// Are these structures enough for a town?
    ///
    /// # Rule TM-6.50
    /// Four of them, three with the sanctuary; power value 7, or 6 with FAV5.
    pub(in super::super) fn is_enough_for_town(&self, seat: Seat, lands: LandSet) -> bool {
        let sanctuary = |land| {
            let piece = self.board.piece(land);
            piece.is_some_and(|piece| piece.structure == Structure::Sanctuary)
        };
        let size = lands.len();
        let large = size >= TOWN_STRUCTURES
            || size >= TOWN_STRUCTURES_WITH_SANCTUARY && lands.iter().any(sanctuary);
        let fav5 = u8::from(self.players[seat].favors.has(FavorTile::Fav5));
        large && self.board.power_value(seat, lands) >= TOWN_POWER - fav5
    }

    /// All components of a player's structures.
    pub(in super::super) fn components(&self, seat: Seat) -> impl Iterator<Item = LandSet> {
        let mut left = self.board.owned(seat);
        std::iter::from_fn(move || {
            let component = self.component(seat, LandSet::of(left.first()?));
            left = left.minus(component);
            Some(component)
        })
    }
}

/// # Rule TM-6.53
/// Mermaids unite the structures around a river hex: at least two groups, none in a town, and
/// together enough for one.
pub(in super::super) fn check_river_town(
    state: &State,
    seat: Seat,
    space: Space,
) -> Result<RiverTown, Refusal> {
    let faction = state.faction(seat);
    if faction != Faction::Mermaids {
        let action = "found_river_town";
        return Err(Refusal::WrongFaction { action, faction });
    }
    let Space::River(river) = space else {
        return Err(Refusal::UnknownSpace);
    };
    let around = lands_at_river(river).and(state.board.owned(seat));
    let lands = state.component(seat, around);
    let groups = around
        .first()
        .map(|land| state.component(seat, LandSet::of(land)))
        .is_some_and(|first| first != lands);
    let fits = groups
        && !lands.meets(state.town_lands(seat))
        && state.towns_left() > 0
        && state.is_enough_for_town(seat, lands);
    if fits {
        Ok(RiverTown { river, lands })
    } else {
        Err(Refusal::NotATown { river: river.id() })
    }
}

impl Play<'_> {
    /// Looks whether a structure founds a town or joins one.
    ///
    /// # Rule TM-6.50, TM-14.4
    /// It joins the oldest town that it touches; else a town is founded if it can be.
    pub(super) fn check_town(&mut self, seat: Seat, land: Land) {
        let in_towns = self.state.town_lands(seat);
        if in_towns.contains(land) {
            return;
        }
        let component = self.state.component(seat, LandSet::of(land));
        let mut towns = self.state.towns.iter_mut();
        let joined = towns.find(|town| town.seat == seat && town.lands.meets(component));
        if let Some(town) = joined {
            let lands = component.minus(in_towns);
            town.lands = town.lands.or(lands);
            self.tell(Event::TownExtended { seat, lands });
        } else {
            self.found_if_enough(seat, component);
        }
    }

    fn found_if_enough(&mut self, seat: Seat, lands: LandSet) {
        if self.state.towns_left() > 0 && self.state.is_enough_for_town(seat, lands) {
            self.found_town(seat, lands, None);
        }
    }

    /// Founds a town: its key is there at once, its tile is still to be chosen (TM-6.51, J22).
    fn found_town(&mut self, seat: Seat, lands: LandSet, river: Option<River>) {
        self.state.towns.push(Town {
            seat,
            tile: None,
            lands,
            river,
        });
        self.state.players[seat].keys += 1;
        self.tell(Event::TownFounded { seat, lands, river });
    }

    /// # Rule TM-6.52
    /// With FAV5 every group without town is looked at again.
    pub(super) fn check_all_towns(&mut self, seat: Seat) {
        let components: ArrayVec<LandSet, STRUCTURES> = self.state.components(seat).collect();
        for component in components {
            if !component.meets(self.state.town_lands(seat)) {
                self.found_if_enough(seat, component);
            }
        }
    }

    pub(in super::super) fn perform_river_town(&mut self, seat: Seat, town: RiverTown) {
        self.found_town(seat, town.lands, Some(town.river));
    }
}
