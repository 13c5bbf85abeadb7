//! One player, and the cards of the hand that everybody has seen.

use serde::{Deserialize, Serialize};

use super::cards::Cards;
use super::piles::{DiscardPile, DrawPile};
use crate::dominion::data::Card;
use crate::table::invariant_violated;

/// The cards of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    pub hand: Cards,
    /// Cards of the hand that everybody has seen and knows to be there still (DOM-13.11).
    shown: Cards,
    pub draw_pile: DrawPile,
    pub discard_pile: DiscardPile,
    /// Turns begun.
    pub turns_taken: u32,
}

impl Player {
    /// Creates a player with these cards. Everybody knows the `shown` ones, which are in the hand.
    pub const fn of(
        hand: Cards,
        shown: Cards,
        draw_pile: DrawPile,
        discard_pile: DiscardPile,
        turns_taken: u32,
    ) -> Self {
        Self {
            hand,
            shown,
            draw_pile,
            discard_pile,
            turns_taken,
        }
    }

    /// Cards of the hand that everybody knows to be there.
    pub const fn shown(&self) -> &Cards {
        &self.shown
    }

    /// The cards of the hand that others cannot know.
    pub fn unshown(&self) -> Cards {
        self.hand.without(&self.shown)
    }

    /// Takes a card into the hand; `is_seen` if everybody has seen it.
    pub const fn take_up(&mut self, card: Card, is_seen: bool) {
        self.hand.add(card);
        if is_seen {
            self.shown.add(card);
        }
    }

    /// Shows the whole hand to everybody.
    pub const fn show_hand(&mut self) {
        self.shown = self.hand;
    }

    /// Shows a card that stays in hand to everybody.
    pub const fn show(&mut self, card: Card) {
        if !self.shown.has(card) {
            self.shown.add(card);
        }
    }

    /// Takes a card out of the hand for everybody to see; `check` has made sure that it is there.
    pub fn give_away(&mut self, card: Card) {
        self.take_out(card);
        self.shown.remove(card);
    }

    fn take_out(&mut self, card: Card) {
        if !self.hand.remove(card) {
            invariant_violated("DOM-11.1", (card, self.hand));
        }
    }

    /// Discards cards of the hand in this order. Everybody sees the last one.
    pub fn discard(&mut self, cards: &[Card]) {
        let Some((&top, below)) = cards.split_last() else {
            return;
        };
        self.give_away(top);
        let below: Cards = below.iter().copied().collect();
        let seen = self.lose_sight(&below);
        below.each().for_each(|card| self.take_out(card));
        self.discard_pile
            .put_all(&below, &below.without(&seen), None);
        self.discard_pile.put(top);
    }

    /// Updates the shown cards before these cards leave the hand and others see only how many. A shown card stays known
    /// if it is certain to stay. Returns the shown cards that are certain to leave.
    ///
    /// # Rule DOM-13.11
    fn lose_sight(&mut self, leaving: &Cards) -> Cards {
        let (hand_size, leaving) = (self.hand.len(), leaving.len());
        let of_kind = |count: u16| u8::try_from(count).unwrap_or(u8::MAX);
        let shown = self.shown.take();
        let stay = |(card, count): (Card, u8)| {
            let stays = u16::from(count).saturating_sub(leaving);
            (card, of_kind(stays))
        };
        let leave = |(card, count): (Card, u8)| {
            let others = hand_size - u16::from(count);
            (card, of_kind(leaving.saturating_sub(others)))
        };
        self.shown = shown.iter().map(stay).collect();
        shown.iter().map(leave).collect()
    }

    /// Discards the hand and these cards in play. `top`, if any, ends on top, where everybody sees it.
    pub fn clean_up(&mut self, in_play: &Cards, top: Option<Card>) {
        let mut unseen = self.unshown();
        if let Some(top) = top
            && !in_play.has(top)
            && !self.shown.has(top)
        {
            unseen.remove(top);
        }
        self.shown = Cards::none();
        let mut cards = self.hand.take();
        cards.add_all(in_play);
        self.discard_pile.put_all(&cards, &unseen, top);
    }

    /// Turns the draw pile over onto the discard pile: everybody sees its bottom card.
    pub fn turn_over(&mut self) -> Cards {
        let mut unseen: Cards = self.draw_pile.unseen().collect();
        let bottom = self.draw_pile.bottom();
        if let Some(bottom) = bottom {
            unseen.remove(bottom);
        }
        let cards = self.draw_pile.take_all();
        self.discard_pile.put_all(&cards, &unseen, bottom);
        cards
    }

    /// Shuffles the discard pile to make the draw pile, which is empty; `arrange` orders it from the top. If everybody
    /// knows the whole discard pile, they know the hand too: the player has nothing else that is hidden.
    ///
    /// # Rule DOM-13.11
    pub fn shuffle(&mut self, arrange: impl FnOnce(&mut [Card])) {
        if self.discard_pile.unseen().is_empty() {
            self.show_hand();
        }
        let cards = self.discard_pile.take_all();
        self.draw_pile.build(&cards, arrange);
    }
}
