//! Moneylender (DOM-7.16).

use crate::dominion::data::{Card, MONEYLENDER_COINS};
use crate::dominion::rules::play_card::report_counters;
use crate::dominion::rules::procedures::trash_from_hand;
use crate::dominion::state::ExecContext;

/// Trashes a Copper of the hand, if there is one, for coins. The player has no choice.
///
/// # Rule DOM-7.16
pub fn resolve(ctx: &mut ExecContext<'_>) {
    if ctx.state.active().hand.has(Card::Copper) {
        trash_from_hand(ctx, ctx.state.turn.active, vec![Card::Copper]);
        ctx.state.turn.counters.coins += MONEYLENDER_COINS;
        report_counters(ctx, Card::Moneylender);
    }
}
