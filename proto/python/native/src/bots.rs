//! Bots: policies by name, and learned policies from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gamekeeper_learn::{Opponent, Space, policy_of};
use gamekeeper_policies::{LearnedPolicy, PREFIX, PolicyError as Error};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::{FromPyObject, Py, PyErr, PyResult, pyclass, pymethods};

use crate::errors::{PolicyError, to_py_error};
use crate::limits::{PLAYOUTS, check_limit};
use crate::space::NativeSpace;

/// A learned policy of a file.
#[pyclass(frozen, name = "LearnedPolicy", module = "gamekeeper_native")]
pub(crate) struct NativeLearnedPolicy {
    policy: Arc<LearnedPolicy>,
}

/// A bot: its name, `policy:` and a file, or a learned policy.
#[derive(FromPyObject)]
pub(crate) enum BotArg {
    Learned(Py<NativeLearnedPolicy>),
    Name(String),
}

#[pymethods]
impl NativeLearnedPolicy {
    #[new]
    fn new(space: &NativeSpace, path: PathBuf) -> PyResult<Self> {
        let policy = load(&space.space, &path)?;
        Ok(Self { policy })
    }

    #[getter]
    fn id(&self) -> &str {
        self.policy.id()
    }

    #[getter]
    fn hash(&self) -> &str {
        self.policy.hash()
    }

    #[getter]
    fn description(&self) -> &str {
        self.policy.description()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a learned policy can be neither pickled nor copied: read its file where it is used",
        ))
    }
}

impl NativeLearnedPolicy {
    /// Returns the policy, after checking that it plays the games of a space.
    pub(crate) fn for_space(&self, space: &Space) -> PyResult<&Arc<LearnedPolicy>> {
        let checked = self.policy.check_plays(space.ruleset(), space.seats());
        checked.map_err(|error| PolicyError::new_err(error.to_string()))?;
        Ok(&self.policy)
    }
}

/// Loads a policy that plays the games of a space.
fn load(space: &Space, path: &Path) -> PyResult<Arc<LearnedPolicy>> {
    let refused = |error: Error| -> PyErr {
        let file = path.display();
        PolicyError::new_err(format!("{PREFIX}{file}: {error}"))
    };
    let policy = LearnedPolicy::load(path).map_err(refused)?;
    let checked = policy.check_plays(space.ruleset(), space.seats());
    checked.map_err(refused)?;
    Ok(Arc::new(policy))
}

/// Returns a bot of the games of a space, with its number of playouts.
pub(crate) fn opponent(space: &Space, bot: &BotArg, playouts: Option<u32>) -> PyResult<Opponent> {
    let learned = match bot {
        BotArg::Learned(policy) => Arc::clone(policy.get().for_space(space)?),
        BotArg::Name(name) => match name.strip_prefix(PREFIX) {
            Some(file) => load(space, Path::new(file))?,
            None => return named(space, name, playouts),
        },
    };
    if playouts.is_some() {
        let text = format!("{} has no playouts: it does not search", learned.id());
        return Err(PyValueError::new_err(text));
    }
    Ok(Opponent::Learned(learned))
}

/// Returns the bot of this name in the ruleset of a space.
fn named(space: &Space, name: &str, playouts: Option<u32>) -> PyResult<Opponent> {
    let count = playouts.unwrap_or(0) as usize;
    check_limit("playouts", count, PLAYOUTS as usize)?;
    let policy = policy_of(space.ruleset(), name).map_err(to_py_error)?;
    Ok(Opponent::Bot(policy, playouts))
}
