//! Building and transforming, by a worker or by favor (CAY-7.4 to CAY-7.6).

use std::ops::ControlFlow;

use super::common::{Bill, afford, gain_favors};
use crate::caylus::data::{Cubes, Goods, Kind, Resource, Space, Tile};
use crate::caylus::event::Event;
use crate::caylus::refusal::{
    Expense, PaymentFlaw, Refusal, RefusedAction, optional, require_known,
};
use crate::caylus::state::{ExecContext, Lot, State};
use crate::table::{MaybeKnown, OptionalParam, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Craft {
        tile: Tile,
        space: Space,
        cost: Cubes,
    },
    Prestige {
        tile: Tile,
        space: Space,
    },
    Transform {
        space: Space,
        price: Goods,
    },
}

/// A way to build craft tiles: the kind, the discount, and the `rule` that refusals cite.
#[derive(Clone, Copy, Debug)]
pub struct Craft {
    pub kind: Kind,
    pub discount: Option<Resource>,
    pub rule: &'static str,
}

/// Lists all tiles of the kind; a price with a cube of any kind is listed with each kind.
pub fn candidates_craft(
    kind: Kind,
    visit: &mut dyn FnMut(Tile, OptionalParam<Resource>) -> VisitFlow,
) -> VisitFlow {
    for tile in Tile::of_kind(kind) {
        if tile.sheet().any_cube {
            for resource in Resource::ALL {
                visit(tile, OptionalParam::Known(resource))?;
            }
        } else {
            visit(tile, OptionalParam::Absent)?;
        }
    }
    ControlFlow::Continue(())
}

/// Lists all prestige tiles on all own residences.
pub fn candidates_prestige(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Tile, Space) -> VisitFlow,
) -> VisitFlow {
    for tile in Tile::of_kind(Kind::Prestige) {
        for (space, lot) in state.road.lots() {
            if lot.tile == Some(Tile::Residence) && lot.owner == Some(seat) {
                visit(tile, space)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Lists all buildings that this seat could transform.
pub fn candidates_transform(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Space) -> VisitFlow,
) -> VisitFlow {
    for (space, lot) in state.road.lots() {
        if is_transformable(lot, seat) {
            visit(space)?;
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-7.4, CAY-6.10.6
/// Kind, supply, a free space, the cube of any kind, the price. A favor takes one cube off the
/// printed price, this once.
pub fn check_craft(
    state: &State,
    seat: Seat,
    craft: Craft,
    tile: MaybeKnown<Tile>,
    any_payment: OptionalParam<Resource>,
) -> Result<ValidAction, RefusedAction> {
    let rule = craft.rule;
    let tile = require_known(tile, "tile", rule)?;
    let any = optional(any_payment, "any_payment", rule)?;
    check_supply(state, tile, craft.kind, rule)?;
    let free = state.road.first_free();
    let space = free.ok_or(Refusal::NoFreeSpace.citing(rule))?;
    let sheet = tile.sheet();
    if sheet.any_cube != any.is_some() {
        let flaw = if sheet.any_cube {
            PaymentFlaw::CubeMissing { tile }
        } else {
            PaymentFlaw::CubeNotNeeded { tile }
        };
        return Err(Refusal::InvalidPayment { flaw }.citing(rule));
    }
    let mut cost = sheet.cost.without(craft.discount.into_iter().collect());
    cost += any.into_iter().collect();
    afford(state, seat, Bill::of_tile(tile, cost), rule)?;
    Ok(ValidAction::Craft { tile, space, cost })
}

fn check_supply(
    state: &State,
    tile: Tile,
    wanted: Kind,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    if tile.kind() != wanted {
        return Err(Refusal::WrongTileKind { tile, wanted }.citing(rule));
    }
    if state.supply.count(tile) == 0 {
        return Err(Refusal::TileNotAvailable { tile }.citing(rule));
    }
    Ok(())
}

/// # Rule CAY-7.6
/// Kind, supply, an own residence, the price.
pub fn check_prestige(
    state: &State,
    seat: Seat,
    tile: MaybeKnown<Tile>,
    space: MaybeKnown<Space>,
    rule: &'static str,
) -> Result<ValidAction, RefusedAction> {
    let tile = require_known(tile, "tile", rule)?;
    let space = require_known(space, "space", rule)?;
    check_supply(state, tile, Kind::Prestige, rule)?;
    let lot = &state.road[space];
    if lot.tile != Some(Tile::Residence) {
        return Err(Refusal::NoResidence { space }.citing(rule));
    }
    if lot.owner != Some(seat) {
        return Err(Refusal::NotYourResidence { space }.citing(rule));
    }
    afford(state, seat, Bill::of_tile(tile, tile.sheet().cost), rule)?;
    Ok(ValidAction::Prestige { tile, space })
}

/// # Rule CAY-7.5
/// A neutral tile, or an own wood or stone tile other than the lawyer, that nobody transforms yet.
pub fn check_transform(
    state: &State,
    seat: Seat,
    space: MaybeKnown<Space>,
    price: Goods,
    rule: &'static str,
) -> Result<ValidAction, RefusedAction> {
    let space = require_known(space, "space", rule)?;
    let lot = &state.road[space];
    let Some(tile) = lot.tile.filter(|_| is_transformable(lot, seat)) else {
        let tile = lot.tile;
        return Err(Refusal::TargetNotTransformable { space, tile }.citing(rule));
    };
    if lot.pending_transform.is_some() {
        return Err(Refusal::TargetAlreadyPending { space, tile }.citing(rule));
    }
    let bill = Bill::of(Expense::Transformation, price);
    afford(state, seat, bill, rule)?;
    Ok(ValidAction::Transform { space, price })
}

/// Returns whether the building can be transformed. Fixed buildings stay for the whole game (CAY-10.4), prestige
/// buildings and residences too.
pub fn is_transformable(lot: &Lot, seat: Seat) -> bool {
    match lot.tile.map(|tile| (tile, tile.kind())) {
        Some((_, Kind::Neutral)) => true,
        Some((Tile::Lawyer, _)) => false,
        Some((_, Kind::Wood | Kind::Stone)) => lot.owner == Some(seat),
        Some((_, Kind::Fixed | Kind::Prestige | Kind::Residence)) | None => false,
    }
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Craft { tile, space, cost } => build_craft(ctx, seat, tile, space, cost),
        ValidAction::Prestige { tile, space } => build_prestige(ctx, seat, tile, space),
        ValidAction::Transform { space, price } => transform(ctx, seat, space, price),
    }
}

/// # Rule CAY-7.4
/// Pay; the tile goes to the lowest-numbered empty space; gain its prestige points and favors.
fn build_craft(ctx: &mut ExecContext<'_>, seat: Seat, tile: Tile, space: Space, paid: Cubes) {
    let vp = erect(ctx.state, seat, tile, space, paid);
    ctx.emit(Event::TileBuilt {
        seat,
        tile,
        space,
        paid,
        vp,
    });
    gain_favors(ctx, seat, tile.sheet().favors);
}

/// # Rule CAY-7.6
/// Pay; the tile replaces the residence; gain its prestige points and favors.
fn build_prestige(ctx: &mut ExecContext<'_>, seat: Seat, tile: Tile, space: Space) {
    let paid = tile.sheet().cost;
    let vp = erect(ctx.state, seat, tile, space, paid);
    ctx.emit(Event::PrestigeBuilt {
        seat,
        tile,
        space,
        paid,
        vp,
    });
    gain_favors(ctx, seat, tile.sheet().favors);
}

/// Pays, and places the tile on the space. Returns the prestige points gained.
fn erect(state: &mut State, seat: Seat, tile: Tile, space: Space, cost: Cubes) -> u16 {
    let vp = tile.sheet().vp;
    state.supply.take(tile);
    state.road[space] = Lot::of(tile, Some(seat));
    let player = &mut state.players[seat];
    player.pay(Goods::cubes(cost));
    player.gain(Goods::vp(vp));
    vp
}

/// # Rule CAY-7.5, CAY-6.7.1
/// Pay at once. A worker in the building delays everything else until it has left.
fn transform(ctx: &mut ExecContext<'_>, seat: Seat, space: Space, paid: Goods) {
    ctx.state.players[seat].pay(paid);
    let waits_for = ctx.state.road[space].worker;
    ctx.emit(Event::TransformPaid {
        seat,
        space,
        paid,
        waits_for,
    });
    if waits_for.is_some() {
        ctx.state.road[space].pending_transform = Some(seat);
    } else {
        carry_out_transform(ctx, seat, space);
    }
}

/// # Rule CAY-7.5, point 4
/// The old tile goes back to the supply, or out of the game if it is neutral.
pub fn carry_out_transform(ctx: &mut ExecContext<'_>, seat: Seat, space: Space) {
    let replaced = ctx.state.road.tile(space);
    ctx.state.road[space] = Lot::of(Tile::Residence, Some(seat));
    if replaced.kind() == Kind::Neutral {
        ctx.state.removed_neutral.push(replaced);
    } else {
        ctx.state.supply.put_back(replaced);
    }
    let vp = Tile::Residence.sheet().vp;
    ctx.state.residences_built += 1;
    ctx.state.players[seat].vp += vp;
    ctx.emit(Event::TransformDone {
        seat,
        space,
        replaced,
        vp,
    });
}
