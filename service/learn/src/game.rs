//! A game in memory, whatever its ruleset.

use std::sync::Arc;

use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::table::Seed;

use crate::cells::Page;
use crate::rewards::Standing;
use crate::settings::{Fault, Settings};
use crate::space::Space;

/// How a program chooses for a seat.
#[derive(Clone, Copy, Debug)]
pub struct Bot {
    /// The policy.
    pub policy: Policy,
    /// The number of playouts of `search`; `None`: as many as the ruleset needs.
    pub playouts: Option<u32>,
    /// The seed of its own luck.
    pub seed: Seed,
}

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A seat, from 0: what it knows.
    Seat(usize),
    /// Anybody: what is public.
    Everybody,
    /// Whoever sees the whole table, hidden things included: for training only.
    Everything,
}

/// What became of a word that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// It is a part of an action.
    Said,
    /// The action is played.
    Played,
    /// The action is chosen, and waits for the luck that it draws.
    Waits,
}

/// A game in which the seat to move says its action word by word. Seats count from 0 here.
///
/// A seat with a single legal action has nothing to decide: the game plays it.
pub trait Game: Send + Sync {
    /// What its observations and words mean.
    fn space(&self) -> &Arc<Space>;

    /// How it is played.
    fn settings(&self) -> &Arc<Settings>;

    /// Begins a game anew, with all its luck from this seed.
    fn begin(&mut self, seed: &Seed);

    /// The seat to move. `None`: the game is over, or has not begun.
    fn seat(&self) -> Option<usize>;

    /// The words that it can say, in order.
    fn words(&self) -> &[u16];

    /// What it has said of its action, with the words that went without saying.
    fn said(&self) -> &[u16];

    /// Says a word of the seat to move. True: the action is played.
    ///
    /// # Errors
    /// When the word cannot be said now; nothing has changed then.
    fn say(&mut self, word: i64) -> Result<bool, Fault>;

    /// Says a word of the seat to move. An action that draws luck is not played yet: it waits until [`draw`](Self::draw)
    /// says what the luck is.
    ///
    /// # Errors
    /// When the word cannot be said now; nothing has changed then.
    fn offer(&mut self, word: i64) -> Result<Offered, Fault>;

    /// Does an action that is chosen wait for luck?
    fn waits(&self) -> bool;

    /// Plays the action that waits. All luck from now on follows from this seed.
    ///
    /// # Errors
    /// When no action waits; nothing has changed then.
    fn draw(&mut self, seed: &Seed) -> Result<(), Fault>;

    /// Writes what somebody knows now. Seats are counted from the one that looks; the public looks from `turned_to`.
    fn observe(&self, who: Who, turned_to: usize, page: &mut Page);

    /// The encoded view.
    fn view(&self, who: Who) -> Vec<u8>;

    /// The encoded events that the seat has seen since its last decision.
    fn events(&self, seat: usize) -> Vec<Vec<u8>>;

    /// The encoded actions among which the seat to move chooses.
    fn actions(&self) -> Vec<Vec<u8>>;

    /// A digest of all that the seat has seen and said, and of what it sees now. 0 without
    /// [`recall`](Settings::recall).
    fn memory(&self, seat: usize) -> u128;

    /// How the rules ended the game. `None`: they did not.
    fn standings(&self) -> Option<Vec<Standing>>;

    /// The number of its entries: set-up and actions.
    fn version(&self) -> u64;

    /// The board as a seat sees it, drawn for lines of this many columns.
    fn board(&self, seat: usize, columns: usize, colored: bool) -> String;

    /// The table as a seat sees it, drawn as SVG in light colors: 1200 wide, 800 high, or for a phone 390 wide.
    fn picture(&self, seat: usize, narrow: bool) -> String;

    /// All words of the action that a bot would choose for the seat to move.
    fn choose(&self, bot: &Bot) -> Vec<u16>;

    /// A world that the seat may be in: the same to the seat, with everything drawn anew that it cannot know, the luck
    /// to come included.
    fn world(&self, seat: usize, seed: &Seed) -> Box<dyn Game>;

    /// The same game once more.
    fn copy(&self) -> Box<dyn Game>;

    /// The game as bytes that only the same build reads.
    ///
    /// # Errors
    /// When it has not begun.
    fn snapshot(&self) -> Result<Vec<u8>, Fault>;
}

/// Says all words of the action that a bot chooses for the seat to move.
pub fn play_bot(game: &mut dyn Game, bot: &Bot) {
    let sentence = game.choose(bot);
    while let Some(&word) = sentence.get(game.said().len()) {
        // What a bot chooses is legal; anything else leaves the game where it is.
        if !matches!(game.say(word.into()), Ok(false)) {
            return;
        }
    }
}
