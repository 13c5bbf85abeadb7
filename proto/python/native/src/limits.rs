//! Limits of the arguments of callers.

use pyo3::PyResult;
use pyo3::exceptions::PyValueError;

/// The maximum number of games of a vector.
pub(crate) const GAMES: usize = 65_536;

/// The maximum number of threads of a vector.
pub(crate) const THREADS: usize = 256;

/// The maximum number of playouts of a bot's decision.
pub(crate) const PLAYOUTS: u32 = 1_000_000;

/// The maximum number of simulations of a tree.
pub(crate) const SIMULATIONS: usize = 100_000;

/// The maximum number of columns of a drawn board.
pub(crate) const COLUMNS: usize = 1_000;

/// Fails if the number is above the limit.
pub(crate) fn check_limit(what: &str, requested: usize, limit: usize) -> PyResult<()> {
    if requested <= limit {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "{what}: {requested} is too many; the limit is {limit}"
    )))
}
