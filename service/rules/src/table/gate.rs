//! The **preconditions** that every ruleset checks first.

use std::ops::RangeInclusive;

use super::kind::Kind;
use super::option::Field;
use super::refusal::{Refusal, Refused, RefusedOption, SharedRefusal};
use super::seat::Seat;

/// Returns the decision that this seat owes, of all open ones; `name` gives the name of a decision.
///
/// # Errors
/// Fails by the paragraph `over` if the game is over, or by the paragraph `turn` if another seat must act.
#[inline]
pub fn owed<D: Copy, R: Refusal + From<SharedRefusal>>(
    asked: impl IntoIterator<Item = (Seat, D)>,
    seat: Seat,
    name: impl Fn(D) -> &'static str,
    over: &'static str,
    turn: &'static str,
) -> Result<D, Refused<R>> {
    let mut first = None;
    for (to_act, decision) in asked {
        if to_act == seat {
            return Ok(decision);
        }
        first = first.or(Some((to_act, decision)));
    }
    let Some((to_act, decision)) = first else {
        return Err(R::from(SharedRefusal::GameOver).at(over));
    };
    let decision = name(decision);
    Err(R::from(SharedRefusal::NotYourTurn { to_act, decision }).at(turn))
}

/// Returns the refusal, by this paragraph, of an action that does not answer this decision.
pub fn wrong_decision<R: Refusal + From<SharedRefusal>>(
    action: &impl Kind,
    decision: &'static str,
    rule: &'static str,
) -> Refused<R> {
    let action = action.kind();
    R::from(SharedRefusal::WrongDecision { action, decision }).at(rule)
}

/// Returns the number of players.
///
/// # Errors
/// Fails by this paragraph if there are too few or too many.
pub fn player_count<R: Refusal + From<SharedRefusal>>(
    players: &[String],
    allowed: RangeInclusive<u8>,
    rule: &'static str,
) -> Result<u8, RefusedOption<R>> {
    let refusal = SharedRefusal::InvalidPlayerCount {
        players: players.len(),
        min: *allowed.start(),
        max: *allowed.end(),
    };
    let seats = u8::try_from(players.len()).ok();
    let seats = seats.filter(|seats| allowed.contains(seats));
    seats.ok_or_else(|| R::from(refusal).at(rule).on(Field::Players))
}
