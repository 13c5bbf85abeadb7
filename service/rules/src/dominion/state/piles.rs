//! Draw pile, discard pile and Supply.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::cards::Cards;
use crate::dominion::data::{Card, Group, KINGDOM_SIZE, PILES, Pile, STARTING_DECK};
use crate::table::invariant_violated;

/// Cards face down in a fixed order. Cards come onto it in public or by a shuffle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawPile {
    /// The top card is the last one.
    cards: Vec<Card>,
    /// The number of cards, from the top, that everybody has seen (DOM-13.11).
    seen: u16,
}

impl DrawPile {
    /// Creates a pile of these cards, the top card first, of which everybody has seen this many from the top.
    pub fn of(mut top_down: Vec<Card>, seen: u16) -> Self {
        top_down.reverse();
        let cards = top_down;
        let seen = seen.min(u16::try_from(cards.len()).unwrap_or(u16::MAX));
        Self { cards, seen }
    }

    /// The number of cards. There are 500 in the box.
    pub fn len(&self) -> u16 {
        u16::try_from(self.cards.len()).unwrap_or(u16::MAX)
    }

    pub const fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// The cards, the top card first.
    pub fn top_down(&self) -> impl Iterator<Item = Card> {
        self.cards.iter().rev().copied()
    }

    /// The number of cards, from the top, that everybody has seen.
    pub const fn seen(&self) -> u16 {
        self.seen
    }

    /// The cards below those that everybody has seen, the bottom card first.
    pub fn unseen(&self) -> impl Iterator<Item = Card> {
        let count = self.cards.len() - usize::from(self.seen);
        self.cards.iter().copied().take(count)
    }

    /// Lays these cards in the places of the unseen ones, from the bottom.
    pub fn replace_unseen(&mut self, cards: impl Iterator<Item = Card>) {
        let count = self.cards.len() - usize::from(self.seen);
        let places = self.cards.iter_mut().take(count);
        places.zip(cards).for_each(|(place, card)| *place = card);
    }

    /// Takes the top card. Also returns whether everybody has seen it there.
    pub fn take_top(&mut self) -> Option<(Card, bool)> {
        let is_seen = self.seen > 0;
        self.seen = self.seen.saturating_sub(1);
        self.cards.pop().map(|card| (card, is_seen))
    }

    /// Puts a card on top that everybody has seen.
    pub fn put_on_top(&mut self, card: Card) {
        self.cards.push(card);
        self.seen += 1;
    }

    /// The card at the bottom.
    pub fn bottom(&self) -> Option<Card> {
        self.cards.first().copied()
    }

    /// Takes all cards; their order is lost.
    pub fn take_all(&mut self) -> Cards {
        self.seen = 0;
        self.cards.drain(..).collect()
    }

    /// Builds the pile, which is empty, from these cards: `arrange` gets them in canonical order and orders them from
    /// the top.
    pub fn build(&mut self, cards: &Cards, arrange: impl FnOnce(&mut [Card])) {
        self.cards.extend(cards.each());
        arrange(&mut self.cards);
        self.cards.reverse();
    }
}

/// Cards face up. Only the top card can be seen; the order below it never matters (DOM-11.10).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscardPile {
    cards: Cards,
    top: Option<Card>,
    /// The cards that were discarded below others, so that only their owner has seen them (DOM-13.11).
    unseen: Cards,
}

impl DiscardPile {
    /// Creates a pile of these cards, of which everybody has seen the `seen` ones; `top` is one of these.
    pub fn of(cards: Cards, top: Option<Card>, seen: &Cards) -> Self {
        let unseen = cards.without(seen);
        Self { cards, top, unseen }
    }

    pub const fn cards(&self) -> &Cards {
        &self.cards
    }

    pub const fn top(&self) -> Option<Card> {
        self.top
    }

    pub const fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// The cards that everybody has seen.
    pub fn seen(&self) -> Cards {
        self.cards.without(&self.unseen)
    }

    /// The cards that only their owner has seen.
    pub const fn unseen(&self) -> &Cards {
        &self.unseen
    }

    /// Exchanges the unseen cards for these.
    pub fn replace_unseen(&mut self, cards: &Cards) {
        self.cards = self.seen();
        self.cards.add_all(cards);
        self.unseen = *cards;
    }

    /// Puts a card on top, where everybody sees it.
    pub const fn put(&mut self, card: Card) {
        self.cards.add(card);
        self.top = Some(card);
    }

    /// Adds several cards at once. Others have not seen the `unseen` ones among them; `top` is the one that ends on
    /// top, if any.
    pub fn put_all(&mut self, cards: &Cards, unseen: &Cards, top: Option<Card>) {
        self.cards.add_all(cards);
        self.unseen.add_all(unseen);
        self.top = top.or(self.top);
    }

    pub const fn take_all(&mut self) -> Cards {
        self.top = None;
        self.unseen = Cards::none();
        self.cards.take()
    }
}

/// The piles to gain from, in canonical order; an empty pile stays (DOM-5.7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supply {
    piles: ArrayVec<Pile, PILES>,
}

impl Supply {
    /// The Supply of a new game: the basic cards and this kingdom.
    pub fn new(seats: u8, kingdom: &[Card; KINGDOM_SIZE]) -> Self {
        let in_game = |card: &Card| card.sheet().group == Group::Basic || kingdom.contains(card);
        let column = usize::from(seats.clamp(2, 4)) - 2;
        let piles = Card::ALL
            .into_iter()
            .filter(in_game)
            .map(|card| Pile {
                card,
                count: card.sheet().piles[column],
            })
            .collect();
        Self { piles }
    }

    /// Returns these piles with other numbers of cards.
    pub fn with_counts(mut self, count: impl Fn(Card) -> u8) -> Self {
        self.piles
            .iter_mut()
            .for_each(|pile| pile.count = count(pile.card));
        self
    }

    /// The number of cards of this kind in a game that begins with these piles: in its pile and in the starting decks.
    pub fn in_game(&self, card: Card, seats: u8) -> u8 {
        let dealt = STARTING_DECK.iter().find(|(dealt, _)| *dealt == card);
        let dealt = dealt.map_or(0, |(_, count)| count * seats);
        self.count(card).unwrap_or(0) + dealt
    }

    pub fn piles(&self) -> &[Pile] {
        &self.piles
    }

    /// The number of cards left, if the card has a pile in this game.
    pub fn count(&self, card: Card) -> Option<u8> {
        let pile = self.piles.iter().find(|pile| pile.card == card);
        pile.map(|pile| pile.count)
    }

    /// Returns whether there is a card left to gain.
    pub fn has(&self, card: Card) -> bool {
        self.count(card).is_some_and(|count| count > 0)
    }

    /// Takes a card from its pile. Returns false if there is none.
    pub fn take(&mut self, card: Card) -> bool {
        let pile = self.piles.iter_mut().find(|pile| pile.card == card);
        match pile {
            Some(pile) if pile.count > 0 => {
                pile.count -= 1;
                true
            }
            Some(_) | None => false,
        }
    }

    /// The number of empty piles.
    pub fn empty_piles(&self) -> usize {
        self.piles.iter().filter(|pile| pile.count == 0).count()
    }

    /// The kingdom of this game, in canonical order.
    pub fn kingdom(&self) -> [Card; KINGDOM_SIZE] {
        let kingdom = self
            .piles
            .iter()
            .map(|pile| pile.card)
            .filter(|card| card.sheet().group == Group::Kingdom);
        let cards: ArrayVec<Card, KINGDOM_SIZE> = kingdom.collect();
        cards
            .into_inner()
            .unwrap_or_else(|cards| invariant_violated("DOM-5.7", cards))
    }
}
