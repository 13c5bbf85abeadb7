//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (DOM-6.1, DOM-14.3).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::Card;
use super::refusal::No;
use super::rules::cards::{
    bureaucrat, cellar, chancellor, chapel, library, militia, mine, remodel, spy, thief,
    throne_room,
};
use super::rules::{action_phase, attack, buy_phase, gain};
use super::stage::{Decision, Frame, Phase};
use super::state::State;
use crate::table::{Lister, Seat, Visit, owed, wrong_decision};

/// A validated action of a seat. Only `check` makes one, so that no unchecked action can be carried out.
#[derive(Debug)]
pub struct Permit {
    pub seat: Seat,
    pub deed: Deed,
}

/// A validated action, with prices and targets worked out by its theme.
#[derive(Debug)]
pub enum Deed {
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

impl Deed {
    /// Returns, if the action ends the turn, the card that is to be on top of the discard pile, if one was named.
    pub const fn ends_turn(&self) -> Option<Option<Card>> {
        match self {
            Self::BuyPhase(buy_phase::Deed::EndTurn(discard_top)) => Some(*discard_top),
            Self::ActionPhase(_)
            | Self::BuyPhase(_)
            | Self::Reaction(_)
            | Self::Cellar(_)
            | Self::Chancellor(_)
            | Self::Chapel(_)
            | Self::Gain(_)
            | Self::Remodel(_)
            | Self::Mine(_)
            | Self::Library(_)
            | Self::Militia(_)
            | Self::Bureaucrat(_)
            | Self::Spy(_)
            | Self::Thief(_)
            | Self::ThroneRoom(_) => None,
        }
    }
}

/// Validates an action: the game is not over, the seat owes the decision, the action answers it, all cards exist; then
/// the checks of the action itself.
///
/// # Rule DOM-6.1
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, No> {
    let decision = owed(state.asked(), seat, Decision::id, "DOM-8.5", "DOM-6.1")?;
    let deed = judge(state, seat, decision, action)?;
    Ok(Permit { seat, deed })
}

/// Validates an action as the answer to this decision.
#[rustfmt::skip]
fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<Deed, No> {
    let Some(frame) = state.stack.last() else {
        return judge_in_phase(state, seat, decision, action);
    };
    match (frame, action) {
        (Frame::Reactions { .. }, Action::RevealReaction { card }) => attack::check(state, seat, *card).map(Deed::Reaction),
        (Frame::Reactions { .. }, Action::DeclineReaction) => Ok(Deed::Reaction(attack::Deed::Decline)),
        (Frame::ThroneChoose, Action::ThroneRoomChoose { card }) => throne_room::check(state, seat, *card).map(Deed::ThroneRoom),
        (Frame::Gain(wanted), Action::GainCard { card }) => gain::check(state, wanted, *card).map(Deed::Gain),
        (Frame::Cellar, Action::CellarDiscard { cards }) => cellar::check(state, seat, cards).map(Deed::Cellar),
        (Frame::Chapel, Action::ChapelTrash { cards }) => chapel::check(state, seat, cards).map(Deed::Chapel),
        (Frame::Chancellor, &Action::ChancellorDecide { discard_deck }) => Ok(Deed::Chancellor(discard_deck)),
        (Frame::RemodelTrash, Action::RemodelTrash { card }) => remodel::check(state, seat, *card).map(Deed::Remodel),
        (Frame::MineTrash, Action::MineTrash { card }) => mine::check(state, seat, *card).map(Deed::Mine),
        (Frame::Library { drawn, .. }, &Action::LibraryDecide { set_aside }) => library::check(*drawn, set_aside).map(Deed::Library),
        (Frame::Militia { .. }, Action::MilitiaDiscard { cards }) => militia::check(state, seat, cards).map(Deed::Militia),
        (Frame::Bureaucrat { .. }, Action::BureaucratTopdeck { card }) => bureaucrat::check(state, seat, *card).map(Deed::Bureaucrat),
        (Frame::Spy { .. }, &Action::SpyDecide { discard }) => Ok(Deed::Spy(discard)),
        (Frame::Thief { revealed, .. }, Action::ThiefTrash { card }) => thief::check_trash(revealed, *card).map(Deed::Thief),
        (Frame::ThiefGain { trashed }, Action::ThiefGain { cards }) => thief::check_gain(trashed, cards).map(Deed::Thief),
        (_, action) => Err(wrong_decision(action, decision.id(), "DOM-6.1")),
    }
}

/// Validates an action of the Action or Buy phase, while no effect is unfinished.
#[rustfmt::skip]
fn judge_in_phase(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<Deed, No> {
    match (decision, action) {
        (Decision::ActionPhase, Action::PlayAction { card }) => action_phase::check(state, seat, *card).map(Deed::ActionPhase),
        (Decision::ActionPhase, Action::EndActionPhase) => Ok(Deed::ActionPhase(action_phase::Deed::End)),
        (Decision::BuyPhase, Action::PlayTreasures { cards }) => buy_phase::check_treasures(state, seat, cards).map(Deed::BuyPhase),
        (Decision::BuyPhase, Action::PlayAllTreasures) => buy_phase::check_all_treasures(state, seat).map(Deed::BuyPhase),
        (Decision::BuyPhase, Action::BuyCard { card }) => buy_phase::check_purchase(state, *card).map(Deed::BuyPhase),
        (Decision::BuyPhase, Action::EndTurn { discard_top }) => buy_phase::check_end(state, seat, *discard_top).map(Deed::BuyPhase),
        (_, action) => Err(wrong_decision(action, decision.id(), "DOM-6.1")),
    }
}

/// Returns whether [`check`] allows this [candidate](candidates). The caller has looked up whose turn it is.
pub fn is_legal(state: &State, seat: Seat, candidate: &Action) -> bool {
    let asked = state.asked();
    asked.is_some_and(|(_, decision)| judge(state, seat, decision, candidate).is_ok())
}

/// Visits the candidates for legal actions of this seat, in canonical order.
///
/// # Rule DOM-14.3
pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    if state.asked().is_none_or(|(to_act, _)| to_act != seat) {
        return ControlFlow::Continue(());
    }
    let Some(frame) = state.stack.last() else {
        return match state.turn.phase {
            Phase::Action => action_phase::candidates(state, list),
            Phase::Buy => buy_phase::candidates(state, seat, list),
            Phase::Over => ControlFlow::Continue(()),
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
