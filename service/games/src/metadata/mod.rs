//! **Metadata**: what a game has beside its log and can change without an entry: tokens, labels, users, bots.

mod bots;
mod game_metadata;
mod initial_names;
mod new_game;
mod tags;

pub use bots::Bot;
pub(crate) use bots::BotPolicy;
pub use game_metadata::GameMetadata;
pub use initial_names::InitialNames;
pub(crate) use initial_names::placeholder_name;
pub use tags::{Tags, check_labels, check_user};
