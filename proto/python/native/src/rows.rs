//! Rows of arrays for many single games.

use gamekeeper_learn::{DirtyCells, Element, Game, Observer};
use pyo3::types::{PyAny, PyAnyMethods};
use pyo3::{Bound, PyRef, PyResult, pyfunction};

use crate::arrays::{Observations, check_len, open_masks, open_observations, open_seats};
use crate::errors::to_py_error;
use crate::game::NativeGame;

/// Writes what the seats to move of many games know, and the words that they can say.
#[pyfunction]
pub(crate) fn observe_many(
    games: Vec<PyRef<'_, NativeGame>>,
    arrays: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mut observations = open_observations(&arrays.getattr("observations")?)?;
    let mut masks = open_masks(&arrays.getattr("masks")?)?;
    let mut seats = open_seats(&arrays.getattr("seats")?)?;
    let masks = masks.as_slice_mut()?;
    let seats = seats.as_slice_mut()?;
    let Some(first) = games.first() else {
        check_len("observations", observations.len()?, 0)?;
        check_len("masks", masks.len(), 0)?;
        return check_len("seats", seats.len(), 0);
    };
    let space = first.game().space();
    for game in &games {
        game.game().space().check_same(space).map_err(to_py_error)?;
    }
    let (cells, words) = (space.cells().len(), space.words().len());
    check_len("observations", observations.len()?, games.len() * cells)?;
    check_len("masks", masks.len(), games.len() * words)?;
    check_len("seats", seats.len(), games.len())?;
    match &mut observations {
        Observations::Floats(rows) => write_all(&games, rows.as_slice_mut()?, cells),
        Observations::Bytes(rows) => write_all(&games, rows.as_slice_mut()?, cells),
    }
    masks.fill(0);
    let rows = masks.chunks_exact_mut(words).zip(seats);
    for (game, (mask, seat)) in games.iter().zip(rows) {
        *seat = mover(game.game());
        for &word in game.game().legal_words() {
            mask[usize::from(word)] = 1;
        }
    }
    Ok(())
}

/// Returns the seat to move, or -1 if there is none.
fn mover(game: &dyn Game) -> i64 {
    let seat = game.seat().and_then(|seat| i64::try_from(seat).ok());
    seat.unwrap_or(-1)
}

fn write_all<C: Element>(games: &[PyRef<'_, NativeGame>], cells: &mut [C], size: usize) {
    cells.fill(C::default());
    for (game, row) in games.iter().zip(cells.chunks_exact_mut(size)) {
        if let Some(seat) = game.game().seat() {
            let buffer = &mut *game.lock_buffer();
            game.game().observe(Observer::Seat(seat), seat, buffer);
            buffer.flush_into(row, &mut DirtyCells::default());
        }
    }
}
