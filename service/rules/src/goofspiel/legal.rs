//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (GOO-6.2, GOO-6.3).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::Card;
use super::refusal::RefusedAction;
use super::rules::bid;
use super::stage::Decision;
use super::state::State;
use crate::table::{self, ActionEnumerator, Seat, VisitFlow, pending_decision};

/// A validated action of a seat.
pub type Permit = table::Permit<Card>;

/// The game is not over, the seat has not bid, it holds the card.
///
/// # Rule GOO-6.3
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, RefusedAction> {
    let decision = pending_decision(state.pending(), seat, Decision::id, "GOO-8.1", "GOO-6.3")?;
    match (decision, action) {
        (Decision::Bid, Action::Bid { card }) => {
            let valid_action = bid::check(state, seat, *card)?;
            Ok(Permit { seat, valid_action })
        }
    }
}

/// Visits the candidates for legal actions of this seat, in canonical order.
///
/// # Rule GOO-6.2
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let decision = state.pending().find(|(to_act, _)| *to_act == seat);
    match decision {
        Some((seat, Decision::Bid)) => bid::candidates(state, seat, list),
        None => ControlFlow::Continue(()),
    }
}
