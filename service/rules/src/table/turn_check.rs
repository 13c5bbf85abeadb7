//! The **preconditions** that every ruleset checks first.

use std::ops::RangeInclusive;

use super::kind::Kind;
use super::option::Field;
use super::refusal::{CommonRefusal, Refusal, Refused, RefusedOption};
use super::seat::Seat;

/// A validated action of a seat, with prices and targets worked out. Only `check` makes one, so that no unchecked action
/// can be carried out.
#[derive(Debug)]
pub struct Permit<V> {
    /// The seat that acts.
    pub seat: Seat,
    /// The validated action.
    pub valid_action: V,
}

/// Returns the decision that this seat owes, of all open ones; `name` gives the name of a decision.
///
/// # Errors
/// Fails by the paragraph `over_rule` if the game is over, or by the paragraph `turn_rule` if another seat must act.
#[inline]
pub fn pending_decision<D: Copy, R: Refusal + From<CommonRefusal>>(
    pending: impl IntoIterator<Item = (Seat, D)>,
    seat: Seat,
    name: impl Fn(D) -> &'static str,
    over_rule: &'static str,
    turn_rule: &'static str,
) -> Result<D, Refused<R>> {
    let mut first = None;
    for (to_act, decision) in pending {
        if to_act == seat {
            return Ok(decision);
        }
        first = first.or(Some((to_act, decision)));
    }
    let Some((to_act, decision)) = first else {
        return Err(R::from(CommonRefusal::GameOver).citing(over_rule));
    };
    let decision = name(decision);
    Err(R::from(CommonRefusal::NotYourTurn { to_act, decision }).citing(turn_rule))
}

/// Returns the refusal, by this paragraph, of an action that does not answer this decision.
pub fn wrong_decision<R: Refusal + From<CommonRefusal>>(
    action: &impl Kind,
    decision: &'static str,
    rule: &'static str,
) -> Refused<R> {
    let action = action.kind();
    R::from(CommonRefusal::WrongDecision { action, decision }).citing(rule)
}

/// Returns the number of players.
///
/// # Errors
/// Fails by this paragraph if there are too few or too many.
pub fn player_count<R: Refusal + From<CommonRefusal>>(
    players: &[String],
    allowed: RangeInclusive<u8>,
    rule: &'static str,
) -> Result<u8, RefusedOption<R>> {
    let refusal = CommonRefusal::InvalidPlayerCount {
        players: players.len(),
        min: *allowed.start(),
        max: *allowed.end(),
    };
    let seats = u8::try_from(players.len()).ok();
    let seats = seats.filter(|seats| allowed.contains(seats));
    seats.ok_or_else(|| R::from(refusal).citing(rule).for_field(Field::Players))
}
