//! Building and transforming, by a worker or by favor (CAY-7.4 to CAY-7.6).

use std::ops::ControlFlow;

use crate::caylus::action::Given;
use crate::caylus::data::{Cubes, Goods, Kind, LAWYER_PRICE, Resource, Space, Tile};
use crate::caylus::event::Event;
use crate::caylus::legal::Deed;
use crate::caylus::refusal::Refusal;
use crate::caylus::rules::{favors, vocabulary};
use crate::caylus::state::{Log, Lot, State};
use crate::table::{Seat, Visit};

/// A craft tile that may be built.
#[derive(Clone, Copy, Debug)]
pub(in crate::caylus) struct CraftPlan {
    tile: Tile,
    space: Space,
    cost: Cubes,
}

/// A prestige tile that may be built.
#[derive(Clone, Copy, Debug)]
pub(in crate::caylus) struct PrestigePlan {
    tile: Tile,
    space: Space,
}

/// A transformation that may be paid.
#[derive(Clone, Copy, Debug)]
pub(in crate::caylus) struct TransformPlan {
    space: Space,
    price: Goods,
}

/// The carpenter builds wood tiles, the mason stone tiles (CAY-7.4).
pub(in crate::caylus) fn check_craft_action(
    state: &State,
    seat: Seat,
    kind: Kind,
    tile: Option<Tile>,
    any_payment: Given<Resource>,
) -> Result<Deed, Refusal> {
    let tile = vocabulary::tile(tile)?;
    let any = vocabulary::optional(any_payment, |given| {
        vocabulary::resource(given, "any_payment")
    })?;
    check_craft(state, seat, (kind, None), tile, any).map(Deed::Craft)
}

/// # Rule CAY-7.4, CAY-6.10.6
/// Kind, supply, a free space, the cube of any kind, the price. A favor takes one cube off the
/// printed price, this once.
pub(in crate::caylus) fn check_craft(
    state: &State,
    seat: Seat,
    (kind, discount): (Kind, Option<Resource>),
    tile: Tile,
    any: Option<Resource>,
) -> Result<CraftPlan, Refusal> {
    check_supply(state, tile, kind)?;
    let space = state.road.first_free().ok_or(Refusal::NoFreeSpace)?;
    let sheet = tile.sheet();
    if sheet.any_cube != any.is_some() {
        return Err(Refusal::InvalidPayment {
            wanted: if sheet.any_cube {
                "any_payment names one cube"
            } else {
                "no any_payment"
            },
            rule: "CAY-7.4",
        });
    }
    let printed = discount.into_iter().collect();
    let mut cost = sheet.cost.without(printed);
    cost += any.into_iter().collect();
    check_cubes(state, seat, cost, "CAY-7.4")?;
    Ok(CraftPlan { tile, space, cost })
}

fn check_supply(state: &State, tile: Tile, wanted: Kind) -> Result<(), Refusal> {
    if tile.kind() != wanted {
        return Err(Refusal::WrongTileKind { tile, wanted });
    }
    if state.supply.count(tile) == 0 {
        return Err(Refusal::TileNotAvailable { tile });
    }
    Ok(())
}

fn check_cubes(state: &State, seat: Seat, cost: Cubes, rule: &'static str) -> Result<(), Refusal> {
    let price = Goods::cubes(cost);
    if state.players[seat].can_pay(price) {
        Ok(())
    } else {
        Err(Refusal::CannotAfford { price, rule })
    }
}

/// All tiles of the kind, each with every cube of any kind where it has one.
pub(in crate::caylus) fn craft_candidates(
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

/// # Rule CAY-7.4
/// Pay; the tile goes to the lowest-numbered empty space; gain its prestige points and favors.
pub(in crate::caylus) fn build_craft(
    state: &mut State,
    seat: Seat,
    plan: CraftPlan,
    journal: &mut Log,
) {
    let CraftPlan { tile, space, cost } = plan;
    let vp = erect(state, seat, tile, space, cost);
    journal.event(Event::TileBuilt {
        seat,
        tile,
        space,
        paid: cost,
        vp,
    });
    favors::gain(state, seat, tile.sheet().favors, journal);
}

/// Pays, and puts the tile on the space. Returns the prestige points gained.
fn erect(state: &mut State, seat: Seat, tile: Tile, space: Space, cost: Cubes) -> u16 {
    let vp = tile.sheet().vp;
    state.supply.take(tile);
    state.road[space] = Lot {
        tile: Some(tile),
        owner: Some(seat),
        ..Lot::default()
    };
    let player = &mut state.players[seat];
    player.pay(Goods::cubes(cost));
    player.gain(Goods::vp(vp));
    vp
}

/// The architect (CAY-7.6).
pub(in crate::caylus) fn check_prestige_action(
    state: &State,
    seat: Seat,
    tile: Option<Tile>,
    space: Option<Space>,
) -> Result<Deed, Refusal> {
    let tile = vocabulary::tile(tile)?;
    let space = vocabulary::space(space)?;
    check_prestige(state, seat, tile, space).map(Deed::Prestige)
}

/// # Rule CAY-7.6
/// Kind, supply, an own residence, the price.
pub(in crate::caylus) fn check_prestige(
    state: &State,
    seat: Seat,
    tile: Tile,
    space: Space,
) -> Result<PrestigePlan, Refusal> {
    check_supply(state, tile, Kind::Prestige)?;
    let lot = &state.road[space];
    if lot.tile != Some(Tile::Residence) {
        return Err(Refusal::NoResidence { space });
    }
    if lot.owner != Some(seat) {
        return Err(Refusal::NotYourResidence { space });
    }
    check_cubes(state, seat, tile.sheet().cost, "CAY-7.6")?;
    Ok(PrestigePlan { tile, space })
}

/// All prestige tiles on all own residences.
pub(in crate::caylus) fn prestige_candidates(
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

/// # Rule CAY-7.6
/// Pay; the tile replaces the residence; gain its prestige points and favors.
pub(in crate::caylus) fn build_prestige(
    state: &mut State,
    seat: Seat,
    plan: PrestigePlan,
    journal: &mut Log,
) {
    let PrestigePlan { tile, space } = plan;
    let cost = tile.sheet().cost;
    let vp = erect(state, seat, tile, space, cost);
    journal.event(Event::PrestigeBuilt {
        seat,
        tile,
        space,
        paid: cost,
        vp,
    });
    favors::gain(state, seat, tile.sheet().favors, journal);
}

/// The lawyer (CAY-7.5).
pub(in crate::caylus) fn check_transform_action(
    state: &State,
    seat: Seat,
    space: Option<Space>,
) -> Result<Deed, Refusal> {
    let space = vocabulary::space(space)?;
    check_transform(state, seat, space, LAWYER_PRICE).map(Deed::Transform)
}

/// # Rule CAY-7.5
/// A neutral tile, or an own wood or stone tile other than the lawyer, that nobody transforms yet.
pub(in crate::caylus) fn check_transform(
    state: &State,
    seat: Seat,
    space: Space,
    price: Goods,
) -> Result<TransformPlan, Refusal> {
    let lot = &state.road[space];
    if !is_transformable(lot, seat) {
        return Err(Refusal::TargetNotTransformable { space });
    }
    if lot.pending_transform.is_some() {
        return Err(Refusal::TargetAlreadyPending { space });
    }
    if state.players[seat].can_pay(price) {
        Ok(TransformPlan { space, price })
    } else {
        Err(Refusal::CannotAfford {
            price,
            rule: "CAY-7.5",
        })
    }
}

/// Fixed buildings stay for ever (CAY-10.4), prestige buildings and residences too.
fn is_transformable(lot: &Lot, seat: Seat) -> bool {
    match lot.tile.map(|tile| (tile, tile.kind())) {
        Some((_, Kind::Neutral)) => true,
        Some((Tile::Lawyer, _)) => false,
        Some((_, Kind::Wood | Kind::Stone)) => lot.owner == Some(seat),
        Some((_, Kind::Fixed | Kind::Prestige | Kind::Residence)) | None => false,
    }
}

/// All buildings that this seat could transform.
pub(in crate::caylus) fn transform_candidates(
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

/// # Rule CAY-7.5, CAY-6.7.1
/// Pay at once. A worker in the building delays everything else until it has left.
pub(in crate::caylus) fn transform(
    state: &mut State,
    seat: Seat,
    plan: TransformPlan,
    journal: &mut Log,
) {
    let TransformPlan { space, price } = plan;
    state.players[seat].pay(price);
    let waits_for = state.road[space].worker;
    journal.event(Event::TransformPaid {
        seat,
        space,
        paid: price,
        waits_for,
    });
    if waits_for.is_some() {
        state.road[space].pending_transform = Some(seat);
    } else {
        carry_out_transform(state, seat, space, journal);
    }
}

/// # Rule CAY-7.5, point 4
/// The old tile goes back to the supply, or out of the game if it is neutral.
pub(in crate::caylus) fn carry_out_transform(
    state: &mut State,
    seat: Seat,
    space: Space,
    journal: &mut Log,
) {
    let residence = Lot {
        tile: Some(Tile::Residence),
        owner: Some(seat),
        ..Lot::default()
    };
    let Some(replaced) = std::mem::replace(&mut state.road[space], residence).tile else {
        return;
    };
    if replaced.kind() == Kind::Neutral {
        state.removed_neutral.push(replaced);
    } else {
        state.supply.put_back(replaced);
    }
    let vp = Tile::Residence.sheet().vp;
    state.residences_built += 1;
    state.players[seat].vp += vp;
    journal.event(Event::TransformDone {
        seat,
        space,
        replaced,
        vp,
    });
}
