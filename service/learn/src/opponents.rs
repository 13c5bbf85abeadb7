//! Opponents: bots at the seats that the caller of a vector does not play.

use std::fmt::Debug;
use std::sync::Arc;

use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::table::{Chance, Seed};

use crate::game::{Game, Observer};
use crate::row_buffer::DirtyCells;
use crate::settings::Fault;

/// A position in which a learned policy says a word.
pub struct WordChoice<'a> {
    /// The words that can be said, in order.
    pub words: &'a [u16],
    /// The luck of the decision to which the word belongs.
    pub luck: &'a mut Chance,
}

/// A **learned policy**: it sees what a seat knows as numbers, and says words.
pub trait WordPolicy: Debug + Send + Sync {
    /// Chooses a word in each of several positions, whose observations stand one after the other. What is chosen in a
    /// position follows from its observation, its words and its luck, not from the other positions.
    ///
    /// # Errors
    /// Fails if the policy cannot choose.
    fn choose_words(
        &self,
        cells: &[f32],
        choices: &mut [WordChoice<'_>],
    ) -> Result<Vec<u16>, Fault>;
}

/// Says the words of the action that a learned policy chooses for the seat to move, and returns all that were said of it.
/// Returns no words if nobody has anything to decide.
///
/// # Errors
/// Fails if the policy cannot choose; words that were said before stay said.
pub fn play_learned(
    game: &mut dyn Game,
    policy: &dyn WordPolicy,
    seed: &Seed,
) -> Result<Vec<u16>, Fault> {
    let (mut luck, mut buffer) = (Chance::from_seed(seed), game.space().row_buffer());
    let mut cells = vec![0.0; game.space().cells().len()];
    let (mut dirty, mut said) = (DirtyCells::default(), Vec::new());
    while let Some(seat) = game.seat() {
        game.observe(Observer::Seat(seat), seat, &mut buffer);
        buffer.flush_into(&mut cells, &mut dirty);
        let choice = WordChoice {
            words: game.legal_words(),
            luck: &mut luck,
        };
        for word in policy.choose_words(&cells, &mut [choice])? {
            said = game.prefix().to_vec();
            said.push(word);
            if game.push(word.into())? {
                return Ok(said);
            }
        }
    }
    Ok(said)
}

/// Returns all words of the action that a learned policy would choose for the seat to move, and none if nobody has
/// anything to decide.
///
/// # Errors
/// Fails if the policy cannot choose.
pub fn choose_learned(
    game: &dyn Game,
    policy: &dyn WordPolicy,
    seed: &Seed,
) -> Result<Vec<u16>, Fault> {
    let said = play_learned(&mut *game.copy(), policy, seed)?;
    let actions = game.actions().into_iter();
    // What was said is said of one action alone.
    let mut actions = actions.map(|action| game.space().words_of(&action));
    Ok(actions
        .find(|words| words.starts_with(&said))
        .unwrap_or_default())
}

/// A bot at a table of a vector.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// A policy of the ruleset, and its number of playouts or `None` for the ruleset's own default.
    Bot(Policy, Option<u32>),
    /// A learned policy.
    Learned(Arc<dyn WordPolicy>),
}

/// Bots at the tables of a vector.
#[derive(Clone, Debug, Default)]
pub struct Opponents {
    /// The bot of each seat. A seat is played by the caller if its entry is `None` or missing.
    pub by_seat: Vec<Option<Opponent>>,
    /// Whether the players change seats: with each game of a slot every player sits one seat further to the left, and
    /// so in each slot compared with the slot before it.
    pub take_turns: bool,
}

impl Opponents {
    /// Returns the bot at a seat in a game in which the players sit `turn` seats further to the left, if they change
    /// seats. Returns `None` if the caller plays there.
    pub(crate) fn at(&self, seat: usize, seats: usize, turn: u64) -> Option<&Opponent> {
        let all = seats as u64;
        let shift = if self.take_turns { turn % all } else { 0 };
        let index = (seat as u64 + all - shift) % all;
        self.by_seat.get(usize::try_from(index).ok()?)?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_moves_one_seat_to_the_left_in_each_game() {
        let bot = Opponent::Bot(Policy::Random, None);
        let opponents = |take_turns| Opponents {
            by_seat: vec![None, Some(bot.clone())],
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
