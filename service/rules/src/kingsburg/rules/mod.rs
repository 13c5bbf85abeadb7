//! The rules, one file per theme. In each file: `enter` does the automatic part of a stage and
//! stops where a player must decide; `candidates` lists what they may do, `check` judges it,
//! `perform` carries it out and moves on. A theme with several actions has its own `Deed`.

pub(crate) mod build;
mod common;
pub(crate) mod end;
pub(crate) mod envoy;
pub(crate) mod help;
pub(crate) mod influence;
pub(crate) mod kings_aid;
pub(crate) mod kings_reward;
pub(crate) mod losses;
pub(crate) mod recruit;
pub(crate) mod roll;
pub(crate) mod season_end;
pub(crate) mod two_players;
pub(crate) mod winter;
pub(crate) mod year;
