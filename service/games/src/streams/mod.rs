//! Streams about one game, all with the same limits on their lifetime.

pub(crate) mod export_game;
pub(crate) mod feed_game;
pub(crate) mod limits;
pub(crate) mod log_tailer;
pub(crate) mod self_play;
pub(crate) mod watch_game;
pub(crate) mod watched_game;
