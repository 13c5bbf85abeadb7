//! The rules, one file per theme: the phases, and the effects of buildings and favors. In each file: `enter`
//! does the automatic part of a stage; `candidates` lists what a player may do, `check` judges it, `execute`
//! carries it out. A theme with several actions has its own `ValidAction`.

pub mod activation;
pub mod building;
pub mod castle;
pub mod common;
pub mod end;
pub mod favors;
pub mod goods;
pub mod placement;
pub mod provost;
pub mod scoring;
pub mod special;
pub mod turn;
