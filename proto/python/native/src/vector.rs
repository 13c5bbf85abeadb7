//! The class for many games side by side (a **vectorized environment**).

use gamekeeper_learn::{Cell, Ended, Fault, Opponents, Reward, Rows, Vector};
use gamekeeper_rules::table::Seed;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::{Bound, PyErr, PyResult, Python, pyclass, pymethods};
use std::sync::Arc;

use crate::arrays::{Arrays, Observations};
use crate::faults::raised;
use crate::game::{NativeGame, reward};
use crate::limits::{GAMES, THREADS, at_most, policy};
use crate::settings::NativeSettings;
use crate::space::{Desk, NativeSpace};

/// A policy by its name, with its number of playouts.
type Named = (String, Option<u32>);

/// Games that are played side by side.
#[pyclass(name = "Vector", module = "gamekeeper_native")]
pub(crate) struct NativeVector {
    vector: Vector,
    desk: Arc<Desk>,
    seats: usize,
    reward: Reward,
}

/// A game that ended: slot, last version, and rank and score of each seat.
type Over = (usize, u64, Option<Vec<(u8, i32)>>);

/// The work of a vector on the arrays of the caller.
enum Work<'a> {
    Begin(Option<Seed>),
    Step(&'a [i64]),
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
        opponents: Option<Vec<Option<Named>>>,
        take_turns: bool,
        reward: &str,
    ) -> PyResult<Self> {
        at_most("games", games, GAMES)?;
        at_most("threads", threads, THREADS)?;
        let opponents = opponents.unwrap_or_default();
        let ruleset = space.space.ruleset();
        let by_seat = opponents.iter().map(|bot| match bot {
            Some((name, playouts)) => policy(ruleset, name, *playouts).map(Some),
            None => Ok(None),
        });
        let opponents = Opponents {
            by_seat: by_seat.collect::<PyResult<_>>()?,
            take_turns,
        };
        let settings = NativeSettings::of(settings, &space.space);
        let (sizes, none) = ((games, threads), Seed::new([0; 32]));
        let vector = Vector::new(&space.space, &settings, sizes, &opponents, &none);
        Ok(Self {
            vector: vector.map_err(raised)?,
            desk: Arc::clone(&space.desk),
            seats: space.space.seats(),
            reward: self::reward(reward)?,
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
        mut arrays: Arrays<'_>,
        seed: Option<[u8; 32]>,
    ) -> PyResult<()> {
        self.work(py, &mut arrays, &Work::Begin(seed.map(Seed::new)))?;
        arrays.clear()
    }

    /// Says one word in each game, for its seat to move. Returns the games that ended.
    fn step(
        &mut self,
        py: Python<'_>,
        words: PyReadonlyArray1<'_, i64>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<Vec<Over>> {
        let ended = self.work(py, &mut arrays, &Work::Step(words.as_slice()?))?;
        arrays.clear()?;
        let mut all = Vec::with_capacity(ended.len());
        for one in ended {
            let earned = (self.reward, one.standings.as_deref());
            arrays.ended(one.slot, self.seats, earned)?;
            let standings = one.standings.map(|standings| {
                let both = standings.iter().map(|own| (own.rank, own.score));
                both.collect()
            });
            all.push((one.slot, one.version, standings));
        }
        Ok(all)
    }

    /// Draws, for each game, one of the words that can be said, each equally likely.
    fn sample<'py>(&self, py: Python<'py>, luck: u64) -> Bound<'py, PyArray1<i64>> {
        let words: Vec<i64> = self.vector.sample(luck).collect();
        words.into_pyarray(py)
    }

    /// Returns a copy of the game in a slot.
    fn game(&self, slot: usize) -> PyResult<NativeGame> {
        let game = self.vector.game(slot).ok_or_else(|| none(slot))?;
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
        Err(none(slot))
    }
}

impl NativeVector {
    /// Does the work without the GIL, so that other Python threads can run.
    fn work(
        &mut self,
        py: Python<'_>,
        arrays: &mut Arrays<'_>,
        work: &Work<'_>,
    ) -> PyResult<Vec<Ended>> {
        arrays.measure(self.vector.len(), self.seats)?;
        let masks = arrays.masks.as_slice_mut()?;
        let seats = arrays.seats.as_slice_mut()?;
        let vector = &mut self.vector;
        let worked = match &mut arrays.observations {
            Observations::Floats(cells) => {
                let rows = rows(cells.as_slice_mut()?, masks, seats);
                py.detach(|| worked(vector, rows, work))
            }
            Observations::Bytes(cells) => {
                let rows = rows(cells.as_slice_mut()?, masks, seats);
                py.detach(|| worked(vector, rows, work))
            }
        };
        worked.map_err(raised)
    }
}

fn rows<'a, C>(
    observations: &'a mut [C],
    masks: &'a mut [i8],
    seats: &'a mut [i64],
) -> Rows<'a, C> {
    Rows {
        observations,
        masks,
        seats,
    }
}

fn worked<C: Cell>(
    vector: &mut Vector,
    rows: Rows<'_, C>,
    work: &Work<'_>,
) -> Result<Vec<Ended>, Fault> {
    match work {
        Work::Begin(seed) => vector.begin(seed.as_ref(), rows).map(|()| Vec::new()),
        Work::Step(words) => vector.step(words, rows),
    }
}

fn none(slot: usize) -> PyErr {
    PyIndexError::new_err(format!("there is no game {slot}"))
}
