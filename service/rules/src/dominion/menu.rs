//! What to buy, as a table: the first line that fits is bought.

use super::data::{Card, CardType};
use super::state::{Cards, State};
use crate::table::Seat;

/// A line of a menu: a card, and when it is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    card: Card,
    /// No more Provinces are left than this.
    provinces: u8,
    /// Fewer than this many are owned.
    copies: u8,
    /// There is less than one terminal Action that lacks an action for this many cards; 0: no limit.
    cards_each: u16,
    /// The Treasures of the deck give at least this much together.
    money: u16,
}

/// A card that is wanted whenever it can be had.
pub const fn buy(card: Card) -> Line {
    Line {
        card,
        provinces: u8::MAX,
        copies: u8::MAX,
        cards_each: 0,
        money: 0,
    }
}

impl Line {
    /// Only when no more Provinces are left than this.
    pub const fn at_provinces(self, provinces: u8) -> Self {
        Self { provinces, ..self }
    }

    /// Only up to this many copies.
    pub const fn up_to(self, copies: u8) -> Self {
        Self { copies, ..self }
    }

    /// Only as long as there is less than one terminal Action for this many cards. Cards that give actions for further
    /// ones make room.
    pub const fn one_in(self, cards_each: u16) -> Self {
        Self { cards_each, ..self }
    }

    /// Only once the Treasures of the deck give this much together.
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

/// What the lines of a menu ask about.
struct Deck {
    owned: Cards,
    provinces: u8,
    /// Terminal Actions without an action from another card.
    crowd: u16,
    money: u16,
}

/// The first card of the menu that is wanted and can be had.
pub fn choice(
    menu: &[Line],
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
    let line = menu.iter().find(|line| can(line.card) && line.fits(&deck));
    line.map(|line| line.card)
}

/// An Action that allows no further one.
fn is_terminal(card: Card) -> bool {
    card.is(CardType::Action) && card.sheet().plus.actions == 0
}

/// The actions that a card gives beside its own.
fn actions_to_spare(card: Card) -> u16 {
    u16::from(card.sheet().plus.actions.saturating_sub(1))
}
