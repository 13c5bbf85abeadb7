//! Many games side by side (a **vectorized environment**), each with rows of the caller's arrays.

use std::sync::Arc;

use gamekeeper_rules::table::Seed;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::dispatch::game_of;
use crate::game::{Bot, Game, Observer, play_bot};
use crate::opponents::Opponents;
use crate::rewards::Standing;
use crate::row_buffer::{DirtyCells, Element, RowBuffer};
use crate::settings::{Fault, Settings};
use crate::space::Space;

/// The number of games in a row that may end before the caller has any decision to make; the vector then gives up.
const MAX_EMPTY_GAMES: usize = 1_000;

/// Games of one ruleset, each waiting for a decision of a seat.
pub struct Vector {
    space: Arc<Space>,
    slots: Vec<Slot>,
    /// A page for each thread.
    buffers: Vec<RowBuffer>,
    /// The worker threads. Is `None` if the caller's thread does all work.
    threads: Option<ThreadPool>,
    opponents: Opponents,
    seed: Seed,
}

/// The arrays of the caller, with a row for each game. They are written completely when games begin, and must be
/// passed unchanged to each later step, which writes only differences.
pub struct BatchRows<'a, C> {
    /// The observations of the seats to move.
    pub observations: &'a mut [C],
    /// The action masks: 1 for each word that the seat to move can say.
    pub masks: &'a mut [i8],
    /// The seats to move, from 0.
    pub seats: &'a mut [i64],
}

/// A game that ended. The next game has already taken its slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The slot in the vector.
    pub slot: usize,
    /// The results in seat order. Is `None` if the game was cut off.
    pub standings: Option<Vec<Standing>>,
    /// The last version.
    pub version: u64,
}

struct Slot {
    game: Box<dyn Game>,
    /// The number of the game among all games, from 1: game number n is played in slot (n - 1) mod the number of slots,
    /// so that it depends on no other slot. 0 if the next game must still begin.
    number: u64,
    /// The number of games that have begun in this slot.
    begun: u64,
    /// The number of seats by which the players of this game sit further to the left, if they take turns.
    turn: u64,
    is_new: bool,
    seed: Seed,
    /// The number of decisions of bots in this game.
    bot_decisions: u64,
    dirty: DirtyCells,
    /// The words that the mask allows.
    allowed: Vec<u16>,
    ended: Option<Ended>,
    /// The fault that kept the game from beginning.
    fault: Option<Fault>,
    /// The last game that ended in this slot.
    last: Option<Box<dyn Game>>,
    /// The slot's own game, in whose place the caller has put another one.
    replaced: Option<Box<dyn Game>>,
}

/// The rows of one game.
struct SlotRows<'a, C> {
    slot: &'a mut Slot,
    cells: &'a mut [C],
    mask: &'a mut [i8],
    seat: &'a mut i64,
    buffer: &'a mut RowBuffer,
    opponents: &'a Opponents,
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
            buffers: vec![space.row_buffer(); threads],
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
        });
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
        });
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
            });
            let faults = self.slots.iter_mut().filter_map(|slot| slot.fault.take());
            if let Some(first) = faults.reduce(|first, _| first) {
                return Err(first);
            }
            let empty_games = self.slots.iter_mut().filter(|slot| slot.number == 0);
            if empty_games.map(|slot| slot.ended = None).count() == 0 {
                return Ok(());
            }
        }
        Err(Fault::NothingToDecide)
    }

    /// Runs some work for each game, on all threads.
    fn for_each_slot<C: Element>(
        &mut self,
        rows: &mut BatchRows<'_, C>,
        job: &(impl Fn(usize, &mut SlotRows<'_, C>) + Sync),
    ) {
        let (size, words) = (self.space.cells().len(), self.space.words().len());
        let opponents = &self.opponents;
        let Some(threads) = &self.threads else {
            let of_all = (&mut *rows.observations, &mut *rows.masks, &mut *rows.seats);
            if let Some(buffer) = self.buffers.first_mut() {
                run_chunk(
                    (&mut self.slots, 0),
                    of_all,
                    (size, words),
                    (buffer, opponents),
                    job,
                );
            }
            return;
        };
        let chunk_len = self.slots.len().div_ceil(self.buffers.len()).max(1);
        let slots = self.slots.par_chunks_mut(chunk_len);
        let observations = rows.observations.par_chunks_mut(chunk_len * size);
        let masks = rows.masks.par_chunks_mut(chunk_len * words);
        let seats = rows.seats.par_chunks_mut(chunk_len);
        let pages = self.buffers.par_iter_mut();
        let chunks = slots
            .zip(observations)
            .zip(masks)
            .zip(seats)
            .zip(pages)
            .enumerate();
        threads.install(|| {
            chunks.for_each(
                |(chunk, ((((slots, observations), masks), seats), buffer))| {
                    let rows = (observations, masks, seats);
                    run_chunk(
                        (slots, chunk * chunk_len),
                        rows,
                        (size, words),
                        (buffer, opponents),
                        job,
                    );
                },
            );
        });
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

/// Runs the work for some games; `first` is the slot of the first one.
fn run_chunk<C: Element>(
    (slots, first): (&mut [Slot], usize),
    (observations, masks, seats): (&mut [C], &mut [i8], &mut [i64]),
    (size, words): (usize, usize),
    (page, opponents): (&mut RowBuffer, &Opponents),
    job: &impl Fn(usize, &mut SlotRows<'_, C>),
) {
    let rows = observations
        .chunks_mut(size)
        .zip(masks.chunks_mut(words))
        .zip(seats);
    for ((number, slot), ((cells, mask), seat)) in (first..).zip(slots).zip(rows) {
        let mut slot_rows = SlotRows {
            slot,
            cells,
            mask,
            seat,
            buffer: page,
            opponents,
        };
        job(number, &mut slot_rows);
    }
}

impl Slot {
    fn new(game: Box<dyn Game>) -> Self {
        Self {
            game,
            number: 0,
            begun: 0,
            turn: 0,
            is_new: false,
            seed: Seed::from_number(0),
            bot_decisions: 0,
            dirty: DirtyCells::default(),
            allowed: Vec::new(),
            ended: None,
            fault: None,
            last: None,
            replaced: None,
        }
    }

    /// Puts a game in place of the one that is played. The next one is the slot's own again.
    fn put(&mut self, game: Box<dyn Game>) {
        let own = std::mem::replace(&mut self.game, game);
        self.replaced.get_or_insert(own);
    }
}

impl<C: Element> SlotRows<'_, C> {
    fn begin_game(&mut self) {
        if let Some(own) = self.slot.replaced.take() {
            self.slot.game = own;
        }
        match self.slot.game.begin(&self.slot.seed, self.slot.number) {
            Ok(()) => {
                self.slot.bot_decisions = 0;
                self.run_bots();
            }
            Err(fault) => {
                self.slot.number = 0;
                self.slot.fault = Some(fault);
            }
        }
    }

    fn push(&mut self, word: i64) {
        let before = self.slot.game.prefix().len();
        match self.slot.game.push(word) {
            Ok(true) => self.run_bots(),
            Ok(false) => {
                let game = &self.slot.game;
                game.space().update_prefix(
                    (game.prefix(), before),
                    self.cells,
                    &mut self.slot.dirty,
                );
                self.write_mask();
            }
            // This cannot happen: every word was looked up in its mask before.
            Err(_) => {}
        }
    }

    /// Lets bots play until the caller must decide, and writes the observation of the caller's seat.
    fn run_bots(&mut self) {
        while let Some(seat) = self.slot.game.seat() {
            let seats = self.slot.game.space().seats();
            let at_table = self.opponents.at(seat, seats, self.slot.turn);
            let Some((policy, playouts)) = at_table else {
                self.write_row(seat);
                return;
            };
            self.slot.bot_decisions += 1;
            let seed = seed_of(&self.slot.seed, self.slot.bot_decisions);
            let bot = Bot {
                policy,
                playouts,
                seed,
            };
            let version = self.slot.game.version();
            play_bot(&mut *self.slot.game, &bot);
            if self.slot.game.version() == version {
                break;
            }
        }
        self.slot.number = 0;
        self.slot.last = Some(self.slot.game.copy());
        self.slot.ended = Some(Ended {
            slot: 0,
            standings: self.slot.game.standings(),
            version: self.slot.game.version(),
        });
    }

    fn write_row(&mut self, seat: usize) {
        self.slot
            .game
            .observe(Observer::Seat(seat), seat, self.buffer);
        self.buffer.flush_into(self.cells, &mut self.slot.dirty);
        *self.seat = i64::try_from(seat).unwrap_or(0);
        self.write_mask();
    }

    /// Writes the action mask.
    fn write_mask(&mut self) {
        let Slot { allowed, game, .. } = &mut *self.slot;
        for word in allowed.drain(..) {
            if let Some(cell) = self.mask.get_mut(usize::from(word)) {
                *cell = 0;
            }
        }
        for &word in game.legal_words() {
            if let Some(cell) = self.mask.get_mut(usize::from(word)) {
                *cell = 1;
            }
        }
        allowed.extend(game.legal_words());
    }
}

/// Derives the seed of a game, or of a bot's decision, in the same way as the self-play stream.
pub(crate) fn seed_of(master: &Seed, number: u64) -> Seed {
    let hash = Sha256::new()
        .chain_update(master.as_bytes())
        .chain_update(number.to_le_bytes());
    Seed::new(hash.finalize().into())
}
