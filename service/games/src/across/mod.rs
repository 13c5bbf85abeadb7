//! Calls that concern several games, or games of several rulesets.

pub(crate) mod batch;
pub(crate) mod check_games;
pub(crate) mod due;
pub(crate) mod erase;
pub(crate) mod games_update;
pub(crate) mod listing;
pub(crate) mod opening;
pub(crate) mod rules;
pub(crate) mod tenant_feed;
pub(crate) mod user_tokens;
pub(crate) mod watch_games;
