//! Points and ranks at the end (DOM-8.2 to DOM-8.4).

use super::cards::Cards;
use super::data::Card;
use super::event::SeatResult;
use super::state::{Phase, Pile, State};
use crate::table::{Ranking, Score, ScoreItem, Seat};

/// One Gardens is worth a point for so many cards (DOM-7.9).
const CARDS_PER_GARDENS_POINT: u16 = 10;

/// The cards that count at the end, in canonical order.
const SCORING: [Card; 5] = [
    Card::Estate,
    Card::Duchy,
    Card::Province,
    Card::Curse,
    Card::Gardens,
];

/// The ranking, once the game is over.
pub(super) fn ranking(state: &State) -> Option<Ranking> {
    (state.turn.phase == Phase::GameOver).then(|| rank(state))
}

/// # Rule DOM-8.3
/// More points first, then fewer turns.
fn rank(state: &State) -> Ranking {
    Ranking::of(state.players.seats().map(|seat| score(state, seat)))
}

fn score(state: &State, seat: Seat) -> Score {
    let owned = state.owned(seat);
    let breakdown = SCORING
        .into_iter()
        .map(|card| ScoreItem {
            source: card.id(),
            points: i32::from(owned.count(card)) * points(card, &owned),
        })
        .collect();
    // Nobody takes more turns than a counter of the ranking holds: a game would last for years.
    let turns = i32::try_from(state.players[seat].turns_taken).unwrap_or(i32::MAX);
    let fewer_turns = ScoreItem {
        source: "fewer_turns",
        points: -turns,
    };
    (seat, breakdown, vec![fewer_turns])
}

/// # Rules DOM-8.2, DOM-7.9
/// What one card is worth. Gardens count all cards of their owner, Gardens and Curses included.
fn points(card: Card, owned: &Cards) -> i32 {
    if card == Card::Gardens {
        i32::from(owned.len() / CARDS_PER_GARDENS_POINT)
    } else {
        i32::from(card.sheet().points)
    }
}

/// The results for log and views, best rank first; every card is public now (DOM-8.5).
pub(super) fn results(state: &State) -> Vec<SeatResult> {
    let standings = rank(state).standings;
    standings
        .iter()
        .map(|standing| SeatResult {
            seat: standing.seat,
            rank: standing.rank,
            points: standing.score,
            turns: state.players[standing.seat].turns_taken,
            cards: state
                .owned(standing.seat)
                .iter()
                .map(|(card, count)| Pile { card, count })
                .collect(),
        })
        .collect()
}
