//! The rules, one file per theme. In each file: `enter` does the automatic part of a stage and
//! stops where a player must decide; `candidates` lists what they may do, `check` judges it,
//! `execute` carries it out and moves on. A theme with several actions has its own `ValidAction`.

pub mod build;
pub mod common;
pub mod end;
pub mod envoy;
pub mod help;
pub mod influence;
pub mod kings_aid;
pub mod kings_reward;
pub mod losses;
pub mod recruit;
pub mod roll;
pub mod season_end;
pub mod two_players;
pub mod winter;
pub mod year;
