//! The components, from the tables of the rules.

use gamekeeper_rules::terra_mystica::Conversion;
use gamekeeper_rules::terra_mystica::data::{
    AREA_VP, BRIDGE_SITES, BRIDGES, BonusCard, CULT_TOP, CULT_VP, Faction, FactionSheet, FavorTile,
    Goods, HEXES, Hex, Land, POWER_TOKENS, PRIEST_SPACES, PRIESTS, PowerAction, ROUNDS, River,
    SHIPPING_STEP, START_VP, ScoringReward, ScoringTile, Spades, SpecialAction, Structure,
    TERRAFORMING_VP, Terrain, TownTile, cult_power_between, direct, lands_at_river, rivers_at,
};

use super::{ids, pb};
use crate::names::{Name, numbers};

/// Counts the changes of the catalogue. From 1.
pub(super) const REVISION: u32 = 2;

pub(super) fn message() -> pb::Catalogue {
    pb::Catalogue {
        revision: REVISION,
        terrains: Terrain::ALL
            .iter()
            .map(|&terrain| terrain_info(terrain))
            .collect(),
        hexes: hexes(),
        bridge_sites: bridge_sites(),
        factions: Faction::ALL
            .iter()
            .map(|&faction| faction_info(faction))
            .collect(),
        structures: Structure::ALL
            .iter()
            .map(|&one| structure_info(one))
            .collect(),
        favor_tiles: FavorTile::ALL
            .iter()
            .map(|&tile| favor_info(tile))
            .collect(),
        town_tiles: TownTile::ALL.iter().map(|&tile| town_info(tile)).collect(),
        bonus_cards: BonusCard::ALL.iter().map(|&card| card_info(card)).collect(),
        scoring_tiles: ScoringTile::ALL
            .iter()
            .map(|&tile| scoring_info(tile))
            .collect(),
        power_actions: PowerAction::ALL
            .iter()
            .map(|&action| power_info(action))
            .collect(),
        special_actions: SpecialAction::ALL
            .iter()
            .map(|&action| special_info(action))
            .collect(),
        cult_power: (0..CULT_TOP)
            .map(|from| u32::from(cult_power_between(from, from + 1)))
            .collect(),
        rounds: u32::from(ROUNDS),
        priests: u32::from(PRIESTS),
        bridges: u32::from(BRIDGES),
        power_tokens: u32::from(POWER_TOKENS),
        start_vp: u32::from(START_VP),
        priest_spaces: PRIEST_SPACES
            .iter()
            .map(|slot| u32::from(slot.steps()))
            .collect(),
        cult_vp: CULT_VP.map(u32::from).to_vec(),
        area_vp: AREA_VP.map(u32::from).to_vec(),
        conversions: Conversion::ALL.map(conversion_info).to_vec(),
    }
}

fn terrain_info(terrain: Terrain) -> pb::TerrainInfo {
    pb::TerrainInfo {
        terrain: terrain.number(),
        id: terrain.id().to_owned(),
        name: terrain.name().to_owned(),
    }
}

/// All hexes in reading order.
fn hexes() -> Vec<pb::HexInfo> {
    let (mut lands, mut rivers) = (Land::all(), River::all());
    let hex = |hex: &Hex| match hex {
        Hex::Land(_) => lands.next().map(land_hex),
        Hex::River => rivers.next().map(river_hex),
    };
    HEXES.iter().filter_map(hex).collect()
}

fn land_hex(land: Land) -> pb::HexInfo {
    let rivers = River::all().filter(|river| rivers_at(land) & (1 << river.index()) != 0);
    let lands = direct(land).iter().map(Land::id);
    let (row, half_column) = land.place();
    pb::HexInfo {
        id: land.id().to_owned(),
        terrain: land.printed().number(),
        row: u32::from(row),
        half_column: u32::from(half_column),
        neighbours: lands
            .chain(rivers.map(River::id))
            .map(str::to_owned)
            .collect(),
    }
}

fn river_hex(river: River) -> pb::HexInfo {
    let (row, half_column) = river.place();
    let near = |other: &River| {
        let (other_row, other_half) = other.place();
        let (rows, halves) = (row.abs_diff(other_row), half_column.abs_diff(other_half));
        (rows, halves) == (0, 2) || (rows, halves) == (1, 1)
    };
    let lands = lands_at_river(river).iter().map(Land::id);
    let rivers = River::all().filter(near).map(River::id);
    pb::HexInfo {
        id: river.id().to_owned(),
        terrain: 0,
        row: u32::from(row),
        half_column: u32::from(half_column),
        neighbours: lands.chain(rivers).map(str::to_owned).collect(),
    }
}

fn bridge_sites() -> Vec<pb::BridgeSiteInfo> {
    let site = |site: &gamekeeper_rules::terra_mystica::data::BridgeSite| pb::BridgeSiteInfo {
        a: site.a.id().to_owned(),
        b: site.b.id().to_owned(),
    };
    BRIDGE_SITES.iter().map(site).collect()
}

fn faction_info(faction: Faction) -> pb::FactionInfo {
    let sheet = faction.sheet();
    pb::FactionInfo {
        faction: faction.number(),
        id: faction.id().to_owned(),
        name: faction.name().to_owned(),
        home: sheet.home.number(),
        start: Some(ids::goods(sheet.start)),
        power_bowls: Some(ids::bowls(sheet.bowls)),
        cults: Some(ids::cults(sheet.cults)),
        first_dwellings: u32::from(sheet.dwellings),
        costs: sheet.costs.iter().copied().map(ids::goods).collect(),
        trading_house_near_others: Some(ids::goods(sheet.trading_house_near_others)),
        income: income_tracks(sheet),
        shipping: shipping(sheet),
        terraforming: terraforming(sheet),
        spade_costs: spade_costs(sheet),
        stronghold_action: sheet.stronghold_action.map_or(0, Name::number),
        ability: faction.ability().to_owned(),
        stronghold: faction.stronghold().to_owned(),
    }
}

/// Income for 0, 1, 2 ... of each kind of structure.
fn income_tracks(sheet: &FactionSheet) -> Vec<pb::IncomeTrack> {
    let income = &sheet.income;
    let with_power = |goods: Goods, power: u8| Goods {
        power: u16::from(power),
        ..goods
    };
    let houses = income
        .trading_house_coins
        .iter()
        .zip(&income.trading_house_power);
    let temples = income.temple_priests.iter().zip(&income.temple_power);
    let workers = income.dwelling_workers.iter();
    let rows: [Vec<Goods>; 5] = [
        workers
            .map(|&workers| Goods::workers(u16::from(workers)))
            .collect(),
        houses
            .map(|(&coins, &power)| with_power(Goods::coins(u16::from(coins)), power))
            .collect(),
        temples
            .map(|(&priests, &power)| with_power(Goods::priests(u16::from(priests)), power))
            .collect(),
        vec![Goods::NONE, income.stronghold],
        vec![Goods::NONE, income.sanctuary],
    ];
    let track = |(structure, row): (&Structure, Vec<Goods>)| pb::IncomeTrack {
        structure: structure.number(),
        income: row.into_iter().map(ids::goods).collect(),
    };
    Structure::ALL.iter().zip(rows).map(track).collect()
}

fn shipping(sheet: &FactionSheet) -> Option<pb::LevelTrack> {
    sheet.shipping.map(|track| pb::LevelTrack {
        start: u32::from(track.start),
        max: u32::from(track.max),
        cost: Some(ids::goods(SHIPPING_STEP)),
        vp: (track.start + 1..=track.max)
            .map(|level| u32::from(track.vp(level)))
            .collect(),
    })
}

fn terraforming(sheet: &FactionSheet) -> Option<pb::LevelTrack> {
    match sheet.spades {
        Spades::Workers { max_level, step } => Some(pb::LevelTrack {
            start: 0,
            max: u32::from(max_level),
            cost: Some(ids::goods(step)),
            vp: (0..max_level).map(|_| u32::from(TERRAFORMING_VP)).collect(),
        }),
        Spades::Priests => None,
    }
}

fn spade_costs(sheet: &FactionSheet) -> Vec<pb::Goods> {
    match sheet.spades {
        Spades::Workers { max_level, .. } => (0..=max_level)
            .map(|level| ids::goods(Goods::workers(u16::from(3 - level))))
            .collect(),
        Spades::Priests => vec![ids::goods(Goods::priests(1))],
    }
}

fn structure_info(structure: Structure) -> pb::StructureInfo {
    let all = Structure::ALL.iter().copied();
    let upgrades: Vec<_> = all.filter(|&to| structure.upgrades_to(to)).collect();
    pb::StructureInfo {
        structure: structure.number(),
        id: structure.id().to_owned(),
        name: structure.name().to_owned(),
        stock: u32::from(structure.stock()),
        power_value: u32::from(structure.power()),
        upgrades: numbers(&upgrades),
    }
}

fn favor_info(tile: FavorTile) -> pb::FavorTileInfo {
    pb::FavorTileInfo {
        tile: tile.number(),
        id: tile.id().to_owned(),
        text: tile.name().to_owned(),
        copies: u32::from(tile.copies()),
        cult: tile.cult().number(),
        steps: u32::from(tile.steps()),
        income: Some(ids::goods(tile.income())),
    }
}

fn town_info(tile: TownTile) -> pb::TownTileInfo {
    pb::TownTileInfo {
        tile: tile.number(),
        id: tile.id().to_owned(),
        text: tile.name().to_owned(),
        copies: u32::from(tile.copies()),
        vp: u32::from(tile.vp()),
        gain: Some(ids::goods(tile.gain())),
        cult_steps: u32::from(tile.cult_steps()),
        optional_tile: tile.is_optional(),
    }
}

fn card_info(card: BonusCard) -> pb::BonusCardInfo {
    pb::BonusCardInfo {
        card: card.number(),
        id: card.id().to_owned(),
        text: card.name().to_owned(),
        income: Some(ids::goods(card.income())),
        optional_card: card == BonusCard::Bon10,
    }
}

fn scoring_info(tile: ScoringTile) -> pb::ScoringTileInfo {
    let (cult, per, goods, spades) = match tile.reward() {
        ScoringReward::Goods(cult, per, goods) => (cult.number(), per, goods, 0),
        ScoringReward::Spade(cult, per) => (cult.number(), per, Goods::NONE, 1),
        ScoringReward::PerPriest(goods) => (0, 1, goods, 0),
    };
    pb::ScoringTileInfo {
        tile: tile.number(),
        id: tile.id().to_owned(),
        text: tile.name().to_owned(),
        vp: u32::from(tile.vp()),
        reward_cult: cult,
        reward_per: u32::from(per),
        reward: Some(ids::goods(goods)),
        reward_spades: spades,
        optional_tile: tile == ScoringTile::Score9,
    }
}

fn power_info(action: PowerAction) -> pb::PowerActionInfo {
    pb::PowerActionInfo {
        action: action.number(),
        id: action.id().to_owned(),
        text: action.name().to_owned(),
        power: u32::from(action.power()),
    }
}

fn special_info(action: SpecialAction) -> pb::SpecialActionInfo {
    pb::SpecialActionInfo {
        action: action.number(),
        id: action.id().to_owned(),
        text: action.name().to_owned(),
    }
}

fn conversion_info(conversion: Conversion) -> pb::ConversionInfo {
    let ((takes, gives), (takes_vp, gives_vp)) = (conversion.goods(), conversion.vp());
    let takes = Goods {
        power: u16::from(conversion.power()),
        ..takes
    };
    pb::ConversionInfo {
        conversion: conversion.number(),
        takes: Some(ids::goods(takes)),
        takes_vp: u32::from(takes_vp),
        gives: Some(ids::goods(gives)),
        gives_vp: u32::from(gives_vp),
        alchemy: conversion.is_alchemy(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn everything_of_the_box_is_listed() {
        let catalogue = message();
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
    fn neighbours_are_mutual() {
        let hexes = message().hexes;
        let near: BTreeMap<&str, &Vec<String>> = hexes
            .iter()
            .map(|hex| (&*hex.id, &hex.neighbours))
            .collect();
        for hex in &hexes {
            assert!((2..=6).contains(&hex.neighbours.len()), "{}", hex.id);
            for other in &hex.neighbours {
                assert!(near[&**other].contains(&hex.id), "{} {other}", hex.id);
            }
        }
        assert_eq!(near["r18"], &["D6", "E8", "r16", "r19", "r23", "r24"]);
    }

    #[test]
    fn some_figures_of_the_boards() {
        let factions = message().factions;
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
