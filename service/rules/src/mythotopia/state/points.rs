//! Victory points and the winner (chapter 8).

use super::State;
use crate::mythotopia::data::PROVINCE_POINTS;
use crate::mythotopia::data::count;
use crate::mythotopia::stage::Stage;
use crate::table::Seat;

impl State {
    /// Points of the controlled provinces.
    pub fn province_points(&self, seat: Seat) -> u8 {
        PROVINCE_POINTS * count(self.players[seat].controlled().len())
    }

    pub fn token_points(&self, seat: Seat) -> u8 {
        let [ones, twos, threes] = self.players[seat].tokens;
        ones + 2 * twos + 3 * threes
    }

    /// # Rule MYT-8.1, A16
    /// Three for each province and the tokens, and never less than the floor.
    pub fn points(&self, seat: Seat) -> u8 {
        let points = self.province_points(seat) + self.token_points(seat);
        points.max(self.switches.vp_floor)
    }

    /// The winner.
    ///
    /// # Rule MYT-8.2
    /// Only the winner can end the game.
    pub fn winner(&self) -> Option<Seat> {
        (self.stage == Stage::Over).then_some(self.active)
    }
}
