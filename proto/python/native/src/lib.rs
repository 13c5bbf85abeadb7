//! Games as arrays of numbers for Python, played in its own process: the module `gamekeeper_native`.
//!
//! The file `gamekeeper_native.pyi` documents the interface. This crate only adds the Python side to
//! `gamekeeper-learn`: classes, arrays of NumPy, exceptions, limits. Seats count from 0.
#![cfg(feature = "python")]
#![allow(
    clippy::needless_pass_by_value,
    reason = "Python's arguments are handed over as values"
)]

mod arrays;
mod bots;
mod errors;
mod game;
mod limits;
mod ratings;
mod rows;
mod settings;
mod space;
mod tree_search;
mod vector;

// Views and actions are many small, short-lived allocations, which mimalloc is designed for.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The Python module.
#[pyo3::pymodule]
mod gamekeeper_native {
    #[pymodule_export]
    use crate::bots::NativeLearnedPolicy;
    #[pymodule_export]
    use crate::errors::{IllegalActionError, PolicyError};
    #[pymodule_export]
    use crate::game::NativeGame;
    #[pymodule_export]
    use crate::ratings::{NativeActionRating, NativeWordRating};
    #[pymodule_export]
    use crate::rows::observe_many;
    #[pymodule_export]
    use crate::settings::NativeSettings;
    #[pymodule_export]
    use crate::space::{NativeSpace, rulesets};
    #[pymodule_export]
    use crate::tree_search::NativeTreeSearch;
    #[pymodule_export]
    use crate::vector::NativeVector;

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python looks for")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
