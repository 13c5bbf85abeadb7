//! What one viewer may know of the table (DOM-13).

use super::cards::Cards;
use super::data::{Card, KINGDOM_SIZE};
use super::decision::Decision;
use super::event::{Counters, Phase, Pile, SeatResult};
use super::options::Options;
use super::pending::Frame;
use crate::table::Seat;

/// The table as one viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The options of the game.
    pub options: Options,
    /// The kingdom, in canonical order.
    pub kingdom: [Card; KINGDOM_SIZE],
    /// The phase of the turn.
    pub phase: Phase,
    /// Whose turn it is, or was when the game ended.
    pub active_player: Seat,
    /// The number of the turn in the game, from 1.
    pub turn_number: u32,
    /// What is left of the turn.
    pub counters: Counters,
    /// A purchase was made this turn: no more Treasures.
    pub bought_this_turn: bool,
    /// The 17 piles, in canonical order; empty ones stay.
    pub supply: Vec<Pile>,
    /// The trash.
    pub trash: Cards,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    /// Effects that are not finished, the one being resolved last.
    pub stack: Vec<Frame>,
    /// The pending decision; `None`: the game is over.
    pub question: Option<Question>,
    /// The results, best rank first, once the game is over.
    pub results: Option<Vec<SeatResult>>,
}

/// One player as the viewer sees him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    /// The seat.
    pub seat: Seat,
    /// How many cards are in hand.
    pub hand_count: u16,
    /// The hand; for its owner and the operator.
    pub hand: Option<Cards>,
    /// Is the draw pile empty?
    pub draw_pile_empty: bool,
    /// How many cards are in the draw pile; for its owner and the operator.
    pub draw_pile_count: Option<u16>,
    /// The draw pile from the top; for the operator alone.
    pub draw_pile: Option<Vec<Card>>,
    /// Is the discard pile empty?
    pub discard_empty: bool,
    /// The top card of the discard pile.
    pub discard_top: Option<Card>,
    /// The discard pile; for the operator alone.
    pub discard_pile: Option<Cards>,
    /// Cards in play, in the order of playing.
    pub in_play: Vec<Card>,
    /// Turns begun.
    pub turns_taken: u32,
}

/// The pending decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Who has to decide.
    pub seat: Seat,
    /// What he has to decide.
    pub decision: Decision,
    /// What there is to choose from, for decisions about cards. `None` for other decisions, and
    /// where the cards are hidden from this viewer (DOM-13.3).
    pub choice: Option<Choice>,
}

/// Cards to choose from, and how many to choose (DOM-13.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The cards to choose from.
    pub cards: Cards,
    /// The fewest to choose.
    pub least: u16,
    /// The most to choose.
    pub most: u16,
}
