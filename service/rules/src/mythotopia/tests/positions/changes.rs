//! Random changes of views, many of which are small enough to leave a table on which a game can begin.

use gamekeeper_rules::conformance::{one_of, pick};
use gamekeeper_rules::mythotopia::View;
use gamekeeper_rules::mythotopia::data::{Card, Improvement, Numbered as _, PointCard, Province};
use gamekeeper_rules::mythotopia::stage::Building;
use gamekeeper_rules::table::{Chance, Seat};

/// Changes one to three parts of a view.
pub(super) fn change(view: &mut View, luck: &mut Chance) {
    for _ in 0..=luck.uniform(3) {
        match luck.uniform(7) {
            0 => change_course(view, luck),
            1 => change_cards(view, luck),
            2 => change_bookkeeping(view, luck),
            3 => change_tokens(view, luck),
            4 => change_pieces(view, luck),
            _ => change_provinces(view, luck),
        }
    }
}

/// Any of the numbers that are most likely to break something.
fn number(luck: &mut Chance) -> u8 {
    pick(luck, &[0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 14, 127, 255])
}

fn seat(luck: &mut Chance) -> Seat {
    pick(luck, &Seat::all(5).collect::<Vec<_>>())
}

fn card(luck: &mut Chance) -> Card {
    let count = u32::try_from(Card::COUNT).unwrap();
    Card::nth(usize::try_from(luck.uniform(count)).unwrap()).unwrap()
}

fn change_course(view: &mut View, luck: &mut Chance) {
    let decisions = [
        "turn",
        "setup_citadel",
        "choose_token_source",
        "choose_philosopher_card",
    ];
    let kind = luck.uniform(10);
    if let (0 | 1, Some(first)) = (kind, view.pending.first_mut()) {
        match kind {
            0 => first.decision = pick(luck, &decisions),
            _ => first.seat = seat(luck),
        }
        return;
    }
    match kind {
        2 => view.turn_order = vec![seat(luck)],
        3 => drop(view.pending.pop()),
        4 => view.players.truncate(usize::from(number(luck))),
        _ => {
            let Some(turn) = &mut view.turn else { return };
            match luck.uniform(6) {
                0 => turn.actions_done = number(luck),
                1 => turn.free_action_done ^= true,
                2 => turn.drafted ^= true,
                3 => turn.road_move_used ^= true,
                4 => turn.warehouse_used ^= true,
                _ => turn.active_player = seat(luck),
            }
        }
    }
}

fn change_cards(view: &mut View, luck: &mut Chance) {
    let (card, zone) = (card(luck), luck.uniform(7));
    let Some(player) = one_of(luck, &mut view.players) else {
        return;
    };
    match zone {
        0 => player.hand = None,
        1 => player.deck = None,
        2 => player.discard.insert(card),
        3 => player.reserve.insert(card),
        4 => {
            // A card of the hand is put down.
            let hand = player.hand.unwrap_or_default();
            if let Some(card) = hand.iter().next() {
                player.hand = Some(hand - [card].into_iter().collect());
                player.reserve.insert(card);
            }
        }
        5 => player.hand_count = number(luck),
        _ => player.setup_choice = None,
    }
}

fn change_bookkeeping(view: &mut View, luck: &mut Chance) {
    let (improvement, card) = (pick(luck, Improvement::ALL.as_slice()), card(luck));
    let Some(kept) = &mut view.bookkeeping else {
        return;
    };
    match luck.uniform(5) {
        0 => view.bookkeeping = None,
        1 => kept.improvement_deck.clear(),
        2 => kept.improvement_deck.reverse(),
        3 => {
            if let Some(place) = one_of(luck, &mut kept.improvement_deck) {
                *place = improvement;
            }
        }
        _ => {
            let Some(player) = one_of(luck, &mut kept.players) else {
                return;
            };
            match luck.uniform(5) {
                0 => player.deck.clear(),
                1 => player.deck.push(card),
                2 => player.shown.insert(card),
                3 => player.secret = Some(improvement),
                _ => player.has_looked ^= true,
            }
        }
    }
}

fn change_tokens(view: &mut View, luck: &mut Chance) {
    match luck.uniform(4) {
        0 => {
            if let Some(player) = one_of(luck, &mut view.players) {
                *one_of(luck, &mut player.tokens).unwrap() = number(luck);
            }
        }
        1 => {
            if let Some(shown) = one_of(luck, &mut view.point_cards) {
                shown.card = pick(luck, PointCard::ALL.as_slice());
            }
        }
        2 => view.awards.clear(),
        _ => {
            if let Some(shown) = one_of(luck, &mut view.point_cards)
                && let Some(stack) = one_of(luck, &mut shown.tokens)
            {
                stack.count = number(luck);
            }
        }
    }
}

fn change_pieces(view: &mut View, luck: &mut Chance) {
    if luck.uniform(4) == 0
        && let Some(sea) = one_of(luck, &mut view.seas)
    {
        if let Some(ships) = one_of(luck, &mut sea.ships) {
            *ships = number(luck);
        }
        return;
    }
    let Some(player) = one_of(luck, &mut view.players) else {
        return;
    };
    match luck.uniform(6) {
        0 => player.stock.armies = number(luck),
        1 => player.stock.ships = number(luck),
        2 => player.seas_towns = number(luck),
        3 => player.three_seas_claimed ^= true,
        4 => player.citadel_returned ^= true,
        _ => drop(view.roads.pop()),
    }
}

fn change_provinces(view: &mut View, luck: &mut Chance) {
    let buildings = [
        None,
        Some(Building::Town),
        Some(Building::City),
        Some(Building::Citadel),
    ];
    let Some(province) = one_of(luck, &mut view.provinces) else {
        return;
    };
    match luck.uniform(9) {
        0 => province.castle ^= true,
        1 => province.dragon ^= true,
        2 => province.runestone ^= true,
        3 => province.building = pick(luck, &buildings),
        4 => province.controller = Some(seat(luck)),
        5 => province.province = pick(luck, Province::ALL.as_slice()),
        6 => province.castle = true,
        _ => {
            let armies = number(luck);
            if let Some(force) = one_of(luck, &mut province.forces) {
                force.armies = armies;
            }
        }
    }
}
