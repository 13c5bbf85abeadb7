//! The drawing kit that the pictures of all rulesets share. A drawing is an SVG of whole numbers, made from a view and
//! public facts, so it reveals nothing that its viewer does not know.
//!
//! `area` divides the sheet, `paint` defines the colors, `theme` replaces them, `letters` the widths of text, `shape` the outlines of pieces;
//! `canvas` writes, and `frame` draws the parts that every table has: the band on top, panels, players.

mod area;
mod canvas;
mod frame;
mod letters;
mod look;
mod paint;
mod plate;
mod shape;
mod sheet;
mod theme;

// Hidden parts are public for the tests in `src/tests` (tests/circles.py).
pub use area::{Area, Point};
#[doc(hidden)]
pub use canvas::{Canvas, Font, Outline};
#[doc(hidden)]
pub use frame::{Column, Heading, PlayerRow, framed};
#[doc(hidden)]
pub use letters::{Fitted, Measure};
pub use look::{Look, Size};
pub use paint::ColorScheme;
#[doc(hidden)]
pub use paint::Paint;
pub use plate::Plate;
#[doc(hidden)]
pub use shape::Shape;
pub use theme::{Theme, ThemeFault};

/// Converts a count to a length.
pub(crate) fn int(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
