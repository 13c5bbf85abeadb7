//! Gamekeeper's server: everything that waits, stores or talks.

pub mod store;
