//! Calls that concern several games, or games of several rulesets.

pub(crate) mod batch_get_games;
pub(crate) mod check_games;
pub(crate) mod erase_user;
pub(crate) mod games_update;
pub(crate) mod import_game;
pub(crate) mod list_games;
pub(crate) mod rules;
pub(crate) mod self_play;
pub(crate) mod tenant_feed;
pub(crate) mod user_tokens;
pub(crate) mod watch_games;
