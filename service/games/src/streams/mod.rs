//! Streams about one game, all with the same limits on their lifetime.

pub(crate) mod bounded;
pub(crate) mod export;
pub(crate) mod feed;
pub(crate) mod followed;
pub(crate) mod marked;
pub(crate) mod self_play;
pub(crate) mod watch;
