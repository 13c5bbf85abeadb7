//! The **painter** of drawings, if the build has one (feature `raster`).

/// Whether the build has one.
pub(crate) const HAS_PAINTER: bool = cfg!(feature = "raster");

/// Paints an SVG drawing with plain colors as PNG. Takes some hundredths of a second.
///
/// # Errors
/// If the drawing cannot be painted, or the build has no painter.
#[cfg(feature = "raster")]
pub(crate) fn paint(drawing: &str) -> Result<Vec<u8>, String> {
    gamekeeper_raster::paint(drawing).map_err(|error| error.to_string())
}

#[cfg(not(feature = "raster"))]
pub(crate) fn paint(_drawing: &str) -> Result<Vec<u8>, String> {
    Err(String::from("this build has no painter"))
}

/// Returns whether the font of pictures has every character of a text.
#[cfg(feature = "raster")]
pub(crate) fn can_write(text: &str) -> bool {
    gamekeeper_raster::can_write(text)
}

#[cfg(not(feature = "raster"))]
pub(crate) const fn can_write(_text: &str) -> bool {
    true
}
