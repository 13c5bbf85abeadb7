//! The rules, one file per theme, and one per card in `cards`. In each file: `resolve` begins an
//! effect, `advance` continues it and stops where a player must decide; `candidates` lists what
//! they may do, `check` judges it, `execute` carries it out. A theme with several actions has its
//! own `ValidAction`.

pub mod action_phase;
pub mod attack;
pub mod buy_phase;
pub mod cards;
pub mod clean_up;
pub mod common;
pub mod end;
pub mod gain;
pub mod play_card;
pub mod procedures;
pub mod stalemate;
pub mod subsets;
