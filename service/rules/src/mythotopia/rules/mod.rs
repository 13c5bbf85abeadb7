//! The rules, one file per theme. In each file: `candidates` lists what a player may do, `check` judges it,
//! `perform` carries it out. A theme with several actions has its own `Deed`.

pub(crate) mod abilities;
pub(crate) mod actor;
pub(crate) mod armies;
pub(crate) mod awards;
pub(crate) mod begin;
pub(crate) mod borders;
pub(crate) mod build;
pub(crate) mod capture;
pub(crate) mod cards;
pub(crate) mod decks;
pub(crate) mod drawing;
pub(crate) mod end_game;
pub(crate) mod gate;
pub(crate) mod gold;
pub(crate) mod invade;
pub(crate) mod payment;
pub(crate) mod philosopher;
pub(crate) mod purse;
pub(crate) mod roads;
pub(crate) mod sets;
pub(crate) mod setup_choice;
pub(crate) mod ships;
pub(crate) mod turn;
pub(crate) mod war;
