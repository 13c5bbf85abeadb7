//! **Context**: what all games of a process share: settings, stores, queues and outages.

pub(crate) mod app_context;
pub(crate) mod outages;
pub(crate) mod settings;
