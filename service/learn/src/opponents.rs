//! The seats that the caller of a vector does not play.

use gamekeeper_rules::bots::Policy;

/// Bots at the tables of a vector.
#[derive(Clone, Debug, Default)]
pub struct Opponents {
    /// By seat: the policy and its playouts, which are those of the ruleset if they are `None`. `None`, also behind the
    /// last: the caller plays the seat.
    pub by_seat: Vec<Option<(Policy, Option<u32>)>>,
    /// Do they change places? In game number n everybody sits n - 1 places further to the left.
    pub take_turns: bool,
}

impl Opponents {
    /// The bot at a seat in a game of this number, from 1. `None`: the caller plays there.
    pub(crate) fn at(
        &self,
        seat: usize,
        seats: usize,
        number: u64,
    ) -> Option<(Policy, Option<u32>)> {
        let all = seats as u64;
        let turned = if self.take_turns {
            number.saturating_sub(1) % all
        } else {
            0
        };
        let place = (seat as u64 + all - turned) % all;
        *self.by_seat.get(usize::try_from(place).ok()?)?
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
        // Who plays each of three seats in games 1 to 4: the caller has the first and the last place.
        let seats = |take_turns| {
            (1..=4).map(move |number| {
                let opponents = opponents(take_turns);
                [0, 1, 2].map(|seat| opponents.at(seat, 3, number).is_some())
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
