//! What bots think of a table: points, structures, goods, cults, and the income to come.

use super::TerraMystica;
use super::data::{BonusCard, FavorTile, Goods, LandSet, ROUNDS, Structure};
use super::state::State;
use crate::bots::Mind;
use crate::table::Seat;

const POINT: i32 = 10;

impl Mind for TerraMystica {
    const HORIZON: u32 = 40;

    fn players(state: &State) -> usize {
        state.seats()
    }

    /// Points, the final scoring as it stands, goods by what they can still become, and income.
    fn worth(state: &State, seat: Seat) -> i32 {
        if state.choosing().is_some() {
            return 0;
        }
        let player = &state.players[seat];
        let left = i32::from(ROUNDS) - i32::from(state.round);
        let finale = state.finale(seat);
        let cults: u16 = finale.cults.iter().sum();
        let weight = 3 + i32::from(state.round);
        let standing = POINT * i32::from(cults + finale.area) * weight / 9;
        let steps: i32 = player.cults.iter().map(|&step| 3 * i32::from(step)).sum();
        let held = Goods {
            coins: player.coins,
            workers: player.workers,
            priests: player.priests,
            power: 0,
        };
        let [_, second, third] = player.bowls.map(i32::from);
        let power = second + 3 * third;
        let own = state.board.owned(seat);
        let lands = 6 * i32::from(own.len());
        POINT * i32::from(player.vp)
            + standing
            + steps
            + lands
            + goods(held, left)
            + power
            + income(state, seat, left)
            + towns(state, seat)
            + lasting(state, seat, left)
    }
}

/// Goods: a third of a point each at the end, more as long as they can be put to work.
fn goods(goods: Goods, left: i32) -> i32 {
    let soon = left.min(3);
    3 * i32::from(goods.coins)
        + (4 + 2 * soon) * i32::from(goods.workers)
        + (4 + 4 * soon) * i32::from(goods.priests)
        + i32::from(goods.power)
}

/// The income of the rounds to come; that of the bonus card only once.
fn income(state: &State, seat: Seat, left: i32) -> i32 {
    if left == 0 {
        return 0;
    }
    let card = state.players[seat]
        .card
        .map_or(Goods::NONE, BonusCard::income);
    let all: i32 = (0..left).map(|left| goods(state.income(seat), left)).sum();
    let again: i32 = (0..left - 1).map(|left| goods(card, left)).sum();
    (all - again) * 4 / 5
}

/// How near the structures outside of towns are to the next town, and what a town is worth besides
/// its tile.
fn towns(state: &State, seat: Seat) -> i32 {
    let in_towns = state.town_lands(seat);
    let near = |lands: LandSet| {
        if !lands.and(in_towns).is_empty() {
            return 0;
        }
        let power = i32::from(state.board.power_value(seat, lands)).min(7);
        let size = i32::from(lands.len()).min(4);
        power * size
    };
    let nearest: i32 = state.components(seat).map(near).max().unwrap_or(0);
    let open = 80 * i32::from(state.open_towns());
    nearest
        + 5 * i32::from(state.players[seat].keys)
        + if state.turn.seat == seat { open } else { 0 }
}

/// What goes on giving: favor tiles, tracks, the stronghold's ability.
fn lasting(state: &State, seat: Seat, left: i32) -> i32 {
    let player = &state.players[seat];
    let houses = usize::from(state.board.count(seat, Structure::TradingHouse));
    let favor = |tile: FavorTile| match tile {
        FavorTile::Fav10 | FavorTile::Fav11 => 9 * left,
        FavorTile::Fav12 => POINT * i32::from(FavorTile::PASS_VP[houses.min(4)]) * (left + 1),
        FavorTile::Fav5 => 12,
        FavorTile::Fav6 => 5 * left,
        FavorTile::Fav1
        | FavorTile::Fav2
        | FavorTile::Fav3
        | FavorTile::Fav4
        | FavorTile::Fav7
        | FavorTile::Fav8
        | FavorTile::Fav9 => 0,
    };
    let favors: i32 = player.favors.iter().map(favor).sum();
    let tracks =
        6 * left * i32::from(player.terraforming) + (8 + 2 * left) * i32::from(player.shipping);
    let stronghold = if state.has_stronghold(seat) {
        12 * left
    } else {
        0
    };
    favors + tracks + stronghold
}
