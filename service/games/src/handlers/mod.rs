//! Calls that concern one game. Each call builds on `service` and `commit` and is independent of the others.

pub(crate) mod apply_action;
pub(crate) mod check_game;
pub(crate) mod create_game;
pub(crate) mod delete_and_tokens;
pub(crate) mod erase_user;
pub(crate) mod fork_game;
pub(crate) mod get_game;
pub(crate) mod import_game;
pub(crate) mod list_events;
pub(crate) mod list_legal_actions;
pub(crate) mod system_commands;
pub(crate) mod table_commands;
pub(crate) mod update_game;
