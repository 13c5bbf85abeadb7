//! The rules, one file per theme. In each file: `candidates` lists what a player may do, `check` judges it,
//! `execute` carries it out. A theme with several actions has its own `ValidAction`.

pub mod abilities;
pub mod actor;
pub mod armies;
pub mod awards;
pub mod begin;
pub mod borders;
pub mod build;
pub mod capture;
pub mod cards;
pub mod decks;
pub mod drawing;
pub mod end_game;
pub mod gate;
pub mod gold;
pub mod invade;
pub mod payment;
pub mod philosopher;
pub mod purse;
pub mod roads;
pub mod sets;
pub mod setup_choice;
pub mod ships;
pub mod turn;
pub mod war;
