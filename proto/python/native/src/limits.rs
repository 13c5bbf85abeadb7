//! Limits of the arguments of callers.

use gamekeeper_learn::policy_of;
use gamekeeper_rules::bots::Policy;
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;

use crate::errors::to_py_error;

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

/// Returns the policy of this name in a ruleset, and its number of playouts.
pub(crate) fn policy_with_playouts(
    ruleset: &str,
    name: &str,
    playouts: Option<u32>,
) -> PyResult<(Policy, Option<u32>)> {
    check_limit(
        "playouts",
        playouts.unwrap_or(0) as usize,
        PLAYOUTS as usize,
    )?;
    let policy = policy_of(ruleset, name).map_err(to_py_error)?;
    Ok((policy, playouts))
}
