//! Groups of cards.

use gamekeeper_rules::dominion::Cards;
use gamekeeper_rules::dominion::data::Card;

use crate::mapping::{ToField, write_list};

/// A group of cards, listed in canonical order.
impl ToField<Vec<i32>> for Cards {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<Card, i32>(self.each(), number, out);
    }
}
