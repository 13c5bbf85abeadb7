//! The capture of a province (MYT-6.7).

use super::{awards, drawing};
use crate::mythotopia::data::{Card, CardSet, Island, Province, Stack};
use crate::mythotopia::event::Event;
use crate::mythotopia::stage::{Building, Zone};
use crate::mythotopia::state::{ExecContext, State};
use crate::table::{Seat, invariant_violated};

/// Lets the winner of a war capture the province, if they can.
///
/// # Rule MYT-6.7
/// The conqueror needs a town in stock. A player who loses the province loses building and card in
/// any case.
pub fn capture(ctx: &mut ExecContext<'_>, seat: Seat, province: Province) {
    let loser = ctx.state.controller(province);
    let taken = ctx.state.town_stock(seat) > 0;
    let building = loser.and_then(|loser| ctx.state.players[loser].raze(province));
    let card_from = loser.map_or(Zone::ProvincePile, |loser| {
        give_up_card(ctx, loser, province)
    });
    if taken {
        let player = &mut ctx.state.players[seat];
        player.towns.insert(province);
        player.discard.insert(Card::province(province));
        ctx.emit(Event::ProvinceCaptured {
            seat,
            province,
            loser,
            building,
            card_from,
        });
    } else {
        ctx.emit(Event::ProvinceNotTaken {
            seat,
            province,
            loser,
            building,
            card_from,
        });
    }
    if let Some(loser) = loser {
        make_good(ctx, loser, card_from);
    }
    if taken {
        rewards(ctx.state, seat, province, loser, building);
    }
}

/// Takes the province card from the loser. Returns the zone in which it was.
fn give_up_card(ctx: &mut ExecContext<'_>, loser: Seat, province: Province) -> Zone {
    let card = Card::province(province);
    let player = &mut ctx.state.players[loser];
    let Some(zone) = player.zone_of(card) else {
        invariant_violated("MYT-11.4", (loser, card))
    };
    player.leave_hand(CardSet::only(card));
    player.discard.remove(card);
    player.reserve.remove(card);
    player.removed.remove(card);
    player.deck.retain(|&mut other| other != card);
    zone
}

/// # Rule MYT-6.7.1 (3)
/// A card lost from the hand is replaced, a deck that lost one is shuffled.
fn make_good(ctx: &mut ExecContext<'_>, loser: Seat, card_from: Zone) {
    match card_from {
        Zone::Hand => drawing::draw(ctx, loser, 1),
        Zone::Deck => drawing::shuffle_deck(ctx, loser),
        Zone::Discard | Zone::Reserve | Zone::Removed | Zone::ProvincePile | Zone::Display => {}
    }
}

/// # Rule MYT-6.7.1 (4, 5)
/// Dragon and runestone go to the box; the awards come in this order.
fn rewards(
    state: &mut State,
    seat: Seat,
    province: Province,
    loser: Option<Seat>,
    building: Option<Building>,
) {
    if building == Some(Building::Citadel) {
        awards::queue(state, seat, Stack::Citadel);
    }
    if loser.is_some() {
        awards::queue(state, seat, Stack::SpoilsOfWar);
    }
    if state.dragons.contains(province) {
        state.dragons.remove(province);
        awards::queue(state, seat, Stack::HereBeDragons);
    }
    if state.runestones.contains(province) {
        state.runestones.remove(province);
        awards::queue(state, seat, Stack::Runestones);
    }
    if let Some(island) = province.row().island {
        complete_island(state, seat, island);
    }
}

/// # Rule MYT-6.8.5
/// A player who gains the last province of an island is lord of it.
pub fn complete_island(state: &mut State, seat: Seat, island: Island) {
    let missing = island.provinces() - state.players[seat].controlled();
    if missing.is_empty() {
        let stack = match island {
            Island::Large => Stack::LargeIsland,
            Island::Small => Stack::SmallIsland,
        };
        awards::queue(state, seat, stack);
    }
}
