//! Feast (DOM-7.7).

use crate::dominion::data::Card;
use crate::dominion::event::Zone;
use crate::dominion::rules::procedures::trash_taken;
use crate::dominion::stage::{Destination, EffectFrame, Gain};
use crate::dominion::state::ExecContext;

/// The gain that Feast gives.
///
/// # Rule DOM-7.7
pub const GAIN: Gain = Gain {
    max_cost: 5,
    treasure_only: false,
    destination: Destination::DiscardPile,
};

/// Moves the Feast from play to the trash, unless it is there already; then a card is gained. Every Feast leaves play
/// at once, so one in play is this one.
///
/// # Rule DOM-7.7
pub fn resolve(ctx: &mut ExecContext<'_>) {
    let in_play = &mut ctx.state.turn.in_play;
    if let Some(index) = in_play.iter().position(|&card| card == Card::Feast) {
        let card = in_play.remove(index);
        trash_taken(ctx, ctx.state.turn.active, Zone::InPlay, card);
    }
    ctx.state.stack.push(EffectFrame::Gain(GAIN));
}
