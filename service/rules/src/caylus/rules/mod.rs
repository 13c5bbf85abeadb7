//! The rules, one file per theme: the phases, and the effects of buildings and favors. In each file: `enter`
//! does the automatic part of a stage; `candidates` lists what a player may do, `check` judges it, `perform`
//! carries it out. A theme with several actions has its own `Deed`.

pub(crate) mod activation;
pub(crate) mod building;
pub(crate) mod castle;
mod common;
pub(crate) mod end;
pub(crate) mod favors;
pub(crate) mod goods;
pub(crate) mod placement;
pub(crate) mod provost;
pub(crate) mod scoring;
pub(crate) mod special;
pub(crate) mod turn;
