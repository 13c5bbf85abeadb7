//! Drawn tables as PNG pictures.

use gamekeeper_proto::gamekeeper::v1::GameInfo;

use crate::failure::Failure;

/// Paints an SVG drawing as PNG.
///
/// # Errors
/// If the drawing cannot be read.
pub(crate) fn png(drawing: &str) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::Contract(format!("the drawing: {error}"));
    gamekeeper_raster::paint(drawing).map_err(failed)
}

/// Returns whether the font of pictures has every character of the names of the players.
pub(crate) fn can_write_names(game: &GameInfo) -> bool {
    let mut players = game.players.iter();
    players.all(|player| gamekeeper_raster::can_write(&player.name))
}
