//! Workshop (DOM-7.25).

use crate::dominion::stage::{Destination, EffectFrame, Gain};
use crate::dominion::state::ExecContext;

const MAX_COST: u8 = 4;

/// A card is gained onto the discard pile.
///
/// # Rule DOM-7.25
pub fn resolve(ctx: &mut ExecContext<'_>) {
    ctx.state.stack.push(EffectFrame::Gain(Gain {
        max_cost: MAX_COST,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }));
}
