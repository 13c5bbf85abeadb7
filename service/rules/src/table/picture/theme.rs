//! **Themes**: colors, corners and the width of letters that a client sets for drawings which no style sheet of a page
//! reaches. They end in the style sheet of a drawing, so they are kept as numbers.

use std::collections::BTreeMap;

use super::Paint;

/// The limits of the factor for round corners, in percent.
const MAX_CORNERS: u32 = 300;

/// The limits of the width of letters in relation to Helvetica's, in percent.
const MIN_LETTERS: u32 = 100;
const MAX_LETTERS: u32 = 125;

/// Replacements of colors and measures of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Colors as `0xrrggbb`.
    colors: BTreeMap<Paint, u32>,
    /// The factor for round corners, in percent. Is `None` if pages decide.
    corners: Option<u32>,
    /// The width of letters in relation to Helvetica's, in percent.
    letters: u32,
}

/// The reason why a value of a theme is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThemeFault {
    /// The name is none of those of colors.
    #[error("names no color of drawings")]
    UnknownColor,
    /// The color is not a number sign and six hexadecimal digits.
    #[error("is not a color such as `#1d2b38`")]
    NoColor,
    /// The factor for round corners is too large.
    #[error("is not from 0 to {MAX_CORNERS}")]
    Corners,
    /// Letters are too narrow or too wide.
    #[error("is not from {MIN_LETTERS} to {MAX_LETTERS}")]
    Letters,
}

impl Theme {
    /// Changes nothing.
    pub const PLAIN: &'static Self = &Self::new();

    /// Creates the theme that changes nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            colors: BTreeMap::new(),
            corners: None,
            letters: MIN_LETTERS,
        }
    }

    /// Sets a color by the name of its custom property without `--gk-`, such as `soft-green`, to a value such as
    /// `#1d2b38`.
    ///
    /// # Errors
    /// If no color has this name, or the value is no color.
    pub fn set_color(&mut self, name: &str, value: &str) -> Result<(), ThemeFault> {
        let paint: Paint = name.parse().map_err(|_| ThemeFault::UnknownColor)?;
        let digits = value.strip_prefix('#').filter(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        let color = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.colors.insert(paint, color.ok_or(ThemeFault::NoColor)?);
        Ok(())
    }

    /// Sets the factor for round corners, in percent, at most 300.
    ///
    /// # Errors
    /// If the factor is larger.
    pub fn set_corners(&mut self, percent: u32) -> Result<(), ThemeFault> {
        if percent > MAX_CORNERS {
            return Err(ThemeFault::Corners);
        }
        self.corners = Some(percent);
        Ok(())
    }

    /// Sets the width of the letters of the font in relation to Helvetica's, in percent, 100 to 125.
    ///
    /// # Errors
    /// If the width is outside these limits.
    pub fn set_letters(&mut self, percent: u32) -> Result<(), ThemeFault> {
        if !(MIN_LETTERS..=MAX_LETTERS).contains(&percent) {
            return Err(ThemeFault::Letters);
        }
        self.letters = percent;
        Ok(())
    }

    /// Returns the value of a color that the theme sets: `#1d2b38`.
    #[doc(hidden)]
    pub fn color(&self, paint: Paint) -> Option<String> {
        self.colors.get(&paint).map(|color| format!("#{color:06x}"))
    }

    /// Returns the factor for round corners, in percent, if the theme sets it.
    #[doc(hidden)]
    pub const fn corners(&self) -> Option<u32> {
        self.corners
    }

    /// Returns the width of letters, in percent.
    #[doc(hidden)]
    pub const fn letters(&self) -> u32 {
        self.letters
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::new()
    }
}
