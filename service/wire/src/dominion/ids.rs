//! Closed sets of names, and lists of cards.

use gamekeeper_rules::dominion::{
    Card, CardType, Cards, Decision, Destination, Group, KINGDOM_SIZE, KingdomSet, Phase, Playing,
    Source, Zone,
};

use super::pb;
use crate::rows::{ToPb, names};

names! {
    Card => pb::Card,
    CardType => pb::CardType,
    Decision => pb::Decision,
    Destination => pb::Destination,
    Group => pb::CardGroup,
    KingdomSet => pb::KingdomSet,
    Phase => pb::Phase,
    Playing => pb::Play,
    Source => pb::Source,
    Zone => pb::Zone,
}

impl ToPb<pb::CardList> for [Card] {
    fn to_pb(&self) -> pb::CardList {
        let cards = self.to_pb();
        pb::CardList { cards }
    }
}

impl ToPb<pb::CardList> for Vec<Card> {
    fn to_pb(&self) -> pb::CardList {
        self.as_slice().to_pb()
    }
}

impl ToPb<pb::CardList> for [Card; KINGDOM_SIZE] {
    fn to_pb(&self) -> pb::CardList {
        self.as_slice().to_pb()
    }
}

/// A group of cards is listed in canonical order.
impl ToPb<Vec<i32>> for Cards {
    fn to_pb(&self) -> Vec<i32> {
        let mut cards = Vec::with_capacity(usize::from(self.len()));
        cards.extend(self.each().map(|card| -> i32 { card.to_pb() }));
        cards
    }
}

impl ToPb<pb::CardList> for Cards {
    fn to_pb(&self) -> pb::CardList {
        let cards = self.to_pb();
        pb::CardList { cards }
    }
}
