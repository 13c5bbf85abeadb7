//! The class for a single game.

use std::sync::Arc;

use gamekeeper_learn::{Bot, Fault, Game, Offered, Reward, Who, game_of, play_bot, restored};
use gamekeeper_rules::table::Seed;
use numpy::PyReadwriteArray1;
use pyo3::exceptions::PyValueError;
use pyo3::types::{PyAny, PyBytes, PyList};
use pyo3::{Bound, FromPyObject, PyResult, Python, pyclass, pymethods};

use crate::arrays::{Observation, fits};
use crate::faults::raised;
use crate::limits::{COLUMNS, at_most, policy};
use crate::settings::NativeSettings;
use crate::space::{Desk, NativeSpace};

/// A game in which the seat to move says its action word by word.
#[pyclass(name = "Game", module = "gamekeeper_native")]
pub(crate) struct NativeGame {
    game: Box<dyn Game>,
    desk: Arc<Desk>,
}

/// The observer: a seat, `everybody` or `everything`.
#[derive(FromPyObject)]
enum Looks {
    Seat(usize),
    All(String),
}

impl NativeGame {
    pub(crate) fn new(game: Box<dyn Game>, desk: &Arc<Desk>) -> Self {
        Self {
            game,
            desk: Arc::clone(desk),
        }
    }

    fn seat_at(&self, seat: usize) -> PyResult<usize> {
        if seat < self.game.space().seats() {
            return Ok(seat);
        }
        Err(raised(Fault::NoSeat(seat)))
    }

    fn bot(&self, name: &str, seed: [u8; 32], playouts: Option<u32>) -> PyResult<Bot> {
        let (policy, playouts) = policy(self.game.space().ruleset(), name, playouts)?;
        let seed = Seed::new(seed);
        Ok(Bot {
            policy,
            playouts,
            seed,
        })
    }

    fn who(&self, looks: &Looks) -> PyResult<Who> {
        match looks {
            Looks::Seat(seat) => Ok(Who::Seat(self.seat_at(*seat)?)),
            Looks::All(who) if who == "everybody" => Ok(Who::Everybody),
            Looks::All(who) if who == "everything" => Ok(Who::Everything),
            Looks::All(who) => Err(PyValueError::new_err(format!(
                "nobody is {who:?}; who looks is a seat, 'everybody' or 'everything'"
            ))),
        }
    }
}

#[pymethods]
impl NativeGame {
    #[new]
    #[pyo3(signature = (space, settings=None))]
    fn made(space: &NativeSpace, settings: Option<&NativeSettings>) -> PyResult<Self> {
        let settings = NativeSettings::of(settings, &space.space);
        let game = game_of(&space.space, &settings).map_err(raised)?;
        Ok(Self::new(game, &space.desk))
    }

    /// Restores a game from a snapshot.
    #[staticmethod]
    #[pyo3(signature = (space, snapshot, settings=None))]
    fn restored(
        space: &NativeSpace,
        snapshot: &[u8],
        settings: Option<&NativeSettings>,
    ) -> PyResult<Self> {
        let settings = NativeSettings::of(settings, &space.space);
        let game = restored(&space.space, &settings, snapshot).map_err(raised)?;
        Ok(Self::new(game, &space.desk))
    }

    /// Begins a new game, with all luck from this seed.
    fn begin(&mut self, seed: [u8; 32]) {
        self.game.begin(&Seed::new(seed));
    }

    /// Returns the seat to move.
    #[getter]
    fn seat(&self) -> Option<usize> {
        self.game.seat()
    }

    /// Returns the words that can be said.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.game.words())
    }

    /// Returns the words of the current action so far.
    #[getter]
    fn said<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.game.said())
    }

    /// Returns the number of entries of the game.
    #[getter]
    fn version(&self) -> u64 {
        self.game.version()
    }

    /// Returns rank and score of each seat.
    #[getter]
    fn standings(&self) -> Option<Vec<(u8, i32)>> {
        let standings = self.game.standings()?;
        Some(standings.iter().map(|own| (own.rank, own.score)).collect())
    }

    /// Returns the reward of each seat.
    #[pyo3(signature = (kind="rank"))]
    fn rewards(&self, kind: &str) -> PyResult<Vec<f32>> {
        let reward = reward(kind)?;
        let standings = self.game.standings().unwrap_or_default();
        let seats = 0..self.game.space().seats();
        Ok(seats.map(|seat| reward.of(&standings, seat)).collect())
    }

    /// Says a word of the seat to move. Returns true if its action was played.
    fn say(&mut self, word: i64) -> PyResult<bool> {
        self.game.say(word).map_err(raised)
    }

    /// Says a word; an action that draws luck waits for it. Returns true if the action is complete.
    fn offer(&mut self, word: i64) -> PyResult<bool> {
        match self.game.offer(word).map_err(raised)? {
            Offered::Said => Ok(false),
            Offered::Played | Offered::Waits => Ok(true),
        }
    }

    /// Returns whether an action waits for luck.
    #[getter]
    fn waits(&self) -> bool {
        self.game.waits()
    }

    /// Plays the waiting action, with all luck from this seed.
    fn draw(&mut self, seed: [u8; 32]) -> PyResult<()> {
        self.game.draw(&Seed::new(seed)).map_err(raised)
    }

    /// Writes the observation of a seat, of the public, or of the whole table.
    #[pyo3(signature = (who, observation, turned_to=0))]
    fn observe(
        &self,
        who: Looks,
        mut observation: Observation<'_>,
        turned_to: usize,
    ) -> PyResult<()> {
        let (who, turned_to) = (self.who(&who)?, self.seat_at(turned_to)?);
        observation.measure(self.game.space().cells().len())?;
        let page = &mut *self.desk.page();
        self.game.observe(who, turned_to, page);
        observation.take(page)
    }

    /// Writes 1 for each word that can be said, and 0 for the others.
    fn allow(&self, mut mask: PyReadwriteArray1<'_, i8>) -> PyResult<()> {
        let mask = mask.as_slice_mut()?;
        fits("mask", mask.len(), self.game.space().words().len())?;
        mask.fill(0);
        for &word in self.game.words() {
            mask[usize::from(word)] = 1;
        }
        Ok(())
    }

    /// Returns the encoded view.
    fn view<'py>(&self, py: Python<'py>, who: Looks) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.game.view(self.who(&who)?)))
    }

    /// Returns the encoded events that a seat has seen since its last decision.
    fn events<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.game.events(self.seat_at(seat)?))
    }

    /// Returns the encoded legal actions.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.game.actions())
    }

    /// Returns a digest of everything that a seat has seen and said.
    fn memory(&self, seat: usize) -> PyResult<u128> {
        Ok(self.game.memory(self.seat_at(seat)?))
    }

    /// Returns the board as a seat sees it.
    #[pyo3(signature = (seat, columns=0, colored=false))]
    fn board(&self, seat: usize, columns: usize, colored: bool) -> PyResult<String> {
        at_most("columns", columns, COLUMNS)?;
        let columns = if columns == 0 { 80 } else { columns };
        Ok(self.game.board(self.seat_at(seat)?, columns, colored))
    }

    /// Returns the table as a seat sees it, drawn as SVG.
    #[pyo3(signature = (seat, narrow=false))]
    fn picture(&self, seat: usize, narrow: bool) -> PyResult<String> {
        Ok(self.game.picture(self.seat_at(seat)?, narrow))
    }

    /// Returns all words of the action that a bot would choose.
    #[pyo3(signature = (policy, seed, playouts=None))]
    fn choose(
        &self,
        py: Python<'_>,
        policy: &str,
        seed: [u8; 32],
        playouts: Option<u32>,
    ) -> PyResult<Vec<u16>> {
        let bot = self.bot(policy, seed, playouts)?;
        let game = &*self.game;
        Ok(py.detach(|| game.choose(&bot)))
    }

    /// Plays the action that a bot chooses. Returns false if no seat has a decision to make.
    #[pyo3(signature = (policy, seed, playouts=None))]
    fn play(
        &mut self,
        py: Python<'_>,
        policy: &str,
        seed: [u8; 32],
        playouts: Option<u32>,
    ) -> PyResult<bool> {
        let bot = self.bot(policy, seed, playouts)?;
        let game = &mut *self.game;
        let before = game.version();
        py.detach(|| play_bot(game, &bot));
        Ok(self.game.version() != before)
    }

    /// Samples a world that a seat may be in.
    fn world(&self, seat: usize, seed: [u8; 32]) -> PyResult<Self> {
        let world = self.game.world(self.seat_at(seat)?, &Seed::new(seed));
        Ok(Self::new(world, &self.desk))
    }

    /// Returns the game as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let snapshot = self.game.snapshot().map_err(raised)?;
        Ok(PyBytes::new(py, &snapshot))
    }

    /// Returns a copy of the game.
    fn copy(&self) -> Self {
        Self::new(self.game.copy(), &self.desk)
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }
}

fn listed<'py>(py: Python<'py>, all: &[Vec<u8>]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, all.iter().map(|one| PyBytes::new(py, one)))
}

/// Returns the reward function of this name.
pub(crate) fn reward(kind: &str) -> PyResult<Reward> {
    Reward::named(kind).ok_or_else(|| {
        PyValueError::new_err(format!(
            "no reward {kind:?}; there are rank, win, score and margin"
        ))
    })
}
