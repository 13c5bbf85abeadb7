//! Options and luck make the first table (KIN-5).

use arrayvec::ArrayVec;

use super::Log;
use super::data::{Enemy, Phase};
use super::event::{Event, TurnOrder};
use super::options::{InitialOrder, Options};
use super::pending::{Stage, settle};
use super::rules::year;
use super::state::{Envoy, Player, SeatSet, State};
use crate::table::{Chance, PerSeat};

/// Sets the table and runs to the first decision.
///
/// # Rule KIN-5.3 to KIN-5.6
pub(super) fn setup(options: &Options, chance: &mut Chance, journal: &mut Log) -> State {
    let order = first_order(options, chance);
    journal.event(Event::GameBegan {
        order: order.clone(),
    });
    let mut state = State {
        options: options.clone(),
        year: 1,
        phase: Phase::KingsAid,
        stage: Stage::KingsAid,
        order,
        deck: enemy_deck(chance),
        peeked_by: SeatSet::EMPTY,
        aid_die: None,
        envoy: Envoy::OnBoard,
        neutral: ArrayVec::new(),
        groups: ArrayVec::new(),
        players: PerSeat::new(options.colors.count(), |_| Player::new()),
        battle: None,
        history: ArrayVec::new(),
    };
    year::begin_phase(&mut state, Phase::KingsAid, journal);
    settle(&mut state, chance, journal);
    state
}

/// Draw `initial_order`; none when the seats' order counts.
///
/// # Rule KIN-5.4, KIN-16.11
fn first_order(options: &Options, chance: &mut Chance) -> TurnOrder {
    let mut order: TurnOrder = options.colors.seats().collect();
    match options.initial_order {
        InitialOrder::Random => chance.shuffle("initial_order", None, &mut order),
        InitialOrder::AsListed => {}
    }
    order
}

/// Draws `enemy_year_1` to `enemy_year_5`: one card of each year, independently.
///
/// # Rule KIN-5.5
fn enemy_deck(chance: &mut Chance) -> [Enemy; 5] {
    const DRAWS: [&str; 5] = [
        "enemy_year_1",
        "enemy_year_2",
        "enemy_year_3",
        "enemy_year_4",
        "enemy_year_5",
    ];
    let mut year = 0;
    DRAWS.map(|draw| {
        year += 1;
        let cards = Enemy::of_year(year);
        // No year is without cards; the first card stands in for what cannot be.
        chance.pick(draw, None, cards).unwrap_or(Enemy::ALL[0])
    })
}
