//! A table for tests: set it up, play, check.

use gamekeeper_rules::conformance::TestTable;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::goofspiel::action::Action;
use gamekeeper_rules::goofspiel::data::{Card, points};
use gamekeeper_rules::goofspiel::options::{Options, Ties};
use gamekeeper_rules::table::{Chance, Seat, Seed};

pub(crate) use gamekeeper_rules::conformance::TestPlay;

pub(crate) const ANN: Seat = Seat::at(0);
pub(crate) const BEN: Seat = Seat::at(1);
pub(crate) const CY: Seat = Seat::at(2);

gamekeeper_rules::test_type! { Table: TestTable<Goofspiel> }

impl Table {
    /// Creates a game with whole suits. These prizes come first.
    pub(crate) fn of(seats: u8, ties: Ties, prizes: &[Card]) -> Self {
        Self::with_cards(seats, 13, ties, prizes)
    }

    /// Creates a game with this many cards of each suit. These prizes come first.
    pub(crate) fn with_cards(seats: u8, cards: u8, ties: Ties, prizes: &[Card]) -> Self {
        let options = Options { seats, cards, ties };
        let luck = Chance::from_seed(&Seed::from_number(1));
        let mut table = TestTable::<Goofspiel>::created(&options, luck);
        let order = &mut table.state.order;
        for (place, prize) in prizes.iter().enumerate() {
            let at = order.iter().position(|card| card == prize).unwrap();
            order.swap(place, at);
        }
        table.state.offered = order[..1].iter().copied().collect();
        Self(table)
    }

    /// Plays a bid of every player, in seat order.
    pub(crate) fn bids(&mut self, cards: &[Card]) {
        for (seat, card) in Seat::all(cards.len()).zip(cards) {
            self.play(seat, bid(*card));
        }
    }

    /// Returns the points, in seat order.
    pub(crate) fn points(&self) -> Vec<u8> {
        let players = self.state.players.iter();
        players.map(|player| points(player.won)).collect()
    }
}

pub(crate) const fn bid(card: Card) -> Action {
    Action::Bid { card: Some(card) }
}
