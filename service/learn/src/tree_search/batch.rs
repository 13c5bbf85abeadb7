//! The trees of many games, whose leaves are evaluated together.

use gamekeeper_rules::table::Seed;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::TreeSettings;
use super::node::WordRating;
use super::tree::Tree;
use crate::game::Game;
use crate::row_buffer::{DirtyCells, Element, RowBuffer};
use crate::settings::Fault;
use crate::space::Space;

/// The threads that search, and a page for each.
pub struct TreeWorkers {
    buffers: Vec<RowBuffer>,
    /// The worker threads. Is `None` if the caller's thread does all work.
    threads: Option<ThreadPool>,
}

impl TreeWorkers {
    /// Starts threads for the trees of a space.
    ///
    /// # Errors
    /// Fails if they cannot be started.
    pub fn new(space: &Space, threads: usize) -> Result<Self, Fault> {
        let threads = threads.max(1);
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(pool).transpose();
        Ok(Self {
            buffers: vec![space.row_buffer(); threads],
            threads: pool.map_err(|error| Fault::Threads(error.to_string()))?,
        })
    }

    /// Returns whether other threads than the caller's do the work. A forked process has none of them.
    #[must_use]
    pub fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    fn advance(&mut self, trees: &mut [Tree<'_>]) {
        let advance = |(trees, buffer): (&mut [Tree<'_>], &mut RowBuffer)| {
            for tree in trees {
                tree.advance(buffer);
            }
        };
        let chunk_len = trees.len().div_ceil(self.buffers.len()).max(1);
        match &self.threads {
            None => trees
                .chunks_mut(chunk_len)
                .zip(&mut self.buffers)
                .for_each(advance),
            Some(threads) => {
                let chunks = trees.par_chunks_mut(chunk_len);
                let chunks = chunks.zip(self.buffers.par_iter_mut());
                threads.install(|| chunks.for_each(advance));
            }
        }
    }
}

/// The arrays for leaves, with a row for each tree, of which the first are used. They begin as zeros, and are passed
/// unchanged to each later call.
pub struct LeafRows<'a, C> {
    /// The observations of the seats to move.
    pub observations: &'a mut [C],
    /// The action masks: 1 for each word that the seat to move can say.
    pub masks: &'a mut [i8],
    /// The seats to move, from 0.
    pub seats: &'a mut [i64],
}

/// The content of a row that is other than 0.
#[derive(Default)]
struct RowContent {
    dirty: DirtyCells,
    allowed: Vec<u16>,
}

/// A tree for each of several games.
pub struct TreeBatch<'a> {
    trees: Vec<Tree<'a>>,
    rows: Vec<RowContent>,
    /// The numbers of cells, words and seats.
    sizes: (usize, usize, usize),
}

impl<'a> TreeBatch<'a> {
    /// Plants a tree for each game, each with luck of its own.
    ///
    /// # Errors
    /// Fails if a game belongs to another space, or has nobody who must decide.
    pub fn new(
        space: &Space,
        games: impl IntoIterator<Item = (&'a dyn Game, Seed)>,
        settings: TreeSettings,
    ) -> Result<Self, Fault> {
        let mut trees = Vec::new();
        for (index, (game, seed)) in games.into_iter().enumerate() {
            game.space().check_same(space)?;
            if game.legal_words().is_empty() {
                return Err(Fault::NobodyMoves(index));
            }
            trees.push(Tree::new(game, seed, settings));
        }
        Ok(Self {
            rows: trees.iter().map(|_| RowContent::default()).collect(),
            trees,
            sizes: (space.cells().len(), space.words().len(), space.seats()),
        })
    }

    /// Lets all trees play worlds until each has a leaf or is done. Returns the number of leaves; 0 if all trees are
    /// done.
    pub fn advance(&mut self, workers: &mut TreeWorkers) -> usize {
        workers.advance(&mut self.trees);
        let leaves = self.trees.iter().filter(|tree| tree.leaf().is_some());
        leaves.count()
    }

    /// Writes the leaves into the first rows.
    pub fn write_leaves<C: Element>(&mut self, rows: LeafRows<'_, C>) {
        let (cells, words, _) = self.sizes;
        let arrays = rows
            .observations
            .chunks_exact_mut(cells)
            .zip(rows.masks.chunks_exact_mut(words))
            .zip(rows.seats);
        let leaves = self.trees.iter().filter_map(Tree::leaf);
        for ((leaf, row), ((cells, mask), seat)) in leaves.zip(&mut self.rows).zip(arrays) {
            row.dirty.replace(cells, &leaf.cells);
            for word in row.allowed.drain(..) {
                mask[usize::from(word)] = 0;
            }
            for &word in &leaf.words {
                mask[usize::from(word)] = 1;
            }
            row.allowed.extend(&leaf.words);
            *seat = i64::try_from(leaf.seat).unwrap_or(0);
        }
    }

    /// Gives the trees what an evaluator says of the leaves, in rows as they were written: a prior for each word, and
    /// a value for each seat, counted from the seat to move.
    ///
    /// # Errors
    /// Fails if there are more or fewer numbers, if a prior of a legal word is no number from 0 on, or a value no
    /// number.
    pub fn expand(&mut self, priors: &[f32], values: &[f32]) -> Result<(), Fault> {
        let (_, words, seats) = self.sizes;
        let leaves = self.trees.iter().filter(|tree| tree.leaf().is_some());
        let leaves = leaves.count();
        for (array, size, expected) in [
            ("priors", priors.len(), leaves * words),
            ("values", values.len(), leaves * seats),
        ] {
            if size != expected {
                return Err(Fault::Size {
                    array,
                    size,
                    expected,
                });
            }
        }
        let answers = priors.chunks_exact(words).zip(values.chunks_exact(seats));
        let waiting = self.trees.iter_mut().filter(|tree| tree.leaf().is_some());
        for (tree, (priors, values)) in waiting.zip(answers) {
            tree.expand(priors, values)?;
        }
        Ok(())
    }

    /// Returns, for each game, what its tree found out about the words that can be said, in order.
    #[must_use]
    pub fn ratings(&self) -> Vec<Vec<WordRating>> {
        self.trees.iter().map(Tree::ratings).collect()
    }
}
