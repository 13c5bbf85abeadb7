//! Tables that somebody describes: makes the table of an operator's view, and judges it (KIN-5.8).
//!
//! Reads only what nothing else tells: whoever calls compares the rest of the view with that of the table made here. First
//! the parts are read, each within its bounds; then `fit` compares them with each other.

mod bounds;
mod court;
mod fit;
mod players;
mod stage;
mod winters;

use super::data::YEARS;
use super::event::TurnOrder;
use super::options::Options;
use super::stage::Stage;
use super::state::State;
use super::view::View;
use crate::table::{Chance, PositionError, Seat};

/// The result of reading a part of a described table.
type Judged<T = ()> = Result<T, PositionError>;

/// Makes the table that an operator's view describes. Enemies that the view leaves out are drawn.
///
/// # Errors
/// The first part of the view that does not fit.
///
/// # Rule KIN-5.8, KIN-5.9
pub fn position(options: &Options, view: &View, chance: &mut Chance) -> Judged<State> {
    let seats = options.seats();
    PositionError::within("KIN-5.10", "year", view.year, 1..=YEARS)?;
    let order = turn_order(view, seats)?;
    let mut players = players::players(options, view)?;
    let (neutral, groups) = court::court(view, &mut players)?;
    let past = winters::history(view, seats)?;
    let battle = winters::current(view, &players)?;
    let state = State {
        options: options.clone(),
        year: view.year,
        phase: view.phase,
        stage: Stage::Over,
        order,
        deck: winters::deck(view, &past, battle.as_ref(), chance)?,
        peeked_by: players::seat_set("peeked_by", &view.peeked_by, seats)?,
        aid_die: players::aid_die(view)?,
        envoy: court::envoy(view, seats)?,
        neutral,
        groups,
        players,
        battle,
        history: past,
    };
    let stage = stage::stage(&state, view)?;
    let state = State { stage, ..state };
    fit::fit(&state)?;
    Ok(state)
}

/// # Rule KIN-INV-3
fn turn_order(view: &View, seats: usize) -> Judged<TurnOrder> {
    let mut sorted = view.turn_order.clone();
    sorted.sort_unstable();
    PositionError::unless(sorted.iter().copied().eq(Seat::all(seats)), || {
        let allowed = format!("each of the {seats} seats once");
        PositionError::new(
            "KIN-INV-3",
            "turn_order",
            numbers(&view.turn_order),
            allowed,
        )
    })?;
    Ok(view.turn_order.iter().copied().collect())
}

/// Checks that a seat is one of the table.
fn seated(path: impl Into<String>, seat: Seat, seats: usize) -> Judged {
    PositionError::within("KIN-5.1", path, usize::from(seat.number()), 1..=seats)
}

/// The numbers of seats, as an error shows them: `1, 3`.
fn numbers(seats: &[Seat]) -> String {
    let numbers: Vec<String> = seats.iter().map(|seat| seat.number().to_string()).collect();
    numbers.join(", ")
}
