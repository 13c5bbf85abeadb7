//! Building a dwelling (TM-6.23, TM-6.27).

use super::super::data::{FavorTile, Goods, Land, ScoringTrigger, Space, Structure};
use super::super::event::{Event, Purpose, VpSource};
use super::super::refusal::Refusal;
use super::super::state::State;
use super::transform::dwelling_in_stock;
use super::{Play, affordable, land_of};
use crate::table::Seat;

/// May a late dwelling stand here?
///
/// # Rule TM-6.27
/// On a space that became home terrain in the running main action, once, without a leap.
pub(in super::super) fn check_late_dwelling(
    state: &State,
    seat: Seat,
    space: Space,
) -> Result<Land, Refusal> {
    let land = land_of(space)?;
    if !state.turn.late_build.contains(land) {
        return Err(Refusal::BuildSpaceNotTransformed { space: land.id() });
    }
    dwelling_in_stock(state, seat)?;
    let price = state.players[seat].sheet().cost(Structure::Dwelling);
    affordable(state, seat, price)?;
    Ok(land)
}

impl Play<'_> {
    pub(in super::super) fn perform_late_dwelling(&mut self, seat: Seat, land: Land) {
        self.state.turn.late_build = super::super::data::LandSet::EMPTY;
        let price = self.state.players[seat].sheet().cost(Structure::Dwelling);
        self.build_dwelling(seat, land, price);
    }

    /// Builds a dwelling for this price: VP, town, offers of power (TM-6.23).
    pub(super) fn build_dwelling(&mut self, seat: Seat, land: Land, price: Goods) {
        self.pay(seat, price, Purpose::Structure(Structure::Dwelling));
        self.state.board.put(land, seat, Structure::Dwelling);
        self.tell(Event::StructureBuilt { seat, land });
        self.score_tile(seat, ScoringTrigger::Dwelling, 1);
        if self.state.players[seat].favors.has(FavorTile::Fav11) {
            let source = VpSource::FavorTile(FavorTile::Fav11);
            self.score(seat, FavorTile::DWELLING_VP, source);
        }
        self.check_town(seat, land);
        self.offer_power(seat, land);
    }
}
