//! The rules, one file per theme, and one per card in `cards`. In each file: `resolve` begins an
//! effect, `advance` continues it and stops where a player must decide; `candidates` lists what
//! they may do, `check` judges it, `perform` carries it out. A theme with several actions has its
//! own `Deed`.

pub(crate) mod action_phase;
pub(crate) mod attack;
pub(crate) mod buy_phase;
pub(crate) mod cards;
pub(crate) mod clean_up;
pub(crate) mod common;
pub(crate) mod end;
pub(crate) mod gain;
pub(crate) mod play_card;
pub(crate) mod procedures;
mod stalemate;
pub(crate) mod subsets;
