//! Workshop (DOM-7.25).

use crate::dominion::stage::{Destination, EffectFrame, Gain};
use crate::dominion::state::ExecContext;

/// The gain that Workshop gives.
///
/// # Rule DOM-7.25
pub const GAIN: Gain = Gain {
    max_cost: 4,
    treasure_only: false,
    destination: Destination::DiscardPile,
};

/// A card is gained onto the discard pile.
pub fn resolve(ctx: &mut ExecContext<'_>) {
    ctx.state.stack.push(EffectFrame::Gain(GAIN));
}
