//! Building a dwelling (TM-6.23, TM-6.27).

use super::goods::{affordable, pay, score, score_tile};
use super::offers::offer_power;
use super::reach::land_of;
use super::towns::check_town;
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{
    FavorTile, Goods, Land, LandSet, ScoringTrigger, Space, Structure,
};
use crate::terra_mystica::event::{Event, Purpose, VpSource};
use crate::terra_mystica::refusal::{Expense, Piece, Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, State};

/// The price of a dwelling for this player.
pub fn dwelling_price(state: &State, seat: Seat) -> Goods {
    state.players[seat].sheet().cost(Structure::Dwelling)
}

/// Checks that a dwelling is left (TM-6.23).
pub fn dwelling_in_stock(
    state: &State,
    seat: Seat,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    if state.board.left(seat, Structure::Dwelling) > 0 {
        Ok(())
    } else {
        let (piece, left) = (Piece::Structure(Structure::Dwelling), 0);
        Err(Refusal::NoPieceLeft { piece, left }.citing(rule))
    }
}

pub fn candidates_late(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let late = state.turn.late_build.iter();
    late.map(|land| Action::BuildDwelling { space: land.into() })
        .try_for_each(|action| list.visit(action))
}

/// Checks that a late dwelling may be built here.
///
/// # Rule TM-6.27
/// On a space that became home terrain in the current main action, once, without a leap.
pub fn check_late(state: &State, seat: Seat, space: Space) -> Result<Land, RefusedAction> {
    let rule = "TM-6.27";
    let land = land_of(space, "space", rule)?;
    if !state.turn.late_build.contains(land) {
        let (space, home) = (land, state.faction(seat).home());
        return Err(Refusal::BuildSpaceNotTransformed { space, home }.citing(rule));
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

pub fn perform_late(ctx: &mut ExecContext<'_>, seat: Seat, land: Land) {
    ctx.state.turn.late_build = LandSet::EMPTY;
    let price = dwelling_price(ctx.state, seat);
    build_dwelling(ctx, seat, land, price);
}

/// Builds a dwelling for this price: VP, town, offers of power (TM-6.23).
pub fn build_dwelling(ctx: &mut ExecContext<'_>, seat: Seat, land: Land, price: Goods) {
    pay(ctx, seat, price, Purpose::Structure(Structure::Dwelling));
    ctx.state.board.put(land, seat, Structure::Dwelling);
    ctx.emit(Event::StructureBuilt { seat, space: land });
    score_tile(ctx, seat, ScoringTrigger::Dwelling, 1);
    if ctx.state.players[seat].favors.contains(FavorTile::Fav11) {
        let source = VpSource::FavorTile(FavorTile::Fav11);
        score(ctx, seat, FavorTile::DWELLING_VP, source);
    }
    check_town(ctx, seat, land);
    offer_power(ctx, seat, land);
}
