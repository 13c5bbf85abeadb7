//! Labels of random draws (CAY-14.6).

use super::tiles::{NEUTRAL_TILES, Tile};
use crate::table::drawn;

drawn! { Tile from 0 }

/// Returns the label of a drawn value: the id of the data file, unless it is a number.
pub fn draw_label(draw: &str, value: u16) -> Option<&'static str> {
    let tile = NEUTRAL_TILES.get(usize::from(value));
    tile.filter(|_| draw == "neutral_order")
        .map(|tile| tile.id())
}
