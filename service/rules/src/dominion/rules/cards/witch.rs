//! Witch (DOM-7.23).

use crate::dominion::data::Card;
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::procedures::gain;
use crate::dominion::stage::{Destination, Immune};
use crate::dominion::state::ExecContext;

/// Gives each opponent a Curse, clockwise, while there are any.
///
/// # Rule DOM-7.23
pub fn resolve(ctx: &mut ExecContext<'_>, immune: &Immune) {
    for seat in touched(ctx.state, immune) {
        gain(ctx, seat, Card::Curse, Destination::DiscardPile);
    }
}
