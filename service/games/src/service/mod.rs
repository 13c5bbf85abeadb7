//! **Service**: the games of one ruleset: cache, loading, replay, and authorization on a loaded game.

pub(crate) mod authorization;
pub(crate) mod event_reader;
pub(crate) mod game_service;
pub(crate) mod load;
pub(crate) mod numbers;
pub(crate) mod painting;
pub(crate) mod replay;
pub(crate) mod seats;
pub(crate) mod target_context;
pub(crate) mod tensor_encoder;
pub(crate) mod viewer;
