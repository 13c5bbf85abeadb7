//! The course of play as a **state machine**: carries out a validated action, then runs the stages up to the next
//! decision (CAY-6.12).

use std::ops::ControlFlow;

use super::legal::{self, Deed, Permit};
use super::rules::{
    activation, building, castle, favors, goods, placement, provost, scoring, special, turn,
};
use super::stage::Stage;
use super::state::Play;
use crate::table::{self, Seat};

/// Carries out a validated action, and everything automatic after it.
pub fn perform(play: &mut Play<'_>, permit: Permit) {
    answer(play, permit);
    settle(play);
}

/// Carries out the answer to the decision, without seeking the next decision.
pub fn answer(play: &mut Play<'_>, Permit { seat, deed }: Permit) {
    play.state.asked = None;
    match deed {
        Deed::Placement(deed) => placement::perform(play, seat, deed),
        Deed::Special(deed) => special::perform(play, seat, deed),
        Deed::Provost(deed) => provost::perform(play, seat, deed),
        Deed::Activation(deed) => activation::perform(play, seat, deed),
        Deed::Goods(deed) => goods::perform(play, seat, deed),
        Deed::Building(deed) => building::perform(play, seat, deed),
        Deed::Favor(deed) => favors::perform(play, seat, deed),
        Deed::Castle(deed) => castle::perform(play, seat, deed),
    }
}

/// Runs everything automatic up to the next decision that leaves a choice, or to the end of the game.
///
/// # Rule CAY-6.12
pub fn settle(play: &mut Play<'_>) {
    table::settle(play, step);
}

/// Runs one automatic step. Breaks at a choice, or at the end of the game.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "there are seventeen steps to an action, so that calling them is a part of its cost"
)]
fn step(play: &mut Play<'_>) -> ControlFlow<()> {
    if let Some((seat, _)) = play.state.asked() {
        decide_if_forced(play, seat)
    } else if let Some(favors) = play.state.pending_favors {
        favors::enter(play, favors);
        ControlFlow::Continue(())
    } else {
        enter(play)
    }
}

/// Takes the only legal action, if there is no choice; breaks if there is one.
///
/// # Rule CAY-6.1.2, CAY-14.11
/// A decision with exactly one legal action is taken at once and logged as that action.
fn decide_if_forced(play: &mut Play<'_>, seat: Seat) -> ControlFlow<()> {
    let Some((action, permit)) = legal::only_action(play.state, seat) else {
        return ControlFlow::Break(());
    };
    play.automatic(seat, action, |play| answer(play, permit));
    ControlFlow::Continue(())
}

/// Enters the current stage. Breaks at the end of the game.
fn enter(play: &mut Play<'_>) -> ControlFlow<()> {
    match play.state.stage {
        Stage::StartTurn => turn::enter(play),
        Stage::Place => placement::enter(play),
        Stage::Special => special::enter(play),
        Stage::AfterSpecial => special::enter_next(play),
        Stage::Bribe => provost::enter(play),
        Stage::AfterBribe => provost::enter_next(play),
        Stage::Road => activation::enter(play),
        Stage::OwnerBonus => activation::enter_owner_bonus(play),
        Stage::LeaveBuilding => activation::enter_leaving(play),
        Stage::Castle => castle::enter_builder(play),
        Stage::MostBatches => castle::enter_most_batches(play),
        Stage::LeaveCastle => castle::enter_leaving(play),
        Stage::Bailiff => scoring::enter(play),
        Stage::SectionDue => scoring::enter_section(play),
        Stage::ScoreSeat => scoring::enter_seat(play),
        Stage::AfterSeat => scoring::enter_next_seat(play),
        Stage::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}
