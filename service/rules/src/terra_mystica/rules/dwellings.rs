//! Building a dwelling (TM-6.23, TM-6.27).

use super::goods::{affordable, pay, score, score_tile};
use super::offers::offer_power;
use super::reach::land_of;
use super::towns::check_town;
use crate::table::{Lister, Refusal as _, Seat, Visit};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{
    FavorTile, Goods, Land, LandSet, ScoringTrigger, Space, Structure,
};
use crate::terra_mystica::event::{Event, Purpose, VpSource};
use crate::terra_mystica::refusal::{Expense, No, Piece, Refusal};
use crate::terra_mystica::state::{Play, State};

/// The price of a dwelling for this player.
pub fn dwelling_price(state: &State, seat: Seat) -> Goods {
    state.players[seat].sheet().cost(Structure::Dwelling)
}

/// Checks that a dwelling is left (TM-6.23).
pub fn dwelling_in_stock(state: &State, seat: Seat, rule: &'static str) -> Result<(), No> {
    if state.board.left(seat, Structure::Dwelling) > 0 {
        Ok(())
    } else {
        let (piece, left) = (Piece::Structure(Structure::Dwelling), 0);
        Err(Refusal::NoPieceLeft { piece, left }.at(rule))
    }
}

pub fn candidates_late(state: &State, list: &mut Lister<'_, Action>) -> Visit {
    let late = state.turn.late_build.iter();
    late.map(|land| Action::BuildDwelling { space: land.into() })
        .try_for_each(|action| list.visit(action))
}

/// Checks that a late dwelling may be built here.
///
/// # Rule TM-6.27
/// On a space that became home terrain in the current main action, once, without a leap.
pub fn check_late(state: &State, seat: Seat, space: Space) -> Result<Land, No> {
    let rule = "TM-6.27";
    let land = land_of(space, "space", rule)?;
    if !state.turn.late_build.contains(land) {
        let (space, home) = (land, state.faction(seat).home());
        return Err(Refusal::BuildSpaceNotTransformed { space, home }.at(rule));
    }
    dwelling_in_stock(state, seat, rule)?;
    let price = dwelling_price(state, seat);
    affordable(
        state,
        seat,
        (Expense::Structure(Structure::Dwelling), price),
        rule,
    )?;
    Ok(land)
}

pub fn perform_late(play: &mut Play<'_>, seat: Seat, land: Land) {
    play.state.turn.late_build = LandSet::EMPTY;
    let price = dwelling_price(play.state, seat);
    build_dwelling(play, seat, land, price);
}

/// Builds a dwelling for this price: VP, town, offers of power (TM-6.23).
pub fn build_dwelling(play: &mut Play<'_>, seat: Seat, land: Land, price: Goods) {
    pay(play, seat, price, Purpose::Structure(Structure::Dwelling));
    play.state.board.put(land, seat, Structure::Dwelling);
    play.tell(Event::StructureBuilt { seat, space: land });
    score_tile(play, seat, ScoringTrigger::Dwelling, 1);
    if play.state.players[seat].favors.contains(FavorTile::Fav11) {
        let source = VpSource::FavorTile(FavorTile::Fav11);
        score(play, seat, FavorTile::DWELLING_VP, source);
    }
    check_town(play, seat, land);
    offer_power(play, seat, land);
}
