//! Legal actions: the judge, and the list that the judge filters (DOM-6.1, DOM-14.3).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::Card;
use super::refusal::{Answer, No, Refusal};
use super::rules::cards::{
    bureaucrat, cellar, chancellor, chapel, library, militia, mine, remodel, spy, thief,
    throne_room,
};
use super::rules::{action_phase, attack, buy_phase, gain};
use super::stage::{Frame, Phase};
use super::state::State;
use crate::table::{Lister, Refusal as _, Seat, Visit};

/// An action that was allowed. Only [`check`] makes one.
pub struct Permit {
    pub(crate) seat: Seat,
    pub(crate) deed: Deed,
}

/// What was allowed, with all cards known.
pub(crate) enum Deed {
    ActionPhase(action_phase::Deed),
    BuyPhase(buy_phase::Deed),
    Reaction(attack::Deed),
    Cellar(Vec<Card>),
    Chancellor(bool),
    Chapel(Vec<Card>),
    Gain(gain::Deed),
    Remodel(Card),
    Mine(Option<Card>),
    Library(bool),
    Militia(Vec<Card>),
    Bureaucrat(Card),
    Spy(bool),
    Thief(thief::Deed),
    ThroneRoom(Option<Card>),
}

/// The game is not over, it is the sender's decision, the action answers it, all cards exist; then
/// the checks of each action.
///
/// # Rule DOM-6.1
pub(crate) fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, No> {
    let Some((to_act, decision)) = state.asked() else {
        return Err(Refusal::GameOver.at("DOM-8.5"));
    };
    let rule = "DOM-6.1";
    if seat != to_act {
        return Err(Refusal::NotYourTurn { to_act, decision }.at(rule));
    }
    let Some(answer) = judge(state, seat, action) else {
        let action = action.kind();
        return Err(Refusal::WrongDecision { action, decision }.at(rule));
    };
    let deed = answer?;
    Ok(Permit { seat, deed })
}

/// The verdict of the open question's theme on the action.
fn judge(state: &State, seat: Seat, action: &Action) -> Answer<Deed> {
    let Some(frame) = state.stack.last() else {
        return match state.turn.phase {
            Phase::Action => wrap(action_phase::check(state, seat, action), Deed::ActionPhase),
            Phase::Buy => wrap(buy_phase::check(state, seat, action), Deed::BuyPhase),
            Phase::GameOver => None,
        };
    };
    match frame {
        Frame::Reactions { .. } => wrap(attack::check(state, seat, action), Deed::Reaction),
        Frame::ThroneChoose => wrap(throne_room::check(state, seat, action), Deed::ThroneRoom),
        Frame::Gain(wanted) => wrap(gain::check(state, wanted, action), Deed::Gain),
        Frame::Cellar => wrap(cellar::check(state, seat, action), Deed::Cellar),
        Frame::Chapel => wrap(chapel::check(state, seat, action), Deed::Chapel),
        Frame::Chancellor => wrap(chancellor::check(action), Deed::Chancellor),
        Frame::RemodelTrash => wrap(remodel::check(state, seat, action), Deed::Remodel),
        Frame::MineTrash => wrap(mine::check(state, seat, action), Deed::Mine),
        Frame::Library { drawn, .. } => wrap(library::check(*drawn, action), Deed::Library),
        Frame::Militia { .. } => wrap(militia::check(state, seat, action), Deed::Militia),
        Frame::Bureaucrat { .. } => wrap(bureaucrat::check(state, seat, action), Deed::Bureaucrat),
        Frame::Spy { .. } => wrap(spy::check(action), Deed::Spy),
        Frame::Thief { revealed, .. } => wrap(thief::check_trash(revealed, action), Deed::Thief),
        Frame::ThiefGain { trashed } => wrap(thief::check_gain(trashed, action), Deed::Thief),
        // Effects that run by themselves: nobody is asked.
        Frame::Resolve { .. } | Frame::ThroneSecond { .. } => None,
    }
}

fn wrap<D>(answer: Answer<D>, deed: fn(D) -> Deed) -> Answer<Deed> {
    answer.map(|allowed| allowed.map(deed))
}

/// Visits what this seat may be allowed to do, in canonical order; empty if it owes no decision.
///
/// # Rule DOM-14.3
pub(crate) fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    if state.asked().is_none_or(|(to_act, _)| to_act != seat) {
        return ControlFlow::Continue(());
    }
    let Some(frame) = state.stack.last() else {
        return match state.turn.phase {
            Phase::Action => action_phase::candidates(state, list),
            Phase::Buy => buy_phase::candidates(state, seat, list),
            Phase::GameOver => ControlFlow::Continue(()),
        };
    };
    match frame {
        Frame::Reactions { .. } => attack::candidates(list),
        Frame::ThroneChoose => throne_room::candidates(state, list),
        Frame::Gain(gain) => gain::candidates(state, gain, list),
        Frame::Cellar => cellar::candidates(state, list),
        Frame::Chapel => chapel::candidates(state, list),
        Frame::Chancellor => chancellor::candidates(list),
        Frame::RemodelTrash => remodel::candidates(state, list),
        Frame::MineTrash => mine::candidates(state, list),
        Frame::Library { .. } => library::candidates(list),
        Frame::Militia { .. } => militia::candidates(state, seat, list),
        Frame::Bureaucrat { .. } => bureaucrat::candidates(state, seat, list),
        Frame::Spy { .. } => spy::candidates(list),
        Frame::Thief { revealed, .. } => thief::candidates_trash(revealed, list),
        Frame::ThiefGain { trashed } => thief::candidates_gain(trashed, list),
        Frame::Resolve { .. } | Frame::ThroneSecond { .. } => ControlFlow::Continue(()),
    }
}
