//! The **evaluation function** of bots: points, goods, and the expected gains of the workers on the board.

use super::Caylus;
use super::data::{Cubes, Effect, Goods, Kind, Resource, Space, Tile};
use super::stage::Phase;
use super::state::{Lot, Player, State};
use crate::bots::{Effort, Heuristics};
use crate::table::Seat;

const POINT: i32 = 10;
const DENIER: i32 = 2;
const FAVOR: i32 = 14;

impl Heuristics for Caylus {
    const HORIZON: u32 = 30;

    const LEVELS: [Effort; 3] = [
        Effort::of(8, Self::WIDTH, Self::HORIZON),
        Effort::of(16, Self::WIDTH, Self::HORIZON),
        Effort::of(64, 5, Self::HORIZON),
    ];

    fn players(state: &State) -> usize {
        state.seats()
    }

    /// The sum of points and goods, buildings, and the expected gains of the workers on the board.
    fn evaluate(state: &State, seat: Seat) -> i32 {
        let player = &state.players[seat];
        let stock = Goods {
            deniers: player.deniers,
            cubes: player.cubes,
            vp: player.vp,
        };
        let markers: i32 = player
            .markers
            .iter()
            .map(|&marker| 2 * i32::from(marker))
            .sum();
        let lots = state.road.lots();
        let lots: i32 = lots
            .map(|(space, lot)| lot_worth(state, seat, space, lot))
            .sum();
        goods(stock) + markers + lots + special(state, seat) + castle(state, seat)
    }
}

fn goods(goods: Goods) -> i32 {
    POINT * i32::from(goods.vp) + DENIER * i32::from(goods.deniers) + cubes(goods.cubes)
}

fn cubes(cubes: Cubes) -> i32 {
    Resource::ALL
        .iter()
        .map(|&kind| cube(kind) * i32::from(cubes.count(kind)))
        .sum()
}

const fn cube(kind: Resource) -> i32 {
    match kind {
        Resource::Food | Resource::Wood => 4,
        Resource::Stone | Resource::Cloth => 5,
        Resource::Gold => 10,
    }
}

/// The worth of a building of the seat, and the expected gain of a worker of the seat in it.
fn lot_worth(state: &State, seat: Seat, space: Space, lot: &Lot) -> i32 {
    let Some(tile) = lot.tile else { return 0 };
    let turns = turns_left(state);
    let residence_value = if lot.owner == Some(seat) {
        turns * (DENIER * i32::from(tile.sheet().income) + if tile.takes_workers() { 3 } else { 0 })
    } else {
        0
    };
    let works = lot.worker == Some(seat) && state.phase <= Phase::Activation;
    if !works {
        return residence_value;
    }
    let gain = effect(state, &state.players[seat], seat, tile);
    // The provost may still come closer, unless it has stopped.
    let gain = match (space > state.provost, state.phase) {
        (true, Phase::Activation) => 0,
        (true, _) => gain / 4,
        (false, _) => gain,
    };
    residence_value + gain
}

/// About how many turns are left: the bailiff moves one or two spaces per turn.
fn turns_left(state: &State) -> i32 {
    let castle: i32 = i32::from(state.castle.scored);
    let spaces = 28 - i32::try_from(state.bailiff.index()).unwrap_or(28);
    (spaces / 2).min(9 - 2 * castle).max(0)
}

/// The gain of a worker in a building, if it were activated now.
fn effect(state: &State, player: &Player, seat: Seat, tile: Tile) -> i32 {
    match tile.sheet().effect {
        Effect::None => 0,
        Effect::Produce(options) => options
            .iter()
            .map(|&option| cubes(option))
            .max()
            .unwrap_or(0),
        Effect::SellCube(deniers) if player.cubes.is_empty() => DENIER * i32::from(deniers) / 4,
        Effect::SellCube(deniers) => DENIER * i32::from(deniers) - 4,
        Effect::BuyCubes { price, most } => {
            let count = i32::from((player.deniers / price.max(1)).min(most.into()));
            count * (5 - DENIER * i32::from(price)).max(1)
        }
        Effect::BuildCraft(kind) => best_tile(state, player, kind),
        Effect::BuildPrestige => {
            let residence = |(_, lot): (Space, &Lot)| {
                lot.owner == Some(seat) && lot.tile == Some(Tile::Residence)
            };
            if state.road.lots().any(residence) {
                best_tile(state, player, Kind::Prestige)
            } else {
                0
            }
        }
        Effect::Transform => {
            let pays = player.deniers > 0 && player.cubes.count(Resource::Cloth) > 0;
            if pays { 12 } else { 0 }
        }
        Effect::Trade(trades) => {
            let trades = trades.iter().filter(|trade| player.can_pay(trade.pay));
            trades
                .map(|trade| goods(trade.gain) - goods(trade.pay))
                .max()
                .unwrap_or(0)
        }
        Effect::Alchemy => {
            if player.cubes.not_gold() >= 4 {
                3
            } else {
                0
            }
        }
    }
}

/// The worth of the best tile that the player can pay: points and benefits, less its price.
fn best_tile(state: &State, player: &Player, kind: Kind) -> i32 {
    let value = |tile: Tile| {
        let sheet = tile.sheet();
        let lasting = turns_left(state) * (DENIER * i32::from(sheet.income) + 3);
        POINT * i32::from(sheet.vp) + FAVOR * i32::from(sheet.favors) + lasting
            - cubes(sheet.cost)
            - if sheet.any_cube { 4 } else { 0 }
    };
    let payable = |tile: &Tile| {
        let sheet = tile.sheet();
        let more = u16::from(sheet.any_cube);
        let all: u16 = Resource::ALL
            .iter()
            .map(|&kind| player.cubes.count(kind))
            .sum();
        let need: u16 = Resource::ALL
            .iter()
            .map(|&kind| sheet.cost.count(kind))
            .sum();
        player.cubes.cover(sheet.cost) && all >= need + more
    };
    let tiles = Tile::of_kind(kind).filter(|&tile| state.supply.count(tile) > 0);
    tiles.filter(payable).map(value).max().unwrap_or(0).max(0)
}

/// The worth of workers on the special buildings.
fn special(state: &State, seat: Seat) -> i32 {
    let special = &state.special;
    let player = &state.players[seat];
    let at = |place: Option<Seat>, worth: i32| if place == Some(seat) { worth } else { 0 };
    let jousts = player.deniers > 0 && player.cubes.count(Resource::Cloth) > 0;
    let stables = special.stables.contains(&seat);
    at(special.gate, 3)
        + at(special.trading_post, 3 * DENIER)
        + at(special.merchants_guild, 3)
        + at(special.joust_field, if jousts { FAVOR - 7 } else { 0 })
        + at(special.inn_left, 3)
        + at(special.inn_right, 4)
        + if stables { 4 } else { 0 }
}

/// The worth of a worker in the castle: the batches that can be paid for, or the penalty for none.
fn castle(state: &State, seat: Seat) -> i32 {
    let castle = &state.castle;
    if state.phase > Phase::Castle || !castle.queue.contains(&seat) {
        return 0;
    }
    let Some(section) = castle.open() else {
        return 0;
    };
    let points = POINT * i32::from(section.sheet().vp) - 14;
    match (batches(state.players[seat].cubes), castle.batches[seat]) {
        (0, 0) => -2 * POINT,
        (0, _) => 0,
        (count, 0) => points * count + FAVOR / 2,
        (count, _) => points * count,
    }
}

/// How many times one food and two cubes of other kinds can be delivered.
fn batches(cubes: Cubes) -> i32 {
    let food = cubes.count(Resource::Food);
    let others = [
        Resource::Wood,
        Resource::Stone,
        Resource::Cloth,
        Resource::Gold,
    ];
    let fits = |count: u16| {
        let usable: u16 = others
            .iter()
            .map(|&kind| cubes.count(kind).min(count))
            .sum();
        usable >= 2 * count
    };
    let most = (1..=food).take_while(|&count| fits(count)).count();
    i32::try_from(most).unwrap_or(0)
}
