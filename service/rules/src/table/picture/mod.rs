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
#[cfg(test)]
mod tests;
mod theme;

pub use area::{Area, Point};
pub(crate) use canvas::{Canvas, Font, Outline};
pub(crate) use frame::{Column, Heading, PlayerRow, framed};
#[cfg(any(test, feature = "conformance"))]
pub(crate) use letters::Measure;
pub use look::{Look, Size};
pub use paint::ColorScheme;
pub(crate) use paint::Paint;
pub use plate::Plate;
pub(crate) use shape::Shape;
pub use theme::{Theme, ThemeFault};

/// Converts a count to a length.
pub(crate) fn int(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
