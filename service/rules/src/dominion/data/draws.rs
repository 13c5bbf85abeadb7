//! Labels of random draws (DOM-14.1).

use super::card::Card;
use crate::table::{drawn, drawn_label};

drawn! { Card from 0 }

/// Returns the label of a drawn value: the id of the data file, unless it is a number. Draw R1 gives a seat; R2, R3
/// and R4 give cards.
pub fn draw_label(draw: &str, value: u16) -> Option<&'static str> {
    drawn_label::<Card>(value).filter(|_| draw != "R1")
}
