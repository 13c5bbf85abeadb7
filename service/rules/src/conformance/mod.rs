//! The suite of **property tests** that every ruleset passes: random games, and after every action the guarantees of
//! [`Ruleset`](crate::ruleset::Ruleset), the ruleset's own invariants, and secrecy.

mod audit;
mod changed_tables;
mod described_table;
mod drawings;
mod event_reader;
mod forced;
mod foresight;
mod forks;
mod golden_bot_scores;
mod golden_components;
mod golden_renderings;
mod golden_text;
mod leaving;
mod legibility;
mod lists;
#[expect(
    clippy::unwrap_used,
    reason = "a test that compares stops at what it does not get"
)]
mod odds;
mod periods;
mod play;
mod playthrough;
mod positions;
mod prices;
mod random_game;
#[expect(
    clippy::unwrap_used,
    reason = "a test that compares stops at what it does not get"
)]
mod recorded;
mod refused;
mod retelling;
mod secrecy;
mod starts;
#[expect(
    clippy::unwrap_used,
    reason = "a test stops at the first guarantee that does not hold"
)]
mod suite;
mod take_backs;
mod test_table;
mod universe;
mod variant;
mod worlds;

// Hidden parts are public for the tests in `src/tests` (tests/circles.py).
pub use audit::Audit;
pub use changed_tables::{below, one_of, pick};
pub use described_table::{DescribedTable, TestDescription, assert_changed_tables_are_judged};
pub use drawings::drawn;
pub use drawings::{drawings_after, drawings_are_whole};
pub use event_reader::{EventReader, Unread};
#[doc(hidden)]
pub use golden_bot_scores::estimates;
#[doc(hidden)]
pub use golden_components::touches;
#[doc(hidden)]
pub use golden_renderings::looks;
pub use golden_text::golden_text;
pub use leaving::{all_end_whoever_leaves, whoever_leaves};
pub use legibility::drawings_can_be_read;
#[doc(hidden)]
pub use odds::chi_square;
pub use odds::{assert_odds, assert_same_worlds, assert_worlds};
pub use play::{Failure, Plan, Tally, play_game, play_games};
pub use playthrough::playthrough;
pub use positions::positions_are_complete;
pub use random_game::random_game;
pub use recorded::{
    assert_drawn_as_recorded, assert_looks_as_recorded, assert_plays_as_recorded,
    assert_refuses_as_recorded, assert_tells_as_recorded, assert_touches_as_recorded,
    assert_weighed_as_recorded,
};
#[doc(hidden)]
pub use refused::refusals;
pub use starts::starts_are_legal;
pub use suite::Suite;
pub use test_table::{TestPlay, TestTable};
pub use universe::universe;
pub use variant::{PatchedRuleset, RulesetPatch};
