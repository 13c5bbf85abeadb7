//! Lines of the board: headings with words beside them, facts with their names.

use crate::table::text::{BOLD, DIM, styled, wrap};

/// A heading and words beside it, in as many lines as they need.
pub(crate) fn line(heading: &str, words: &[String], columns: usize) -> String {
    let heading = format!("{}  ", styled(BOLD, heading));
    wrap(words, ";  ", &heading, "  ", columns)
}

/// `name value`, with a dim name.
pub(crate) fn fact(name: &str, value: impl std::fmt::Display) -> String {
    format!("{} {value}", styled(DIM, name))
}
