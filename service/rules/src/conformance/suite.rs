//! The **test suite** that every ruleset has in the same form, so that no ruleset has a file for it.

use super::recorded::{
    assert_drawn_as_recorded, assert_looks_as_recorded, assert_refuses_as_recorded,
    assert_tells_as_recorded, assert_touches_as_recorded, assert_weighed_as_recorded,
};
use super::{
    Audit, drawings_are_whole, drawings_can_be_read, positions_are_complete, starts_are_legal,
};
use crate::bots::Heuristics;

/// The seed of the game whose drawings are recorded.
const DRAWN_SEED: u64 = 3;

/// The interval of the tables whose looks are recorded, in actions.
const LOOKS_EVERY: usize = 50;

/// The interval of the tables whose drawings are read, in actions.
const READ_EVERY: usize = 17;

/// The widths of letters in relation to Helvetica's, in percent, for which drawings are read besides.
const WIDE_LETTERS: [u32; 2] = [110, 125];

/// The number of games from each kind of start that are checked.
const STARTS: u64 = 8;

/// The games that the tests of [`suite!`](crate::suite) play: some are quick, others long.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// The interval of the tables whose drawings are compared with what actions and events touch, in actions.
    pub drawn_every: usize,
    /// The table whose drawings are recorded: its number of seats, and the number of actions before it.
    pub drawn: (usize, usize),
    /// The number of seats of the game whose sentences are recorded, and its seed.
    pub story: (usize, u64),
    /// The seed of the games in which looks, touched components, refusals and estimates of bots are recorded.
    pub seed: u64,
    /// The interval of the tables whose refusals are recorded, in actions.
    pub refused_every: usize,
    /// The interval of the tables that bots weigh, in actions.
    pub weighed_every: usize,
}

impl Suite {
    /// Compares the components of drawings with those that actions and events touch.
    pub fn drawings_are_whole<R: Audit>(&self) {
        for seats in R::INFO.seats() {
            drawings_are_whole::<R>(seats, 1, self.drawn_every).unwrap();
        }
    }

    /// Looks for texts of drawings that overlap or are cut off.
    pub fn drawings_can_be_read<R: Audit>(&self) {
        drawings_can_be_read::<R>(R::INFO.seats(), 1..=4, READ_EVERY, 100).unwrap();
    }

    /// Looks for such texts in drawings for fonts that are wider than Helvetica.
    pub fn drawings_can_be_read_in_wide_letters<R: Audit>(&self) {
        for stretch in WIDE_LETTERS {
            drawings_can_be_read::<R>(R::INFO.seats(), 1..=1, READ_EVERY, stretch).unwrap();
        }
    }

    /// Compares the drawings of a table with the recorded ones.
    pub fn a_table_is_drawn_as_recorded<R: Audit>(&self) {
        let (seats, actions) = self.drawn;
        assert_drawn_as_recorded::<R>(seats, DRAWN_SEED, actions);
    }

    /// Compares the sentences of a game with the recorded ones.
    pub fn a_game_is_a_story<R: Audit>(&self) {
        let (seats, seed) = self.story;
        assert_tells_as_recorded::<R>(seats, seed);
    }

    /// Compares hashes of what tables look like with the recorded ones.
    pub fn tables_look_as_recorded<R: Audit>(&self) {
        assert_looks_as_recorded::<R>(self.seed, LOOKS_EVERY);
    }

    /// Compares the components that actions and events touch with the recorded ones.
    pub fn actions_and_events_touch_what_they_touched<R: Audit>(&self) {
        assert_touches_as_recorded::<R>(self.seed);
    }

    /// Compares the sentences of refusals with the recorded ones.
    pub fn refusals_say_what_they_said<R: Audit>(&self) {
        assert_refuses_as_recorded::<R>(self.seed, self.refused_every);
    }

    /// Compares what bots think of tables and actions with the recorded estimates.
    pub fn bots_weigh_tables_and_actions_as_recorded<R: Audit + Heuristics>(&self) {
        assert_weighed_as_recorded::<R>(self.seed, self.weighed_every);
    }

    /// Plays games from rich and late starts, whose tables must be legal.
    pub fn every_start_is_legal<R: Audit>(&self) {
        starts_are_legal::<R>(STARTS).unwrap();
    }

    /// Describes every table of some games, and makes it again from its description.
    pub fn every_table_can_be_described<R: Audit>(&self) {
        positions_are_complete::<R>(STARTS).unwrap();
    }
}

/// Defines the tests that every ruleset has in the same form, each of which plays the games of a
/// [`Suite`](crate::conformance::Suite): `suite! { Goofspiel, Suite { … } }`.
#[macro_export]
macro_rules! suite {
    ($Ruleset:ty, $suite:expr $(,)?) => {
        const SUITE: $crate::conformance::Suite = $suite;

        $crate::suite! {
            @tests $Ruleset:
            drawings_are_whole, drawings_can_be_read, drawings_can_be_read_in_wide_letters,
            a_table_is_drawn_as_recorded, a_game_is_a_story, tables_look_as_recorded, actions_and_events_touch_what_they_touched, refusals_say_what_they_said,
            bots_weigh_tables_and_actions_as_recorded, every_start_is_legal, every_table_can_be_described,
        }
    };
    (@tests $Ruleset:ty: $($test:ident,)+) => {
        $(#[test]
        fn $test() {
            SUITE.$test::<$Ruleset>();
        })+
    };
}
