//! Adventurer (DOM-7.1).

use crate::dominion::data::CardType;
use crate::dominion::event::Event;
use crate::dominion::rules::procedures::{discard_held, reveal_top, shuffles_next, take_top};
use crate::dominion::state::ExecContext;

/// The number of Treasures that ends the search.
pub const SOUGHT_TREASURES: u16 = 2;

/// Reveals cards of the draw pile until two Treasures are revealed or no card is left. Revealed cards are not shuffled
/// in. Then the Treasures go to the hand, and the other cards are discarded.
///
/// # Rule DOM-7.1
pub fn resolve(ctx: &mut ExecContext<'_>) {
    let seat = ctx.state.turn.active;
    let (mut revealed, mut unreported) = (Vec::new(), Vec::new());
    let mut treasure_count = 0;
    while treasure_count < SOUGHT_TREASURES {
        if shuffles_next(ctx, seat) {
            reveal_top(ctx, seat, std::mem::take(&mut unreported));
        }
        let Some(card) = take_top(ctx, seat) else {
            break;
        };
        revealed.push(card);
        unreported.push(card);
        treasure_count += u16::from(card.is(CardType::Treasure));
    }
    reveal_top(ctx, seat, unreported);
    let (treasures, others): (Vec<_>, Vec<_>) = revealed
        .into_iter()
        .partition(|card| card.is(CardType::Treasure));
    if !treasures.is_empty() {
        let player = &mut ctx.state.players[seat];
        treasures
            .iter()
            .for_each(|&card| player.take_up(card, true));
        ctx.emit(Event::RevealedTaken {
            seat,
            cards: treasures,
        });
    }
    discard_held(ctx, seat, others);
}
