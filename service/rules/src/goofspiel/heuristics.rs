//! The **evaluation function** of bots: the best card for the best prize, and so on down.

use super::Goofspiel;
use super::action::Action;
use super::data::points;
use super::state::State;
use crate::bots::Heuristics;
use crate::table::{Chance, Seat};

impl Heuristics for Goofspiel {
    /// All decisions of a game of five players: the last card of a suit is bid without one.
    const HORIZON: u32 = 60;

    fn players(state: &State) -> usize {
        state.seats()
    }

    fn evaluate(state: &State, seat: Seat) -> i32 {
        10 * i32::from(points(state.players[seat].won))
    }

    fn greedy_score(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
        Self::prior(state, seat, action, luck)
    }

    /// Rates a bid by its distance from the card that has the same rank in hand as the prizes among those to come.
    fn prior(state: &State, seat: Seat, action: &Action, _luck: &Chance) -> i32 {
        let Action::Bid { card: Some(card) } = action else {
            return i32::MIN;
        };
        let offered = points(state.offered);
        let to_come = state.to_come().into_iter();
        let better = to_come.filter(|prize| prize.value() > offered).count();
        let mut hand = state.players[seat].hand.into_iter().rev();
        let fitting = hand.nth(better).unwrap_or(*card);
        -i32::from(fitting.value().abs_diff(card.value()))
    }
}
