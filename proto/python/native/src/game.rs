//! The class for a single game.

use std::sync::{Arc, MutexGuard};

use gamekeeper_learn::{
    Bot, Fault, Game, Observer, Opponent, Reward, RowBuffer, WordResult, choose_learned,
    game_from_snapshot, game_of, play_bot, play_learned,
};
use gamekeeper_rules::table::Seed;
use gamekeeper_rules::table::picture::Size;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::types::{PyAny, PyBytes, PyList};
use pyo3::{Bound, FromPyObject, PyResult, Python, pyclass, pymethods};

use crate::arrays::{Observation, check_len, open_mask};
use crate::bots::{BotArg, opponent};
use crate::errors::to_py_error;
use crate::limits::{COLUMNS, PLAYOUTS, check_limit};
use crate::ratings::NativeActionRating;
use crate::settings::NativeSettings;
use crate::space::{NativeSpace, SharedBuffer};

/// A game in which the seat to move says its action word by word.
#[pyclass(name = "Game", module = "gamekeeper_native")]
pub(crate) struct NativeGame {
    game: Box<dyn Game>,
    desk: Arc<SharedBuffer>,
}

/// The observer: a seat, `everybody` or `everything`.
#[derive(FromPyObject)]
enum ObserverArg {
    Seat(usize),
    All(String),
}

impl NativeGame {
    pub(crate) fn new(game: Box<dyn Game>, shared_buffer: &Arc<SharedBuffer>) -> Self {
        Self {
            game,
            desk: Arc::clone(shared_buffer),
        }
    }

    pub(crate) fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// Locks the page of its space, which is empty.
    pub(crate) fn lock_buffer(&self) -> MutexGuard<'_, RowBuffer> {
        self.desk.lock_buffer()
    }

    fn check_seat(&self, seat: usize) -> PyResult<usize> {
        if seat < self.game.space().seats() {
            return Ok(seat);
        }
        Err(to_py_error(Fault::NoSeat(seat)))
    }

    fn observer(&self, observer_arg: &ObserverArg) -> PyResult<Observer> {
        match observer_arg {
            ObserverArg::Seat(seat) => Ok(Observer::Seat(self.check_seat(*seat)?)),
            ObserverArg::All(who) if who == "everybody" => Ok(Observer::Public),
            ObserverArg::All(who) if who == "everything" => Ok(Observer::Omniscient),
            ObserverArg::All(who) => Err(PyValueError::new_err(format!(
                "nobody is {who:?}; who looks is a seat, 'everybody' or 'everything'"
            ))),
        }
    }
}

#[pymethods]
impl NativeGame {
    #[new]
    #[pyo3(signature = (space, settings=None))]
    fn py_new(space: &NativeSpace, settings: Option<&NativeSettings>) -> PyResult<Self> {
        let settings = NativeSettings::settings_for(settings, &space.space);
        let game = game_of(&space.space, &settings).map_err(to_py_error)?;
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
        let settings = NativeSettings::settings_for(settings, &space.space);
        let game = game_from_snapshot(&space.space, &settings, snapshot).map_err(to_py_error)?;
        Ok(Self::new(game, &space.desk))
    }

    /// Begins a new game, with all luck from this seed, on the described table that its number stands for.
    #[pyo3(signature = (seed, number=1))]
    fn begin(&mut self, seed: [u8; 32], number: u64) -> PyResult<()> {
        let begun = self.game.begin(&Seed::new(seed), number);
        begun.map_err(to_py_error)
    }

    /// Returns the seat to move.
    #[getter]
    fn seat(&self) -> Option<usize> {
        self.game.seat()
    }

    /// Returns the words that can be said.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.game.legal_words())
    }

    /// Returns the words of the current action so far.
    #[getter]
    fn said<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.game.prefix())
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
        Some(
            standings
                .iter()
                .map(|standing| (standing.rank, standing.score))
                .collect(),
        )
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
        self.game.push(word).map_err(to_py_error)
    }

    /// Says a word; an action that draws luck waits for it. Returns true if the action is complete.
    fn offer(&mut self, word: i64) -> PyResult<bool> {
        match self.game.push_without_chance(word).map_err(to_py_error)? {
            WordResult::Partial => Ok(false),
            WordResult::Played | WordResult::AwaitsChance => Ok(true),
        }
    }

    /// Returns whether an action waits for luck.
    #[getter]
    fn waits(&self) -> bool {
        self.game.awaits_chance()
    }

    /// Plays the waiting action, with all luck from this seed.
    fn draw(&mut self, seed: [u8; 32]) -> PyResult<()> {
        self.game.draw(&Seed::new(seed)).map_err(to_py_error)
    }

    /// Writes the observation of a seat, of the public, or of the whole table.
    #[pyo3(signature = (who, observation, turned_to=0))]
    fn observe(
        &self,
        who: ObserverArg,
        observation: &Bound<'_, PyAny>,
        turned_to: usize,
    ) -> PyResult<()> {
        let (who, turned_to) = (self.observer(&who)?, self.check_seat(turned_to)?);
        let mut observation = Observation::open(observation)?;
        observation.check_size(self.game.space().cells().len())?;
        let buffer = &mut *self.lock_buffer();
        self.game.observe(who, turned_to, buffer);
        observation.copy_from(buffer)
    }

    /// Writes 1 for each word that can be said, and 0 for the others.
    fn allow(&self, mask: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut mask = open_mask(mask)?;
        let mask = mask.as_slice_mut()?;
        check_len("mask", mask.len(), self.game.space().words().len())?;
        mask.fill(0);
        for &word in self.game.legal_words() {
            mask[usize::from(word)] = 1;
        }
        Ok(())
    }

    /// Returns the encoded view.
    fn view<'py>(&self, py: Python<'py>, who: ObserverArg) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.game.view(self.observer(&who)?)))
    }

    /// Returns the encoded events that a seat has seen since its last decision.
    fn events<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyList>> {
        py_bytes_list(py, &self.game.events(self.check_seat(seat)?))
    }

    /// Returns the encoded legal actions.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        py_bytes_list(py, &self.game.actions())
    }

    /// Returns a digest of everything that a seat has seen and said.
    fn memory(&self, seat: usize) -> PyResult<u128> {
        Ok(self.game.memory_digest(self.check_seat(seat)?))
    }

    /// Returns the board as a seat sees it.
    #[pyo3(signature = (seat, columns=0, colored=false))]
    fn board(&self, seat: usize, columns: usize, colored: bool) -> PyResult<String> {
        check_limit("columns", columns, COLUMNS)?;
        let columns = if columns == 0 { 80 } else { columns };
        Ok(self.game.board(self.check_seat(seat)?, columns, colored))
    }

    /// Returns the table as a seat sees it, drawn as SVG.
    #[pyo3(signature = (seat, width=1200))]
    fn picture(&self, seat: usize, width: u32) -> PyResult<String> {
        let unknown = || PyValueError::new_err(format!("no drawing is {width} wide"));
        let size = Size::of_width(width).ok_or_else(unknown)?;
        Ok(self.game.picture(self.check_seat(seat)?, size))
    }

    /// Returns all words of the action that a bot would choose.
    #[pyo3(signature = (policy, seed, playouts=None))]
    fn choose(
        &self,
        py: Python<'_>,
        policy: BotArg,
        seed: [u8; 32],
        playouts: Option<u32>,
    ) -> PyResult<Vec<u16>> {
        let opponent = opponent(self.game.space(), &policy, playouts)?;
        let (game, seed) = (&*self.game, Seed::new(seed));
        let chosen = py.detach(|| match opponent {
            Opponent::Bot(policy, playouts) => Ok(game.choose(&Bot {
                policy,
                playouts,
                seed,
            })),
            Opponent::Learned(policy) => choose_learned(game, &*policy, &seed),
        });
        chosen.map_err(to_py_error)
    }

    /// Plays the action that a bot chooses. Returns false if no seat has a decision to make.
    #[pyo3(signature = (policy, seed, playouts=None))]
    fn play(
        &mut self,
        py: Python<'_>,
        policy: BotArg,
        seed: [u8; 32],
        playouts: Option<u32>,
    ) -> PyResult<bool> {
        let opponent = opponent(self.game.space(), &policy, playouts)?;
        let (game, seed) = (&mut *self.game, Seed::new(seed));
        let before = game.version();
        let played = py.detach(|| match opponent {
            Opponent::Bot(policy, playouts) => {
                play_bot(
                    game,
                    &Bot {
                        policy,
                        playouts,
                        seed,
                    },
                );
                Ok(())
            }
            Opponent::Learned(policy) => play_learned(game, &*policy, &seed).map(drop),
        });
        played.map_err(to_py_error)?;
        Ok(self.game.version() != before)
    }

    /// Rates the actions that `search` compares for the seat to move.
    #[pyo3(signature = (seed, playouts=None))]
    fn rate(
        &self,
        py: Python<'_>,
        seed: [u8; 32],
        playouts: Option<u32>,
    ) -> PyResult<Vec<NativeActionRating>> {
        let count = playouts.unwrap_or(0) as usize;
        check_limit("playouts", count, PLAYOUTS as usize)?;
        let (game, seed) = (&*self.game, Seed::new(seed));
        let rated = py.detach(|| game.rate(playouts, &seed));
        Ok(rated.into_iter().map(NativeActionRating::from).collect())
    }

    /// Samples a world that a seat may be in.
    fn world(&self, seat: usize, seed: [u8; 32]) -> PyResult<Self> {
        let world = self
            .game
            .sample_world(self.check_seat(seat)?, &Seed::new(seed));
        Ok(Self::new(world, &self.desk))
    }

    /// Returns the game as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let snapshot = self.game.snapshot().map_err(to_py_error)?;
        Ok(PyBytes::new(py, &snapshot))
    }

    /// Returns a copy of the game.
    fn copy(&self) -> Self {
        Self::new(self.game.copy(), &self.desk)
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a game cannot be pickled: keep its snapshot(), and read it with Game.restored",
        ))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }
}

fn py_bytes_list<'py>(py: Python<'py>, all: &[Vec<u8>]) -> PyResult<Bound<'py, PyList>> {
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
