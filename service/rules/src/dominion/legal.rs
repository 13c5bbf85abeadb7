//! The only judge of actions, and the list of what it may allow (DOM-6.1, DOM-14.3).

use std::ops::ControlFlow;

use super::action::{Action, Named};
use super::data::Card;
use super::decision::Decision;
use super::pending::Frame;
use super::refusal::Refusal;
use super::rules::cards::{
    bureaucrat, cellar, chancellor, chapel, library, militia, mine, remodel, spy, thief,
    throne_room,
};
use super::rules::{action_phase, attack, buy_phase, gain};
use super::state::State;
use crate::table::{Seat, Visit};

/// An action that was allowed.
pub struct Permit(pub(super) Allowed);

/// What was allowed, with all cards known.
pub(super) enum Allowed {
    PlayAction(Card),
    EndActionPhase,
    PlayTreasures(Vec<Card>),
    PlayAllTreasures,
    BuyCard(Card),
    EndTurn(Option<Card>),
    RevealReaction,
    DeclineReaction,
    CellarDiscard(Vec<Card>),
    ChancellorDiscard,
    ChancellorKeep,
    ChapelTrash(Vec<Card>),
    GainCard(Card),
    RemodelTrash(Card),
    MineTrash(Option<Card>),
    LibrarySetAside,
    LibraryKeep,
    MilitiaDiscard(Vec<Card>),
    BureaucratTopdeck(Card),
    SpyDiscard,
    SpyPutBack,
    ThiefTrash(Card),
    ThiefGain(Vec<Card>),
    ThroneRoomChoose(Option<Card>),
}

/// # Rule DOM-6.1
/// The game goes on, it is the sender's decision, the action answers it, all cards exist; then the
/// tests of each action.
pub(super) fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, Refusal> {
    let (to_act, decision) = state.pending().ok_or(Refusal::GameOver)?;
    if seat != to_act {
        return Err(Refusal::NotYourTurn { to_act, decision });
    }
    if action.answers() != decision {
        return Err(wrong_kind(action, decision));
    }
    allowed(state, seat, action).map(Permit)
}

/// The action answers another question, or one that nobody asked.
fn wrong_kind(action: &Action, decision: Decision) -> Refusal {
    let is_phase = |decision| matches!(decision, Decision::ActionPhase | Decision::BuyPhase);
    let kind = action.kind();
    match (is_phase(decision), is_phase(action.answers())) {
        (true, true) => Refusal::WrongPhase {
            action: kind,
            decision,
        },
        (true, false) => Refusal::NoSuchDecision { action: kind },
        (false, _) => Refusal::DecisionPending {
            action: kind,
            decision,
        },
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: the tests of each action"
)]
fn allowed(state: &State, seat: Seat, action: &Action) -> Result<Allowed, Refusal> {
    Ok(match action {
        Action::PlayAction { card } => {
            let card = known(*card)?;
            action_phase::check_play(state, seat, card, Decision::ActionPhase)?;
            Allowed::PlayAction(card)
        }
        Action::EndActionPhase => Allowed::EndActionPhase,
        Action::PlayTreasures { cards } => {
            let cards = all_known(cards)?;
            buy_phase::check_treasures(state, seat, &cards)?;
            Allowed::PlayTreasures(cards)
        }
        Action::PlayAllTreasures => {
            buy_phase::check_all_treasures(state, seat)?;
            Allowed::PlayAllTreasures
        }
        Action::BuyCard { card } => {
            let card = known(*card)?;
            buy_phase::check_buy(state, card)?;
            Allowed::BuyCard(card)
        }
        Action::EndTurn { discard_top } => {
            let discard_top = discard_top.map(known).transpose()?;
            buy_phase::check_end_turn(state, seat, discard_top)?;
            Allowed::EndTurn(discard_top)
        }
        Action::RevealReaction { card } => {
            attack::check_reveal(state, seat, known(*card)?)?;
            Allowed::RevealReaction
        }
        Action::DeclineReaction => Allowed::DeclineReaction,
        Action::CellarDiscard { cards } => {
            let cards = all_known(cards)?;
            state.in_hand(seat, &cards, Decision::CellarDiscard)?;
            Allowed::CellarDiscard(cards)
        }
        Action::ChancellorDecide { discard_deck: true } => Allowed::ChancellorDiscard,
        Action::ChancellorDecide {
            discard_deck: false,
        } => Allowed::ChancellorKeep,
        Action::ChapelTrash { cards } => {
            let cards = all_known(cards)?;
            chapel::check(state, seat, &cards)?;
            Allowed::ChapelTrash(cards)
        }
        Action::GainCard { card } => {
            let card = known(*card)?;
            if let Some(Frame::Gain(wanted)) = state.stack.last() {
                gain::check(state, wanted, card)?;
            }
            Allowed::GainCard(card)
        }
        Action::RemodelTrash { card } => {
            let card = known(*card)?;
            state.in_hand(seat, &[card], Decision::RemodelTrash)?;
            Allowed::RemodelTrash(card)
        }
        Action::MineTrash { card } => {
            let card = card.map(known).transpose()?;
            mine::check(state, seat, card)?;
            Allowed::MineTrash(card)
        }
        Action::LibraryDecide { set_aside: true } => {
            library::check_set_aside(state)?;
            Allowed::LibrarySetAside
        }
        Action::LibraryDecide { set_aside: false } => Allowed::LibraryKeep,
        Action::MilitiaDiscard { cards } => {
            let cards = all_known(cards)?;
            militia::check(state, seat, &cards)?;
            Allowed::MilitiaDiscard(cards)
        }
        Action::BureaucratTopdeck { card } => {
            let card = known(*card)?;
            bureaucrat::check(state, seat, card)?;
            Allowed::BureaucratTopdeck(card)
        }
        Action::SpyDecide { discard: true } => Allowed::SpyDiscard,
        Action::SpyDecide { discard: false } => Allowed::SpyPutBack,
        Action::ThiefTrash { card } => {
            let card = known(*card)?;
            thief::check_trash(state, card)?;
            Allowed::ThiefTrash(card)
        }
        Action::ThiefGain { cards } => {
            let cards = all_known(cards)?;
            thief::check_gain(state, &cards)?;
            Allowed::ThiefGain(cards)
        }
        Action::ThroneRoomChoose { card } => {
            let card = card.map(known).transpose()?;
            throne_room::check(state, seat, card)?;
            Allowed::ThroneRoomChoose(card)
        }
    })
}

/// A missing or unknown card is refused before all tests of the action (DOM-6.1, DOM-14.5).
fn known(card: Named) -> Result<Card, Refusal> {
    card.ok_or(Refusal::UnknownCard)
}

fn all_known(cards: &[Named]) -> Result<Vec<Card>, Refusal> {
    cards.iter().map(|&card| known(card)).collect()
}

/// # Rule DOM-14.3
/// Actions that may be legal, in canonical order; none, if the seat owes no decision.
pub(super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let decision = match state.pending() {
        Some((to_act, decision)) if to_act == seat => decision,
        Some(_) | None => return ControlFlow::Continue(()),
    };
    match decision {
        Decision::ActionPhase => action_phase::candidates(state, visit),
        Decision::BuyPhase => buy_phase::candidates(state, seat, visit),
        Decision::ReactToAttack => attack::candidates(visit),
        Decision::CellarDiscard => cellar::candidates(state, visit),
        Decision::ChancellorDecide => chancellor::candidates(visit),
        Decision::ChapelTrash => chapel::candidates(state, visit),
        Decision::GainCard => gain::candidates(state, visit),
        Decision::RemodelTrash => remodel::candidates(state, visit),
        Decision::MineTrash => mine::candidates(state, visit),
        Decision::LibraryDecide => library::candidates(visit),
        Decision::MilitiaDiscard => militia::candidates(state, seat, visit),
        Decision::BureaucratTopdeck => bureaucrat::candidates(state, seat, visit),
        Decision::SpyDecide => spy::candidates(visit),
        Decision::ThiefTrash => thief::candidates_trash(state, visit),
        Decision::ThiefGain => thief::candidates_gain(state, visit),
        Decision::ThroneRoomChoose => throne_room::candidates(state, visit),
    }
}
