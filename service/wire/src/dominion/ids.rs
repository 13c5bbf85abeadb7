//! Names of cards and of sets of cards, and lists of them.

use gamekeeper_rules::dominion::{Card, Cards, KingdomSet};

use super::pb;
use crate::names::{Name, names, numbers};

names! {
    Card => pb::Card {
        Copper, Silver, Gold, Estate, Duchy, Province, Curse, Adventurer, Bureaucrat, Cellar,
        Chancellor, Chapel, CouncilRoom, Feast, Festival, Gardens, Laboratory, Library, Market,
        Militia, Mine, Moat, Moneylender, Remodel, Smithy, Spy, Thief, ThroneRoom, Village, Witch,
        Woodcutter, Workshop,
    }
}

names! {
    KingdomSet => pb::KingdomSet {
        FirstGame, BigMoney, Interaction, SizeDistortion, VillageSquare,
    }
}

/// A list of cards in the given order.
pub(super) fn list(cards: &[Card]) -> pb::CardList {
    pb::CardList {
        cards: numbers(cards),
    }
}

/// The numbers of a group of cards, in canonical order.
pub(super) fn sorted(cards: &Cards) -> Vec<i32> {
    let mut numbers = Vec::with_capacity(usize::from(cards.len()));
    numbers.extend(cards.each().map(Name::number));
    numbers
}

/// A group of cards as a list in canonical order.
pub(super) fn sorted_list(cards: &Cards) -> pb::CardList {
    pb::CardList {
        cards: sorted(cards),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tests::check_names;

    #[test]
    fn cards_and_sets_keep_their_order_and_their_ids() {
        check_names(&Card::ALL);
        check_names(&KingdomSet::ALL);
        for card in Card::ALL {
            let on_the_wire = pb::Card::try_from(card.number()).unwrap().as_str_name();
            assert_eq!(on_the_wire, format!("CARD_{}", card.id().to_uppercase()));
        }
        for set in KingdomSet::ALL {
            let on_the_wire = pb::KingdomSet::try_from(set.number())
                .unwrap()
                .as_str_name();
            assert_eq!(
                on_the_wire,
                format!("KINGDOM_SET_{}", set.id().to_uppercase())
            );
        }
    }

    #[test]
    fn a_group_of_cards_is_listed_in_canonical_order() {
        let hand: Cards = [Card::Moat, Card::Copper, Card::Estate, Card::Copper]
            .into_iter()
            .collect();
        let expected = [Card::Copper, Card::Copper, Card::Estate, Card::Moat];
        assert_eq!(sorted(&hand), numbers(&expected));
        assert_eq!(sorted_list(&hand), list(&expected));
        assert_eq!(sorted(&Cards::none()), []);
    }
}
