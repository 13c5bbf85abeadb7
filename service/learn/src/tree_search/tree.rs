//! The tree of one game.

use std::collections::HashMap;

use gamekeeper_rules::table::{MAX_SEATS, Seed};
use xxhash_rust::xxh3::xxh3_128;

use super::node::{Node, Values, WordRating, add_noise, priors_of, values_of};
use super::{TreeSettings, rounded};
use crate::game::{Game, Observer};
use crate::rewards::Reward;
use crate::row_buffer::{RowBuffer, SparseRow};
use crate::seeds::seed_of;
use crate::settings::Fault;

/// The maximum number of words of a simulation. A longer one ends with what the evaluator said of the last position.
const MAX_DEPTH: usize = 1_000;

/// A position that waits for the evaluator.
pub(super) struct Leaf {
    digest: u128,
    pub(super) seat: usize,
    pub(super) cells: SparseRow,
    pub(super) words: Vec<u16>,
}

/// A tree, whose root is the position of a game.
pub(super) struct Tree<'a> {
    game: &'a dyn Game,
    seed: Seed,
    settings: TreeSettings,
    /// The root comes first.
    nodes: Vec<Node>,
    /// The nodes by the digests of what their seats know.
    places: HashMap<u128, usize>,
    /// The number of simulations that have begun.
    begun: u32,
    /// The nodes and words of the simulation that is under way.
    path: Vec<(usize, usize)>,
    leaf: Option<Leaf>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(game: &'a dyn Game, seed: Seed, settings: TreeSettings) -> Self {
        Self {
            game,
            seed,
            settings,
            nodes: Vec::new(),
            places: HashMap::new(),
            begun: 0,
            path: Vec::new(),
            leaf: None,
        }
    }

    /// Returns the position that waits for the evaluator.
    pub(super) fn leaf(&self) -> Option<&Leaf> {
        self.leaf.as_ref()
    }

    /// Plays worlds until a position must be evaluated, or until all simulations are done.
    pub(super) fn advance(&mut self, buffer: &mut RowBuffer) {
        if self.nodes.is_empty() && self.leaf.is_none() {
            self.leaf = leaf_of(self.game, buffer);
            return;
        }
        while self.leaf.is_none() && self.begun < self.settings.simulations {
            self.begun += 1;
            self.simulate(buffer);
        }
    }

    /// Plays a world until its end, or until a position that the tree does not have.
    fn simulate(&mut self, buffer: &mut RowBuffer) {
        self.path.clear();
        let seat = self.nodes[0].seat;
        let luck = seed_of(&self.seed, self.begun.into());
        let mut world = self.game.sample_world(seat, &luck);
        let mut place = 0;
        while let Some((edge, word)) = self.nodes[place].most_promising(self.settings.exploration) {
            self.path.push((place, edge));
            // The words of a node are legal wherever its seat knows the same.
            if world.push(word.into()).is_err() {
                break;
            }
            let Some(leaf) = leaf_of(&*world, buffer) else {
                self.back_up(&self.outcome(&*world));
                return;
            };
            match self.places.get(&leaf.digest) {
                Some(&known) => place = known,
                None => {
                    self.leaf = Some(leaf);
                    return;
                }
            }
            if self.path.len() == MAX_DEPTH {
                break;
            }
        }
        let values = self.nodes[place].values;
        self.back_up(&values);
    }

    /// Adds the position that waits, with what the evaluator says of it: a prior for each word, and a value for each
    /// seat, counted from the seat to move.
    ///
    /// # Errors
    /// Fails if a prior of a legal word is no number from 0 on, or a value no number.
    pub(super) fn expand(&mut self, priors: &[f32], values: &[f32]) -> Result<(), Fault> {
        let Some(leaf) = &self.leaf else {
            return Ok(());
        };
        let mut priors = priors_of(priors, &leaf.words)?;
        let values = values_of(values, leaf.seat)?;
        if self.nodes.is_empty() && self.settings.noise > 0.0 {
            add_noise(&mut priors, self.settings.noise, &seed_of(&self.seed, 0));
        }
        self.places.insert(leaf.digest, self.nodes.len());
        self.nodes.push(Node::new(leaf.seat, &priors, values));
        self.leaf = None;
        self.back_up(&values);
        Ok(())
    }

    /// Returns what the tree found out about the words of its root.
    pub(super) fn ratings(&self) -> Vec<WordRating> {
        self.nodes.first().map_or_else(Vec::new, Node::ratings)
    }

    fn back_up(&mut self, values: &Values) {
        for (place, edge) in self.path.drain(..) {
            self.nodes[place].count(edge, values);
        }
    }

    /// Returns the values of a game that is over. A game that was cut off is worth nothing.
    fn outcome(&self, game: &dyn Game) -> Values {
        let mut values = [0.0; MAX_SEATS];
        let standings = game.standings().unwrap_or_default();
        for (seat, value) in values.iter_mut().enumerate().take(standings.len()) {
            let reward = |kind: Reward| f64::from(kind.of(&standings, seat));
            let by_rank = reward(Reward::Rank);
            *value = rounded(match self.settings.margin {
                0 => by_rank,
                margin => {
                    let lead = reward(Reward::Margin);
                    f64::midpoint(by_rank, lead / (lead.abs() + f64::from(margin)))
                }
            });
        }
        values
    }
}

/// Returns the position of a game as its seat to move knows it, or `None` if there is none.
fn leaf_of(game: &dyn Game, buffer: &mut RowBuffer) -> Option<Leaf> {
    let seat = game.seat()?;
    game.observe(Observer::Seat(seat), seat, buffer);
    let cells = buffer.take_cells();
    let words = game.legal_words().to_vec();
    let mut known = vec![u8::try_from(seat).unwrap_or(u8::MAX)];
    for (at, value) in &cells {
        known.extend(at.to_le_bytes());
        known.extend(value.to_le_bytes());
    }
    known.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    Some(Leaf {
        digest: xxh3_128(&known),
        seat,
        cells,
        words,
    })
}
