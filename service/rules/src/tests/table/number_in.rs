//! Numbers of a range.

use gamekeeper_rules::table::{Component, DrawValue, NumberIn, decode, encode};

type Card = NumberIn<3, 35>;

#[test]
fn only_numbers_of_the_range_exist() {
    let cards: Vec<Card> = (0..=u8::MAX).filter_map(Card::new).collect();
    assert!(cards.iter().copied().eq(Card::all()));
    assert_eq!((cards.len(), cards[0].get()), (Card::COUNT, 3));
    assert_eq!(Card::all().next_back().map(Card::index), Some(32));
    assert!(decode::<Card>(&[2]).is_err() && decode::<Card>(&[36]).is_err());
}

#[test]
fn a_number_is_stored_drawn_and_named_by_itself() {
    let card = Card::new(17).unwrap();
    assert_eq!(encode(&card), [17]);
    assert_eq!(decode::<Card>(&[17]).unwrap(), card);
    assert_eq!(card.draw_value(), 17);
    assert_eq!(Component::number("card", card).to_string(), "card:17");
    assert_eq!(format!("{card:>3}"), " 17");
}
