//! Labels of random draws (CAY-14.6).

use super::tiles::{NEUTRAL_TILES, Tile};
use crate::table::DrawValue;

impl DrawValue for Tile {
    fn draw_value(self) -> u16 {
        self as u16
    }
}

/// Returns the label of a drawn value: the id of the data file, or the number itself.
pub fn draw_label(draw: &str, value: u16) -> String {
    match NEUTRAL_TILES.get(usize::from(value)) {
        Some(tile) if draw == "neutral_order" => tile.id().to_owned(),
        Some(_) | None => value.to_string(),
    }
}
