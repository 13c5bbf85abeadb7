//! The observation space and the action space: the meanings of numbers and words.

use std::sync::{Arc, Mutex, MutexGuard};

use gamekeeper_learn::{RowBuffer, Space, policies_of, space_of};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::with_ruleset;
use pyo3::types::{PyTuple, PyType};
use pyo3::{Py, PyResult, Python, pyclass, pyfunction, pymethods};

use crate::errors::to_py_error;

/// Returns the ids of all rulesets.
#[pyfunction]
pub(crate) fn rulesets() -> Vec<&'static str> {
    gamekeeper_learn::rulesets()
}

/// Observations and actions of a ruleset, for a number of players.
#[pyclass(frozen, name = "Space", module = "gamekeeper_native")]
pub(crate) struct NativeSpace {
    pub(crate) space: Arc<Space>,
    pub(crate) desk: Arc<SharedBuffer>,
    cells: Py<PyTuple>,
    words: Py<PyTuple>,
}

/// The page that the single games of a space share, one after the other, so that copies of games need none of their
/// own.
pub(crate) struct SharedBuffer {
    size: usize,
    buffer: Mutex<RowBuffer>,
}

impl SharedBuffer {
    /// Locks the page, which is empty.
    pub(crate) fn lock_buffer(&self) -> MutexGuard<'_, RowBuffer> {
        self.buffer.lock().unwrap_or_else(|poisoned| {
            // A panic while a page is written would leave it half full.
            let mut buffer = poisoned.into_inner();
            *buffer = RowBuffer::new(self.size);
            self.buffer.clear_poison();
            buffer
        })
    }
}

#[pymethods]
impl NativeSpace {
    #[new]
    #[pyo3(signature = (ruleset, players=None))]
    fn new(py: Python<'_>, ruleset: &str, players: Option<usize>) -> PyResult<Self> {
        let players = players.unwrap_or_else(|| fewest_players(ruleset));
        let space = space_of(ruleset, players).map_err(to_py_error)?;
        Ok(Self {
            desk: Arc::new(SharedBuffer {
                size: space.cells().len(),
                buffer: Mutex::new(space.row_buffer()),
            }),
            cells: PyTuple::new(py, space.cells())?.unbind(),
            words: PyTuple::new(py, space.words())?.unbind(),
            space,
        })
    }

    /// Returns the words of an encoded action.
    fn sentence(&self, action: &[u8]) -> Vec<u16> {
        self.space.words_of(action)
    }

    #[getter]
    fn ruleset(&self) -> &'static str {
        self.space.ruleset()
    }

    #[getter]
    fn players(&self) -> usize {
        self.space.seats()
    }

    /// Returns whether the lowest score wins.
    #[getter]
    fn fewest_win(&self) -> bool {
        with_ruleset!(self.space.ruleset(), R => R::INFO.fewest_win, _ => false)
    }

    /// Returns the number of cells of an observation.
    #[getter]
    fn size(&self) -> usize {
        self.space.cells().len()
    }

    /// Returns the meaning of each number of an observation.
    #[getter]
    fn cells(&self, py: Python<'_>) -> Py<PyTuple> {
        self.cells.clone_ref(py)
    }

    /// Returns the meaning of each word.
    #[getter]
    fn words(&self, py: Python<'_>) -> Py<PyTuple> {
        self.words.clone_ref(py)
    }

    /// Returns whether any part of a table is ever hidden from a seat.
    #[getter]
    fn hidden_information(&self) -> bool {
        self.space.has_hidden_information()
    }

    /// Returns the components that the contract names by text.
    #[getter]
    fn texts(&self) -> Vec<String> {
        self.space.texts().to_vec()
    }

    /// Returns the names of the policies that bots have in this ruleset.
    #[getter]
    fn policies(&self) -> PyResult<Vec<&'static str>> {
        policies_of(self.space.ruleset()).map_err(to_py_error)
    }

    /// Returns a number that changes whenever the meaning of a number or a word does.
    #[getter]
    fn version(&self) -> u64 {
        self.space.version()
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyType>, (&'static str, usize)) {
        let class = py.get_type::<Self>().unbind();
        (class, (self.space.ruleset(), self.space.seats()))
    }

    fn __repr__(&self) -> String {
        format!("Space({:?}, {})", self.space.ruleset(), self.space.seats())
    }
}

/// Returns the fewest players of a ruleset; 0 if it is unknown.
fn fewest_players(ruleset: &str) -> usize {
    with_ruleset!(ruleset, R => R::INFO.min_seats.into(), _ => 0)
}
