//! Council Room (DOM-7.6).

use crate::dominion::rules::procedures::draw;
use crate::dominion::state::ExecContext;

/// Lets each opponent draw a card. Council Room is no Attack, so nobody is protected.
///
/// # Rule DOM-7.6
pub fn resolve(ctx: &mut ExecContext<'_>) {
    for seat in ctx.state.opponents() {
        draw(ctx, seat, 1);
    }
}
