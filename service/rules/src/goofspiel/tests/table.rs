//! A table for tests: set it up, play, check.

use gamekeeper_rules::goofspiel::action::Action;
use gamekeeper_rules::goofspiel::data::{Card, points};
use gamekeeper_rules::goofspiel::event::Event;
use gamekeeper_rules::goofspiel::options::{Options, Ties};
use gamekeeper_rules::goofspiel::{Goofspiel, State};
use gamekeeper_rules::ruleset::{JournalOf, Ruleset, apply_in_place, create};
use gamekeeper_rules::table::{Chance, Seat, Seed};

pub(crate) const ANN: Seat = Seat::at(0);
pub(crate) const BEN: Seat = Seat::at(1);
pub(crate) const CY: Seat = Seat::at(2);

/// A table, and what happened in the last action.
pub(crate) struct Table {
    pub(crate) state: State,
    pub(crate) log: JournalOf<Goofspiel>,
    luck: Chance,
}

impl Table {
    /// Creates a game with whole suits. These prizes come first.
    pub(crate) fn of(seats: u8, ties: Ties, prizes: &[Card]) -> Self {
        Self::with_cards(seats, 13, ties, prizes)
    }

    /// Creates a game with this many cards of each suit. These prizes come first.
    pub(crate) fn with_cards(seats: u8, cards: u8, ties: Ties, prizes: &[Card]) -> Self {
        let options = Options { seats, cards, ties };
        let luck = Chance::from_seed(&Seed::from_number(1));
        let mut state = create::<Goofspiel>(&options, luck).state;
        for (place, prize) in prizes.iter().enumerate() {
            let at = state.order.iter().position(|card| card == prize).unwrap();
            state.order.swap(place, at);
        }
        state.offered = state.order[..1].iter().copied().collect();
        Self {
            state,
            log: JournalOf::<Goofspiel>::new(),
            luck: Chance::scripted([]),
        }
    }

    /// Plays one bid.
    pub(crate) fn bid(&mut self, seat: Seat, card: Card) {
        let action = Action::Bid { card: Some(card) };
        self.log =
            apply_in_place::<Goofspiel>(&mut self.state, &mut self.luck, seat, &action).unwrap();
    }

    /// Plays a bid of every player, in seat order.
    pub(crate) fn bids(&mut self, cards: &[Card]) {
        for (seat, card) in Seat::all(cards.len()).zip(cards) {
            self.bid(seat, *card);
        }
    }

    /// Returns the points, in seat order.
    pub(crate) fn points(&self) -> Vec<u8> {
        let players = self.state.players.iter();
        players.map(|player| points(player.won)).collect()
    }

    /// Returns whether the last action emitted this event.
    pub(crate) fn tells(&self, event: &Event) -> bool {
        self.log.events.contains(event)
    }

    /// Asserts that this bid is refused with this code.
    #[track_caller]
    pub(crate) fn refuses(&self, seat: Seat, card: Option<Card>, code: &str) {
        let refused = Goofspiel::check(&self.state, seat, &Action::Bid { card });
        assert_eq!(refused.err().map(|refused| refused.code()), Some(code));
    }
}
