//! The kit of drawings: what the pictures of all rulesets have in common. A drawing is an SVG of whole numbers, made of
//! a view and of nothing that its viewer does not know.
//!
//! `area` divides the sheet, `paint` has the colors, `letters` the widths of text, `shape` the outlines of pieces;
//! `canvas` writes, and `frame` draws what every table has: the band on top, panels, players.

mod area;
mod canvas;
mod frame;
mod letters;
mod look;
mod paint;
mod plate;
mod shape;
#[cfg(test)]
mod tests;

pub use area::{Area, Point};
pub(crate) use canvas::{Canvas, Font, Outline};
pub(crate) use frame::{Column, Heading, Strip, framed};
pub use look::{Ground, Look, Size};
pub(crate) use paint::Paint;
pub use plate::Plate;
pub(crate) use shape::Shape;

/// A number of things as a length.
pub(crate) fn int(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
