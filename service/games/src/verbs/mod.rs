//! What callers do with one game. Each call stands on the heart and knows no other.

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
