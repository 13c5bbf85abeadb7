//! Drawn tables as PNG pictures.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::failure::Failure;

/// Families without serifs, the best first.
const PREFERRED: &[&str] = &[
    "DejaVu Sans",
    "Noto Sans",
    "Liberation Sans",
    "Arial",
    "Helvetica",
];

/// The fonts of this machine. Drawings ask for a font without serifs; where the usual ones are missing, any font is better
/// than no text.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let families = fonts.faces().filter_map(|face| face.families.first());
    let installed: Vec<String> = families.map(|(name, _)| name.clone()).collect();
    let mut preferred = PREFERRED.iter().map(|name| (*name).to_owned());
    let found = preferred.find(|name| installed.contains(name));
    if let Some(name) = found.or_else(|| installed.first().cloned()) {
        fonts.set_sans_serif_family(name.clone());
        fonts.set_serif_family(name.clone());
        fonts.set_monospace_family(name);
    }
    Arc::new(fonts)
});

/// Paints an SVG drawing as PNG.
///
/// # Errors
/// If the drawing cannot be read, or this machine has no fonts.
pub(crate) fn png(drawing: &str) -> Result<Vec<u8>, Failure> {
    if FONTS.is_empty() {
        let text =
            "no fonts are installed where this program runs; look at the board or the view instead";
        return Err(Failure::Usage(String::from(text)));
    }
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    };
    let failed = |error: &dyn std::fmt::Display| Failure::Contract(format!("the drawing: {error}"));
    let tree = Tree::from_str(drawing, &options).map_err(|error| failed(&error))?;
    let size = tree.size().to_int_size();
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| failed(&"it has no size"))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(&error))
}
