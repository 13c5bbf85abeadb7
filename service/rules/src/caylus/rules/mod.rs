//! One file for each phase, and for the effects of buildings and favors. All others use `common`
//! and `vocabulary`.

pub(crate) mod activation;
pub(crate) mod building;
pub(crate) mod castle;
mod common;
pub(crate) mod ending;
pub(crate) mod favors;
pub(crate) mod goods;
pub(crate) mod placement;
pub(crate) mod provost;
pub(crate) mod scoring;
pub(crate) mod special;
pub(crate) mod turn;
