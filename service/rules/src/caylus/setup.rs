//! Set-up: builds the first table from the options and random draws (CAY-5).

use arrayvec::ArrayVec;
use enumset::EnumSet;

use super::action::Action;
use super::data::{
    BAILIFF_START, Cubes, FIXED_BUILDINGS, NEUTRAL_TILES, Resource, Space, Tile, WORKERS,
    start_deniers,
};
use super::event::Event;
use super::flow;
use super::options::Options;
use super::stage::{Phase, SeatList, Stage};
use super::state::{Castle, ExecContext, Lot, Player, Road, SpecialWorkers, State, Supply};
use crate::table::{Chance, Journal, PerSeat, Seat, invariant_violated};

/// Sets up the table, up to the first decision.
///
/// # Rule CAY-5.2 to CAY-5.5
pub fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut Journal<Action, Event>,
) -> State {
    let neutral_order = options
        .neutral_order
        .unwrap_or_else(|| draw_neutral_order(chance));
    let turn_order = options
        .turn_order
        .clone()
        .unwrap_or_else(|| draw_turn_order(usize::from(options.players), chance));
    journal.push_event(Event::GameCreated {
        simplified_favors: options.simplified_favors,
        neutral_order,
        turn_order: turn_order.clone(),
    });
    let mut state = first_table(options, &neutral_order, turn_order);
    flow::run_to_decision(&mut ExecContext {
        state: &mut state,
        chance,
        journal,
    });
    state
}

/// # Rule CAY-5.2, CAY-14.6
/// The neutral tiles are drawn first, space 1 first; only if the options do not name them.
fn draw_neutral_order(chance: &mut Chance) -> [Tile; 6] {
    let mut tiles = NEUTRAL_TILES;
    chance.shuffle("neutral_order", None, &mut tiles);
    tiles
}

/// # Rule CAY-5.2, CAY-14.6
/// The turn order is drawn after the neutral tiles, only if the options do not name it.
fn draw_turn_order(players: usize, chance: &mut Chance) -> SeatList {
    let mut seats: SeatList = Seat::all(players).collect();
    chance.shuffle("turn_order", None, &mut seats);
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
        pending: None,
        stage: Stage::StartTurn,
    }
}

fn first_road(neutral_order: &[Tile; 6]) -> Road {
    let mut road = Road::default();
    let neutral = Space::all().zip(neutral_order.iter().copied());
    for (space, tile) in neutral.chain(FIXED_BUILDINGS) {
        road[space] = Lot::of(tile, None);
    }
    road
}

/// # Rule CAY-5.4
/// 2 food, 1 wood, 6 workers; deniers by position in the turn order.
fn first_goods(turn_order: &SeatList, seat: Seat) -> Player {
    let position = turn_order
        .iter()
        .position(|&other| other == seat)
        .unwrap_or_else(|| invariant_violated("CAY-11.14", turn_order));
    Player {
        deniers: start_deniers(turn_order.len(), position),
        cubes: Cubes::of(2, Resource::Food).and(1, Resource::Wood),
        vp: 0,
        workers: WORKERS,
        markers: [0; 4],
        lines_used: EnumSet::empty(),
    }
}
