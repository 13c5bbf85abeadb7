//! One file for each phase, and for what buildings and favors do.

pub(super) mod activation;
pub(super) mod building;
pub(super) mod castle;
pub(super) mod favors;
pub(super) mod goods;
pub(super) mod placement;
pub(super) mod provost;
pub(super) mod scoring;
pub(super) mod special;
pub(super) mod turn;
pub(super) mod vocabulary;
