//! Victory points and the end of the game (chapter 8).

use super::data::PROVINCE_POINTS;
use super::state::{Stage, State, count};
use crate::table::{Ranking, ScoreItem, Seat};

impl State {
    /// Points of the controlled provinces.
    fn province_points(&self, seat: Seat) -> u8 {
        PROVINCE_POINTS * count(self.players[seat].controlled().len())
    }

    /// Points of the tokens.
    fn token_points(&self, seat: Seat) -> u8 {
        let [ones, twos, threes] = self.players[seat].tokens;
        ones + 2 * twos + 3 * threes
    }

    /// # Rule MYT-8.1, A16
    /// Three for each province and the tokens, and never less than the floor.
    pub(super) fn points(&self, seat: Seat) -> u8 {
        let points = self.province_points(seat) + self.token_points(seat);
        points.max(self.switches.vp_floor)
    }

    /// The winner.
    ///
    /// # Rule MYT-8.2
    /// The game ends only through a player who wins by it.
    pub(super) fn winner(&self) -> Option<Seat> {
        (self.stage == Stage::Finished).then_some(self.active)
    }
}

/// The result, once the game is over.
///
/// # Rule MYT-8.3, 14.18
/// By victory points. The winner leads strictly, the others may share ranks.
pub(super) fn ranking(state: &State) -> Option<Ranking> {
    state.winner()?;
    let scores = state.players.seats().map(|seat| {
        let (provinces, tokens) = (state.province_points(seat), state.token_points(seat));
        let item = |source, points: u8| ScoreItem {
            source,
            points: i32::from(points),
        };
        let lift = state.points(seat) - provinces - tokens;
        let breakdown = vec![
            item("provinces", provinces),
            item("tokens", tokens),
            item("floor", lift),
        ];
        (seat, breakdown, Vec::new())
    });
    Some(Ranking::of(scores))
}
