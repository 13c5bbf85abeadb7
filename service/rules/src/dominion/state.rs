//! What is on the table, and small questions about it (DOM-4).

use serde::{Deserialize, Serialize};

use super::cards::Cards;
use super::data::{Card, KINGDOM_SIZE};
use super::decision::Decision;
use super::options::Options;
use super::pending::Frame;
use super::piles::{DiscardPile, DrawPile, Supply};
use super::refusal::Refusal;
use crate::table::{PerSeat, Seat};

/// What is left of the active player's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Action cards that may still be played.
    pub actions: u16,
    /// Purchases that may still be made.
    pub buys: u16,
    /// Coins to spend.
    pub coins: u16,
}

/// The phase of a turn; clean-up takes no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Action cards are played.
    Action,
    /// Treasures are played and cards are bought.
    Buy,
    /// The game has ended.
    GameOver,
}

/// One Supply pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pile {
    /// The card.
    pub card: Card,
    /// How many are left.
    pub count: u8,
}

/// The whole table, hidden things included (DOM-4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub(super) options: Options,
    pub(super) supply: Supply,
    pub(super) trash: Cards,
    pub(super) players: PerSeat<Player>,
    pub(super) turn: Turn,
    /// Effects that are not finished; the last one is being resolved (DOM-6.20).
    pub(super) stack: Vec<Frame>,
}

/// What belongs to one player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Player {
    pub(super) hand: Cards,
    pub(super) draw_pile: DrawPile,
    pub(super) discard_pile: DiscardPile,
    /// Turns begun.
    pub(super) turns_taken: u32,
}

/// The turn in progress. Nobody else has anything in play (DOM-11.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Turn {
    pub(super) active: Seat,
    pub(super) phase: Phase,
    pub(super) counters: Counters,
    pub(super) bought: bool,
    /// Cards in play, in the order of playing.
    pub(super) in_play: Vec<Card>,
}

impl State {
    /// The number of players.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.players.count()
    }

    /// The opponents of the active player, clockwise.
    pub(super) fn opponents(&self) -> impl Iterator<Item = Seat> + use<> {
        self.turn.active.others(self.players.count())
    }

    /// The active player's own cards.
    pub(super) fn active(&self) -> &Player {
        &self.players[self.turn.active]
    }

    /// 1 for the first turn of the game.
    pub(super) fn turn_number(&self) -> u32 {
        self.players.iter().map(|player| player.turns_taken).sum()
    }

    /// The kingdom, in canonical order.
    pub(super) fn kingdom(&self) -> [Card; KINGDOM_SIZE] {
        self.supply.kingdom()
    }

    /// Who has to decide what; nobody when the game is over (DOM-4.1).
    pub(super) fn pending(&self) -> Option<(Seat, Decision)> {
        match (self.turn.phase, self.stack.last()) {
            (Phase::GameOver, _) => None,
            (Phase::Action, None) => Some((self.turn.active, Decision::ActionPhase)),
            (Phase::Buy, None) => Some((self.turn.active, Decision::BuyPhase)),
            (Phase::Action | Phase::Buy, Some(frame)) => frame.pending(self.turn.active),
        }
    }

    /// All of these cards are in this hand, each as often as it is named.
    pub(super) fn in_hand(
        &self,
        seat: Seat,
        cards: &[Card],
        decision: Decision,
    ) -> Result<(), Refusal> {
        match self.players[seat].hand.missing(cards) {
            None => Ok(()),
            Some(card) => Err(Refusal::CardNotInHand { card, decision }),
        }
    }

    /// All cards of a player: draw pile, hand, discard pile and in play (DOM-8.2). Cards that an
    /// unfinished effect holds are not counted; at the end there are none.
    pub(super) fn owned(&self, seat: Seat) -> Cards {
        let player = &self.players[seat];
        let mut cards = player.hand;
        cards.add_all(player.discard_pile.cards());
        player.draw_pile.top_down().for_each(|card| cards.add(card));
        if seat == self.turn.active {
            self.turn.in_play.iter().for_each(|&card| cards.add(card));
        }
        cards
    }
}
