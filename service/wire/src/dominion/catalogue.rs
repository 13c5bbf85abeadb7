//! The components, from the tables of the rules.

use gamekeeper_rules::dominion::data::{Card, CardSheet, KingdomSet};

use super::pb;
use crate::mapping::{ToPb, message};

/// The revision of the catalogue, from 1.
pub(crate) const REVISION: u32 = 4;

pub(crate) fn catalogue() -> pb::Catalogue {
    pb::Catalogue {
        cards: Card::ALL.map(|card| *card.sheet()).to_pb(),
        kingdom_sets: KingdomSet::ALL.to_pb(),
    }
}

message! {
    CardSheet => pb::CardInfo,
    |sheet| pb::CardInfo {
        card: sheet.card.to_pb(),
        id: sheet.card.id().to_owned(),
        name: sheet.card.name().to_owned(),
        group: sheet.group.to_pb(),
        types: sheet.types.to_pb(),
        cost: sheet.cost.to_pb(),
        treasure_coins: sheet.coins.to_pb(),
        victory_points: sheet.points.to_pb(),
        plus_cards: sheet.plus.cards.to_pb(),
        plus_actions: sheet.plus.actions.to_pb(),
        plus_buys: sheet.plus.buys.to_pb(),
        plus_coins: sheet.plus.coins.to_pb(),
        text: sheet.printed(),
        copies: sheet.copies.to_pb(),
        pile_sizes: sheet.piles.to_pb(),
    }
}

message! {
    KingdomSet => pb::KingdomSetInfo,
    |set| pb::KingdomSetInfo {
        set: set.to_pb(),
        id: set.id().to_owned(),
        name: set.name().to_owned(),
        cards: set.cards().to_pb(),
    }
}
