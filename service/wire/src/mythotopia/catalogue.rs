//! The components, from the tables of the rules.

use gamekeeper_rules::mythotopia::data::{
    Border, Card, CardKind, MAX_PLAYERS, MIN_PLAYERS, PRICES, Piece, PointCard, PriceRow, Province,
    Sea, Stack, Supply, Symbol,
};

use super::pb;
use crate::mapping::{ToPb, message};

/// The revision of the catalogue, from 1.
pub(crate) const REVISION: u32 = 3;

pub(crate) fn catalogue() -> pb::Catalogue {
    pb::Catalogue {
        provinces: Province::ALL.to_pb(),
        borders: Border::all().map(|border| border.to_pb()).collect(),
        seas: Sea::ALL.to_pb(),
        cards: Card::all().map(|card| card.to_pb()).collect(),
        point_cards: PointCard::ALL.to_pb(),
        pieces: Piece::ALL.to_pb(),
        prices: PRICES.to_pb(),
    }
}

message! {
    Province => pb::ProvinceInfo,
    |province| {
        let row = province.row();
        pb::ProvinceInfo {
            province: province.to_pb(),
            id: province.id().to_owned(),
            name: province.name().to_owned(),
            strength: row.strength.to_pb(),
            rugged: row.rugged,
            seas: row.seas.to_pb(),
            island: row.island.to_pb(),
        }
    }
}

message! {
    Border => pb::BorderInfo,
    |border| pb::BorderInfo {
        border: border.to_pb(),
        kind: border.row().kind.to_pb(),
    }
}

message! {
    Sea => pb::SeaInfo,
    |sea| pb::SeaInfo {
        sea: sea.to_pb(),
        id: sea.id().to_owned(),
        name: sea.name().to_owned(),
        adjacent: sea.adjacent().to_pb(),
    }
}

message! {
    Card => pb::CardInfo,
    |card| {
        let copies = |symbol: Symbol| {
            let count = usize::from(card.symbols().count(symbol));
            std::iter::repeat_n(symbol.to_pb(), count)
        };
        let (mut color, mut province, mut improvement) = (0, 0, 0);
        let name = match card.kind() {
            CardKind::Start(owner, start, _) => {
                color = owner.to_pb();
                start.name()
            }
            CardKind::Province(printed_province) => {
                province = printed_province.to_pb();
                printed_province.name()
            }
            CardKind::Improvement(card) => {
                improvement = card.to_pb();
                card.name()
            }
        };
        pb::CardInfo {
            card: card.to_pb(),
            id: card.id(),
            name: name.to_owned(),
            symbols: Symbol::ALL.into_iter().flat_map(copies).collect(),
            color,
            province,
            improvement,
            ability: card.ability().to_pb(),
            text: card.text().to_owned(),
            rule: card.rule().to_owned(),
        }
    }
}

message! {
    PointCard => pb::PointCardInfo,
    |card| {
        let players = usize::from(MIN_PLAYERS)..=usize::from(MAX_PLAYERS);
        let tokens = |stack: &Stack| pb::StartingTokens {
            token: Some(pb::Token {
                card: card.to_pb(),
                value: stack.printed_value().to_pb(),
                slot: stack.slot().to_pb(),
            }),
            counts: players.clone().map(|count| stack.tokens(count).to_pb()).collect(),
        };
        pb::PointCardInfo {
            card: card.to_pb(),
            id: card.id().to_owned(),
            name: card.name().to_owned(),
            fixed: PointCard::FIXED.contains(card),
            tokens: card.stacks().iter().map(tokens).collect(),
            text: card.text().to_owned(),
            rule: card.rule().to_owned(),
        }
    }
}

message! {
    Piece => pb::PieceInfo,
    |piece| {
        let (each, shared) = match piece.supply() {
            Supply::Each(counts) => (counts.to_pb(), 0),
            // No supply has more than nine, so the conversion cannot fail.
            Supply::Shared(count) => (Vec::new(), u32::try_from(count).unwrap_or(u32::MAX)),
        };
        pb::PieceInfo {
            id: piece.id().to_owned(),
            name: piece.name().to_owned(),
            each,
            shared,
            text: piece.text().to_owned(),
            rule: piece.rule().to_owned(),
        }
    }
}

message! { PriceRow => pb::PriceInfo { id, name, symbol, amount, rule } }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_the_printed_table() {
        let catalogue = catalogue();
        let counts = (
            catalogue.provinces.len(),
            catalogue.borders.len(),
            catalogue.seas.len(),
            catalogue.cards.len(),
            catalogue.point_cards.len(),
        );
        assert_eq!(counts, (40, 79, 4, 89, 13));
        let strength: u32 = catalogue.provinces.iter().map(|row| row.strength).sum();
        assert_eq!(strength, 17 * 2 + 19 * 3 + 4 * 4);
        let symbols: usize = catalogue.cards.iter().map(|card| card.symbols.len()).sum();
        assert_eq!(symbols, 4 * 10 + 40 + 16);
        let tokens = catalogue.point_cards.iter().flat_map(|card| &card.tokens);
        let most: u32 = tokens.map(|tokens| tokens.counts[2]).sum();
        assert_eq!(most, 25 + 31 + 2);
    }

    #[test]
    fn everything_says_what_it_is_for() {
        let catalogue = catalogue();
        let cards = catalogue.cards.iter().map(|row| (&row.text, &row.rule));
        let points = catalogue.point_cards.iter();
        let points = points.map(|row| (&row.text, &row.rule));
        let pieces = catalogue.pieces.iter().map(|row| (&row.text, &row.rule));
        for (text, rule) in cards.chain(points).chain(pieces) {
            assert!(text.ends_with('.') && rule.starts_with("MYT-"), "{text}");
        }
        let improvements = catalogue.cards.iter().filter(|row| row.improvement > 0);
        let mut rules: Vec<String> = improvements.map(|row| row.rule.clone()).collect();
        rules.dedup();
        let numbers: Vec<String> = (1..=29).map(|number| format!("MYT-7.{number}")).collect();
        assert_eq!(rules, numbers);
    }

    #[test]
    fn some_prices_of_the_box() {
        let catalogue = catalogue();
        let of = |id: &str| {
            let row = catalogue.prices.iter().find(|row| row.id == id).unwrap();
            (row.symbol(), row.amount)
        };
        assert_eq!(of("road_over_hills"), (pb::Symbol::Stone, 3));
        assert_eq!(of("invade_over_hills"), (pb::Symbol::Food, 2));
        assert_eq!(of("ship"), (pb::Symbol::Gold, 2));
        let towns = &catalogue.pieces[0];
        assert_eq!((&*towns.id, &*towns.each), ("town", &[18, 14, 14][..]));
        let roads = &catalogue.pieces[4];
        assert_eq!((&*roads.id, roads.shared), ("road", 9));
    }

    #[test]
    fn some_rows_of_the_box() {
        let catalogue = catalogue();
        let blore = &catalogue.provinces[2];
        assert_eq!(
            (&*blore.id, blore.strength, blore.rugged),
            ("blore", 4, true)
        );
        let army = &catalogue.cards[2];
        assert_eq!(
            (&*army.id, &*army.symbols),
            ("start:red:army#1", &[1, 1, 5][..])
        );
        let isles = &catalogue.point_cards[7];
        assert_eq!(
            (&*isles.id, isles.fixed, isles.tokens.len()),
            ("lord_of_the_isles", false, 2)
        );
    }
}
