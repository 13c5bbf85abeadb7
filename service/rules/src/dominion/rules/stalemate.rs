//! Tables at which nothing can change anymore (DOM-14.1).

use crate::dominion::data::{Card, CardType, HAND_SIZE};
use crate::dominion::state::{Cards, State};

/// Returns whether no player can ever change the Supply, the trash, or the cards that a player owns again.
///
/// Called after a turn that did not end the game by its piles: once Coppers and Curses are gone, all other piles have
/// cards.
///
/// # Rule DOM-14.1
pub fn is_reached(state: &State) -> bool {
    let nothing_is_free = !state.supply.has(Card::Copper) && !state.supply.has(Card::Curse);
    nothing_is_free
        && state.players.seats().all(|seat| {
            let owned = state.owned(seat);
            let others = || seat.others(state.seats()).map(|seat| state.owned(seat));
            let is_robbed = can_be_robbed(&owned) && others().any(|cards| cards.has(Card::Thief));
            !(gains(&owned) || pays(&owned) || trashes(&owned) || is_robbed)
        })
}

/// Returns whether a player owns a card that gains another one by itself.
fn gains(owned: &Cards) -> bool {
    [Card::Workshop, Card::Feast, Card::Bureaucrat]
        .into_iter()
        .any(|card| owned.has(card))
}

/// Returns whether a player can have the price of an Estate in one turn; nothing that is left is cheaper. Throne Room
/// repeats an Action card.
fn pays(owned: &Cards) -> bool {
    let repeats = if owned.has(Card::ThroneRoom) { 2 } else { 1 };
    let coins = owned.iter().map(|(card, count)| {
        let sheet = card.sheet();
        u16::from(count) * (u16::from(sheet.coins) + repeats * u16::from(sheet.plus.coins))
    });
    coins.sum::<u16>() >= u16::from(Card::Estate.cost())
}

/// Returns whether a player owns a card that trashes another one, and a card that it can trash.
fn trashes(owned: &Cards) -> bool {
    let has_one_of = |cards: [Card; 2]| cards.into_iter().any(|card| owned.has(card));
    has_one_of([Card::Chapel, Card::Remodel]) && owned.len() > 1
        || has_one_of([Card::Mine, Card::Moneylender]) && owned.has_type(CardType::Treasure)
}

/// Returns whether a Treasure can lie in the draw pile in the turn of another player: a whole hand does not hold all
/// cards.
fn can_be_robbed(owned: &Cards) -> bool {
    owned.has_type(CardType::Treasure) && owned.len() > u16::from(HAND_SIZE)
}
