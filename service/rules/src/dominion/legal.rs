//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (DOM-6.1, DOM-14.3).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::Card;
use super::refusal::RefusedAction;
use super::rules::cards::{
    bureaucrat, cellar, chancellor, chapel, library, militia, mine, remodel, spy, thief,
    throne_room,
};
use super::rules::{action_phase, attack, buy_phase, gain};
use super::stage::{Decision, EffectFrame, Phase};
use super::state::State;
use crate::table::{self, ActionEnumerator, Seat, VisitFlow, pending_decision, wrong_decision};

/// A validated action of a seat.
pub type Permit = table::Permit<ValidAction>;

/// A validated action, with prices and targets worked out by its theme.
#[derive(Debug)]
pub enum ValidAction {
    ActionPhase(action_phase::ValidAction),
    BuyPhase(buy_phase::ValidAction),
    Reaction(attack::ValidAction),
    Cellar(Vec<Card>),
    Chancellor(bool),
    Chapel(Vec<Card>),
    Gain(gain::ValidAction),
    Remodel(Card),
    Mine(Option<Card>),
    Library(bool),
    Militia(Vec<Card>),
    Bureaucrat(Card),
    Spy(bool),
    Thief(thief::ValidAction),
    ThroneRoom(Option<Card>),
}

impl ValidAction {
    /// Returns, if the action ends the turn, the card that is to be on top of the discard pile, if one was named.
    pub const fn ends_turn(&self) -> Option<Option<Card>> {
        match self {
            Self::BuyPhase(buy_phase::ValidAction::EndTurn(discard_top)) => Some(*discard_top),
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
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, RefusedAction> {
    let decision = pending_decision(state.pending(), seat, Decision::id, "DOM-8.5", "DOM-6.1")?;
    let valid_action = judge(state, seat, decision, action)?;
    Ok(Permit { seat, valid_action })
}

/// Validates an action as the answer to this decision.
#[rustfmt::skip]
fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<ValidAction, RefusedAction> {
    let Some(frame) = state.stack.last() else {
        return judge_in_phase(state, seat, decision, action);
    };
    match (frame, action) {
        (EffectFrame::Reactions { .. }, Action::RevealReaction { card }) => attack::check(state, seat, *card).map(ValidAction::Reaction),
        (EffectFrame::Reactions { .. }, Action::DeclineReaction) => Ok(ValidAction::Reaction(attack::ValidAction::Decline)),
        (EffectFrame::ThroneChoose, Action::ThroneRoomChoose { card }) => throne_room::check(state, seat, *card).map(ValidAction::ThroneRoom),
        (EffectFrame::Gain(wanted), Action::GainCard { card }) => gain::check(state, wanted, *card).map(ValidAction::Gain),
        (EffectFrame::Cellar, Action::CellarDiscard { cards }) => cellar::check(state, seat, cards).map(ValidAction::Cellar),
        (EffectFrame::Chapel, Action::ChapelTrash { cards }) => chapel::check(state, seat, cards).map(ValidAction::Chapel),
        (EffectFrame::Chancellor, &Action::ChancellorDecide { discard_deck }) => Ok(ValidAction::Chancellor(discard_deck)),
        (EffectFrame::RemodelTrash, Action::RemodelTrash { card }) => remodel::check(state, seat, *card).map(ValidAction::Remodel),
        (EffectFrame::MineTrash, Action::MineTrash { card }) => mine::check(state, seat, *card).map(ValidAction::Mine),
        (EffectFrame::Library { drawn, .. }, &Action::LibraryDecide { set_aside }) => library::check(*drawn, set_aside).map(ValidAction::Library),
        (EffectFrame::Militia { .. }, Action::MilitiaDiscard { cards }) => militia::check(state, seat, cards).map(ValidAction::Militia),
        (EffectFrame::Bureaucrat { .. }, Action::BureaucratTopdeck { card }) => bureaucrat::check(state, seat, *card).map(ValidAction::Bureaucrat),
        (EffectFrame::Spy { .. }, &Action::SpyDecide { discard }) => Ok(ValidAction::Spy(discard)),
        (EffectFrame::Thief { revealed, .. }, Action::ThiefTrash { card }) => thief::check_trash(revealed, *card).map(ValidAction::Thief),
        (EffectFrame::ThiefGain { trashed }, Action::ThiefGain { cards }) => thief::check_gain(trashed, cards).map(ValidAction::Thief),
        (_, action) => Err(wrong_decision(action, decision.id(), "DOM-6.1")),
    }
}

/// Validates an action of the Action or Buy phase, while no effect is unfinished.
#[rustfmt::skip]
fn judge_in_phase(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<ValidAction, RefusedAction> {
    match (decision, action) {
        (Decision::ActionPhase, Action::PlayAction { card }) => action_phase::check(state, seat, *card).map(ValidAction::ActionPhase),
        (Decision::ActionPhase, Action::EndActionPhase) => Ok(ValidAction::ActionPhase(action_phase::ValidAction::End)),
        (Decision::BuyPhase, Action::PlayTreasures { cards }) => buy_phase::check_treasures(state, seat, cards).map(ValidAction::BuyPhase),
        (Decision::BuyPhase, Action::PlayAllTreasures) => buy_phase::check_all_treasures(state, seat).map(ValidAction::BuyPhase),
        (Decision::BuyPhase, Action::BuyCard { card }) => buy_phase::check_purchase(state, *card).map(ValidAction::BuyPhase),
        (Decision::BuyPhase, Action::EndTurn { discard_top }) => buy_phase::check_end(state, seat, *discard_top).map(ValidAction::BuyPhase),
        (_, action) => Err(wrong_decision(action, decision.id(), "DOM-6.1")),
    }
}

/// Returns whether [`check`] allows this [candidate](candidates). The caller has looked up whose turn it is.
pub fn is_legal(state: &State, seat: Seat, candidate: &Action) -> bool {
    let pending = state.pending();
    pending.is_some_and(|(_, decision)| judge(state, seat, decision, candidate).is_ok())
}

/// Visits the candidates for legal actions of this seat, in canonical order.
///
/// # Rule DOM-14.3
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    if state.pending().is_none_or(|(to_act, _)| to_act != seat) {
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
        EffectFrame::Reactions { .. } => attack::candidates(list),
        EffectFrame::ThroneChoose => throne_room::candidates(state, list),
        EffectFrame::Gain(gain) => gain::candidates(state, gain, list),
        EffectFrame::Cellar => cellar::candidates(state, list),
        EffectFrame::Chapel => chapel::candidates(state, list),
        EffectFrame::Chancellor => chancellor::candidates(list),
        EffectFrame::RemodelTrash => remodel::candidates(state, list),
        EffectFrame::MineTrash => mine::candidates(state, list),
        EffectFrame::Library { .. } => library::candidates(list),
        EffectFrame::Militia { .. } => militia::candidates(state, seat, list),
        EffectFrame::Bureaucrat { .. } => bureaucrat::candidates(state, seat, list),
        EffectFrame::Spy { .. } => spy::candidates(list),
        EffectFrame::Thief { revealed, .. } => thief::candidates_trash(revealed, list),
        EffectFrame::ThiefGain { trashed } => thief::candidates_gain(trashed, list),
        EffectFrame::Resolve { .. } | EffectFrame::ThroneSecond { .. } => ControlFlow::Continue(()),
    }
}
