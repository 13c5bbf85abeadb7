//! The rules, one file per theme. In each file: `enter` does the automatic part of a stage; `candidates` lists
//! what a player may do, `check` judges it, `perform` carries it out. A theme with several actions has its own
//! `Deed`.

pub(crate) mod bridges;
pub(crate) mod conversions;
pub(crate) mod cult_rewards;
pub(crate) mod cults;
pub(crate) mod dwellings;
pub(crate) mod end;
pub(crate) mod follow_ups;
pub(crate) mod goods;
pub(crate) mod offers;
pub(crate) mod passing;
pub(crate) mod power;
pub(crate) mod power_actions;
pub(crate) mod reach;
pub(crate) mod rounds;
pub(crate) mod setting_up;
pub(crate) mod spades;
pub(crate) mod special_actions;
pub(crate) mod towns;
pub(crate) mod tracks;
pub(crate) mod transform;
pub(crate) mod upgrades;
