//! **Context**: what all games of a process share: settings, stores, queues, outages, blocks and the painter.

pub(crate) mod app_context;
pub(crate) mod outages;
mod painting;
pub(crate) mod settings;
pub(crate) mod shared_blocks;
pub(crate) mod unattended;
