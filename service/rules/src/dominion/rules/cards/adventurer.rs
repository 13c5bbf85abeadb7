//! Adventurer (DOM-7.1).

use crate::dominion::data::CardType;
use crate::dominion::event::{Event, Zone};
use crate::dominion::rules::procedures::Table;

/// So many Treasures end the search.
const TREASURES: usize = 2;

/// # Rule DOM-7.1
/// Cards of the draw pile are revealed until two Treasures lie open or no card is left. What is
/// revealed is not shuffled in. Then the Treasures go to the hand, the other cards are discarded.
pub(crate) fn resolve(table: &mut Table<'_>) {
    let seat = table.active();
    let mut revealed = Vec::new();
    let mut found = 0;
    while found < TREASURES
        && let Some(card) = table.take_top(seat)
    {
        revealed.push(card);
        found += usize::from(card.is(CardType::Treasure));
    }
    if revealed.is_empty() {
        return;
    }
    table.reveal(seat, Zone::DrawPile, revealed.clone());
    let (treasures, others): (Vec<_>, Vec<_>) = revealed
        .into_iter()
        .partition(|card| card.is(CardType::Treasure));
    if !treasures.is_empty() {
        let hand = &mut table.player(seat).hand;
        treasures.iter().for_each(|&card| hand.add(card));
        table.event(Event::RevealedTaken {
            seat,
            cards: treasures,
        });
    }
    table.discard_held(seat, others);
}
