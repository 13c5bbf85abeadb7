//! **Aggregate**: one game in memory, with its undo states, the ids of recent requests and what becomes due.

pub(crate) mod commitments;
pub(crate) mod due;
pub(crate) mod first_table;
pub(crate) mod game;
pub(crate) mod game_limits;
pub(crate) mod idempotency;
pub(crate) mod recent_events;
pub(crate) mod undo_states;
