//! A **multiset** of cards: their order does not matter, their numbers do (DOM-3.2).

use std::fmt;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::dominion::data::{Card, CardType};

/// A multiset of cards, such as a hand: the number of cards of each kind.
///
/// Stored as the kinds that occur, with their numbers, in canonical order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Counts", into = "Counts")]
pub struct Cards {
    counts: [u8; Card::ALL.len()],
    /// One bit for each kind with at least one card, for fast iteration.
    kinds: u32,
}

type Counts = ArrayVec<(Card, u8), { Card::ALL.len() }>;

impl Cards {
    /// No cards.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            counts: [0; Card::ALL.len()],
            kinds: 0,
        }
    }

    /// The number of cards of this kind.
    #[must_use]
    pub const fn count(&self, card: Card) -> u8 {
        self.counts[card.index()]
    }

    /// Returns whether there is at least one card of this kind.
    #[must_use]
    pub const fn has(&self, card: Card) -> bool {
        self.kinds & card.bit() != 0
    }

    /// Returns whether there is at least one card of this type.
    #[must_use]
    pub const fn has_type(&self, card_type: CardType) -> bool {
        self.kinds & card_type.cards() != 0
    }

    /// Returns whether there are no cards.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.kinds == 0
    }

    /// The number of cards of all kinds together.
    #[must_use]
    pub fn len(&self) -> u16 {
        self.iter().map(|(_, count)| u16::from(count)).sum()
    }

    /// The number of kinds that occur.
    #[must_use]
    pub const fn kinds(&self) -> u32 {
        self.kinds.count_ones()
    }

    /// The kinds that occur, each with its number, in canonical order.
    pub fn iter(&self) -> impl Iterator<Item = (Card, u8)> + use<> {
        let counts = self.counts;
        let mut left = self.kinds;
        std::iter::from_fn(move || {
            let index = left.trailing_zeros() as usize;
            let card = *Card::ALL.get(index)?;
            left &= left - 1;
            Some((card, counts[index]))
        })
    }

    /// All cards one by one, in canonical order.
    pub fn each(&self) -> impl Iterator<Item = Card> + use<> {
        self.iter()
            .flat_map(|(card, count)| std::iter::repeat_n(card, usize::from(count)))
    }

    /// The first kind in canonical order.
    #[must_use]
    pub fn first(&self) -> Option<Card> {
        self.iter().next().map(|(card, _)| card)
    }

    /// The cards of one type only.
    #[must_use]
    pub fn of_type(&self, card_type: CardType) -> Self {
        let cards = self.iter().filter(|(card, _)| card.is(card_type));
        cards.collect()
    }

    /// Returns whether all of these cards are here, each as often as it is named.
    #[must_use]
    pub fn contains_all(&self, cards: &[Card]) -> bool {
        self.missing(cards).is_none()
    }

    /// Returns the first of these cards that is not here, or not often enough.
    #[must_use]
    pub fn missing(&self, cards: &[Card]) -> Option<Card> {
        let mut left = *self;
        cards.iter().copied().find(|&card| !left.remove(card))
    }

    /// Adds one card. A number stays at 255: no game has as many cards of a kind, so nothing that is allowed has either.
    pub const fn add(&mut self, card: Card) {
        let count = &mut self.counts[card.index()];
        *count = count.saturating_add(1);
        self.kinds |= card.bit();
    }

    /// Removes one card. Returns false if there is none.
    pub const fn remove(&mut self, card: Card) -> bool {
        let count = &mut self.counts[card.index()];
        match *count {
            0 => return false,
            1 => self.kinds &= !card.bit(),
            _more => {}
        }
        *count -= 1;
        true
    }

    /// Adds all of these cards, as [`add`](Self::add) does.
    pub fn add_all(&mut self, cards: &Self) {
        for (card, count) in cards.iter() {
            let here = &mut self.counts[card.index()];
            *here = here.saturating_add(count);
        }
        self.kinds |= cards.kinds;
    }

    /// The remaining cards after these are removed; a kind never falls below 0.
    #[must_use]
    pub fn without(&self, cards: &Self) -> Self {
        let mut left = *self;
        for (card, count) in cards.iter() {
            let here = &mut left.counts[card.index()];
            *here = here.saturating_sub(count);
            if *here == 0 {
                left.kinds &= !card.bit();
            }
        }
        left
    }

    /// Takes all cards.
    #[must_use]
    pub const fn take(&mut self) -> Self {
        std::mem::replace(self, Self::none())
    }
}

impl From<Counts> for Cards {
    fn from(counts: Counts) -> Self {
        counts.into_iter().collect()
    }
}

impl From<Cards> for Counts {
    fn from(cards: Cards) -> Self {
        cards.iter().collect()
    }
}

impl FromIterator<(Card, u8)> for Cards {
    fn from_iter<I: IntoIterator<Item = (Card, u8)>>(counts: I) -> Self {
        let mut cards = Self::none();
        for (card, count) in counts {
            cards.counts[card.index()] = count;
            if count > 0 {
                cards.kinds |= card.bit();
            }
        }
        cards
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(each: I) -> Self {
        let mut cards = Self::none();
        for card in each {
            cards.add(card);
        }
        cards
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
