//! Many games side by side (a **vectorized environment**), each with rows of the caller's arrays.

mod chunk;
mod rows;
mod slot;

use std::sync::Arc;

use gamekeeper_rules::table::Seed;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use rayon::{ThreadPool, ThreadPoolBuilder};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use self::chunk::{Chunk, Worker};
pub use self::rows::{BatchRows, Ended};
use self::slot::{Slot, SlotRows};
use crate::dispatch::game_of;
use crate::game::Game;
use crate::opponents::Opponents;
use crate::row_buffer::{DirtyCells, Element};
use crate::seeds::seed_of;
use crate::settings::{Fault, Settings};
use crate::space::Space;

/// The number of games in a row that may end before the caller has any decision to make; the vector then gives up.
const MAX_EMPTY_GAMES: usize = 1_000;

/// Games of one ruleset, each waiting for a decision of a seat.
pub struct Vector {
    space: Arc<Space>,
    slots: Vec<Slot>,
    /// One for each thread.
    workers: Vec<Worker>,
    /// The worker threads. Is `None` if the caller's thread does all work.
    threads: Option<ThreadPool>,
    opponents: Opponents,
    seed: Seed,
}

impl Vector {
    /// Creates games that are played side by side, on this many threads.
    ///
    /// # Errors
    /// Fails if the rules refuse the options, if no game can begin on a described table, if there are more opponents than
    /// seats, or if the threads cannot be started.
    pub fn new(
        space: &Arc<Space>,
        settings: &Arc<Settings>,
        (games, threads): (usize, usize),
        opponents: &Opponents,
        seed: &Seed,
    ) -> Result<Self, Fault> {
        if opponents.by_seat.len() > space.seats() {
            return Err(Fault::Opponents {
                opponents: opponents.by_seat.len(),
                seats: space.seats(),
            });
        }
        // All games share what is made once: options, and described tables.
        let game = game_of(space, settings)?;
        let slots = (0..games).map(|_| Slot::new(game.copy()));
        let threads = threads.clamp(1, games.max(1));
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(pool).transpose();
        Ok(Self {
            space: Arc::clone(space),
            slots: slots.collect(),
            workers: vec![Worker::new(space); threads],
            threads: pool.map_err(|error| Fault::Threads(error.to_string()))?,
            opponents: opponents.clone(),
            seed: *seed,
        })
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether the vector is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns whether other threads than the caller's do the work. A forked process has none of them.
    #[must_use]
    pub fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    /// Returns the game in a slot.
    #[must_use]
    pub fn game(&self, slot: usize) -> Option<&dyn Game> {
        self.slots.get(slot).map(|slot| &*slot.game)
    }

    /// Returns the last game that ended in a slot.
    #[must_use]
    pub fn last(&self, slot: usize) -> Option<&dyn Game> {
        self.slots.get(slot)?.last.as_deref()
    }

    /// Returns the number of the game in a slot among all games begun, from 1.
    #[must_use]
    pub fn number(&self, slot: usize) -> u64 {
        self.slots.get(slot).map_or(0, |slot| slot.number)
    }

    /// Draws, for each game, one of the words that can be said, each equally likely: the same luck gives the same
    /// words.
    pub fn sample(&self, luck: u64) -> impl Iterator<Item = i64> {
        (0_u64..).zip(&self.slots).map(move |(number, slot)| {
            let drawn = xxh3_64_with_seed(&number.to_le_bytes(), luck);
            let index = (u128::from(drawn) * slot.allowed.len() as u128) >> 64;
            let index = usize::try_from(index).unwrap_or(0);
            slot.allowed.get(index).map_or(-1, |word| i64::from(*word))
        })
    }

    /// Begins all games, with the luck of this seed if one is given, and overwrites all rows.
    ///
    /// # Errors
    /// Fails if an array has the wrong size, if games end before the caller has any decision to make, or if luck deals
    /// something that contradicts a described table.
    pub fn begin<C: Element>(
        &mut self,
        seed: Option<&Seed>,
        rows: BatchRows<'_, C>,
    ) -> Result<(), Fault> {
        self.check_sizes(&rows)?;
        if let Some(seed) = seed {
            self.seed = *seed;
            for slot in &mut self.slots {
                slot.begun = 0;
            }
        }
        rows.observations.fill(C::default());
        rows.masks.fill(0);
        for slot in &mut self.slots {
            slot.dirty = DirtyCells::default();
            slot.allowed.clear();
            slot.ended = None;
            slot.number = 0;
        }
        self.begin_next(rows)
    }

    /// Says one word in each game, for its seat to move. Returns the games that ended, in the order of their slots.
    ///
    /// # Errors
    /// Fails if a word cannot be said or an array has the wrong size; nothing has changed then. Also fails if the next
    /// games end before the caller has any decision to make, or cannot begin on a described table; all games must then
    /// begin again.
    pub fn step<C: Element>(
        &mut self,
        words: &[i64],
        rows: BatchRows<'_, C>,
    ) -> Result<Vec<Ended>, Fault> {
        self.check_sizes(&rows)?;
        if words.len() != self.len() {
            return Err(Fault::Size {
                array: "words",
                size: words.len(),
                expected: self.len(),
            });
        }
        if self.slots.iter().any(|slot| slot.number == 0) {
            return Err(Fault::NotBegun);
        }
        for (index, (slot, &word)) in self.slots.iter().zip(words).enumerate() {
            let can_be_said =
                u16::try_from(word).is_ok_and(|word| slot.allowed.binary_search(&word).is_ok());
            if !can_be_said {
                let game = Some(index);
                return Err(Fault::Illegal { word, game });
            }
        }
        let mut rows = rows;
        self.for_each_slot(&mut rows, &|number, slot_rows| {
            let word = words.get(number).copied().unwrap_or(-1);
            slot_rows.push(word);
        })?;
        self.take_ended(rows)
    }

    /// Puts a copy of a game into a slot, in place of the one that is played there; it keeps its own settings. Bots play
    /// on until the caller must decide. Returns the games that ended, as [`step`](Self::step) does.
    ///
    /// # Errors
    /// Fails if there is no such slot, if the game belongs to another space or has nobody who must decide, if an array
    /// has the wrong size or the games have not begun; nothing has changed then. Also fails as [`step`](Self::step) does
    /// if the next games end before the caller has any decision to make.
    pub fn put<C: Element>(
        &mut self,
        slot: usize,
        game: &dyn Game,
        mut rows: BatchRows<'_, C>,
    ) -> Result<Vec<Ended>, Fault> {
        self.check_sizes(&rows)?;
        game.space().check_same(&self.space)?;
        if game.legal_words().is_empty() {
            return Err(Fault::NobodyMoves(slot));
        }
        let place = self.slots.get_mut(slot).ok_or(Fault::NoGame(slot))?;
        if place.number == 0 {
            return Err(Fault::NotBegun);
        }
        place.put(game.copy());
        self.for_each_slot(&mut rows, &|number, slot_rows| {
            if number == slot {
                slot_rows.run_bots();
            }
        })?;
        self.take_ended(rows)
    }

    /// Takes the games that ended, and begins the next ones.
    fn take_ended<C: Element>(&mut self, rows: BatchRows<'_, C>) -> Result<Vec<Ended>, Fault> {
        let slots = self.slots.iter_mut().enumerate();
        let ended = slots.filter_map(|(slot, slot_state)| {
            let ended = slot_state.ended.take()?;
            Some(Ended { slot, ..ended })
        });
        let ended: Vec<Ended> = ended.collect();
        if !ended.is_empty() {
            self.begin_next(rows)?;
        }
        Ok(ended)
    }

    /// Begins the next game in every slot without one. A game that ends without a decision of the caller is followed
    /// by the next one.
    fn begin_next<C: Element>(&mut self, mut rows: BatchRows<'_, C>) -> Result<(), Fault> {
        let games = self.slots.len() as u64;
        for _ in 0..MAX_EMPTY_GAMES {
            let slots = (0..).zip(&mut self.slots);
            for (index, slot) in slots.filter(|(_, slot)| slot.number == 0) {
                slot.number = slot.begun * games + index + 1;
                slot.turn = slot.begun + index;
                slot.begun += 1;
                slot.seed = seed_of(&self.seed, slot.number);
                slot.is_new = true;
            }
            self.for_each_slot(&mut rows, &|_, slot_rows| {
                if std::mem::take(&mut slot_rows.slot.is_new) {
                    slot_rows.begin_game();
                }
            })?;
            let empty_games = self.slots.iter_mut().filter(|slot| slot.number == 0);
            if empty_games.map(|slot| slot.ended = None).count() == 0 {
                return Ok(());
            }
        }
        Err(Fault::NothingToDecide)
    }

    /// Runs some work for each game, on all threads, and lets learned opponents play.
    ///
    /// # Errors
    /// Fails if a game could not begin or go on.
    fn for_each_slot<C: Element>(
        &mut self,
        rows: &mut BatchRows<'_, C>,
        job: &(impl Fn(usize, &mut SlotRows<'_, C>) + Sync),
    ) -> Result<(), Fault> {
        let (size, words) = (self.space.cells().len(), self.space.words().len());
        let (sizes, opponents) = ((size, words), &self.opponents);
        let chunk_len = self.slots.len().div_ceil(self.workers.len()).max(1);
        if let Some(threads) = &self.threads {
            let slots = self.slots.par_chunks_mut(chunk_len);
            let observations = rows.observations.par_chunks_mut(chunk_len * size);
            let masks = rows.masks.par_chunks_mut(chunk_len * words);
            let seats = rows.seats.par_chunks_mut(chunk_len);
            let rows = observations.zip(masks).zip(seats);
            let rows = rows.map(|((observations, masks), seats)| BatchRows {
                observations,
                masks,
                seats,
            });
            let chunks = slots.zip(rows).zip(self.workers.par_iter_mut());
            let run = |(index, ((slots, rows), worker))| {
                let first = index * chunk_len;
                Chunk {
                    slots,
                    rows,
                    sizes,
                    worker,
                    opponents,
                }
                .run(first, job);
            };
            threads.install(|| chunks.enumerate().for_each(run));
        } else if let Some(worker) = self.workers.first_mut() {
            let (slots, rows) = (&mut *self.slots, rows.reborrow());
            Chunk {
                slots,
                rows,
                sizes,
                worker,
                opponents,
            }
            .run(0, job);
        }
        let faults = self.slots.iter_mut().filter_map(|slot| slot.fault.take());
        faults.reduce(|first, _| first).map_or(Ok(()), Err)
    }

    fn check_sizes<C>(&self, rows: &BatchRows<'_, C>) -> Result<(), Fault> {
        let games = self.slots.len();
        let sizes = [
            (
                "observations",
                rows.observations.len(),
                games * self.space.cells().len(),
            ),
            ("masks", rows.masks.len(), games * self.space.words().len()),
            ("seats", rows.seats.len(), games),
        ];
        match sizes
            .into_iter()
            .find(|(_, size, expected)| size != expected)
        {
            Some((array, size, expected)) => Err(Fault::Size {
                array,
                size,
                expected,
            }),
            None => Ok(()),
        }
    }
}
