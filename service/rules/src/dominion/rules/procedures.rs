//! What many effects have in common: draw, refill, gain, discard, trash (DOM-6.30 to DOM-6.36).

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::event::{Event, Source, Zone};
use crate::dominion::pending::{Destination, Frame};
use crate::dominion::state::{Player, State};
use crate::table::{Chance, Journal, Seat};

/// The table while something happens: the state, its luck, and the log of what happens.
pub(crate) struct Table<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) chance: &'a mut Chance,
    pub(crate) journal: &'a mut Journal<Action, Event>,
}

impl Table<'_> {
    /// Whose turn it is.
    pub(crate) const fn active(&self) -> Seat {
        self.state.turn.active
    }

    pub(crate) fn player(&mut self, seat: Seat) -> &mut Player {
        &mut self.state.players[seat]
    }

    pub(crate) fn event(&mut self, event: Event) {
        self.journal.event(event);
    }

    /// Puts an effect on the stack: it is the next one to go on.
    pub(crate) fn push(&mut self, frame: Frame) {
        self.state.stack.push(frame);
    }

    /// # Rule DOM-6.30
    /// Draws cards one by one into the hand, fewer if there are no more.
    pub(crate) fn draw(&mut self, seat: Seat, count: u16) {
        let mut cards = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let Some(card) = self.take_top(seat) else {
                break;
            };
            self.player(seat).hand.add(card);
            cards.push(card);
        }
        if !cards.is_empty() {
            self.drawn(seat, cards);
        }
    }

    /// Tells that these cards are now in hand.
    pub(crate) fn drawn(&mut self, seat: Seat, cards: Vec<Card>) {
        self.event(Event::CardsDrawn {
            seat,
            count: number(&cards),
            cards: Some(cards),
        });
    }

    /// Takes the top card of the draw pile; nothing, if draw and discard pile are empty (DOM-6.32).
    pub(crate) fn take_top(&mut self, seat: Seat) -> Option<Card> {
        if self.state.players[seat].draw_pile.is_empty() {
            self.refill(seat);
        }
        self.player(seat).draw_pile.take_top()
    }

    /// # Rule DOM-6.31
    /// The discard pile, if there is one, is shuffled and becomes the draw pile (draw R4).
    fn refill(&mut self, seat: Seat) {
        if !self.state.players[seat].discard_pile.is_empty() {
            self.shuffle(seat, "R4");
        }
    }

    /// Shuffles the discard pile under this name to make the draw pile, which is empty.
    /// The cards are sorted before, so that luck alone gives the order (DOM-5.8).
    pub(crate) fn shuffle(&mut self, seat: Seat, name: &'static str) {
        let player = &mut self.state.players[seat];
        let cards = player.discard_pile.take_all();
        let chance = &mut *self.chance;
        player.draw_pile.build(&cards, |pile| {
            chance.shuffle(name, Some(seat), pile);
        });
        self.event(Event::Shuffled { seat });
    }

    /// # Rule DOM-6.33
    /// Gains a card of the Supply, if one is left.
    pub(crate) fn gain(&mut self, seat: Seat, card: Card, to: Destination) {
        self.take_from_supply(seat, card, to, None);
    }

    /// Gains a card onto the discard pile for its price (DOM-6.10).
    pub(crate) fn gain_bought(&mut self, seat: Seat, card: Card) {
        self.take_from_supply(seat, card, Destination::DiscardPile, Some(card.cost()));
    }

    fn take_from_supply(&mut self, seat: Seat, card: Card, to: Destination, price: Option<u8>) {
        if !self.state.supply.take(card) {
            return;
        }
        let player = self.player(seat);
        match to {
            Destination::DiscardPile => player.discard_pile.put(card),
            Destination::Hand => player.hand.add(card),
            Destination::DrawPile => player.draw_pile.put_on_top(card),
        }
        self.event(Event::CardGained {
            seat,
            card,
            from: Source::Supply,
            to,
            price,
        });
    }

    /// # Rule DOM-6.35
    /// Discards cards of the hand in this order; only their owner knows them all. Says how many.
    pub(crate) fn discard_from_hand(&mut self, seat: Seat, cards: Vec<Card>) -> u16 {
        let count = number(&cards);
        let player = self.player(seat);
        for &card in &cards {
            if player.hand.remove(card) {
                player.discard_pile.put(card);
            }
        }
        let discard_top = player.discard_pile.top();
        self.event(Event::HandDiscarded {
            seat,
            count,
            discard_top,
            cards: Some(cards),
        });
        count
    }

    /// Discards cards that an effect held open to everybody, in this order (DOM-6.35).
    pub(crate) fn discard_held(&mut self, seat: Seat, cards: Vec<Card>) {
        if cards.is_empty() {
            return;
        }
        for &card in &cards {
            self.player(seat).discard_pile.put(card);
        }
        self.event(Event::CardsDiscarded { seat, cards });
    }

    /// # Rule DOM-6.36
    /// Trashes cards of the hand.
    pub(crate) fn trash_from_hand(&mut self, seat: Seat, cards: Vec<Card>) {
        for &card in &cards {
            if self.player(seat).hand.remove(card) {
                self.state.trash.add(card);
            }
        }
        let from = Zone::Hand;
        self.event(Event::CardsTrashed { seat, from, cards });
    }

    /// Trashes a card that an effect has taken from the revealed cards or from play.
    pub(crate) fn trash_taken(&mut self, seat: Seat, from: Zone, card: Card) {
        self.state.trash.add(card);
        let cards = vec![card];
        self.event(Event::CardsTrashed { seat, from, cards });
    }

    /// Tells that the player of this card chose nothing for it.
    pub(crate) fn chose_nothing(&mut self, card: Card) {
        let seat = self.active();
        self.event(Event::NothingChosen { seat, card });
    }

    /// Shows cards to everybody.
    pub(crate) fn reveal(&mut self, seat: Seat, from: Zone, cards: Vec<Card>) {
        self.event(Event::CardsRevealed { seat, from, cards });
    }

    /// Puts a card that everybody has seen on its owner's draw pile (DOM-13.5).
    pub(crate) fn topdeck(&mut self, seat: Seat, from: Zone, card: Card) {
        self.player(seat).draw_pile.put_on_top(card);
        self.event(Event::CardTopdecked { seat, from, card });
    }
}

/// How many cards. No group of cards comes near the limit: there are 500 in the box.
fn number(cards: &[Card]) -> u16 {
    u16::try_from(cards.len()).unwrap_or(u16::MAX)
}
