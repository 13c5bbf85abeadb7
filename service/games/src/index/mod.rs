//! **Index**: keys and rows of the lists of games in the store.

pub(crate) mod index_keys;
