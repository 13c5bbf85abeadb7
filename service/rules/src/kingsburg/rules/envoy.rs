//! The King's Envoy: phase 5 and the declaration in autumn (KIN-6d, KIN-6f).

use std::ops::ControlFlow;

use super::common::poorest;
use super::year;
use crate::kingsburg::action::{Action, EnvoyUse};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{No, known};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Envoy, Play};
use crate::table::{Lister, Named, Seat, Visit};

/// Gives the envoy to the player who alone has the fewest buildings, then goods.
///
/// # Rule KIN-6.85
pub fn enter_award(play: &mut Play<'_>) {
    if let Some(seat) = poorest(play.state).only() {
        play.state.envoy = Envoy::Undeclared(seat);
        play.tell(Event::EnvoyGiven { seat });
    } else {
        play.tell(Event::EnvoyNotGiven);
    }
    year::next_phase(play);
}

/// Asks the holder for the purpose, before anything else in autumn.
///
/// # Rule KIN-6.20
pub fn enter_declaration(play: &mut Play<'_>) -> ControlFlow<()> {
    if play.state.envoy.holder().is_some() {
        return ControlFlow::Break(());
    }
    play.state.stage = Stage::Roll;
    ControlFlow::Continue(())
}

/// Lists `declare_envoy` for every purpose.
pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    EnvoyUse::ALL.into_iter().try_for_each(|purpose| {
        list.visit(Action::DeclareEnvoy {
            purpose: Some(purpose),
        })
    })
}

/// Judges `declare_envoy`.
pub fn check(purpose: Named<EnvoyUse>) -> Result<EnvoyUse, No> {
    known(purpose, "use", "KIN-6.20")
}

/// Declares the purpose. It is public and cannot be changed.
///
/// # Rule KIN-6.21
pub fn perform(play: &mut Play<'_>, seat: Seat, purpose: EnvoyUse) {
    play.state.envoy = Envoy::Declared {
        by: seat,
        purpose,
        spent: false,
    };
    play.tell(Event::EnvoyDeclared { seat, purpose });
    play.state.stage = Stage::Roll;
}

/// Returns the envoy to the board at the end of autumn, used or not.
///
/// # Rule KIN-6.72, KIN-16.1
pub fn end_of_autumn(play: &mut Play<'_>) {
    if let Some(seat) = play.state.envoy.holder() {
        play.tell(Event::EnvoyReturned { seat });
    }
    play.state.envoy = Envoy::OnBoard;
}
