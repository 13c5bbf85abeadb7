//! Printed figures against the data file and the sums of GOO-3.

use serde_json::{Value, json};

use gamekeeper_rules::goofspiel::data::{
    Card, MAX_CARDS, MAX_PLAYERS, MIN_CARDS, MIN_PLAYERS, points, suit,
};
use gamekeeper_rules::goofspiel::{Refusal, Ties};
use gamekeeper_rules::table::Refusal as _;

#[test]
fn the_data_file_says_the_same() {
    let figures: Value = serde_json::from_str(include_str!("../data.json")).unwrap();
    let card = |card: Card| json!({"id": card.id(), "name": card.name(), "value": card.value()});
    let cards: Vec<Value> = Card::ALL.into_iter().map(card).collect();
    assert_eq!(figures["cards"], json!(cards));
    let players = json!({"min": MIN_PLAYERS, "max": MAX_PLAYERS});
    assert_eq!(figures["players"], players);
    let cards = json!({"min": MIN_CARDS, "max": MAX_CARDS, "default": MAX_CARDS});
    assert_eq!(figures["options"]["cards"], cards);
    let ties = json!({"values": Ties::ALL.map(Ties::id), "default": Ties::default().id()});
    assert_eq!(figures["options"]["ties"], ties);
    assert_eq!(figures["points_of_a_suit"], points(suit(MAX_CARDS)));
    assert_eq!(figures["errors"], json!(Refusal::CODES));
}
