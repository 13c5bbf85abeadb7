//! Closed sets of names, and lists of cards.

use gamekeeper_rules::dominion::data::{Card, CardType, Group, KINGDOM_SIZE, KingdomSet};
use gamekeeper_rules::dominion::{Cards, Decision, Destination, Phase, Playing, Source, Zone};

use super::pb;
use crate::rows::{ToField, decisions, message, names, write_list};

names! {
    Card => pb::Card,
    CardType => pb::CardType,
    Destination => pb::Destination,
    Group => pb::CardGroup,
    KingdomSet => pb::KingdomSet,
    Phase => pb::Phase,
    Playing => pb::Play,
    Source => pb::Source,
    Zone => pb::Zone,
}

decisions! {
    Decision in pb:
    ActionPhase, BuyPhase, ReactToAttack, CellarDiscard, ChancellorDecide, ChapelTrash, GainCard, RemodelTrash, MineTrash, LibraryDecide, MilitiaDiscard, BureaucratTopdeck, SpyDecide, ThiefTrash, ThiefGain, ThroneRoomChoose,
}

message! { Vec<Card> => pb::CardList, |cards| { cards: *cards } }
message! { [Card; KINGDOM_SIZE] => pb::CardList, |cards| { cards: *cards } }
message! { Cards => pb::CardList, |cards| { cards: *cards } }

/// A group of cards is listed in canonical order.
impl ToField<Vec<i32>> for Cards {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<Card, i32>(self.each(), number, out);
    }
}
