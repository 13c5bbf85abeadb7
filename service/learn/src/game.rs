//! The interface of a game in memory, independent of its ruleset: an **environment** in the terms of reinforcement
//! learning.

use std::sync::Arc;

use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::table::Seed;
use gamekeeper_rules::table::picture::Size;

use crate::rewards::Standing;
use crate::row_buffer::RowBuffer;
use crate::settings::{Fault, Settings};
use crate::space::Space;

/// A bot, which chooses actions for a seat.
#[derive(Clone, Copy, Debug)]
pub struct Bot {
    /// The policy.
    pub policy: Policy,
    /// The number of playouts of `search`. Is `None` for the ruleset's own default.
    pub playouts: Option<u32>,
    /// The seed of its own luck.
    pub seed: Seed,
}

/// The findings of `search` about an action. Values are about ten for each victory point.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionRating {
    /// All words of the action.
    pub words: Vec<u16>,
    /// The number of playouts of the action; 1 if the ruleset looks ahead by itself, 0 if it was not compared.
    pub count: u32,
    /// The mean lead of the seat after these playouts; 0 without any.
    pub value: f64,
    /// The mean difference from the favorite of `search` in the same worlds with the same luck. 0 for the favorite.
    pub lead: f64,
    /// The standard error of this difference, if the actions were equally good: the one by which `search` judges.
    pub error: f64,
}

/// The observer of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observer {
    /// A seat, from 0, with the facts that it knows.
    Seat(usize),
    /// Anybody, with the public facts.
    Public,
    /// An observer of the whole table, hidden things included: for training only.
    Omniscient,
}

/// The effect of a word that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordResult {
    /// The word became a part of an action that is not complete.
    Partial,
    /// The action is played.
    Played,
    /// The action is complete, and waits for the luck that it draws.
    AwaitsChance,
}

/// A game in which the seat to move says its action word by word. Seats count from 0.
///
/// A seat with a single legal action has no choice: the game plays the action.
pub trait Game: Send + Sync {
    /// Returns the space, which gives observations and words their meaning.
    fn space(&self) -> &Arc<Space>;

    /// Returns the settings.
    fn settings(&self) -> &Arc<Settings>;

    /// Begins a game anew, with all its luck from this seed. Games are numbered from 1; the number says on which of the
    /// described tables the game begins, if there are several.
    ///
    /// # Errors
    /// Fails if luck deals something that contradicts what a described table gives; the game is then unchanged.
    fn begin(&mut self, seed: &Seed, number: u64) -> Result<(), Fault>;

    /// Returns the seat to move, or `None` if the game is over or has not begun.
    fn seat(&self) -> Option<usize>;

    /// Returns the words that the seat to move can say, in order: the **action mask**.
    fn legal_words(&self) -> &[u16];

    /// Returns the words of the current action so far, forced words included.
    fn prefix(&self) -> &[u16];

    /// Says a word of the seat to move. Returns true if the action was played.
    ///
    /// # Errors
    /// Fails if the word cannot be said now; the game is then unchanged.
    fn push(&mut self, word: i64) -> Result<bool, Fault>;

    /// Says a word of the seat to move, without playing an action that draws luck: it waits until [`draw`](Self::draw)
    /// provides the luck (a **chance node**).
    ///
    /// # Errors
    /// Fails if the word cannot be said now; the game is then unchanged.
    fn push_without_chance(&mut self, word: i64) -> Result<WordResult, Fault>;

    /// Returns whether a chosen action waits for luck.
    fn awaits_chance(&self) -> bool;

    /// Plays the waiting action. All luck from now on follows from this seed.
    ///
    /// # Errors
    /// Fails if no action waits; the game is then unchanged.
    fn draw(&mut self, seed: &Seed) -> Result<(), Fault>;

    /// Writes the current observation. Seats are counted from the observing seat; the public counts them from
    /// `turned_to`.
    fn observe(&self, observer: Observer, turned_to: usize, buffer: &mut RowBuffer);

    /// Returns the encoded view.
    fn view(&self, observer: Observer) -> Vec<u8>;

    /// Returns the encoded events that the seat has seen since its last decision.
    fn events(&self, seat: usize) -> Vec<Vec<u8>>;

    /// Returns the encoded legal actions of the seat to move.
    fn actions(&self) -> Vec<Vec<u8>>;

    /// Returns a digest of everything that the seat has seen and said, and of its current observation: the
    /// **information state**. 0 without [`recall`](Settings::recall).
    fn memory_digest(&self, seat: usize) -> u128;

    /// Returns the results, or `None` if the rules have not ended the game.
    fn standings(&self) -> Option<Vec<Standing>>;

    /// Returns the number of entries: set-up and actions.
    fn version(&self) -> u64;

    /// Draws the board as a seat sees it, for lines of this many columns.
    fn board(&self, seat: usize, columns: usize, colored: bool) -> String;

    /// Draws the table as a seat sees it, as SVG in light colors.
    fn picture(&self, seat: usize, size: Size) -> String;

    /// Returns all words of the action that a bot would choose for the seat to move.
    fn choose(&self, bot: &Bot) -> Vec<u16>;

    /// Rates the actions that `search` compares for the seat to move, best first: the first one is what `search` chooses
    /// with the same seed. The number of playouts is the ruleset's own if it is `None`.
    fn rate(&self, playouts: Option<u32>, seed: &Seed) -> Vec<ActionRating>;

    /// Samples a world that the seat may be in (a **determinization**): it looks the same to the seat, and everything
    /// that the seat cannot know is drawn anew, future luck included.
    fn sample_world(&self, seat: usize, seed: &Seed) -> Box<dyn Game>;

    /// Returns a copy of the game.
    fn copy(&self) -> Box<dyn Game>;

    /// Returns the game as bytes that only the same build can read.
    ///
    /// # Errors
    /// Fails if the game has not begun.
    fn snapshot(&self) -> Result<Vec<u8>, Fault>;
}

/// Says all words of the action that a bot chooses for the seat to move.
pub fn play_bot(game: &mut dyn Game, bot: &Bot) {
    let words = game.choose(bot);
    while let Some(&word) = words.get(game.prefix().len()) {
        // Bots choose legal actions, so this cannot fail; if it did, the loop must end.
        if !matches!(game.push(word.into()), Ok(false)) {
            return;
        }
    }
}
