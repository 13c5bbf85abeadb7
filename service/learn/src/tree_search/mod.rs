//! **Tree search** with an evaluator (PUCT, as in AlphaZero), over sampled worlds and word by word.
//!
//! A [`TreeBatch`] has a tree for each of several games. [`advance`](TreeBatch::advance) lets every tree play worlds
//! until it meets a position that it does not know (a **leaf**); the caller rates all leaves at once, with priors of
//! words and values of seats, and [`expand`](TreeBatch::expand) puts the answers into the trees. What the evaluator
//! gives is rounded at this border, and all sums from there on are exact: the same answers give the same ratings on
//! every machine.

mod batch;
mod node;
mod tree;

pub use batch::{LeafRows, TreeBatch, TreeWorkers};
pub use node::WordRating;

/// The settings of a tree search.
#[derive(Clone, Copy, Debug)]
pub struct TreeSettings {
    /// The number of worlds that each tree plays.
    pub simulations: u32,
    /// The weight of priors against values: higher numbers try more words.
    pub exploration: f64,
    /// The share of the priors of the root that is drawn at random, from 0 to 1: all splits are equally likely.
    pub noise: f64,
    /// The lead in points that is worth half of the most that a lead is worth. Half of the value of a finished game is
    /// the reward by rank and half is the lead; 0 if all of it is the reward.
    pub margin: u32,
}

/// The steps to which priors and values are rounded: sums of their squares are exact in 64 bits for a million
/// simulations.
const STEPS: f64 = 65_536.0;

/// Rounds a number.
fn rounded(value: f64) -> f64 {
    (value * STEPS).round() / STEPS
}
