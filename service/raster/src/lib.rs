//! Drawn tables as **PNG** pictures, for chats, e-mails and link previews. The font is bundled, so a drawing looks the same
//! on every machine: Liberation Sans, by whose widths drawings are laid out.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};
use skrifa::{FontRef, MetadataProvider};

/// The weights of the font.
static REGULAR: &[u8] = include_bytes!("../fonts/LiberationSans-Regular.ttf");
static BOLD: &[u8] = include_bytes!("../fonts/LiberationSans-Bold.ttf");

/// The font, ready for use.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for weight in [REGULAR, BOLD] {
        fonts.load_font_source(Source::Binary(Arc::new(weight)));
    }
    fonts.set_sans_serif_family("Liberation Sans");
    Arc::new(fonts)
});

/// The reason why a drawing cannot be painted.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// The drawing is no SVG.
    #[error("the drawing cannot be read: {0}")]
    Drawing(#[from] resvg::usvg::Error),
    /// The drawing has no area, or one that needs too much memory.
    #[error("the drawing has no area")]
    Area,
    /// The picture cannot be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
}

/// Paints an SVG drawing with plain colors as PNG, one pixel for each unit. Takes some hundredths of a second.
///
/// # Errors
/// If the drawing cannot be read, has no area, or cannot be encoded.
pub fn paint(drawing: &str) -> Result<Vec<u8>, PaintError> {
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    };
    let tree = Tree::from_str(drawing, &options)?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PaintError::Area)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| PaintError::Encoding(error.to_string()))
}

/// Returns whether the font has every character of a text.
#[must_use]
pub fn can_write(text: &str) -> bool {
    FontRef::new(REGULAR).is_ok_and(|font| {
        let characters = font.charmap();
        text.chars().all(|letter| characters.map(letter).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 40;

    /// Draws a text on white.
    fn drawn(text: &str, style: &str) -> String {
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} 20" width="{WIDTH}" height="20"><style>.gk{{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;{style}}}</style><rect width="{WIDTH}" height="20" fill="#fff"/><text class="gk" x="2" y="15" font-size="14">{text}</text></svg>"##
        )
    }

    /// Returns the picture, decoded, as the number of pixels that are not white.
    fn ink(drawing: &str) -> usize {
        let picture = Pixmap::decode_png(&paint(drawing).unwrap()).unwrap();
        assert_eq!((picture.width(), picture.height()), (40, 20));
        let pixels = picture.pixels().iter();
        pixels.filter(|pixel| pixel.red() < 200).count()
    }

    #[test]
    fn letters_are_painted_in_two_weights() {
        assert_eq!(ink(&drawn("", "")), 0);
        let regular = ink(&drawn("Abc", ""));
        assert!(regular > 40, "{regular}");
        assert!(ink(&drawn("Abc", "font-weight:700")) > regular);
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        for text in ["", "<svg>", "picture"] {
            assert!(matches!(paint(text), Err(PaintError::Drawing(_))), "{text}");
        }
    }

    #[test]
    fn names_of_many_scripts_can_be_written() {
        for name in ["Ada", "Zoë Őrült", "Ιόλη", "Дарья", "שרה", "O’Neill"] {
            assert!(can_write(name), "{name}");
            assert!(ink(&drawn(name, "font-size:5px")) > 0, "{name}");
        }
        for name in ["山田", "مريم", "Ada 🎲"] {
            assert!(!can_write(name), "{name}");
        }
    }
}
