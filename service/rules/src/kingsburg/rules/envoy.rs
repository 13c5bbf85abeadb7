//! The King's Envoy: phase 5 and the declaration in autumn (KIN-6d, KIN-6f).

use std::ops::ControlFlow;

use super::common::poorest;
use super::year;
use crate::kingsburg::action::{Action, EnvoyUse};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{RefusedAction, require_known};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Envoy, ExecContext};
use crate::table::{ActionEnumerator, MaybeKnown, Seat, VisitFlow};

/// Gives the envoy to the player who alone has the fewest buildings, then goods.
///
/// # Rule KIN-6.85
pub fn enter_award(ctx: &mut ExecContext<'_>) {
    if let Some(seat) = poorest(ctx.state).only() {
        ctx.state.envoy = Envoy::Undeclared(seat);
        ctx.emit(Event::EnvoyGiven { seat });
    } else {
        ctx.emit(Event::EnvoyNotGiven);
    }
    year::next_phase(ctx);
}

/// Asks the holder for the purpose, before anything else in autumn.
///
/// # Rule KIN-6.20
pub fn enter_declaration(ctx: &mut ExecContext<'_>) -> ControlFlow<()> {
    if ctx.state.envoy.holder().is_some() {
        return ControlFlow::Break(());
    }
    ctx.state.stage = Stage::Roll;
    ControlFlow::Continue(())
}

/// Lists `declare_envoy` for every purpose.
pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    EnvoyUse::ALL.into_iter().try_for_each(|purpose| {
        list.visit(Action::DeclareEnvoy {
            purpose: Some(purpose),
        })
    })
}

/// Judges `declare_envoy`.
pub fn check(purpose: MaybeKnown<EnvoyUse>) -> Result<EnvoyUse, RefusedAction> {
    require_known(purpose, "purpose", "KIN-6.20")
}

/// Declares the purpose. It is public and cannot be changed.
///
/// # Rule KIN-6.21
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, purpose: EnvoyUse) {
    ctx.state.envoy = Envoy::Declared {
        by: seat,
        purpose,
        spent: false,
    };
    ctx.emit(Event::EnvoyDeclared { seat, purpose });
    ctx.state.stage = Stage::Roll;
}

/// Returns the envoy to the board at the end of autumn, used or not.
///
/// # Rule KIN-6.72, KIN-16.1
pub fn end_of_autumn(ctx: &mut ExecContext<'_>) {
    if let Some(seat) = ctx.state.envoy.holder() {
        ctx.emit(Event::EnvoyReturned { seat });
    }
    ctx.state.envoy = Envoy::OnBoard;
}
