//! The King's Envoy: phase 5 and the declaration in autumn (KIN-6.4, KIN-6.6).

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::{Action, EnvoyUse};
use super::super::event::Event;
use super::super::pending::Stage;
use super::super::refusal::{OptionName, Refusal};
use super::super::state::{Envoy, State};
use super::kings_aid::poorest;
use super::{Answer, Deed, year};
use crate::table::{Seat, Visit};

/// One player alone with the fewest buildings, then goods, gets the envoy.
///
/// # Rule KIN-6.85
pub(in super::super) fn enter_award(state: &mut State, journal: &mut Log) {
    if let Some(seat) = poorest(state).only() {
        state.envoy = Envoy::Undeclared(seat);
        journal.event(Event::EnvoyGiven { seat });
    } else {
        journal.event(Event::EnvoyNotGiven);
    }
    year::next_phase(state, journal);
}

/// Before anything else in autumn the holder declares.
///
/// # Rule KIN-6.20
pub(in super::super) fn enter_declaration(state: &mut State) -> ControlFlow<()> {
    if state.envoy.holder().is_some() {
        return ControlFlow::Break(());
    }
    state.stage = Stage::Roll;
    ControlFlow::Continue(())
}

/// Lists `declare_envoy` for every purpose.
pub(in super::super) fn candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    EnvoyUse::ALL.into_iter().try_for_each(|purpose| {
        visit(Action::DeclareEnvoy {
            purpose: Some(purpose),
        })
    })
}

/// Judges `declare_envoy`.
pub(in super::super) fn check(action: &Action) -> Answer {
    let Action::DeclareEnvoy { purpose } = *action else {
        return None;
    };
    let invalid = Refusal::InvalidOption(OptionName::EnvoyUse);
    Some(purpose.ok_or(invalid).map(Deed::DeclareEnvoy))
}

/// The declaration is public and cannot be changed.
///
/// # Rule KIN-6.21
pub(super) fn perform(state: &mut State, seat: Seat, purpose: EnvoyUse, journal: &mut Log) {
    state.envoy = Envoy::Declared {
        by: seat,
        purpose,
        spent: false,
    };
    journal.event(Event::EnvoyDeclared { seat, purpose });
    state.stage = Stage::Roll;
}

/// At the end of autumn the envoy is on the board again, used or not.
///
/// # Rule KIN-6.72, KIN-16.1
pub(super) fn end_of_autumn(state: &mut State, journal: &mut Log) {
    if let Some(seat) = state.envoy.holder() {
        journal.event(Event::EnvoyReturned { seat });
    }
    state.envoy = Envoy::OnBoard;
}
