//! **Commit**: changes of a game, each stored with a compare-and-set.

pub(crate) mod append;
pub(crate) mod metadata_update;
pub(crate) mod mutation;
