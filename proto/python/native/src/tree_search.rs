//! The class for tree search with an evaluator.

use std::process;
use std::sync::Arc;

use gamekeeper_learn::{Fault, Game, LeafRows, Space, TreeBatch, TreeSettings, TreeWorkers};
use gamekeeper_policies::LearnedPolicy;
use gamekeeper_rules::table::Seed;
use numpy::{BorrowError, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::types::{PyAny, PyAnyMethods, PySlice, PyTuple, PyTypeMethods};
use pyo3::{Bound, PyRef, PyResult, Python, pyclass, pymethods};

use crate::bots::NativeLearnedPolicy;
use crate::errors::to_py_error;
use crate::game::NativeGame;
use crate::limits::{SIMULATIONS, THREADS, check_limit};
use crate::ratings::NativeWordRating;
use crate::space::NativeSpace;

/// Tree search with an evaluator, for many games at once.
#[pyclass(name = "TreeSearch", module = "gamekeeper_native")]
pub(crate) struct NativeTreeSearch {
    space: Arc<Space>,
    settings: TreeSettings,
    workers: TreeWorkers,
    /// The process that has the threads.
    process: u32,
}

/// An answer of an evaluator, with a row for each leaf.
type Rows<'py> = Bound<'py, PyArray2<f32>>;

/// The arrays in which the evaluator gets leaves.
struct LeafArrays<'py> {
    observations: Bound<'py, PyArray2<f32>>,
    masks: Bound<'py, PyArray2<i8>>,
    seats: Bound<'py, PyArray1<i64>>,
}

#[pymethods]
impl NativeTreeSearch {
    #[new]
    #[pyo3(signature = (space, *, simulations=64, exploration=1.25, noise=0.0, margin=0, threads=1))]
    fn new(
        space: &NativeSpace,
        simulations: u32,
        exploration: f64,
        noise: f64,
        margin: u32,
        threads: usize,
    ) -> PyResult<Self> {
        check_limit("simulations", simulations as usize, SIMULATIONS)?;
        check_limit("threads", threads, THREADS)?;
        if !(exploration.is_finite() && exploration >= 0.0) {
            return Err(PyValueError::new_err(format!(
                "exploration is {exploration}; it is a number from 0 on"
            )));
        }
        if !(0.0..=1.0).contains(&noise) {
            return Err(PyValueError::new_err(format!(
                "noise is {noise}; it is a share from 0 to 1"
            )));
        }
        Ok(Self {
            settings: TreeSettings {
                simulations,
                exploration,
                noise,
                margin,
            },
            workers: TreeWorkers::new(&space.space, threads).map_err(to_py_error)?,
            space: Arc::clone(&space.space),
            process: process::id(),
        })
    }

    /// Rates the words that the seats to move can say.
    fn rate<'py>(
        &mut self,
        py: Python<'py>,
        games: Vec<PyRef<'_, NativeGame>>,
        evaluate: &Bound<'py, PyAny>,
        seeds: Vec<[u8; 32]>,
    ) -> PyResult<Vec<Vec<NativeWordRating>>> {
        // A forked process does not have the threads, and would wait for them forever.
        if self.workers.has_threads() && self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the threads of this search belong to the process that made it: make it after the fork, or with threads=1",
            ));
        }
        if seeds.len() != games.len() {
            return Err(to_py_error(Fault::Size {
                array: "seeds",
                size: seeds.len(),
                expected: games.len(),
            }));
        }
        let games: Vec<&dyn Game> = games.iter().map(|game| game.game()).collect();
        let roots = games.iter().copied().zip(seeds.into_iter().map(Seed::new));
        let batch = TreeBatch::new(&self.space, roots, self.settings);
        let mut batch = batch.map_err(to_py_error)?;
        if let Ok(policy) = evaluate.cast::<NativeLearnedPolicy>() {
            let policy = policy.get().for_space(&self.space)?;
            py.detach(|| self.search(&mut batch, games.len(), policy))
                .map_err(to_py_error)?;
            return Ok(ratings(&batch));
        }
        let arrays = LeafArrays::new(py, &self.space, games.len());
        let workers = &mut self.workers;
        loop {
            let leaves = py.detach(|| batch.advance(workers));
            if leaves == 0 {
                break;
            }
            arrays.write(&mut batch)?;
            let (priors, values) = arrays.evaluate(evaluate, leaves, &self.space)?;
            let (priors, values) = (priors.readonly(), values.readonly());
            let expanded = batch.expand(priors.as_slice()?, values.as_slice()?);
            expanded.map_err(to_py_error)?;
        }
        Ok(ratings(&batch))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a search can be neither pickled nor copied: make it where it is used",
        ))
    }
}

impl NativeTreeSearch {
    /// Lets a learned policy evaluate all leaves of the trees of some games.
    fn search(
        &mut self,
        batch: &mut TreeBatch<'_>,
        games: usize,
        policy: &LearnedPolicy,
    ) -> Result<(), Fault> {
        let (cells, words) = (self.space.cells().len(), self.space.words().len());
        let mut observations = vec![0.0_f32; games * cells];
        let (mut masks, mut seats) = (vec![0; games * words], vec![0; games]);
        loop {
            let leaves = batch.advance(&mut self.workers);
            if leaves == 0 {
                return Ok(());
            }
            batch.write_leaves(LeafRows {
                observations: &mut observations,
                masks: &mut masks,
                seats: &mut seats,
            });
            let (seen, legal) = (&observations[..leaves * cells], &masks[..leaves * words]);
            let evaluated = policy.evaluate(seen, legal);
            let evaluated = evaluated.map_err(|error| policy.fault(&error))?;
            batch.expand(&evaluated.priors, &evaluated.values)?;
        }
    }
}

/// Returns what the trees found out.
fn ratings(batch: &TreeBatch<'_>) -> Vec<Vec<NativeWordRating>> {
    let native = |ratings: Vec<_>| ratings.into_iter().map(NativeWordRating::from).collect();
    batch.ratings().into_iter().map(native).collect()
}

impl<'py> LeafArrays<'py> {
    fn new(py: Python<'py>, space: &Space, games: usize) -> Self {
        Self {
            observations: PyArray2::zeros(py, [games, space.cells().len()], false),
            masks: PyArray2::zeros(py, [games, space.words().len()], false),
            seats: PyArray1::zeros(py, [games], false),
        }
    }

    fn write(&self, batch: &mut TreeBatch<'_>) -> PyResult<()> {
        let refused = |error: BorrowError| {
            PyValueError::new_err(format!("the arrays of leaves cannot be written: {error}"))
        };
        let mut observations = self.observations.try_readwrite().map_err(refused)?;
        let mut masks = self.masks.try_readwrite().map_err(refused)?;
        let mut seats = self.seats.try_readwrite().map_err(refused)?;
        batch.write_leaves(LeafRows {
            observations: observations.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            seats: seats.as_slice_mut()?,
        });
        Ok(())
    }

    /// Returns the priors and values that the evaluator gives the leaves.
    fn evaluate(
        &self,
        evaluate: &Bound<'py, PyAny>,
        leaves: usize,
        space: &Space,
    ) -> PyResult<(Rows<'py>, Rows<'py>)> {
        let py = evaluate.py();
        let first = PySlice::new(py, 0, isize::try_from(leaves)?, 1);
        let answer = evaluate.call1((
            self.observations.get_item(&first)?,
            self.masks.get_item(&first)?,
            self.seats.get_item(&first)?,
        ))?;
        let Ok(both) = answer.cast::<PyTuple>() else {
            let kind = answer.get_type();
            return Err(PyTypeError::new_err(format!(
                "an evaluator returns priors and values, not {}",
                kind.name()?
            )));
        };
        if both.len()? != 2 {
            return Err(PyTypeError::new_err(format!(
                "an evaluator returns priors and values, not {} things",
                both.len()?
            )));
        }
        let priors = rows_of(&both.get_item(0)?, "priors", [leaves, space.words().len()])?;
        let values = rows_of(&both.get_item(1)?, "values", [leaves, space.seats()])?;
        Ok((priors, values))
    }
}

/// Reads an array of the evaluator, of any type of numbers.
fn rows_of<'py>(given: &Bound<'py, PyAny>, name: &str, shape: [usize; 2]) -> PyResult<Rows<'py>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (given, "float32"))?;
    match array.cast_into::<PyArray2<f32>>() {
        Ok(array) if array.shape() == shape => Ok(array),
        found => {
            let found = match &found {
                Ok(array) => format!("{:?}", array.shape()),
                Err(error) => error.to_string(),
            };
            Err(PyValueError::new_err(format!(
                "{name} have the wrong shape: {found}, not {shape:?}"
            )))
        }
    }
}
