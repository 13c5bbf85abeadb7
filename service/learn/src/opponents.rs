//! Opponents: bots at the seats that the caller of a vector does not play.

use gamekeeper_rules::bots::Policy;

/// Bots at the tables of a vector.
#[derive(Clone, Debug, Default)]
pub struct Opponents {
    /// The bot of each seat: its policy, and its number of playouts or `None` for the ruleset's own default. A seat is
    /// played by the caller if its entry is `None` or missing.
    pub by_seat: Vec<Option<(Policy, Option<u32>)>>,
    /// Whether the players change seats: with each game of a slot every player sits one seat further to the left, and
    /// so in each slot compared with the slot before it.
    pub take_turns: bool,
}

impl Opponents {
    /// Returns the bot at a seat in a game in which the players sit `turn` seats further to the left, if they change
    /// seats. Returns `None` if the caller plays there.
    pub(crate) fn at(&self, seat: usize, seats: usize, turn: u64) -> Option<(Policy, Option<u32>)> {
        let all = seats as u64;
        let shift = if self.take_turns { turn % all } else { 0 };
        let index = (seat as u64 + all - shift) % all;
        *self.by_seat.get(usize::try_from(index).ok()?)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_moves_one_seat_to_the_left_in_each_game() {
        let bot = Some((Policy::Random, None));
        let opponents = |take_turns| Opponents {
            by_seat: vec![None, bot],
            take_turns,
        };
        // Whether a bot plays each of three seats in four games. Without rotation, the caller has the first and the last
        // seat.
        let seats = |take_turns| {
            (0..4).map(move |turn| {
                let opponents = opponents(take_turns);
                [0, 1, 2].map(|seat| opponents.at(seat, 3, turn).is_some())
            })
        };
        assert!(seats(false).all(|seats| seats == [false, true, false]));
        let expected = [
            [false, true, false],
            [false, false, true],
            [true, false, false],
            [false, true, false],
        ];
        assert!(seats(true).eq(expected));
    }
}
