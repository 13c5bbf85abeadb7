//! The rules by theme: for each decision its check, its candidates and its effect side by side.

pub(super) mod action_phase;
pub(super) mod attack;
pub(super) mod buy_phase;
pub(super) mod cards;
pub(super) mod clean_up;
pub(super) mod gain;
pub(super) mod procedures;
