//! Arrays of NumPy that the caller provides and the games fill (**preallocated buffers**).

use gamekeeper_learn::{DirtyCells, Element, Fault, Reward, RowBuffer, Standing};
use numpy::{PyReadwriteArray1, PyReadwriteArray2};
use pyo3::{FromPyObject, PyResult};

use crate::errors::to_py_error;

/// The observation of one seat.
#[derive(FromPyObject)]
pub(crate) enum Observation<'py> {
    /// Values without rounding.
    Floats(PyReadwriteArray1<'py, f32>),
    /// Values in steps of 1/127.
    Bytes(PyReadwriteArray1<'py, i8>),
}

impl Observation<'_> {
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

fn flush_into<C: Element>(buffer: &mut RowBuffer, cells: &mut [C]) {
    cells.fill(C::default());
    buffer.flush_into(cells, &mut DirtyCells::default());
}

/// Fails if an array has the wrong size.
pub(crate) fn check_len(
    array_name: &'static str,
    actual_len: usize,
    expected_len: usize,
) -> PyResult<()> {
    if actual_len == expected_len {
        Ok(())
    } else {
        Err(to_py_error(Fault::Size(array_name)))
    }
}

/// The observations of many games.
#[derive(FromPyObject)]
pub(crate) enum Observations<'py> {
    /// Values without rounding.
    Floats(PyReadwriteArray2<'py, f32>),
    /// Values in steps of 1/127.
    Bytes(PyReadwriteArray2<'py, i8>),
}

/// The arrays that a vector writes: the attributes of any object of the caller.
#[derive(FromPyObject)]
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

impl Arrays<'_> {
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
