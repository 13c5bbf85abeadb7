//! **Rendering**: a game and its entries as a viewer may see them, as messages, sentences and pictures.

pub(crate) mod drawing_changes;
pub(crate) mod entry_view;
pub(crate) mod picture;
pub(crate) mod projection;
