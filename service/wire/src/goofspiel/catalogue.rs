//! The components, from the tables of the rules.

use gamekeeper_rules::goofspiel::data::Card;

use super::pb;
use crate::mapping::{ToPb, message};

/// The revision of the catalogue, from 1.
pub(crate) const REVISION: u32 = 3;

pub(crate) fn catalogue() -> pb::Catalogue {
    pb::Catalogue {
        cards: Card::ALL.to_pb(),
    }
}

message! {
    Card => pb::CardInfo,
    |card| { card: *card, id: card.id(), name: card.name(), value: card.value() }
}
