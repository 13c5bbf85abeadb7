//! The rules, one file per theme.

pub(crate) mod bid;
pub(crate) mod turn;
