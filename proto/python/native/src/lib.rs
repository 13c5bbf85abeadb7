//! Games as arrays of numbers for Python, played in its own process: the module `gamekeeper_native`.
//!
//! What it says is in `gamekeeper_native.pyi`. Everything is from `gamekeeper-learn`; here is only what makes it Python:
//! classes, arrays of NumPy, exceptions, limits. Seats count from 0.
#![cfg(feature = "python")]
#![allow(
    clippy::needless_pass_by_value,
    reason = "Python's arguments are handed over as values"
)]

mod arrays;
mod faults;
mod game;
mod limits;
mod settings;
mod space;
mod vector;

// Views and actions are many small pieces of memory for a short time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The module.
#[pyo3::pymodule]
mod gamekeeper_native {
    #[pymodule_export]
    use crate::faults::IllegalActionError;
    #[pymodule_export]
    use crate::game::NativeGame;
    #[pymodule_export]
    use crate::settings::NativeSettings;
    #[pymodule_export]
    use crate::space::{NativeSpace, rulesets};
    #[pymodule_export]
    use crate::vector::NativeVector;

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python looks for")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
