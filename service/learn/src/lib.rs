//! Games as arrays of numbers, for **reinforcement learning**.
//!
//! * [`Space`]: the meaning of the numbers of an observation and of the words of an action, for a ruleset and a number
//!   of seats. Both follow from the contract's descriptors and from the names in the catalogue; no ruleset has code
//!   here.
//! * [`Game`]: a game in memory, in which the seat to move says its action word by word. It writes observations and
//!   masks into the caller's arrays.
//! * [`Space::observe`], [`EventCounts`], [`Space::push_words`] and [`ActionDecoder`]: observations and words for games that are stored elsewhere.
//! * [`Vector`]: many games side by side (a **vectorized environment**), each with rows of the caller's arrays.
//! * [`TreeBatch`]: **tree search** with an evaluator, for many games at once.
//!
//! [`game_of`] creates a game of a ruleset that is given by name.

mod action_decoder;
mod bytes;
mod count;
mod dispatch;
mod event_counts;
mod game;
mod key_index;
mod observation_schema;
mod observe;
mod opponents;
mod rewards;
mod row_buffer;
mod ruleset_game;
mod seeds;
mod settings;
mod space;
mod table;
#[cfg(test)]
mod tests;
mod text_index;
mod tree_search;
mod vector;
mod vocabulary;
mod words;

pub use action_decoder::ActionDecoder;
pub use dispatch::{game_from_snapshot, game_of, policies_of, policy_of, rulesets, space_of};
pub use event_counts::{EventCounts, has_choice};
pub use game::{ActionRating, Bot, Game, Observer, WordResult, play_bot};
pub use opponents::{Opponent, Opponents, WordChoice, WordPolicy, choose_learned, play_learned};
pub use rewards::{Reward, Standing};
pub use row_buffer::{DirtyCells, Element, RowBuffer};
pub use settings::{Fault, MAX_ACTIONS, Settings};
pub use space::Space;
pub use tree_search::{LeafRows, TreeBatch, TreeSettings, TreeWorkers, WordRating};
pub use vector::{BatchRows, Ended, Vector};
