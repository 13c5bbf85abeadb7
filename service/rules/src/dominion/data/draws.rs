//! Labels of random draws (DOM-14.1).

use super::card::Card;
use crate::table::DrawValue;

impl DrawValue for Card {
    fn draw_value(self) -> u16 {
        self as u16
    }
}

/// Returns the label of a drawn value: the id of the data file, or the number itself. Draw R1 gives a seat; R2, R3
/// and R4 give cards.
pub fn draw_label(draw: &str, value: u16) -> String {
    match Card::ALL.get(usize::from(value)) {
        Some(card) if draw != "R1" => card.id().to_owned(),
        Some(_) | None => value.to_string(),
    }
}
