//! Options and luck make the first table (CAY-5).

use arrayvec::ArrayVec;

use super::data::{
    BAILIFF_START, Cubes, FIXED_BUILDINGS, NEUTRAL_TILES, Resource, Space, Tile, WORKERS,
    start_deniers,
};
use super::event::Event;
use super::options::{Options, SeatList};
use super::pending;
use super::state::{
    Castle, LineSet, Log, Lot, Phase, Player, Road, SpecialWorkers, State, Step, Supply,
};
use crate::table::{Chance, PerSeat, Seat};

/// Names of the draws (CAY-14.6).
pub(super) const NEUTRAL_ORDER: &str = "neutral_order";
pub(super) const TURN_ORDER: &str = "turn_order";

/// Sets the table and begins the first turn.
pub(super) fn setup(options: &Options, chance: &mut Chance, journal: &mut Log) -> State {
    let neutral_order = options
        .neutral_order
        .unwrap_or_else(|| draw_neutral_order(chance));
    let turn_order = options
        .turn_order
        .clone()
        .unwrap_or_else(|| draw_turn_order(usize::from(options.players), chance));
    journal.event(Event::GameCreated {
        simplified_favors: options.simplified_favors,
        neutral_order,
        turn_order: turn_order.clone(),
    });
    let mut state = first_table(options, &neutral_order, turn_order);
    pending::run(&mut state, journal);
    state
}

/// # Rule CAY-5.2, CAY-14.6
/// The neutral tiles are drawn first, space 1 first; only if the options do not name them.
fn draw_neutral_order(chance: &mut Chance) -> [Tile; 6] {
    let mut tiles = NEUTRAL_TILES;
    chance.shuffle(NEUTRAL_ORDER, None, &mut tiles);
    tiles
}

/// # Rule CAY-5.2, CAY-14.6
/// Then the turn order, only if the options do not name it.
fn draw_turn_order(players: usize, chance: &mut Chance) -> SeatList {
    let mut seats: SeatList = Seat::all(players).collect();
    chance.shuffle(TURN_ORDER, None, &mut seats);
    seats
}

/// The table before turn 1 (CAY-5.3 to CAY-5.5).
fn first_table(options: &Options, neutral_order: &[Tile; 6], turn_order: SeatList) -> State {
    let seats = usize::from(options.players);
    let nothing = PerSeat::new(seats, |_| 0);
    State {
        simplified_favors: options.simplified_favors,
        turn: 0,
        phase: Phase::Income,
        players: PerSeat::new(seats, |seat| first_goods(&turn_order, seat)),
        turn_order,
        pass_order: SeatList::new(),
        placement_cursor: 0,
        cursor: 0,
        special: SpecialWorkers::default(),
        castle: Castle {
            queue: SeatList::new(),
            batches: nothing.clone(),
            parts: [nothing.clone(), nothing.clone(), nothing],
            scored: 0,
        },
        road: first_road(neutral_order),
        supply: Supply::full(),
        removed_neutral: ArrayVec::new(),
        residences_built: 0,
        provost: BAILIFF_START,
        bailiff: BAILIFF_START,
        pending_favors: None,
        asked: None,
        step: Step::StartTurn,
    }
}

fn first_road(neutral_order: &[Tile; 6]) -> Road {
    let mut road = Road::default();
    let neutral = Space::all().zip(neutral_order.iter().copied());
    for (space, tile) in neutral.chain(FIXED_BUILDINGS) {
        road[space] = Lot {
            tile: Some(tile),
            ..Lot::default()
        };
    }
    road
}

/// # Rule CAY-5.4
/// 2 food, 1 wood, 6 workers; deniers by position in the turn order.
fn first_goods(turn_order: &SeatList, seat: Seat) -> Player {
    let position = turn_order.iter().position(|&other| other == seat);
    Player {
        deniers: start_deniers(turn_order.len(), position.unwrap_or(0)),
        cubes: Cubes::of(2, Resource::Food).and(1, Resource::Wood),
        vp: 0,
        workers: WORKERS,
        markers: [0; 4],
        lines_used: LineSet::default(),
    }
}
