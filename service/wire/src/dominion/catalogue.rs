//! The components, from the tables of the rules.

use gamekeeper_rules::dominion::{Card, CardSheet, CardType, Group, KingdomSet};

use super::pb;
use crate::names::{Name, names, numbers};

/// Counts the changes of the catalogue. From 1.
pub(super) const REVISION: u32 = 1;

names! { CardType => pb::CardType { Treasure, Victory, Curse, Action, Attack, Reaction } }
names! { Group => pb::CardGroup { Basic, Kingdom } }

pub(super) fn message() -> pb::Catalogue {
    pb::Catalogue {
        revision: REVISION,
        cards: Card::ALL
            .iter()
            .map(|card| card_info(card.sheet()))
            .collect(),
        kingdom_sets: KingdomSet::ALL.iter().map(|set| set_info(*set)).collect(),
    }
}

fn card_info(sheet: &CardSheet) -> pb::CardInfo {
    pb::CardInfo {
        card: sheet.card.number(),
        id: sheet.id.to_owned(),
        name: sheet.name.to_owned(),
        group: sheet.group.number(),
        types: numbers(sheet.types),
        cost: u32::from(sheet.cost),
        treasure_coins: u32::from(sheet.coins),
        victory_points: i32::from(sheet.points),
        plus_cards: u32::from(sheet.plus.cards),
        plus_actions: u32::from(sheet.plus.actions),
        plus_buys: u32::from(sheet.plus.buys),
        plus_coins: u32::from(sheet.plus.coins),
        text: sheet.text.to_owned(),
        copies: u32::from(sheet.copies),
        pile_sizes: sheet.piles.iter().copied().map(u32::from).collect(),
    }
}

fn set_info(set: KingdomSet) -> pb::KingdomSetInfo {
    pb::KingdomSetInfo {
        set: set.number(),
        id: set.id().to_owned(),
        name: set.name().to_owned(),
        cards: numbers(&set.cards()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tests::check_names;

    #[test]
    fn types_and_groups_keep_their_order() {
        check_names(&CardType::ALL);
        check_names(&[Group::Basic, Group::Kingdom]);
    }

    #[test]
    fn the_catalogue_is_the_printed_table() {
        let catalogue = message();
        assert_eq!(catalogue.revision, REVISION);
        assert_eq!(catalogue.cards.len(), Card::ALL.len());
        for (card, info) in Card::ALL.into_iter().zip(&catalogue.cards) {
            let sheet = card.sheet();
            assert_eq!(Card::named(info.card), Some(card));
            assert_eq!(
                (&*info.id, &*info.name, &*info.text),
                (sheet.id, sheet.name, sheet.text)
            );
            assert_eq!(Group::named(info.group), Some(sheet.group));
            let types: Option<Vec<_>> = info.types.iter().map(|&it| CardType::named(it)).collect();
            assert_eq!(types.as_deref(), Some(sheet.types));
            let figures = [info.cost, info.treasure_coins, info.copies];
            assert_eq!(
                figures,
                [sheet.cost, sheet.coins, sheet.copies].map(u32::from)
            );
            assert_eq!(info.victory_points, i32::from(sheet.points));
            let plus = [
                info.plus_cards,
                info.plus_actions,
                info.plus_buys,
                info.plus_coins,
            ];
            let printed = [
                sheet.plus.cards,
                sheet.plus.actions,
                sheet.plus.buys,
                sheet.plus.coins,
            ];
            assert_eq!(plus, printed.map(u32::from));
            assert_eq!(info.pile_sizes, sheet.piles.map(u32::from));
            assert!(!info.text.is_empty());
        }
    }

    #[test]
    fn the_sets_are_those_of_the_rulebook() {
        let sets = message().kingdom_sets;
        assert_eq!(sets.len(), KingdomSet::ALL.len());
        for (set, info) in KingdomSet::ALL.into_iter().zip(&sets) {
            assert_eq!(KingdomSet::named(info.set), Some(set));
            assert_eq!((&*info.id, &*info.name), (set.id(), set.name()));
            assert_eq!(info.cards, numbers(&set.cards()));
        }
    }

    #[test]
    fn some_figures_of_the_box() {
        let cards = message().cards;
        let info = |card: pb::Card| cards.iter().find(|info| info.card == card as i32).unwrap();
        let market = info(pb::Card::Market);
        assert_eq!(
            (market.cost, market.plus_cards, market.plus_coins),
            (5, 1, 1)
        );
        let curse = info(pb::Card::Curse);
        assert_eq!(
            (curse.victory_points, &*curse.pile_sizes),
            (-1, &[10, 20, 30][..])
        );
    }
}
