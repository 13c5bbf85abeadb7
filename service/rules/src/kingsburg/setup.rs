//! Set-up: builds the first table from the options and random draws (KIN-5).

use arrayvec::ArrayVec;

use super::action::Action;
use super::data::{Enemy, Phase};
use super::event::{Event, TurnOrder};
use super::flow;
use super::options::{InitialOrder, Options};
use super::rules::year;
use super::stage::Stage;
use super::state::{Envoy, ExecContext, Player, State};
use crate::table::{Chance, Journal, PerSeat, SeatSet, invariant_violated};

/// Sets up the table, up to the first decision.
///
/// # Rule KIN-5.3 to KIN-5.6
pub fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut Journal<Action, Event>,
) -> State {
    let order = first_order(options, chance);
    journal.push_event(Event::GameBegan {
        order: order.clone(),
    });
    let mut state = State {
        options: options.clone(),
        year: 1,
        phase: Phase::KingsAid,
        stage: Stage::KingsAid,
        order,
        deck: enemy_deck(chance, |_| None),
        peeked_by: SeatSet::EMPTY,
        aid_die: None,
        envoy: Envoy::OnBoard,
        neutral: ArrayVec::new(),
        groups: ArrayVec::new(),
        players: PerSeat::new(options.colors.count(), |_| Player::at_start()),
        battle: None,
        history: ArrayVec::new(),
    };
    let mut ctx = ExecContext {
        state: &mut state,
        chance,
        journal,
    };
    year::begin_phase(&mut ctx, Phase::KingsAid);
    flow::run_to_decision(&mut ctx);
    state
}

/// Draws `initial_order`. Draws nothing when the order of the seats is used.
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

/// Draws `enemy_year_1` to `enemy_year_5`: one card of each year, independently. Draws nothing for a year whose card is
/// given.
///
/// # Rule KIN-5.5
pub fn enemy_deck(chance: &mut Chance, given: impl Fn(u8) -> Option<Enemy>) -> [Enemy; 5] {
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
        let card = given(year).or_else(|| chance.pick(draw, None, Enemy::of_year(year)));
        card.unwrap_or_else(|| invariant_violated("KIN-5.5", year))
    })
}
