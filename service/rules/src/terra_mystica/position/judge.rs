//! The judgment whether a table keeps the rules (TM-11, TM-15): of described tables before games begin on them, and of
//! every table in tests.

use super::common::distinct;
use super::{cards, choices, map, players};
use crate::table::{PositionError, Seat};
use crate::terra_mystica::data::ROUNDS;
use crate::terra_mystica::options::TurnOrder;
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::{Seats, State};

/// Checks everything that a single table must keep.
///
/// # Errors
/// The first part of the table that does not fit, with its rule.
pub fn judge(state: &State) -> Result<(), PositionError> {
    rounds(state)?;
    orders(state)?;
    players::judge(state)?;
    cards::judge(state)?;
    map::judge(state)?;
    choices::judge(state)
}

/// # Rule TM-11.15
fn rounds(state: &State) -> Result<(), PositionError> {
    let range = match state.stage {
        Stage::ChooseFaction(_) | Stage::PlaceDwelling | Stage::ChooseBonusCard => 0..=0,
        Stage::Action => 1..=ROUNDS,
        Stage::Cult => 1..=ROUNDS - 1,
        Stage::Over => ROUNDS..=ROUNDS,
    };
    PositionError::within("TM-11.15", "round", state.round, range)
}

/// # Rule TM-5.5, TM-6.7, TM-6.63, TM-P.42
/// The turn order has every seat once; it goes clockwise, except where the order of passing decides. Nobody passes
/// twice, and phase III begins when all have passed.
fn orders(state: &State) -> Result<(), PositionError> {
    let order = &state.turn_order;
    PositionError::unless(distinct(order), || {
        PositionError::new("TM-6.7", "turn_order", seats(order), "every seat once")
    })?;
    let clockwise: Seats = order[0].clockwise(order.len()).collect();
    let is_free = state.rules.turn_order == TurnOrder::PassingOrder && state.round >= 2;
    PositionError::unless(is_free || *order == clockwise, || {
        PositionError::new("TM-6.63", "turn_order", seats(order), seats(&clockwise))
    })?;
    let passed = &state.passed;
    let (most, least) = match state.stage {
        Stage::ChooseFaction(_) | Stage::PlaceDwelling | Stage::ChooseBonusCard => (0, 0),
        Stage::Action => (order.len() - 1, 0),
        Stage::Cult | Stage::Over => (order.len(), order.len()),
    };
    let fits = distinct(passed) && (least..=most).contains(&passed.len());
    PositionError::unless(fits, || {
        let allowed = format!("{least} to {most} different seats");
        PositionError::new("TM-6.45", "passed_order", seats(passed), allowed)
    })
}

fn seats(list: &[Seat]) -> String {
    let numbers = list.iter().map(|seat| seat.number().to_string());
    format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
}
