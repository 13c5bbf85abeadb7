//! Random changes of described tables.

use gamekeeper_rules::caylus::data::{FavorLine, Resource, Space, Tile};
use gamekeeper_rules::caylus::{PendingFavors, Phase, SeatList, View};
use gamekeeper_rules::conformance::below;
use gamekeeper_rules::table::{Chance, Seat};

/// Changes one to three things that a table is made of.
pub(crate) fn change(view: &mut View, chance: &mut Chance) {
    for _ in 0..=below(chance, 3) {
        change_one(view, chance);
    }
}

fn number(chance: &mut Chance, count: usize) -> u8 {
    u8::try_from(below(chance, count)).unwrap()
}

fn seat(chance: &mut Chance) -> Seat {
    Seat::at(below(chance, 5))
}

fn seat_or_none(chance: &mut Chance) -> Option<Seat> {
    (below(chance, 3) > 0).then(|| seat(chance))
}

/// An amount that may occur, or one that never may.
fn amount(chance: &mut Chance) -> u16 {
    match below(chance, 6) {
        0 => u16::MAX,
        _ => u16::from(number(chance, 40)),
    }
}

fn any_space(chance: &mut Chance) -> Space {
    Space::new(1 + number(chance, 28)).unwrap()
}

fn change_one(view: &mut View, chance: &mut Chance) {
    match below(chance, 20) {
        0 => view.turn = number(chance, 20),
        1 => view.phase = Phase::ALL[below(chance, Phase::COUNT)],
        2 => change_list(&mut view.turn_order, chance),
        3 => change_list(&mut view.pass_order, chance),
        4 => view.placement_cursor = number(chance, 6),
        5 => view.cursor = number(chance, 30),
        6 | 7 => change_player(view, chance),
        8 => change_special(view, chance),
        9 => change_list(&mut view.castle.queue, chance),
        10 => change_entry(&mut view.castle.batches_this_turn, chance),
        11 => {
            let section = &mut view.castle.sections[below(chance, 3)];
            change_entry(&mut section.parts, chance);
        }
        12 => {
            let section = &mut view.castle.sections[below(chance, 3)];
            section.scored = !section.scored;
        }
        13..=15 => change_road(view, chance),
        16 => match below(chance, 2) {
            0 => view
                .removed_neutral
                .push(Tile::ALL[below(chance, Tile::COUNT)]),
            _ => view.removed_neutral.truncate(1),
        },
        17 => view.provost = any_space(chance),
        18 => view.bailiff = any_space(chance),
        _ => {
            let (seat, count) = (seat(chance), number(chance, 7));
            let favors = (below(chance, 3) > 0).then_some(PendingFavors { seat, count });
            view.pending_favors = favors;
        }
    }
}

/// Swaps two seats, removes the last one, or adds one.
fn change_list(list: &mut SeatList, chance: &mut Chance) {
    match below(chance, 4) {
        0 => drop(list.pop()),
        1 if !list.is_full() => list.push(seat(chance)),
        _ if list.len() > 1 => {
            let (one, other) = (below(chance, list.len()), below(chance, list.len()));
            list.swap(one, other);
        }
        _ => {}
    }
}

fn change_entry(list: &mut Vec<u8>, chance: &mut Chance) {
    match below(chance, 8) {
        0 => drop(list.pop()),
        _ => {
            let place = below(chance, list.len());
            list[place] = number(chance, 5);
        }
    }
}

fn change_player(view: &mut View, chance: &mut Chance) {
    let player = below(chance, view.players.len());
    let player = &mut view.players[player];
    match below(chance, 5) {
        0 => player.deniers = amount(chance),
        1 => {
            let kind = Resource::ALL[below(chance, Resource::COUNT)];
            let more = amount(chance).saturating_sub(player.cubes.count(kind));
            player.cubes = player.cubes.and(more, kind);
        }
        2 => player.vp = amount(chance),
        3 => player.favor_markers[below(chance, 4)] = number(chance, 7),
        _ => {
            let line = FavorLine::ALL[below(chance, FavorLine::COUNT)];
            let used = &mut player.favor_lines_used;
            match used.iter().position(|&other| other == line) {
                Some(place) => drop(used.remove(place)),
                None => used.push(line),
            }
        }
    }
}

fn change_special(view: &mut View, chance: &mut Chance) {
    let special = &mut view.special;
    let circle = match below(chance, 7) {
        0 => &mut special.gate,
        1 => &mut special.trading_post,
        2 => &mut special.merchants_guild,
        3 => &mut special.joust_field,
        4 => &mut special.inn_left,
        5 => &mut special.inn_right,
        _ => {
            return match below(chance, 3) {
                0 => drop(special.stables.pop()),
                _ => special.stables.push(seat(chance)),
            };
        }
    };
    *circle = seat_or_none(chance);
}

/// Changes a space, more often one at the end of the road.
fn change_road(view: &mut View, chance: &mut Chance) {
    let free = view.road.iter().position(|lot| lot.tile.is_none());
    let near = free.filter(|_| below(chance, 2) == 0);
    let place = near.unwrap_or_else(|| below(chance, 28));
    let lot = &mut view.road[place];
    match below(chance, 5) {
        0 | 1 => {
            lot.tile = Some(Tile::ALL[below(chance, Tile::COUNT)]);
            lot.owner = Some(seat(chance));
        }
        2 => lot.owner = seat_or_none(chance),
        3 => lot.worker = seat_or_none(chance),
        _ => lot.pending_transform = seat_or_none(chance),
    }
}
