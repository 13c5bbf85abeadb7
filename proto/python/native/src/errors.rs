//! Faults as Python exceptions.

use gamekeeper_learn::Fault;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};

create_exception!(
    gamekeeper_native,
    IllegalActionError,
    PyValueError,
    "A word that cannot be said now. Nothing has changed."
);

create_exception!(
    gamekeeper_native,
    PolicyError,
    PyValueError,
    "A file of a learned policy that cannot be used here."
);

/// Converts a fault to its exception.
pub(crate) fn to_py_error(fault: Fault) -> PyErr {
    let text = fault.to_string();
    match fault {
        Fault::Illegal { .. } => IllegalActionError::new_err(text),
        Fault::Learned { .. } => PolicyError::new_err(text),
        Fault::Unknown(..)
        | Fault::Seats { .. }
        | Fault::Options(_)
        | Fault::Positions(_)
        | Fault::Position(_)
        | Fault::Snapshot(_)
        | Fault::Size { .. }
        | Fault::Opponents { .. }
        | Fault::NoSeat(_)
        | Fault::Policy(_)
        | Fault::NobodyMoves(_)
        | Fault::OtherSpace { .. }
        | Fault::Prior { .. }
        | Fault::Value(_) => PyValueError::new_err(text),
        Fault::NoGame(_) => PyIndexError::new_err(text),
        Fault::NothingWaits | Fault::NotBegun | Fault::NothingToDecide | Fault::Threads(_) => {
            PyRuntimeError::new_err(text)
        }
    }
}
