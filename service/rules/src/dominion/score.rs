//! The scores (DOM-8.3).

use super::data::Card;
use super::rules::end::points;
use super::state::State;
use crate::table::{self, Score, ScoreItem, Seat, Term};

/// The cards that count at the end, in canonical order.
const SCORING: [Card; 5] = [
    Card::Estate,
    Card::Duchy,
    Card::Province,
    Card::Curse,
    Card::Gardens,
];

/// A category of a result.
#[derive(Clone, Copy)]
pub enum Source {
    /// All cards of this name that a player owns.
    Card(Card),
    /// The turns taken, as a tie break.
    FewerTurns,
}

impl table::Source for Source {
    fn all() -> impl Iterator<Item = Self> {
        SCORING
            .into_iter()
            .map(Self::Card)
            .chain([Self::FewerTurns])
    }

    fn term(self) -> Term {
        let (id, title, doc) = match self {
            Self::Card(card) => (card.id(), card.name(), "DOM-8.7"),
            Self::FewerTurns => ("fewer_turns", "Fewer turns", "DOM-8.3"),
        };
        Term { id, title, doc }
    }
}

/// The scores if the game ended now.
///
/// # Rule DOM-8.3
/// More points first, then fewer turns.
pub fn scores(state: &State) -> impl Iterator<Item = Score<Source>> {
    state.players.seats().map(|seat| score(state, seat))
}

fn score(state: &State, seat: Seat) -> Score<Source> {
    let owned = state.owned(seat);
    let breakdown = SCORING.map(|card| ScoreItem {
        source: Source::Card(card),
        points: i32::from(owned.count(card)) * points(card, &owned),
    });
    // Nobody takes more turns than a counter of the ranking holds: a game would last for years.
    let turns = i32::try_from(state.players[seat].turns_taken).unwrap_or(i32::MAX);
    let fewer_turns = ScoreItem {
        source: Source::FewerTurns,
        points: -turns,
    };
    (seat, breakdown.to_vec(), vec![fewer_turns])
}
