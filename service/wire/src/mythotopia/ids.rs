//! Names of the things of the game, and lists of them. On the wire every list counts from 1.

use gamekeeper_rules::mythotopia::data::{
    self, Border, Card, CardSet, Colour, Converter, Improvement, PointCard, Province, Sea, Slot,
    Symbol,
};
use gamekeeper_rules::mythotopia::{Building, Phase, TokenSource, Zone};

use super::pb;
use crate::names::{Name, names, numbers};

/// Ids whose number on the wire is their place in the table of the rules.
macro_rules! numbered {
    ($($name:ty),*) => {
        $(impl Name for $name {
            fn number(self) -> i32 {
                // The longest table has 89 rows.
                i32::try_from(self.index()).unwrap_or(i32::MAX - 1) + 1
            }

            fn named(number: i32) -> Option<Self> {
                let place = usize::try_from(number).ok()?.checked_sub(1)?;
                Self::nth(place)
            }
        })*
    };
}

numbered!(Card, Province, Improvement);

names! { Colour => pb::Colour { Red, Blue, Yellow, Green } }
names! { Sea => pb::Sea { SerpentSea, BeastSea, InlandSeaWest, InlandSeaEast } }
names! { Symbol => pb::Symbol { Army, Ship, Food, Stone, Gold } }
names! { Converter => pb::Converter { Farming, GoldMine, Quarry, Levies } }
names! {
    PointCard => pb::PointCard {
        City, Castle, Road, Citadel, DefenderOfTheRealm, GuildCity, HereBeDragons, LordOfTheIsles,
        MasterOfTheSeas, Patronage, RoadsideInns, Runestones, SpoilsOfWar,
    }
}
names! { Slot => pb::Slot { LargeIsland, SmallIsland, ThreeSeas, FourSeas } }
names! { TokenSource => pb::TokenSource { Card, Bank, None } }
names! { Building => pb::Building { Town, City, Citadel } }
names! { Zone => pb::Zone { Hand, Deck, Discard, Reserve, Removed, ProvincePile, Display } }
names! {
    Phase => pb::Phase {
        SetupDiscard, SetupCitadel, Turn, ChooseTokenSource, ChoosePhilosopherCard, Finished,
    }
}
names! { data::Island => pb::Island { Large, Small } }
names! { data::BorderKind => pb::BorderKind { Normal, Hills, Mountains } }

/// The numbers of some names, in the same order.
pub(super) fn each<N: Name>(names: impl Iterator<Item = N>) -> Vec<i32> {
    names.map(Name::number).collect()
}

/// Cards in the given order.
pub(super) fn card_list(cards: &[Card]) -> pb::CardList {
    pb::CardList {
        cards: numbers(cards),
    }
}

/// Cards in the order of their numbers.
pub(super) fn card_set(cards: CardSet) -> pb::CardList {
    pb::CardList {
        cards: each(cards.iter()),
    }
}

/// Improvements in the given order.
pub(super) fn improvement_list(improvements: &[Improvement]) -> pb::ImprovementList {
    pb::ImprovementList {
        improvements: numbers(improvements),
    }
}

pub(super) fn border(border: Border) -> pb::Border {
    pb::Border {
        a: border.row().a.number(),
        b: border.row().b.number(),
    }
}

pub(super) fn token(token: gamekeeper_rules::mythotopia::Token) -> pb::Token {
    pb::Token {
        card: token.card.number(),
        value: u32::from(token.value),
        slot: token.slot.map(Name::number),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::names::tests::check_names;

    /// Numbers count from 1, and the names of the contract end with the ids of the rules.
    fn check<N: Name + PartialEq + Debug>(
        all: &[N],
        prefix: &str,
        id: impl Fn(N) -> String,
        on_the_wire: impl Fn(i32) -> Option<&'static str>,
    ) {
        check_names(all);
        for &name in all {
            let id = id(name).to_uppercase().replace([':', '#'], "_");
            let expected = format!("{prefix}_{id}");
            assert_eq!(on_the_wire(name.number()), Some(expected.as_str()));
        }
    }

    #[test]
    fn names_keep_their_order_and_their_ids() {
        macro_rules! all {
            ($($name:ident $prefix:literal),*) => {
                $(check($name::ALL, $prefix, |it| it.id().to_owned(), |number| {
                    pb::$name::try_from(number).ok().map(|it| it.as_str_name())
                });)*
            };
        }
        all!(
            Colour "COLOUR", Province "PROVINCE", Sea "SEA", Symbol "SYMBOL",
            Improvement "IMPROVEMENT", Converter "CONVERTER", PointCard "POINT_CARD", Slot "SLOT",
            Building "BUILDING", Zone "ZONE"
        );
        check(
            &TokenSource::ALL,
            "TOKEN_SOURCE",
            |it| it.id().to_owned(),
            |number| {
                pb::TokenSource::try_from(number)
                    .ok()
                    .map(|it| it.as_str_name())
            },
        );
        check(
            Phase::ALL,
            "PHASE",
            |it| it.id().to_owned(),
            |number| pb::Phase::try_from(number).ok().map(|it| it.as_str_name()),
        );
    }

    #[test]
    fn cards_keep_their_order_and_their_ids() {
        let all: Vec<Card> = (0..Card::COUNT).filter_map(Card::nth).collect();
        let id = |card: Card| {
            let id = card.id();
            id.replace("prov:", "province:")
                .replace("imp:", "improvement:")
        };
        check(&all, "CARD", id, |number| {
            pb::Card::try_from(number).ok().map(|it| it.as_str_name())
        });
    }
}
