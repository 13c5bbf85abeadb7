//! The Action phase (DOM-6.4 to DOM-6.6).

use std::ops::ControlFlow;

use super::play_card::{action_card, lay_out, play_card};
use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::Event;
use crate::dominion::refusal::No;
use crate::dominion::stage::{Phase, Playing};
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Play(Card),
    End,
}

/// Waits for the active player once nothing is left to resolve. The Action phase ends by itself without actions, and
/// without Action cards in hand; under strict secrecy the hand is not considered (DOM-14.2).
///
/// # Rule DOM-6.4
pub fn advance(play: &mut Play<'_>) -> ControlFlow<()> {
    let state = &play.state;
    if state.turn.phase == Phase::Action {
        let may_play =
            state.active().hand.has_type(CardType::Action) || state.options.strict_secrecy;
        if state.turn.counters.actions == 0 || !may_play {
            end_phase(play);
        }
    }
    ControlFlow::Break(())
}

pub fn candidates(state: &State, list: &mut Lister<'_, Action>) -> Visit {
    for (card, _) in state.active().hand.of_type(CardType::Action).iter() {
        list.visit(Action::PlayAction { card: Some(card) })?;
    }
    list.visit(Action::EndActionPhase)
}

/// Checks the card alone. Actions are left: otherwise the phase would have ended (DOM-6.4).
///
/// # Rule DOM-6.5
pub fn check(state: &State, seat: Seat, card: Named<Card>) -> Result<Deed, No> {
    action_card(state, seat, card, "DOM-6.5").map(Deed::Play)
}

pub fn perform(play: &mut Play<'_>, deed: Deed) {
    match deed {
        Deed::Play(card) => {
            play.state.turn.counters.actions -= 1;
            lay_out(play, card);
            play_card(play, card, Playing::First);
        }
        Deed::End => end_phase(play),
    }
}

/// Ends the phase. Unused actions are lost, and the phase does not return.
///
/// # Rule DOM-6.6
fn end_phase(play: &mut Play<'_>) {
    let phase = Phase::Buy;
    play.state.turn.phase = phase;
    play.tell(Event::PhaseChanged {
        seat: play.state.turn.active,
        turn_number: play.state.turn_number(),
        phase,
    });
}
