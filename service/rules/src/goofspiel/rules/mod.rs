//! The rules, one file per theme.

pub mod bid;
pub mod turn;
