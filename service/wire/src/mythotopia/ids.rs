//! Names of the things of the game, and lists of them. On the wire every list counts from 1.

use gamekeeper_rules::mythotopia::data::{
    Ability, Border, BorderKind, Card, CardSet, Color, Converter, Improvement, Island, Numbered,
    Piece, PointCard, Province, Sea, Slot, Symbol,
};
use gamekeeper_rules::mythotopia::{
    Building, Decision, EndGameWars, ExtraProvince, HandStacking, RoadScope, Token, TokenSource,
    WarEnd, Zone,
};

use super::pb;
use crate::Malformed;
use crate::rows::{
    FromPb, ToField, ToPb, decisions, index_of, message, names, number_of, write_list,
};

names! {
    Color => pb::Color,
    Province => pb::Province,
    Sea => pb::Sea,
    Island => pb::Island,
    BorderKind => pb::BorderKind,
    Symbol => pb::Symbol,
    Improvement => pb::Improvement,
    Converter => pb::Converter,
    Ability => pb::Ability,
    PointCard => pb::PointCard,
    Slot => pb::Slot,
    TokenSource => pb::TokenSource,
    Building => pb::Building,
    Zone => pb::Zone,
    Piece => pb::Piece,
    WarEnd => pb::WarEnd,
    EndGameWars => pb::EndGameWars,
    RoadScope => pb::RoadSubstitutionScope,
    HandStacking => pb::HandLimitStacking,
    ExtraProvince => pb::ExtraProvinceFinalCount,
}

decisions! {
    Decision in pb:
    SetupDiscard, SetupCitadel, Turn, ChooseTokenSource, ChoosePhilosopherCard,
}

message! { Token => pb::Token { card, value, slot } }
message! {
    Border => pb::Border,
    |border| { a: border.row().a, b: border.row().b }
}
message! { Vec<Card> => pb::CardList, |cards| { cards: *cards } }
message! { CardSet => pb::CardList, |cards| { cards: *cards } }
message! {
    Vec<Improvement> => pb::ImprovementList,
    |improvements| { improvements: *improvements }
}

impl ToPb<i32> for Card {
    fn to_pb(&self) -> i32 {
        number_of(self.index())
    }
}

impl ToPb<i32> for Option<Card> {
    fn to_pb(&self) -> i32 {
        self.map_or(0, |card| card.to_pb())
    }
}

impl FromPb<i32> for Option<Card> {
    fn from_pb(sent: i32) -> Result<Self, Malformed> {
        Ok(index_of(sent).and_then(Card::nth))
    }
}

impl ToField<Vec<i32>> for CardSet {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<Card, i32>(self.iter(), number, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
