//! Towns (TM-6.50 to TM-6.53).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::reach::river_of;
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{
    Faction, FavorTile, Land, LandSet, River, STRUCTURES, Space, Structure, TOWN_POWER,
    TOWN_STRUCTURES, TOWN_STRUCTURES_WITH_SANCTUARY, lands_at_river,
};
use crate::terra_mystica::event::Event;
use crate::terra_mystica::refusal::{Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, State, Town};

/// A river town that may be founded.
#[derive(Clone, Copy, Debug)]
pub struct RiverTown {
    river: River,
    lands: LandSet,
}

impl State {
    /// Returns the own structures connected with these, for towns: directly, or over a river hex with an own town tile
    /// (TM-6.50, TM-6.53).
    pub fn component(&self, seat: Seat, of: LandSet) -> LandSet {
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

    /// Returns whether these structures are enough for a town.
    ///
    /// # Rule TM-6.50
    /// Four of them, three with the sanctuary; power value 7, or 6 with FAV5.
    pub fn is_enough_for_town(&self, seat: Seat, lands: LandSet) -> bool {
        let sanctuary = |land| {
            let piece = self.board.piece(land);
            piece.is_some_and(|piece| piece.structure == Structure::Sanctuary)
        };
        let size = lands.len();
        let large = size >= TOWN_STRUCTURES
            || size >= TOWN_STRUCTURES_WITH_SANCTUARY && lands.iter().any(sanctuary);
        let fav5 = u8::from(self.players[seat].favors.contains(FavorTile::Fav5));
        large && self.board.power_value(seat, lands) >= TOWN_POWER - fav5
    }

    /// All components of a player's structures.
    pub fn components(&self, seat: Seat) -> impl Iterator<Item = LandSet> {
        let mut left = self.board.owned(seat);
        std::iter::from_fn(move || {
            let component = self.component(seat, LandSet::of(left.first()?));
            left = left.minus(component);
            Some(component)
        })
    }
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    if state.faction(seat) != Faction::Mermaids {
        return ControlFlow::Continue(());
    }
    let town = |river| Action::FoundRiverTown {
        river: Space::River(river),
    };
    River::all()
        .map(town)
        .try_for_each(|action| list.visit(action))
}

/// # Rule TM-6.53
/// Mermaids unite the structures around a river hex: at least two groups, none in a town, and
/// together enough for one.
pub fn check(state: &State, seat: Seat, space: Space) -> Result<RiverTown, RefusedAction> {
    let rule = "TM-6.53";
    let faction = state.faction(seat);
    if faction != Faction::Mermaids {
        let needed = Faction::Mermaids;
        return Err(Refusal::WrongFaction { needed, faction }.citing(rule));
    }
    let river = river_of(space, "river", rule)?;
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
        Err(Refusal::NotATown { river }.citing(rule))
    }
}

/// Checks whether a structure founds a town or joins one.
///
/// # Rule TM-6.50, TM-14.4
/// It joins the oldest town that it touches; otherwise a town is founded if possible.
pub fn check_town(ctx: &mut ExecContext<'_>, seat: Seat, land: Land) {
    let in_towns = ctx.state.town_lands(seat);
    if in_towns.contains(land) {
        return;
    }
    let component = ctx.state.component(seat, LandSet::of(land));
    let mut towns = ctx.state.towns.iter_mut();
    let joined = towns.find(|town| town.seat == seat && town.lands.meets(component));
    let Some((joined, town)) = joined.and_then(|town| Some((town.lands.first()?, town))) else {
        return found_if_enough(ctx, seat, component);
    };
    let spaces = component.minus(in_towns);
    town.lands = town.lands.or(spaces);
    ctx.emit(Event::TownExtended {
        seat,
        town: joined,
        spaces,
    });
}

fn found_if_enough(ctx: &mut ExecContext<'_>, seat: Seat, lands: LandSet) {
    if ctx.state.towns_left() > 0 && ctx.state.is_enough_for_town(seat, lands) {
        found_town(ctx, seat, lands, None);
    }
}

/// Founds a town: its key is available at once, its tile is still to be chosen (TM-6.51, J22).
fn found_town(ctx: &mut ExecContext<'_>, seat: Seat, lands: LandSet, river: Option<River>) {
    ctx.state.towns.push(Town {
        seat,
        tile: None,
        lands,
        river,
    });
    ctx.state.players[seat].keys += 1;
    ctx.emit(Event::TownFounded {
        seat,
        spaces: lands,
        river,
    });
}

/// # Rule TM-6.52
/// With FAV5 every group without a town is checked again.
pub fn check_all_towns(ctx: &mut ExecContext<'_>, seat: Seat) {
    let components: ArrayVec<LandSet, STRUCTURES> = ctx.state.components(seat).collect();
    for component in components {
        if !component.meets(ctx.state.town_lands(seat)) {
            found_if_enough(ctx, seat, component);
        }
    }
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, town: RiverTown) {
    found_town(ctx, seat, town.lands, Some(town.river));
}
