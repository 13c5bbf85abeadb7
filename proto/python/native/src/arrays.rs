//! Arrays of NumPy that the caller provides and the games fill (**preallocated buffers**).

use gamekeeper_learn::{DirtyCells, Element, Fault, Reward, RowBuffer, Standing};
use numpy::ndarray::{Dimension, Ix1, Ix2};
use numpy::{
    PyArray, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray, PyReadwriteArray1,
    PyReadwriteArray2, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::types::{PyAny, PyAnyMethods, PyTypeMethods};
use pyo3::{Bound, PyErr, PyResult};

use crate::errors::to_py_error;

/// The name of an array, for messages.
type ArrayName = &'static str;

/// Opens an array for writing. `kinds` are the types of its numbers in words.
///
/// # Errors
/// Fails if the object is no such array, or cannot be written.
fn writable<'py, T: numpy::Element, D: Dimension>(
    object: &Bound<'py, PyAny>,
    name: ArrayName,
    kinds: &str,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    let Ok(array) = object.cast::<PyArray<T, D>>() else {
        return Err(wrong_kind::<D>(object, name, kinds));
    };
    let opened = array.try_readwrite();
    opened.map_err(|error| PyValueError::new_err(format!("{name} cannot be written: {error}")))
}

/// Opens a row of whole numbers for reading.
///
/// # Errors
/// Fails if the object is no such array.
pub(crate) fn readable<'py>(
    object: &Bound<'py, PyAny>,
    name: ArrayName,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let Ok(array) = object.cast::<PyArray<i64, Ix1>>() else {
        return Err(wrong_kind::<Ix1>(object, name, "int64"));
    };
    let opened = array.try_readonly();
    opened.map_err(|error| PyValueError::new_err(format!("{name} cannot be read: {error}")))
}

/// Describes an object that is not the array that is needed.
fn wrong_kind<D: Dimension>(object: &Bound<'_, PyAny>, name: ArrayName, kinds: &str) -> PyErr {
    let found = match object.cast::<PyUntypedArray>() {
        Ok(array) => format!(
            "an array of {} with {} dimensions",
            array.dtype(),
            array.ndim()
        ),
        Err(_) => match object.get_type().name() {
            Ok(kind) => format!("of the type {kind}"),
            Err(error) => return error,
        },
    };
    let dimensions = D::NDIM.unwrap_or(1);
    PyTypeError::new_err(format!(
        "{name} is {found}; it must be an array of {kinds} with {dimensions}"
    ))
}

/// The observation of one seat.
pub(crate) enum Observation<'py> {
    /// Values without rounding.
    Floats(PyReadwriteArray1<'py, f32>),
    /// Values in steps of 1/127.
    Bytes(PyReadwriteArray1<'py, i8>),
}

/// The types of the numbers of observations.
const CELLS: &str = "float32 or int8";

impl<'py> Observation<'py> {
    /// Opens an array for the observation of a seat.
    ///
    /// # Errors
    /// Fails if the object is no such array.
    pub(crate) fn open(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if object.cast::<PyArray<i8, Ix1>>().is_ok() {
            return writable(object, "observation", CELLS).map(Self::Bytes);
        }
        writable(object, "observation", CELLS).map(Self::Floats)
    }

    /// Moves the contents of the page into the array, and overwrites all earlier contents.
    pub(crate) fn copy_from(&mut self, buffer: &mut RowBuffer) -> PyResult<()> {
        match self {
            Self::Floats(cells) => flush_into(buffer, cells.as_slice_mut()?),
            Self::Bytes(cells) => flush_into(buffer, cells.as_slice_mut()?),
        }
        Ok(())
    }

    /// Fails if the array is not as long as an observation.
    pub(crate) fn check_size(&self, size: usize) -> PyResult<()> {
        let actual_len = match self {
            Self::Floats(cells) => cells.as_slice()?.len(),
            Self::Bytes(cells) => cells.as_slice()?.len(),
        };
        check_len("observation", actual_len, size)
    }
}

/// Opens the mask of one seat.
///
/// # Errors
/// Fails if the object is no such array.
pub(crate) fn open_mask<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadwriteArray1<'py, i8>> {
    writable(object, "mask", "int8")
}

fn flush_into<C: Element>(buffer: &mut RowBuffer, cells: &mut [C]) {
    cells.fill(C::default());
    buffer.flush_into(cells, &mut DirtyCells::default());
}

/// Fails if an array has the wrong size.
pub(crate) fn check_len(array: ArrayName, size: usize, expected: usize) -> PyResult<()> {
    if size == expected {
        return Ok(());
    }
    Err(to_py_error(Fault::Size {
        array,
        size,
        expected,
    }))
}

/// The observations of many games.
pub(crate) enum Observations<'py> {
    /// Values without rounding.
    Floats(PyReadwriteArray2<'py, f32>),
    /// Values in steps of 1/127.
    Bytes(PyReadwriteArray2<'py, i8>),
}

impl Observations<'_> {
    /// Returns the number of all cells.
    pub(crate) fn len(&self) -> PyResult<usize> {
        match self {
            Self::Floats(cells) => Ok(cells.as_slice()?.len()),
            Self::Bytes(cells) => Ok(cells.as_slice()?.len()),
        }
    }
}

/// Opens an array for the observations of many games.
///
/// # Errors
/// Fails if the object is no such array.
pub(crate) fn open_observations<'py>(object: &Bound<'py, PyAny>) -> PyResult<Observations<'py>> {
    if object.cast::<PyArray<i8, Ix2>>().is_ok() {
        return writable(object, "observations", CELLS).map(Observations::Bytes);
    }
    writable(object, "observations", CELLS).map(Observations::Floats)
}

/// Opens an array for the masks of many games.
///
/// # Errors
/// Fails if the object is no such array.
pub(crate) fn open_masks<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadwriteArray2<'py, i8>> {
    writable(object, "masks", "int8")
}

/// Opens an array for the seats to move of many games.
///
/// # Errors
/// Fails if the object is no such array.
pub(crate) fn open_seats<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadwriteArray1<'py, i64>> {
    writable(object, "seats", "int64")
}

/// The arrays that a vector writes: the attributes of any object of the caller.
pub(crate) struct Arrays<'py> {
    /// The observations of the seats to move, a row for each game.
    pub(crate) observations: Observations<'py>,
    /// The action masks, a row for each game: 1 for each word that the seat to move can say.
    pub(crate) masks: PyReadwriteArray2<'py, i8>,
    /// The seats to move.
    pub(crate) seats: PyReadwriteArray1<'py, i64>,
    /// The rewards of each seat for the last step, a row for each game.
    pub(crate) rewards: PyReadwriteArray2<'py, f32>,
    /// The end of each game in the last step: 0 it goes on, 1 it ended by the rules, 2 it was cut off.
    pub(crate) dones: PyReadwriteArray1<'py, i8>,
}

impl<'py> Arrays<'py> {
    /// Opens the arrays of an object.
    ///
    /// # Errors
    /// Fails if one of them is missing, has numbers of another type or other dimensions, or cannot be written.
    pub(crate) fn open(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(Self {
            observations: open_observations(&object.getattr("observations")?)?,
            masks: open_masks(&object.getattr("masks")?)?,
            seats: open_seats(&object.getattr("seats")?)?,
            rewards: writable(&object.getattr("rewards")?, "rewards", "float32")?,
            dones: writable(&object.getattr("dones")?, "dones", "int8")?,
        })
    }

    /// Fails if an array that the games do not write themselves has the wrong size.
    pub(crate) fn check_sizes(&self, games: usize, seats: usize) -> PyResult<()> {
        check_len("rewards", self.rewards.as_slice()?.len(), games * seats)?;
        check_len("dones", self.dones.as_slice()?.len(), games)
    }

    /// Resets the rewards and ends of an earlier step.
    pub(crate) fn clear(&mut self) -> PyResult<()> {
        self.rewards.as_slice_mut()?.fill(0.0);
        self.dones.as_slice_mut()?.fill(0);
        Ok(())
    }

    /// Writes the rewards of the seats of a game, and how it ended.
    pub(crate) fn write_result(
        &mut self,
        slot: usize,
        seats: usize,
        (reward, standings): (Reward, Option<&[Standing]>),
    ) -> PyResult<()> {
        let rows = self.rewards.as_slice_mut()?.chunks_exact_mut(seats);
        if let (Some(row), Some(standings)) = (rows.into_iter().nth(slot), standings) {
            for (seat, cell) in row.iter_mut().enumerate() {
                *cell = reward.of(standings, seat);
            }
        }
        if let Some(done) = self.dones.as_slice_mut()?.get_mut(slot) {
            *done = if standings.is_some() { 1 } else { 2 };
        }
        Ok(())
    }
}
