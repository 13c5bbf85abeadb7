//! What is particular to this store.
