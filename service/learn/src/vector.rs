//! Many games side by side (a **vectorized environment**), each with rows of the caller's arrays.

use std::sync::Arc;

use gamekeeper_rules::table::Seed;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::any::game_of;
use crate::cells::{Cell, Page, Row};
use crate::game::{Bot, Game, Who, play_bot};
use crate::opponents::Opponents;
use crate::rewards::Standing;
use crate::settings::{Fault, Settings};
use crate::space::Space;

/// The number of games in a row that may end before the caller has any decision to make; the vector then gives up.
const VAIN: usize = 1_000;

/// Games of one ruleset, each waiting for a decision of a seat.
pub struct Vector {
    space: Arc<Space>,
    slots: Vec<Slot>,
    /// A page for each thread.
    pages: Vec<Page>,
    /// The worker threads. Is `None` if the caller's thread does all work.
    threads: Option<ThreadPool>,
    opponents: Opponents,
    seed: Seed,
    begun: u64,
}

/// The arrays of the caller, with a row for each game. They are written completely when games begin, and must be
/// passed unchanged to each later step, which writes only differences.
pub struct Rows<'a, C> {
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
    /// The number of the game among all games, from 1. 0 if the next game must still begin.
    number: u64,
    is_new: bool,
    seed: Seed,
    /// The number of decisions of bots in this game.
    thoughts: u64,
    row: Row,
    /// The words that the mask allows.
    allowed: Vec<u16>,
    ended: Option<Ended>,
    /// The last game that ended in this slot.
    last: Option<Box<dyn Game>>,
}

/// The rows of one game.
struct Place<'a, C> {
    slot: &'a mut Slot,
    cells: &'a mut [C],
    mask: &'a mut [i8],
    seat: &'a mut i64,
    page: &'a mut Page,
    opponents: &'a Opponents,
}

impl Vector {
    /// Creates games that are played side by side, on this many threads.
    ///
    /// # Errors
    /// Fails if the rules refuse the options, if there are more opponents than seats, or if the threads cannot be
    /// started.
    pub fn new(
        space: &Arc<Space>,
        settings: &Arc<Settings>,
        (games, threads): (usize, usize),
        opponents: &Opponents,
        seed: &Seed,
    ) -> Result<Self, Fault> {
        if opponents.by_seat.len() > space.seats() {
            return Err(Fault::Size("opponents"));
        }
        let slots = (0..games).map(|_| game_of(space, settings).map(Slot::new));
        let threads = threads.clamp(1, games.max(1));
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(pool).transpose();
        Ok(Self {
            space: Arc::clone(space),
            slots: slots.collect::<Result<_, Fault>>()?,
            pages: vec![space.page(); threads],
            threads: pool.map_err(|error| Fault::Threads(error.to_string()))?,
            opponents: opponents.clone(),
            seed: *seed,
            begun: 0,
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
            let place = (u128::from(drawn) * slot.allowed.len() as u128) >> 64;
            let place = usize::try_from(place).unwrap_or(0);
            slot.allowed.get(place).map_or(-1, |word| i64::from(*word))
        })
    }

    /// Begins all games, with the luck of this seed if one is given, and overwrites all rows.
    ///
    /// # Errors
    /// Fails if an array has the wrong size, or if games end before the caller has any decision to make.
    pub fn begin<C: Cell>(&mut self, seed: Option<&Seed>, rows: Rows<'_, C>) -> Result<(), Fault> {
        self.measure(&rows)?;
        if let Some(seed) = seed {
            (self.seed, self.begun) = (*seed, 0);
        }
        rows.observations.fill(C::default());
        rows.masks.fill(0);
        for slot in &mut self.slots {
            slot.row = Row::default();
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
    /// games end before the caller has any decision to make; all games must then begin again.
    pub fn step<C: Cell>(&mut self, words: &[i64], rows: Rows<'_, C>) -> Result<Vec<Ended>, Fault> {
        self.measure(&rows)?;
        if words.len() != self.len() {
            return Err(Fault::Size("words"));
        }
        if self.slots.iter().any(|slot| slot.number == 0) {
            return Err(Fault::NotBegun);
        }
        for (place, (slot, &word)) in self.slots.iter().zip(words).enumerate() {
            let can_be_said =
                u16::try_from(word).is_ok_and(|word| slot.allowed.binary_search(&word).is_ok());
            if !can_be_said {
                let game = Some(place);
                return Err(Fault::Illegal { word, game });
            }
        }
        let mut rows = rows;
        self.each(&mut rows, &|number, place| {
            let word = words.get(number).copied().unwrap_or(-1);
            place.say(word);
        });
        let slots = self.slots.iter_mut().enumerate();
        let ended = slots.filter_map(|(slot, of)| {
            let ended = of.ended.take()?;
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
    fn begin_next<C: Cell>(&mut self, mut rows: Rows<'_, C>) -> Result<(), Fault> {
        for _ in 0..VAIN {
            for slot in self.slots.iter_mut().filter(|slot| slot.number == 0) {
                self.begun += 1;
                slot.number = self.begun;
                slot.seed = seed_of(&self.seed, self.begun);
                slot.is_new = true;
            }
            self.each(&mut rows, &|_, place| {
                if std::mem::take(&mut place.slot.is_new) {
                    place.begin();
                }
            });
            let vain = self.slots.iter_mut().filter(|slot| slot.number == 0);
            if vain.map(|slot| slot.ended = None).count() == 0 {
                return Ok(());
            }
        }
        Err(Fault::NothingToDecide)
    }

    /// Runs some work for each game, on all threads.
    fn each<C: Cell>(
        &mut self,
        rows: &mut Rows<'_, C>,
        work: &(impl Fn(usize, &mut Place<'_, C>) + Sync),
    ) {
        let (size, words) = (self.space.cells().len(), self.space.words().len());
        let opponents = &self.opponents;
        let Some(threads) = &self.threads else {
            let of_all = (&mut *rows.observations, &mut *rows.masks, &mut *rows.seats);
            if let Some(page) = self.pages.first_mut() {
                some(
                    (&mut self.slots, 0),
                    of_all,
                    (size, words),
                    (page, opponents),
                    work,
                );
            }
            return;
        };
        let share = self.slots.len().div_ceil(self.pages.len()).max(1);
        let slots = self.slots.par_chunks_mut(share);
        let observations = rows.observations.par_chunks_mut(share * size);
        let masks = rows.masks.par_chunks_mut(share * words);
        let seats = rows.seats.par_chunks_mut(share);
        let pages = self.pages.par_iter_mut();
        let all = slots
            .zip(observations)
            .zip(masks)
            .zip(seats)
            .zip(pages)
            .enumerate();
        threads.install(|| {
            all.for_each(|(chunk, ((((slots, observations), masks), seats), page))| {
                let rows = (observations, masks, seats);
                some(
                    (slots, chunk * share),
                    rows,
                    (size, words),
                    (page, opponents),
                    work,
                );
            });
        });
    }

    fn measure<C>(&self, rows: &Rows<'_, C>) -> Result<(), Fault> {
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
        match sizes.iter().find(|(_, has, needs)| has != needs) {
            Some((name, ..)) => Err(Fault::Size(name)),
            None => Ok(()),
        }
    }
}

/// Runs the work for some games; `first` is the slot of the first one.
fn some<C: Cell>(
    (slots, first): (&mut [Slot], usize),
    (observations, masks, seats): (&mut [C], &mut [i8], &mut [i64]),
    (size, words): (usize, usize),
    (page, opponents): (&mut Page, &Opponents),
    work: &impl Fn(usize, &mut Place<'_, C>),
) {
    let rows = observations
        .chunks_mut(size)
        .zip(masks.chunks_mut(words))
        .zip(seats);
    for ((number, slot), ((cells, mask), seat)) in (first..).zip(slots).zip(rows) {
        let mut place = Place {
            slot,
            cells,
            mask,
            seat,
            page,
            opponents,
        };
        work(number, &mut place);
    }
}

impl Slot {
    fn new(game: Box<dyn Game>) -> Self {
        Self {
            game,
            number: 0,
            is_new: false,
            seed: Seed::from_number(0),
            thoughts: 0,
            row: Row::default(),
            allowed: Vec::new(),
            ended: None,
            last: None,
        }
    }
}

impl<C: Cell> Place<'_, C> {
    fn begin(&mut self) {
        self.slot.game.begin(&self.slot.seed);
        self.slot.thoughts = 0;
        self.go_on();
    }

    fn say(&mut self, word: i64) {
        let before = self.slot.game.said().len();
        match self.slot.game.say(word) {
            Ok(true) => self.go_on(),
            Ok(false) => {
                let game = &self.slot.game;
                game.space()
                    .say_more((game.said(), before), self.cells, &mut self.slot.row);
                self.allow();
            }
            // This cannot happen: every word was looked up in its mask before.
            Err(_) => {}
        }
    }

    /// Lets bots play until the caller must decide, and writes the observation of the caller's seat.
    fn go_on(&mut self) {
        while let Some(seat) = self.slot.game.seat() {
            let seats = self.slot.game.space().seats();
            let at_table = self.opponents.at(seat, seats, self.slot.number);
            let Some((policy, playouts)) = at_table else {
                self.show(seat);
                return;
            };
            self.slot.thoughts += 1;
            let seed = seed_of(&self.slot.seed, self.slot.thoughts);
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

    fn show(&mut self, seat: usize) {
        self.slot.game.observe(Who::Seat(seat), seat, self.page);
        self.page.finish(self.cells, &mut self.slot.row);
        *self.seat = i64::try_from(seat).unwrap_or(0);
        self.allow();
    }

    /// Writes the action mask.
    fn allow(&mut self) {
        let Slot { allowed, game, .. } = &mut *self.slot;
        for word in allowed.drain(..) {
            if let Some(cell) = self.mask.get_mut(usize::from(word)) {
                *cell = 0;
            }
        }
        for &word in game.words() {
            if let Some(cell) = self.mask.get_mut(usize::from(word)) {
                *cell = 1;
            }
        }
        allowed.extend(game.words());
    }
}

/// Derives the seed of a game, or of a bot's decision, in the same way as the self-play stream.
pub(crate) fn seed_of(master: &Seed, number: u64) -> Seed {
    let hash = Sha256::new()
        .chain_update(master.as_bytes())
        .chain_update(number.to_le_bytes());
    Seed::new(hash.finalize().into())
}
