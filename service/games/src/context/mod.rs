//! **Context**: what all games of a process share: settings, stores, queues, outages and blocks.

pub(crate) mod app_context;
pub(crate) mod outages;
pub(crate) mod settings;
pub(crate) mod shared_blocks;
pub(crate) mod unattended;
