//! The components, from the tables of the rules.

use gamekeeper_rules::terra_mystica::data::{
    AREA_VP, BRIDGE_SITES, BRIDGES, BonusCard, BridgeSite, CULT_TOP, CULT_VP, Conversion, Faction,
    FactionSheet, FavorTile, Goods, HEXES, Hex, Land, POWER_TOKENS, PRIEST_SPACES, PRIESTS,
    PowerAction, ROUNDS, River, SHIPPING_STEP, START_VP, ScoringReward, ScoringTile, Spades,
    SpecialAction, Structure, TERRAFORMING_VP, Terrain, TownTile, cult_power_between, direct,
    lands_at_river, rivers_at,
};

use super::pb;
use crate::mapping::{ToPb, message};

/// The revision of the catalogue, from 1.
pub(crate) const REVISION: u32 = 5;

pub(crate) fn catalogue() -> pb::Catalogue {
    pb::Catalogue {
        terrains: Terrain::ALL.to_pb(),
        hexes: hexes(),
        bridge_sites: BRIDGE_SITES.to_pb(),
        factions: Faction::ALL.to_pb(),
        structures: Structure::ALL.to_pb(),
        favor_tiles: FavorTile::ALL.to_pb(),
        town_tiles: TownTile::ALL.to_pb(),
        bonus_cards: BonusCard::ALL.to_pb(),
        scoring_tiles: ScoringTile::ALL.to_pb(),
        power_actions: PowerAction::ALL.to_pb(),
        special_actions: SpecialAction::ALL.to_pb(),
        cult_power: (0..CULT_TOP)
            .map(|from| cult_power_between(from, from + 1).to_pb())
            .collect(),
        rounds: ROUNDS.to_pb(),
        priests: PRIESTS.to_pb(),
        bridges: BRIDGES.to_pb(),
        power_tokens: POWER_TOKENS.to_pb(),
        start_vp: START_VP.to_pb(),
        priest_spaces: PRIEST_SPACES.map(|slot| slot.steps().to_pb()).to_vec(),
        cult_vp: CULT_VP.to_pb(),
        area_vp: AREA_VP.to_pb(),
        conversions: Conversion::ALL.to_pb(),
    }
}

message! {
    Terrain => pb::TerrainInfo,
    |terrain| pb::TerrainInfo {
        terrain: terrain.to_pb(),
        id: terrain.id().to_pb(),
        name: terrain.name().to_pb(),
    }
}

/// Returns all hexes in reading order.
fn hexes() -> Vec<pb::HexInfo> {
    let (mut lands, mut rivers) = (Land::all(), River::all());
    let hex = |hex: &Hex| match hex {
        Hex::Land(_) => lands.next().map(|land| land.to_pb()),
        Hex::River => rivers.next().map(|river| river.to_pb()),
    };
    HEXES.iter().filter_map(hex).collect()
}

message! {
    Land => pb::HexInfo,
    |land| {
        let rivers = River::all().filter(|river| rivers_at(*land) & (1 << river.index()) != 0);
        let lands = direct(*land).iter().map(Land::id);
        let (row, half_column) = land.place();
        pb::HexInfo {
            id: land.to_pb(),
            terrain: land.printed().to_pb(),
            row: row.to_pb(),
            half_column: half_column.to_pb(),
            neighbors: lands.chain(rivers.map(River::id)).map(str::to_owned).collect(),
        }
    }
}

message! {
    River => pb::HexInfo,
    |river| {
        let (row, half_column) = river.place();
        let near = |other: &River| {
            let (other_row, other_half) = other.place();
            let (rows, halves) = (row.abs_diff(other_row), half_column.abs_diff(other_half));
            (rows, halves) == (0, 2) || (rows, halves) == (1, 1)
        };
        let lands = lands_at_river(*river).iter().map(Land::id);
        let rivers = River::all().filter(near).map(River::id);
        pb::HexInfo {
            id: river.to_pb(),
            terrain: 0,
            row: row.to_pb(),
            half_column: half_column.to_pb(),
            neighbors: lands.chain(rivers).map(str::to_owned).collect(),
        }
    }
}

message! { BridgeSite => pb::BridgeSiteInfo { a, b } }

message! {
    Faction => pb::FactionInfo,
    |faction| {
        let sheet = faction.sheet();
        pb::FactionInfo {
            faction: faction.to_pb(),
            id: faction.id().to_pb(),
            name: faction.name().to_pb(),
            home: sheet.home.to_pb(),
            start: sheet.start.to_pb(),
            power_bowls: sheet.bowls.to_pb(),
            cults: sheet.cults.to_pb(),
            first_dwellings: sheet.dwellings.to_pb(),
            costs: sheet.costs.to_pb(),
            trading_house_near_others: sheet.trading_house_near_others.to_pb(),
            income: Structure::ALL.map(|structure| income(sheet, structure)).to_vec(),
            shipping: shipping(sheet),
            terraforming: terraforming(sheet),
            spade_costs: spade_costs(sheet),
            stronghold_action: sheet.stronghold_action.to_pb(),
            ability: faction.ability().to_pb(),
            stronghold: faction.stronghold().to_pb(),
        }
    }
}

/// Returns the income from 0, 1, 2 ... structures of this kind.
fn income(sheet: &FactionSheet, structure: Structure) -> pb::IncomeTrack {
    let counts = 0..=structure.stock();
    pb::IncomeTrack {
        structure: structure.to_pb(),
        income: counts
            .map(|count| sheet.income.of(structure, count).to_pb())
            .collect(),
    }
}

fn shipping(sheet: &FactionSheet) -> Option<pb::LevelTrack> {
    sheet.shipping.map(|track| pb::LevelTrack {
        start: track.start.to_pb(),
        max: track.max.to_pb(),
        cost: SHIPPING_STEP.to_pb(),
        vp: (track.start + 1..=track.max)
            .map(|level| track.vp(level).to_pb())
            .collect(),
    })
}

fn terraforming(sheet: &FactionSheet) -> Option<pb::LevelTrack> {
    match sheet.spades {
        Spades::Workers { max_level, step } => Some(pb::LevelTrack {
            start: 0,
            max: max_level.to_pb(),
            cost: step.to_pb(),
            vp: (0..max_level).map(|_| TERRAFORMING_VP.to_pb()).collect(),
        }),
        Spades::Priests => None,
    }
}

fn spade_costs(sheet: &FactionSheet) -> Vec<pb::Goods> {
    match sheet.spades {
        Spades::Workers { max_level, .. } => (0..=max_level)
            .map(|level| Goods::workers(u16::from(3 - level)).to_pb())
            .collect(),
        Spades::Priests => vec![Goods::priests(1).to_pb()],
    }
}

message! {
    Structure => pb::StructureInfo,
    |structure| {
        let all = Structure::ALL.into_iter();
        let upgrades = all.filter(|&to| structure.upgrades_to(to));
        pb::StructureInfo {
            structure: structure.to_pb(),
            id: structure.id().to_pb(),
            name: structure.name().to_pb(),
            stock: structure.stock().to_pb(),
            power_value: structure.power().to_pb(),
            upgrades: upgrades.map(|to| to.to_pb()).collect(),
        }
    }
}

message! {
    FavorTile => pb::FavorTileInfo,
    |tile| pb::FavorTileInfo {
        tile: tile.to_pb(),
        id: tile.id().to_pb(),
        text: tile.text().to_pb(),
        copies: tile.copies().to_pb(),
        cult: tile.cult().to_pb(),
        steps: tile.steps().to_pb(),
        income: tile.income().to_pb(),
    }
}

message! {
    TownTile => pb::TownTileInfo,
    |tile| pb::TownTileInfo {
        tile: tile.to_pb(),
        id: tile.id().to_pb(),
        text: tile.text().to_pb(),
        copies: tile.copies().to_pb(),
        vp: tile.vp().to_pb(),
        gain: tile.gain().to_pb(),
        cult_steps: tile.cult_steps().to_pb(),
        optional_tile: tile.is_optional(),
    }
}

message! {
    BonusCard => pb::BonusCardInfo,
    |card| pb::BonusCardInfo {
        card: card.to_pb(),
        id: card.id().to_pb(),
        text: card.text().to_pb(),
        income: card.income().to_pb(),
        optional_card: *card == BonusCard::Bon10,
    }
}

message! {
    ScoringTile => pb::ScoringTileInfo,
    |tile| {
        let (cult, per, goods, spades) = match tile.reward() {
            ScoringReward::Goods(cult, per, goods) => (Some(cult), per, goods, 0),
            ScoringReward::Spade(cult, per) => (Some(cult), per, Goods::NONE, 1),
            ScoringReward::PerPriest(goods) => (None, 1, goods, 0),
        };
        pb::ScoringTileInfo {
            tile: tile.to_pb(),
            id: tile.id().to_pb(),
            text: tile.text().to_pb(),
            vp: tile.vp().to_pb(),
            reward_cult: cult.to_pb(),
            reward_per: per.to_pb(),
            reward: goods.to_pb(),
            reward_spades: spades,
            optional_tile: *tile == ScoringTile::Score9,
        }
    }
}

message! {
    PowerAction => pb::PowerActionInfo,
    |action| pb::PowerActionInfo {
        action: action.to_pb(),
        id: action.id().to_pb(),
        text: action.text().to_pb(),
        power: action.power().to_pb(),
    }
}

message! {
    SpecialAction => pb::SpecialActionInfo,
    |action| pb::SpecialActionInfo {
        action: action.to_pb(),
        id: action.id().to_pb(),
        text: action.text().to_pb(),
    }
}

message! {
    Conversion => pb::ConversionInfo,
    |conversion| {
        let ((takes, gives), (takes_vp, gives_vp)) = (conversion.goods(), conversion.vp());
        let takes = Goods { power: u16::from(conversion.power()), ..takes };
        pb::ConversionInfo {
            conversion: conversion.to_pb(),
            takes: takes.to_pb(),
            takes_vp: takes_vp.to_pb(),
            gives: gives.to_pb(),
            gives_vp: gives_vp.to_pb(),
            alchemy: conversion.is_alchemy(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn everything_of_the_box_is_listed() {
        let catalogue = super::catalogue();
        assert_eq!(
            (catalogue.hexes.len(), catalogue.bridge_sites.len()),
            (113, 29)
        );
        assert_eq!(
            (catalogue.factions.len(), catalogue.structures.len()),
            (14, 5)
        );
        assert_eq!(
            catalogue
                .favor_tiles
                .iter()
                .map(|tile| tile.copies)
                .sum::<u32>(),
            28
        );
        assert_eq!(
            catalogue
                .town_tiles
                .iter()
                .map(|tile| tile.copies)
                .sum::<u32>(),
            14
        );
        assert_eq!(
            (catalogue.bonus_cards.len(), catalogue.scoring_tiles.len()),
            (10, 9)
        );
        assert_eq!(
            (
                catalogue.power_actions.len(),
                catalogue.special_actions.len()
            ),
            (6, 9)
        );
        assert_eq!(catalogue.cult_power, [0, 0, 1, 0, 2, 0, 2, 0, 0, 3]);
        assert_eq!(catalogue.priest_spaces, [3, 2, 2, 2]);
        assert_eq!(catalogue.conversions.len(), 7);
    }

    #[test]
    fn neighbors_are_mutual() {
        let hexes = catalogue().hexes;
        let near: BTreeMap<&str, &Vec<String>> =
            hexes.iter().map(|hex| (&*hex.id, &hex.neighbors)).collect();
        for hex in &hexes {
            assert!((2..=6).contains(&hex.neighbors.len()), "{}", hex.id);
            for other in &hex.neighbors {
                assert!(near[&**other].contains(&hex.id), "{} {other}", hex.id);
            }
        }
        assert_eq!(near["r18"], &["D6", "E8", "r16", "r19", "r23", "r24"]);
    }

    #[test]
    fn some_figures_of_the_boards() {
        let factions = catalogue().factions;
        let info = |faction: pb::Faction| {
            factions
                .iter()
                .find(|info| info.faction() == faction)
                .unwrap()
        };
        let engineers = info(pb::Faction::Engineers);
        assert_eq!(engineers.start.unwrap().coins, 10);
        assert_eq!(engineers.income[2].income[2].power, 5);
        let mermaids = info(pb::Faction::Mermaids).shipping.as_ref().unwrap();
        assert_eq!(
            (mermaids.start, mermaids.max, &*mermaids.vp),
            (1, 5, &[2, 3, 4, 5][..])
        );
        let darklings = info(pb::Faction::Darklings);
        assert_eq!(
            (
                darklings.terraforming.is_none(),
                darklings.spade_costs[0].priests
            ),
            (true, 1)
        );
        for faction in &factions {
            assert!(!faction.stronghold.is_empty(), "{}", faction.name);
        }
        assert_eq!(
            info(pb::Faction::Nomads).stronghold_action(),
            pb::SpecialAction::ActN
        );
    }
}
