//! Labels of random draws (MYT-14.1).

use super::card::{Card, Improvement};
use super::map::Province;
use super::points::PointCard;
use super::set::Numbered as _;
use crate::table::{ClosedSet as _, DrawValue};

/// Converts an index to a position. Positions count from 1; the longest table has 89.
fn place(index: usize) -> u16 {
    u16::try_from(index + 1).unwrap_or(u16::MAX)
}

impl DrawValue for Province {
    fn draw_value(self) -> u16 {
        u16::from(self.printed_number())
    }
}

impl DrawValue for Improvement {
    fn draw_value(self) -> u16 {
        u16::from(self.printed_number())
    }
}

impl DrawValue for PointCard {
    fn draw_value(self) -> u16 {
        place(self.index())
    }
}

impl DrawValue for Card {
    fn draw_value(self) -> u16 {
        place(self.index())
    }
}

/// Returns the label of a drawn number, as the data file spells it (MYT-14.1).
pub fn draw_label(draw: &str, value: u16) -> Option<String> {
    let place = usize::from(value).wrapping_sub(1);
    match draw {
        "deal" => Province::nth(place).map(|province| province.id().to_owned()),
        "improvements" => Improvement::nth(place).map(|improvement| improvement.id().to_owned()),
        "point_cards" => PointCard::nth(place).map(|card| card.id().to_owned()),
        "first_player" => None,
        _ => Card::nth(place).map(Card::id),
    }
}
