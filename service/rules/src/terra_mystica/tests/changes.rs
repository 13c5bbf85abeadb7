//! Random changes of described tables.

use gamekeeper_rules::conformance::{below, pick};
use gamekeeper_rules::table::{Chance, Seat};
use gamekeeper_rules::terra_mystica::data::{
    BRIDGE_SITES, BonusCard, Cult, Faction, FavorTile, Land, PowerAction, SITES, ScoringTile,
    SpecialAction, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{
    BoardView, BridgeView, FollowUp, OfferView, Phase, SpadesView, TownView, TurnView, View,
};

/// Changes one or two things that a table is made of.
pub(crate) fn change(view: &mut View, chance: &mut Chance) {
    for _ in 0..=below(chance, 2) {
        change_one(view, chance);
    }
}

fn number(chance: &mut Chance, count: usize) -> u8 {
    u8::try_from(below(chance, count)).unwrap()
}

fn seat(chance: &mut Chance) -> Seat {
    Seat::at(below(chance, 5))
}

fn space(chance: &mut Chance) -> Land {
    Land::at(below(chance, 77))
}

/// An amount that may occur, or one that never may.
fn amount(chance: &mut Chance) -> u16 {
    match below(chance, 6) {
        0 => u16::MAX,
        _ => u16::from(number(chance, 20)),
    }
}

fn change_one(view: &mut View, chance: &mut Chance) {
    match below(chance, 22) {
        0 => view.round = number(chance, 8),
        1 => view.phase = pick(chance, &Phase::ALL),
        2 => change_list(&mut view.turn_order, chance),
        3 => change_list(&mut view.passed_order, chance),
        4..=6 => change_turn(view, chance),
        7..=9 => change_space(view, chance),
        10 => {
            let site = BRIDGE_SITES[below(chance, SITES)];
            let (a, b, seat) = (site.a, site.b, seat(chance));
            view.bridges.push(BridgeView { a, b, seat });
        }
        11 => change_town(view, chance),
        12 => {
            let holder = (below(chance, 3) > 0).then(|| seat(chance));
            view.priests[below(chance, 4)][below(chance, 4)] = holder;
        }
        13 => {
            let action = pick(chance, &PowerAction::ALL);
            match view
                .used_power_actions
                .iter()
                .position(|&used| used == action)
            {
                Some(place) => drop(view.used_power_actions.remove(place)),
                None => view.used_power_actions.push(action),
            }
        }
        14 => view.scoring_tiles[below(chance, 6)] = pick(chance, &ScoringTile::ALL),
        15 if !view.bonus_pool.is_empty() => {
            let place = below(chance, view.bonus_pool.len());
            match below(chance, 2) {
                0 => view.bonus_pool[place].coins = number(chance, 7),
                _ => view.bonus_pool[place].card = pick(chance, &BonusCard::ALL),
            }
        }
        _ => {
            let place = below(chance, view.players.len());
            match &mut view.players[place].board {
                Some(board) => change_board(board, chance),
                None => view.players[place].color = Some(pick(chance, &Terrain::ALL)),
            }
        }
    }
}

/// Swaps two seats, removes the last one, or adds one.
fn change_list(list: &mut Vec<Seat>, chance: &mut Chance) {
    match below(chance, 4) {
        0 => drop(list.pop()),
        1 => list.push(seat(chance)),
        _ if list.len() > 1 => {
            let (one, other) = (below(chance, list.len()), below(chance, list.len()));
            list.swap(one, other);
        }
        _ => {}
    }
}

fn change_turn(view: &mut View, chance: &mut Chance) {
    let Some(turn) = &mut view.turn else {
        let spades = SpadesView {
            seat: seat(chance),
            spades: number(chance, 4),
        };
        return match below(chance, 2) {
            0 => view.cult_spades.push(spades),
            _ => view.cult_spades.clear(),
        };
    };
    let TurnView { seat: active, .. } = *turn;
    match below(chance, 8) {
        0 => turn.seat = seat(chance),
        1 => turn.main_action_done = !turn.main_action_done,
        2 => turn.extra_actions = number(chance, 4),
        3 => turn.late_build.push(space(chance)),
        4 => turn.power_accepted = !turn.power_accepted,
        5 => {
            let own = view
                .spaces
                .iter()
                .filter(|space| space.owner == Some(active));
            let own: Vec<Land> = own.map(|space| space.space).collect();
            if !own.is_empty() {
                view.power_offers.push(OfferView {
                    seat: seat(chance),
                    builder: active,
                    space: pick(chance, &own),
                    value: 1,
                    gainable: 1,
                });
            }
        }
        6 => view.power_offers.clear(),
        _ => {
            let choice = [
                FollowUp::FavorTiles(number(chance, 4)),
                FollowUp::CultStep,
                FollowUp::Ordination,
                FollowUp::StrongholdSpades,
            ];
            turn.main_action_done = true;
            view.follow_ups.push(pick(chance, &choice));
        }
    }
}

fn change_space(view: &mut View, chance: &mut Chance) {
    let place = below(chance, view.spaces.len());
    let owner = below(chance, view.players.len());
    let home = view.players[owner]
        .board
        .as_ref()
        .map(|board| board.faction.home());
    let space = &mut view.spaces[place];
    match below(chance, 4) {
        0 => space.terrain = pick(chance, &Terrain::ALL),
        1 => space.structure = Some(pick(chance, &Structure::ALL)),
        2 => (space.owner, space.structure) = (None, None),
        _ => {
            space.owner = Some(Seat::at(owner));
            space.structure = Some(pick(chance, &Structure::ALL));
            space.terrain = home.unwrap_or(space.terrain);
        }
    }
}

fn change_town(view: &mut View, chance: &mut Chance) {
    let owner = seat(chance);
    let tile = pick(chance, &TownTile::ALL);
    match (below(chance, 4), view.towns.last_mut()) {
        (0, Some(town)) => town.tile = Some(tile),
        (1, Some(town)) => town.tile = None,
        (2, Some(town)) => drop(town.spaces.pop()),
        (_, _) => {
            let own = view
                .spaces
                .iter()
                .filter(|space| space.owner == Some(owner));
            view.towns.push(TownView {
                seat: owner,
                tile: Some(tile),
                spaces: own.map(|space| space.space).collect(),
                river: None,
            });
        }
    }
}

fn change_board(board: &mut BoardView, chance: &mut Chance) {
    match below(chance, 14) {
        0 => board.faction = pick(chance, &Faction::ALL),
        1 => board.vp = amount(chance),
        2 => board.coins = amount(chance),
        3 => board.workers = amount(chance),
        4 => board.priests = u16::from(number(chance, 9)),
        5 => board.power_bowls[below(chance, 3)] = number(chance, 9),
        6 => board.cults[below(chance, Cult::COUNT)] = number(chance, 12),
        7 => board.shipping = board.shipping.map(|_| number(chance, 6)),
        8 => board.terraforming_level = number(chance, 4),
        9 => board.bonus_card = (below(chance, 4) > 0).then(|| pick(chance, &BonusCard::ALL)),
        10 | 11 => match below(chance, 2) {
            0 => drop(board.favor_tiles.pop()),
            _ => board.favor_tiles.push(pick(chance, &FavorTile::ALL)),
        },
        _ => match below(chance, 2) {
            0 => drop(board.used_special.pop()),
            _ => board.used_special.push(pick(chance, &SpecialAction::ALL)),
        },
    }
}
