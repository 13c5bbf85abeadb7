//! The rules, one file per theme. In each file: `enter` does the automatic part of a stage; `candidates` lists
//! what a player may do, `check` judges it, `execute` carries it out. A theme with several actions has its own
//! `ValidAction`.

pub mod bridges;
pub mod conversions;
pub mod cult_rewards;
pub mod cults;
pub mod dwellings;
pub mod end;
pub mod follow_ups;
pub mod goods;
pub mod offers;
pub mod passing;
pub mod power;
pub mod power_actions;
pub mod reach;
pub mod rounds;
pub mod setting_up;
pub mod spades;
pub mod special_actions;
pub mod towns;
pub mod tracks;
pub mod transform;
pub mod upgrades;
