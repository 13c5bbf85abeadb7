//! Building and transforming, by a worker or by favor (CAY-7.4 to CAY-7.6).

use std::ops::ControlFlow;

use super::common::{Bill, afford, gain_favors};
use crate::caylus::data::{Cubes, Goods, Kind, Resource, Space, Tile};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, No, PaymentFlaw, Refusal, known, optional};
use crate::caylus::state::{Lot, Play, State};
use crate::table::{Given, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
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
    visit: &mut dyn FnMut(Tile, Given<Resource>) -> Visit,
) -> Visit {
    for tile in Tile::of_kind(kind) {
        if tile.sheet().any_cube {
            for resource in Resource::ALL {
                visit(tile, Given::Known(resource))?;
            }
        } else {
            visit(tile, Given::Absent)?;
        }
    }
    ControlFlow::Continue(())
}

/// Lists all prestige tiles on all own residences.
pub fn candidates_prestige(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Tile, Space) -> Visit,
) -> Visit {
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
    visit: &mut dyn FnMut(Space) -> Visit,
) -> Visit {
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
    tile: Named<Tile>,
    any_payment: Given<Resource>,
) -> Result<Deed, No> {
    let rule = craft.rule;
    let tile = known(tile, "tile", rule)?;
    let any = optional(any_payment, "any_payment", rule)?;
    check_supply(state, tile, craft.kind, rule)?;
    let free = state.road.first_free();
    let space = free.ok_or(Refusal::NoFreeSpace.at(rule))?;
    let sheet = tile.sheet();
    if sheet.any_cube != any.is_some() {
        let flaw = if sheet.any_cube {
            PaymentFlaw::CubeMissing { tile }
        } else {
            PaymentFlaw::CubeNotNeeded { tile }
        };
        return Err(Refusal::InvalidPayment { flaw }.at(rule));
    }
    let mut cost = sheet.cost.without(craft.discount.into_iter().collect());
    cost += any.into_iter().collect();
    afford(state, seat, Bill::of_tile(tile, cost), rule)?;
    Ok(Deed::Craft { tile, space, cost })
}

fn check_supply(state: &State, tile: Tile, wanted: Kind, rule: &'static str) -> Result<(), No> {
    if tile.kind() != wanted {
        return Err(Refusal::WrongTileKind { tile, wanted }.at(rule));
    }
    if state.supply.count(tile) == 0 {
        return Err(Refusal::TileNotAvailable { tile }.at(rule));
    }
    Ok(())
}

/// # Rule CAY-7.6
/// Kind, supply, an own residence, the price.
pub fn check_prestige(
    state: &State,
    seat: Seat,
    tile: Named<Tile>,
    space: Named<Space>,
    rule: &'static str,
) -> Result<Deed, No> {
    let tile = known(tile, "tile", rule)?;
    let space = known(space, "space", rule)?;
    check_supply(state, tile, Kind::Prestige, rule)?;
    let lot = &state.road[space];
    if lot.tile != Some(Tile::Residence) {
        return Err(Refusal::NoResidence { space }.at(rule));
    }
    if lot.owner != Some(seat) {
        return Err(Refusal::NotYourResidence { space }.at(rule));
    }
    afford(state, seat, Bill::of_tile(tile, tile.sheet().cost), rule)?;
    Ok(Deed::Prestige { tile, space })
}

/// # Rule CAY-7.5
/// A neutral tile, or an own wood or stone tile other than the lawyer, that nobody transforms yet.
pub fn check_transform(
    state: &State,
    seat: Seat,
    space: Named<Space>,
    price: Goods,
    rule: &'static str,
) -> Result<Deed, No> {
    let space = known(space, "space", rule)?;
    let lot = &state.road[space];
    let Some(tile) = lot.tile.filter(|_| is_transformable(lot, seat)) else {
        let tile = lot.tile;
        return Err(Refusal::TargetNotTransformable { space, tile }.at(rule));
    };
    if lot.pending_transform.is_some() {
        return Err(Refusal::TargetAlreadyPending { space, tile }.at(rule));
    }
    let bill = Bill::of(Expense::Transformation, price);
    afford(state, seat, bill, rule)?;
    Ok(Deed::Transform { space, price })
}

/// Returns whether the building can be transformed. Fixed buildings stay for the whole game (CAY-10.4), prestige
/// buildings and residences too.
fn is_transformable(lot: &Lot, seat: Seat) -> bool {
    match lot.tile.map(|tile| (tile, tile.kind())) {
        Some((_, Kind::Neutral)) => true,
        Some((Tile::Lawyer, _)) => false,
        Some((_, Kind::Wood | Kind::Stone)) => lot.owner == Some(seat),
        Some((_, Kind::Fixed | Kind::Prestige | Kind::Residence)) | None => false,
    }
}

pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::Craft { tile, space, cost } => build_craft(play, seat, tile, space, cost),
        Deed::Prestige { tile, space } => build_prestige(play, seat, tile, space),
        Deed::Transform { space, price } => transform(play, seat, space, price),
    }
}

/// # Rule CAY-7.4
/// Pay; the tile goes to the lowest-numbered empty space; gain its prestige points and favors.
fn build_craft(play: &mut Play<'_>, seat: Seat, tile: Tile, space: Space, paid: Cubes) {
    let vp = erect(play.state, seat, tile, space, paid);
    play.tell(Event::TileBuilt {
        seat,
        tile,
        space,
        paid,
        vp,
    });
    gain_favors(play, seat, tile.sheet().favors);
}

/// # Rule CAY-7.6
/// Pay; the tile replaces the residence; gain its prestige points and favors.
fn build_prestige(play: &mut Play<'_>, seat: Seat, tile: Tile, space: Space) {
    let paid = tile.sheet().cost;
    let vp = erect(play.state, seat, tile, space, paid);
    play.tell(Event::PrestigeBuilt {
        seat,
        tile,
        space,
        paid,
        vp,
    });
    gain_favors(play, seat, tile.sheet().favors);
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
fn transform(play: &mut Play<'_>, seat: Seat, space: Space, paid: Goods) {
    play.state.players[seat].pay(paid);
    let waits_for = play.state.road[space].worker;
    play.tell(Event::TransformPaid {
        seat,
        space,
        paid,
        waits_for,
    });
    if waits_for.is_some() {
        play.state.road[space].pending_transform = Some(seat);
    } else {
        carry_out_transform(play, seat, space);
    }
}

/// # Rule CAY-7.5, point 4
/// The old tile goes back to the supply, or out of the game if it is neutral.
pub fn carry_out_transform(play: &mut Play<'_>, seat: Seat, space: Space) {
    let replaced = play.state.road.tile(space);
    play.state.road[space] = Lot::of(Tile::Residence, Some(seat));
    if replaced.kind() == Kind::Neutral {
        play.state.removed_neutral.push(replaced);
    } else {
        play.state.supply.put_back(replaced);
    }
    let vp = Tile::Residence.sheet().vp;
    play.state.residences_built += 1;
    play.state.players[seat].vp += vp;
    play.tell(Event::TransformDone {
        seat,
        space,
        replaced,
        vp,
    });
}
