//! The table, with simple queries (DOM-4).

pub mod cards;
pub mod piles;
pub mod player;

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::data::{Card, KINGDOM_SIZE};
use super::event::Event;
use super::options::Options;
use super::stage::{Counters, Decision, EffectFrame, Phase};
use crate::table::{self, PerSeat, Seat};

pub use cards::Cards;
pub use piles::Supply;
pub use player::Player;

/// The whole table, hidden things included (DOM-4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub options: Options,
    pub supply: Supply,
    pub trash: Cards,
    pub players: PerSeat<Player>,
    pub turn: Turn,
    /// Effects that are not finished; the last one is being resolved (DOM-6.20).
    pub stack: Vec<EffectFrame>,
}

/// The turn in progress. Nobody else has anything in play (DOM-11.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    pub active: Seat,
    pub phase: Phase,
    pub counters: Counters,
    pub bought: bool,
    /// Cards in play, in the order of playing.
    pub in_play: Vec<Card>,
    /// Whether everybody has seen the card that Library asks about: it lay on the draw pile in public (DOM-13.11).
    pub asked_is_seen: bool,
}

impl State {
    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.players.count()
    }

    /// Returns whether the game is over (DOM-8.1).
    pub fn is_over(&self) -> bool {
        self.turn.phase == Phase::Over
    }

    /// The opponents of the active player, clockwise.
    pub fn opponents(&self) -> impl Iterator<Item = Seat> + use<> {
        self.turn.active.others(self.seats())
    }

    /// The active player's own cards.
    pub fn active(&self) -> &Player {
        &self.players[self.turn.active]
    }

    /// The number of the turn, 1 for the first turn of the game.
    pub fn turn_number(&self) -> u32 {
        self.players.iter().map(|player| player.turns_taken).sum()
    }

    /// The kingdom, in canonical order.
    pub fn kingdom(&self) -> [Card; KINGDOM_SIZE] {
        self.supply.kingdom()
    }

    /// The seat that has to decide, and its decision. Returns `None` when the game is over (DOM-4.1).
    pub fn pending(&self) -> Option<(Seat, Decision)> {
        match (self.turn.phase, self.stack.last()) {
            (Phase::Over, _) => None,
            (Phase::Action, None) => Some((self.turn.active, Decision::ActionPhase)),
            (Phase::Buy, None) => Some((self.turn.active, Decision::BuyPhase)),
            (Phase::Action | Phase::Buy, Some(frame)) => frame.pending(self.turn.active),
        }
    }

    /// All cards of a player: draw pile, hand, discard pile and in play (DOM-8.2). Cards that an
    /// unfinished effect holds are not counted; at the end there are none.
    pub fn owned(&self, seat: Seat) -> Cards {
        let player = &self.players[seat];
        let mut cards = player.hand;
        cards.add_all(player.discard_pile.cards());
        player.draw_pile.top_down().for_each(|card| cards.add(card));
        if seat == self.turn.active {
            self.turn.in_play.iter().for_each(|&card| cards.add(card));
        }
        cards
    }

    /// The cards of this player that an unfinished effect holds (DOM-4.3).
    pub fn in_effect(&self, seat: Seat) -> Cards {
        let mut cards = Cards::none();
        let is_active = seat == self.turn.active;
        for frame in &self.stack {
            if let EffectFrame::Library { drawn, set_aside } = frame
                && is_active
            {
                let all = drawn.iter().chain(set_aside);
                all.for_each(|&card| cards.add(card));
            }
            if let EffectFrame::Spy {
                queue, revealed, ..
            } = frame
                && queue.first() == Some(&seat)
            {
                revealed.iter().for_each(|&card| cards.add(card));
            }
            if let EffectFrame::Thief {
                queue, revealed, ..
            } = frame
                && queue.first() == Some(&seat)
            {
                revealed.iter().for_each(|&card| cards.add(card));
            }
        }
        cards
    }

    /// The cards that everybody knows from the events to be this player's, in any zone (DOM-13.7).
    pub fn counted(&self, seat: Seat) -> Cards {
        let mut cards = self.owned(seat);
        cards.add_all(&self.in_effect(seat));
        cards
    }

    /// The cards on top of a draw pile that everybody has seen, from the top (DOM-13.11). A card that
    /// Library asks about comes first: no event has reported yet that it was drawn.
    pub fn seen_on_top(&self, seat: Seat) -> impl Iterator<Item = Card> {
        let library_card = self.library_asks(seat).filter(|_| self.turn.asked_is_seen);
        let pile = &self.players[seat].draw_pile;
        let seen = usize::from(pile.seen());
        library_card.into_iter().chain(pile.top_down().take(seen))
    }

    /// The card that Library asks this player about.
    pub fn library_asks(&self, seat: Seat) -> Option<Card> {
        match self.stack.last() {
            Some(EffectFrame::Library { drawn, .. }) if seat == self.turn.active => *drawn,
            Some(_) | None => None,
        }
    }
}

/// The table while an action is carried out.
pub type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>;
