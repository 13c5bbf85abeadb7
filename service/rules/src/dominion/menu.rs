//! **Priority lists** of purchases: a player buys the first card of the list that is wanted and affordable.

use super::data::{Card, CardType};
use super::state::{Cards, State};
use crate::table::Seat;

/// A line of a menu: a card, and the conditions under which it is wanted.
#[derive(Clone, Copy, Debug)]
pub struct BuyRule {
    card: Card,
    /// The maximum number of Provinces left.
    provinces: u8,
    /// The number of owned copies at which the card is no longer wanted.
    copies: u8,
    /// The number of cards in the deck for each terminal Action without an action of its own; 0: no limit.
    cards_each: u16,
    /// The minimum number of coins that the Treasures of the deck give together.
    money: u16,
}

/// A card that is wanted whenever it can be bought.
pub const fn buy(card: Card) -> BuyRule {
    BuyRule {
        card,
        provinces: u8::MAX,
        copies: u8::MAX,
        cards_each: 0,
        money: 0,
    }
}

impl BuyRule {
    /// Restricts the line to games with at most this many Provinces left.
    pub const fn at_provinces(self, provinces: u8) -> Self {
        Self { provinces, ..self }
    }

    /// Limits the number of copies.
    pub const fn up_to(self, copies: u8) -> Self {
        Self { copies, ..self }
    }

    /// Restricts the line to decks with less than one terminal Action for this many cards. Actions that give further
    /// actions allow more terminal ones.
    pub const fn one_in(self, cards_each: u16) -> Self {
        Self { cards_each, ..self }
    }

    /// Restricts the line to decks whose Treasures give at least this much together.
    pub const fn with_money(self, money: u16) -> Self {
        Self { money, ..self }
    }

    fn fits(&self, deck: &Deck) -> bool {
        let size = deck.owned.len();
        deck.provinces <= self.provinces
            && deck.owned.count(self.card) < self.copies
            && (self.cards_each == 0 || deck.crowd * self.cards_each < size)
            && deck.money >= self.money
    }
}

/// The facts about a deck that the conditions of a menu use.
struct Deck {
    owned: Cards,
    provinces: u8,
    /// Terminal Actions without an action from another card.
    crowd: u16,
    money: u16,
}

/// Returns the first card of the menu that is wanted and that `can` allows.
pub fn choice(
    menu: &[BuyRule],
    state: &State,
    seat: Seat,
    can: impl Fn(Card) -> bool,
) -> Option<Card> {
    let owned = state.counted(seat);
    let sum = |of: fn(Card) -> u16| -> u16 {
        let each = owned.iter();
        each.map(|(card, count)| of(card) * u16::from(count)).sum()
    };
    let deck = Deck {
        owned,
        provinces: state.supply.count(Card::Province).unwrap_or(0),
        crowd: sum(|card| u16::from(is_terminal(card))).saturating_sub(sum(actions_to_spare)),
        money: sum(|card| u16::from(card.sheet().coins)),
    };
    let rule = menu.iter().find(|rule| can(rule.card) && rule.fits(&deck));
    rule.map(|rule| rule.card)
}

/// Returns whether an Action allows no further one.
fn is_terminal(card: Card) -> bool {
    card.is(CardType::Action) && card.sheet().plus.actions == 0
}

/// The number of actions that a card gives beside its own.
fn actions_to_spare(card: Card) -> u16 {
    u16::from(card.sheet().plus.actions.saturating_sub(1))
}
