//! Cards and borders. On the wire every list counts from 1.

use gamekeeper_rules::mythotopia::data::{Border, Card, CardSet, Numbered};

use super::pb;
use crate::mapping::{ToField, message, names, write_list};

// The ids of cards are composed of those of other things, so only the numbers are paired.
names! { Card => pb::Card, as Numbered }

message! {
    Border => pb::Border,
    |border| { a: border.row().a, b: border.row().b }
}
impl ToField<Vec<i32>> for CardSet {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<Card, i32>(self.iter(), number, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::{FromPb, ToPb};

    #[test]
    fn cards_keep_their_order_and_their_ids() {
        for (number, card) in (1..).zip(Card::all()) {
            let id = card.id().to_uppercase().replace([':', '#'], "_");
            let id = id.replace("PROV_", "PROVINCE_");
            let name = format!("CARD_{}", id.replace("IMP_", "IMPROVEMENT_"));
            let sent = pb::Card::try_from(number).map(|card| card.as_str_name());
            assert_eq!(sent, Ok(&*name));
            assert_eq!(Option::<Card>::from_pb(number), Ok(Some(card)));
            assert_eq!(ToPb::<i32>::to_pb(&card), number);
        }
        for number in [0, -1, 90, i32::MIN, i32::MAX] {
            assert_eq!(Option::<Card>::from_pb(number), Ok(None));
        }
    }
}
