//! The **test suite** that every ruleset has in the same form, so that no ruleset has a file for it.

use std::thread;

use super::recorded::{
    assert_drawn_as_recorded, assert_looks_as_recorded, assert_plays_as_recorded,
    assert_refuses_as_recorded, assert_tells_as_recorded, assert_touches_as_recorded,
    assert_weighed_as_recorded,
};
use super::{
    Audit, Plan, all_end_whoever_leaves, drawings_are_whole, drawings_can_be_read, play_games,
    positions_are_complete, starts_are_legal, whoever_leaves,
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

/// The maximum number of actions of a game that players leave, if the rules do not guarantee its end.
const ACTIONS_WITHOUT_END: u64 = 400;

/// The games that the tests of [`suite!`](crate::suite) play: some are quick, others long.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// The random games in which every guarantee is checked after every action.
    pub plan: Plan,
    /// Whether every game ends, however it is played.
    pub ends: bool,
    /// The maximum size of an encoded state, in bytes.
    pub largest_state: usize,
    /// The number of games that each set of seats leaves.
    pub left: u64,
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
    /// Plays random games with every number of seats, side by side.
    pub fn random_games_keep_every_promise<R: Audit>(&self) {
        thread::scope(|scope| {
            for seats in R::INFO.seats() {
                scope.spawn(move || self.play_random_games::<R>(seats));
            }
        });
    }

    fn play_random_games<R: Audit>(&self, seats: usize) {
        let played = play_games::<R>(seats, &self.plan);
        let tally = played
            .map_err(|failure| format!("{seats} seats, {failure}"))
            .unwrap();
        let games = self.plan.games;
        assert_eq!(tally.games, games);
        let ended = (tally.finished, tally.worlds_finished);
        assert!(!self.ends || ended == (games, games), "{tally:?}");
        assert!(tally.closely > 0, "{tally:?}");
        let (largest, allowed) = (tally.largest_state, self.largest_state);
        assert!(
            largest <= allowed,
            "a state has {largest} bytes, `largest_state` of the suite allows {allowed}"
        );
    }

    /// Lets any seats leave at any time: their fallbacks are legal, and the game ends. If the rules do not guarantee its
    /// end, it ends when all but one have left.
    pub fn games_end_whoever_leaves<R: Audit>(&self) {
        if self.ends {
            return all_end_whoever_leaves::<R>(self.left).unwrap();
        }
        for seats in R::INFO.seats() {
            let played = whoever_leaves::<R>(seats, self.left, ACTIONS_WITHOUT_END);
            let (ended, _) = played.unwrap();
            let deserted = u64::try_from(seats + 1).unwrap();
            assert!(
                ended >= self.left * deserted,
                "{seats} seats: only {ended} ended"
            );
        }
    }

    /// Plays a random game, and compares its text with the recorded one of this name.
    #[track_caller]
    pub fn plays_as_recorded<R: Audit>(name: &str, seats: usize, seed: u64) {
        assert_plays_as_recorded::<R>(name, &R::table(seats, seed), seed);
    }

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
        assert!(
            R::INFO.seats().contains(&seats),
            "`story` has {seats} seats"
        );
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
/// [`Suite`](crate::conformance::Suite): `suite! { Goofspiel, Suite { … } }`. Names, numbers of seats and seeds of random
/// games may follow, which are then **golden tests**: a changed rule shows as a changed line.
#[macro_export]
macro_rules! suite {
    ($Ruleset:ty, $suite:expr $(, $game:ident: $seats:literal, $seed:literal)* $(,)?) => {
        const SUITE: $crate::conformance::Suite = $suite;

        $crate::suite! {
            @tests $Ruleset:
            random_games_keep_every_promise, games_end_whoever_leaves, drawings_are_whole,
            drawings_can_be_read, drawings_can_be_read_in_wide_letters, a_table_is_drawn_as_recorded,
            a_game_is_a_story, tables_look_as_recorded,
            actions_and_events_touch_what_they_touched, refusals_say_what_they_said,
            bots_weigh_tables_and_actions_as_recorded, every_start_is_legal, every_table_can_be_described,
        }

        $(#[test]
        fn $game() {
            $crate::conformance::Suite::plays_as_recorded::<$Ruleset>(stringify!($game), $seats, $seed);
        })*
    };
    (@tests $Ruleset:ty: $($test:ident,)+) => {
        $(#[test]
        fn $test() {
            SUITE.$test::<$Ruleset>();
        })+
    };
}
