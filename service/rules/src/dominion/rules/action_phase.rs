//! The Action phase (DOM-6.4 to DOM-6.6).

use std::ops::ControlFlow;

use super::play_card::{action_card, lay_out, play_card};
use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::Event;
use crate::dominion::refusal::RefusedAction;
use crate::dominion::stage::{Phase, Playing};
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Play(Card),
    End,
}

/// Waits for the active player once nothing is left to resolve. The Action phase ends by itself without actions, and
/// without Action cards in hand; under strict secrecy the hand is not considered (DOM-14.2).
///
/// # Rule DOM-6.4
pub fn advance(ctx: &mut ExecContext<'_>) -> ControlFlow<()> {
    let state = &ctx.state;
    if state.turn.phase == Phase::Action {
        let may_play =
            state.active().hand.has_type(CardType::Action) || state.options.strict_secrecy;
        if state.turn.counters.actions == 0 || !may_play {
            end_phase(ctx);
        }
    }
    ControlFlow::Break(())
}

pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for (card, _) in state.active().hand.of_type(CardType::Action).iter() {
        list.visit(Action::PlayAction { card: Some(card) })?;
    }
    list.visit(Action::EndActionPhase)
}

/// Checks the card alone. Actions are left: otherwise the phase would have ended (DOM-6.4).
///
/// # Rule DOM-6.5
pub fn check(
    state: &State,
    seat: Seat,
    card: MaybeKnown<Card>,
) -> Result<ValidAction, RefusedAction> {
    action_card(state, seat, card, "DOM-6.5").map(ValidAction::Play)
}

pub fn execute(ctx: &mut ExecContext<'_>, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Play(card) => {
            ctx.state.turn.counters.actions -= 1;
            lay_out(ctx, card);
            play_card(ctx, card, Playing::First);
        }
        ValidAction::End => end_phase(ctx),
    }
}

/// Ends the phase. Unused actions are lost, and the phase does not return.
///
/// # Rule DOM-6.6
fn end_phase(ctx: &mut ExecContext<'_>) {
    let phase = Phase::Buy;
    ctx.state.turn.phase = phase;
    ctx.emit(Event::PhaseChanged {
        seat: ctx.state.turn.active,
        turn_number: ctx.state.turn_number(),
        phase,
    });
}
