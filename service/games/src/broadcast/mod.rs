//! **Broadcast**: updates of watched games, encoded once for all watchers of a process.

pub(crate) mod registry;
pub(crate) mod update;
