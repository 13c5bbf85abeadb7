//! Moneylender (DOM-7.16).

use crate::dominion::data::{Card, MONEYLENDER_COINS};
use crate::dominion::rules::play_card::report_counters;
use crate::dominion::rules::procedures::trash_from_hand;
use crate::dominion::state::Play;

/// Trashes a Copper of the hand, if there is one, for coins. The player has no choice.
///
/// # Rule DOM-7.16
pub fn resolve(play: &mut Play<'_>) {
    if play.state.active().hand.has(Card::Copper) {
        trash_from_hand(play, play.state.turn.active, vec![Card::Copper]);
        play.state.turn.counters.coins += MONEYLENDER_COINS;
        report_counters(play, Card::Moneylender);
    }
}
