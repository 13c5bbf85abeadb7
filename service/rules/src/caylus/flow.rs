//! The conductor: carries out what was allowed, and everything automatic between two decisions
//! (CAY-6.12).

use std::ops::ControlFlow;

use super::event::Event;
use super::legal::{self, Deed, Permit};
use super::rules::{
    activation, building, castle, favors, goods, placement, provost, scoring, special, turn,
};
use super::stage::{Asked, Step};
use super::state::Play;
use crate::table;

/// Carries out what was allowed, up to the next decision.
pub(crate) fn perform(play: &mut Play<'_>, permit: Permit) {
    carry_out(play, permit);
    settle(play);
}

/// Carries out the answer to the decision, without seeking the next decision.
fn carry_out(play: &mut Play<'_>, permit: Permit) {
    let Permit { seat, deed } = permit;
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

/// Runs everything automatic, up to the next decision that leaves a choice.
pub(crate) fn settle(play: &mut Play<'_>) {
    table::settle(play, |play| {
        if let Some(asked) = play.state.asked {
            decide_if_forced(play, asked)
        } else if let Some(favors) = play.state.pending_favors {
            favors::enter(play, favors);
            ControlFlow::Continue(())
        } else {
            step(play)
        }
    });
}

/// Takes the only legal action, if there is no choice; breaks if there is one.
///
/// # Rule CAY-6.1.2, CAY-14.11
/// A decision with exactly one legal action is taken at once and logged as that action.
fn decide_if_forced(play: &mut Play<'_>, asked: Asked) -> ControlFlow<()> {
    let Some((action, permit)) = legal::only_action(play.state, asked) else {
        return ControlFlow::Break(());
    };
    let Asked { seat, decision } = asked;
    play.tell(Event::Automatic { seat, decision });
    play.automatic(seat, action);
    carry_out(play, permit);
    ControlFlow::Continue(())
}

fn step(play: &mut Play<'_>) -> ControlFlow<()> {
    match play.state.step {
        Step::StartTurn => turn::enter(play),
        Step::Place => placement::enter(play),
        Step::Special => special::enter(play),
        Step::AfterSpecial => special::enter_next(play),
        Step::Bribe => provost::enter(play),
        Step::AfterBribe => provost::enter_next(play),
        Step::Road => activation::enter(play),
        Step::OwnerBonus => activation::enter_owner_bonus(play),
        Step::LeaveBuilding => activation::enter_leaving(play),
        Step::Castle => castle::enter_builder(play),
        Step::MostBatches => castle::enter_most_batches(play),
        Step::LeaveCastle => castle::enter_leaving(play),
        Step::Bailiff => scoring::enter(play),
        Step::SectionDue => scoring::enter_section(play),
        Step::ScoreSeat => scoring::enter_seat(play),
        Step::AfterSeat => scoring::enter_next_seat(play),
        Step::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}
