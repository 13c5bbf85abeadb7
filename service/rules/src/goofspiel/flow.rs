//! The course of play: carries out a validated action, then runs on to the next decision (GOO-6).

use std::ops::ControlFlow;

use super::legal::Permit;
use super::rules::{bid, turn};
use super::state::Play;
use crate::table;

/// Carries out a validated action, and everything automatic after it.
pub fn perform(play: &mut Play<'_>, permit: Permit) {
    answer(play, permit);
    settle(play);
}

/// Carries out the answer to the decision, without seeking the next decision.
pub fn answer(play: &mut Play<'_>, Permit { seat, card }: Permit) {
    bid::perform(play, seat, card);
}

/// Ends turns in which all have bid, and begins the next ones, up to a decision or the end of the game.
///
/// # Rule GOO-6.4, GOO-6.5
fn settle(play: &mut Play<'_>) {
    table::settle(play, |play| {
        if play.state.is_over() || play.state.asked().next().is_some() {
            return ControlFlow::Break(());
        }
        turn::end(play);
        begin(play);
        ControlFlow::Continue(())
    });
}

/// Begins a turn. In the last turn nobody has a choice.
pub fn begin(play: &mut Play<'_>) {
    turn::begin(play);
    bid::perform_forced(play);
}
