//! Calls that concern one game. Each call builds on the core (`heart`) and is independent of the others.

pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod create;
pub(crate) mod due;
pub(crate) mod erase;
pub(crate) mod events;
pub(crate) mod fork;
pub(crate) mod legal;
pub(crate) mod look;
pub(crate) mod manage;
pub(crate) mod table_life;
pub(crate) mod update;
