//! The class for many games side by side (a **vectorized environment**).

use gamekeeper_learn::{BatchRows, Element, Ended, Fault, Game, Opponents, Reward, Vector};
use gamekeeper_rules::table::Seed;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::types::PyAny;
use pyo3::{Bound, PyErr, PyRef, PyResult, Python, pyclass, pymethods};
use std::process;
use std::sync::Arc;

use crate::arrays::{Arrays, Observations, readable};
use crate::bots::{BotArg, opponent};
use crate::errors::to_py_error;
use crate::game::{NativeGame, reward};
use crate::limits::{GAMES, THREADS, check_limit};
use crate::settings::NativeSettings;
use crate::space::{NativeSpace, SharedBuffer};

/// A bot with its number of playouts.
type BotAndPlayouts = (BotArg, Option<u32>);

/// Games that are played side by side.
#[pyclass(name = "Vector", module = "gamekeeper_native")]
pub(crate) struct NativeVector {
    vector: Vector,
    desk: Arc<SharedBuffer>,
    seats: usize,
    reward: Reward,
    /// The process that has the threads.
    process: u32,
}

/// A game that ended: slot, last version, and rank and score of each seat.
type EndedGame = (usize, u64, Option<Vec<(u8, i32)>>);

/// The work of a vector on the arrays of the caller.
enum VectorCall<'a> {
    Begin(Option<Seed>),
    Step(&'a [i64]),
    Put(usize, &'a dyn Game),
}

#[pymethods]
impl NativeVector {
    #[new]
    #[pyo3(signature = (space, games, settings=None, *, threads=1, opponents=None, take_turns=false, reward="rank"))]
    fn new(
        space: &NativeSpace,
        games: usize,
        settings: Option<&NativeSettings>,
        threads: usize,
        opponents: Option<Vec<Option<BotAndPlayouts>>>,
        take_turns: bool,
        reward: &str,
    ) -> PyResult<Self> {
        check_limit("games", games, GAMES)?;
        check_limit("threads", threads, THREADS)?;
        let opponents = opponents.unwrap_or_default();
        let by_seat = opponents.iter().map(|bot| match bot {
            Some((bot, playouts)) => opponent(&space.space, bot, *playouts).map(Some),
            None => Ok(None),
        });
        let opponents = Opponents {
            by_seat: by_seat.collect::<PyResult<_>>()?,
            take_turns,
        };
        let settings = NativeSettings::settings_for(settings, &space.space);
        let (sizes, none) = ((games, threads), Seed::new([0; 32]));
        let vector = Vector::new(&space.space, &settings, sizes, &opponents, &none);
        Ok(Self {
            vector: vector.map_err(to_py_error)?,
            desk: Arc::clone(&space.desk),
            seats: space.space.seats(),
            reward: self::reward(reward)?,
            process: process::id(),
        })
    }

    fn __len__(&self) -> usize {
        self.vector.len()
    }

    /// Begins all games and overwrites all arrays.
    #[pyo3(signature = (arrays, seed=None))]
    fn begin(
        &mut self,
        py: Python<'_>,
        arrays: &Bound<'_, PyAny>,
        seed: Option<[u8; 32]>,
    ) -> PyResult<()> {
        let mut arrays = Arrays::open(arrays)?;
        self.run_call(py, &mut arrays, &VectorCall::Begin(seed.map(Seed::new)))?;
        arrays.clear()
    }

    /// Says one word in each game, for its seat to move. Returns the games that ended.
    fn step(
        &mut self,
        py: Python<'_>,
        words: &Bound<'_, PyAny>,
        arrays: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<EndedGame>> {
        let (words, mut arrays) = (readable(words, "words")?, Arrays::open(arrays)?);
        self.run_and_reward(py, &mut arrays, &VectorCall::Step(words.as_slice()?))
    }

    /// Puts a copy of a game into a slot. Returns the games that ended.
    fn put(
        &mut self,
        py: Python<'_>,
        slot: usize,
        game: PyRef<'_, NativeGame>,
        arrays: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<EndedGame>> {
        let mut arrays = Arrays::open(arrays)?;
        self.run_and_reward(py, &mut arrays, &VectorCall::Put(slot, game.game()))
    }

    /// Draws, for each game, one of the words that can be said, each equally likely.
    fn sample<'py>(&self, py: Python<'py>, luck: u64) -> Bound<'py, PyArray1<i64>> {
        let words: Vec<i64> = self.vector.sample(luck).collect();
        words.into_pyarray(py)
    }

    /// Returns a copy of the game in a slot.
    fn game(&self, slot: usize) -> PyResult<NativeGame> {
        let game = self.vector.game(slot).ok_or_else(|| no_such_game(slot))?;
        Ok(NativeGame::new(game.copy(), &self.desk))
    }

    /// Returns a copy of the last game that ended in a slot.
    fn last(&self, slot: usize) -> PyResult<Option<NativeGame>> {
        self.number(slot)?;
        let last = self.vector.last(slot);
        Ok(last.map(|game| NativeGame::new(game.copy(), &self.desk)))
    }

    /// Returns the number of the game in a slot among all games begun, from 1.
    fn number(&self, slot: usize) -> PyResult<u64> {
        if slot < self.vector.len() {
            return Ok(self.vector.number(slot));
        }
        Err(no_such_game(slot))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a vector can be neither pickled nor copied: make it where it is used",
        ))
    }
}

impl NativeVector {
    /// Does the work, and writes the rewards of the games that ended.
    fn run_and_reward(
        &mut self,
        py: Python<'_>,
        arrays: &mut Arrays<'_>,
        call: &VectorCall<'_>,
    ) -> PyResult<Vec<EndedGame>> {
        let ended = self.run_call(py, arrays, call)?;
        arrays.clear()?;
        let mut all = Vec::with_capacity(ended.len());
        for one in ended {
            let earned = (self.reward, one.standings.as_deref());
            arrays.write_result(one.slot, self.seats, earned)?;
            let standings = one.standings.map(|standings| {
                let both = standings
                    .iter()
                    .map(|standing| (standing.rank, standing.score));
                both.collect()
            });
            all.push((one.slot, one.version, standings));
        }
        Ok(all)
    }

    /// Does the work without the GIL, so that other Python threads can run.
    fn run_call(
        &mut self,
        py: Python<'_>,
        arrays: &mut Arrays<'_>,
        call: &VectorCall<'_>,
    ) -> PyResult<Vec<Ended>> {
        // A forked process does not have the threads, and would wait for them forever.
        if self.vector.has_threads() && self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the threads of this vector belong to the process that made it: make vectors after the fork, or with threads=1",
            ));
        }
        arrays.check_sizes(self.vector.len(), self.seats)?;
        let masks = arrays.masks.as_slice_mut()?;
        let seats = arrays.seats.as_slice_mut()?;
        let vector = &mut self.vector;
        let ended = match &mut arrays.observations {
            Observations::Floats(cells) => {
                let rows = batch_rows(cells.as_slice_mut()?, masks, seats);
                py.detach(|| run_detached(vector, rows, call))
            }
            Observations::Bytes(cells) => {
                let rows = batch_rows(cells.as_slice_mut()?, masks, seats);
                py.detach(|| run_detached(vector, rows, call))
            }
        };
        ended.map_err(to_py_error)
    }
}

fn batch_rows<'a, C>(
    observations: &'a mut [C],
    masks: &'a mut [i8],
    seats: &'a mut [i64],
) -> BatchRows<'a, C> {
    BatchRows {
        observations,
        masks,
        seats,
    }
}

fn run_detached<C: Element>(
    vector: &mut Vector,
    rows: BatchRows<'_, C>,
    call: &VectorCall<'_>,
) -> Result<Vec<Ended>, Fault> {
    match call {
        VectorCall::Begin(seed) => vector.begin(seed.as_ref(), rows).map(|()| Vec::new()),
        VectorCall::Step(words) => vector.step(words, rows),
        VectorCall::Put(slot, game) => vector.put(*slot, *game, rows),
    }
}

fn no_such_game(slot: usize) -> PyErr {
    to_py_error(Fault::NoGame(slot))
}
