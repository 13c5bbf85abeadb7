//! Games as arrays of numbers, for **reinforcement learning**.
//!
//! * [`Space`]: the meaning of the numbers of an observation and of the words of an action, for a ruleset and a number
//!   of seats. Both follow from the contract's descriptors and from the names in the catalogue; no ruleset has code
//!   here.
//! * [`Game`]: a game in memory, in which the seat to move says its action word by word. It writes observations and
//!   masks into the caller's arrays.
//! * [`Space::seen`], [`Space::say`] and [`Speech`]: observations and words for games that are stored elsewhere.
//! * [`Vector`]: many games side by side (a **vectorized environment**), each with rows of the caller's arrays.
//!
//! [`game_of`] creates a game of a ruleset that is given by name.

mod any;
mod bytes;
mod cells;
mod count;
mod game;
mod keys;
mod layout;
mod opponents;
mod played;
mod rewards;
mod seen;
mod settings;
mod space;
mod speech;
mod table;
#[cfg(test)]
mod tests;
mod texts;
mod vector;
mod vocabulary;
mod words;

pub use any::{game_of, policies_of, policy_of, restored, rulesets, space_of};
pub use cells::{Cell, Page, Row};
pub use game::{Bot, Game, Offered, Who, play_bot};
pub use opponents::Opponents;
pub use rewards::{Reward, Standing};
pub use settings::{Fault, Settings};
pub use space::Space;
pub use speech::Speech;
pub use vector::{Ended, Rows, Vector};
