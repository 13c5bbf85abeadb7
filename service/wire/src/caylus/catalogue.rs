//! The components, from the tables of the rules.

use gamekeeper_rules::caylus::data::{
    Effect, FavorLine, Goods, MAX_MARKER, Section, Special, Tile, Trade,
};

use super::pb;
use crate::mapping::ToPb;

/// The revision of the catalogue, from 1.
pub(crate) const REVISION: u32 = 5;

pub(crate) fn catalogue() -> pb::Catalogue {
    pb::Catalogue {
        tiles: Tile::ALL.into_iter().map(tile_info).collect(),
        specials: Special::ALL.into_iter().map(special_info).collect(),
        sections: Section::ALL.into_iter().map(section_info).collect(),
        favor_lines: FavorLine::ALL.into_iter().map(line_info).collect(),
    }
}

fn tile_info(tile: Tile) -> pb::TileInfo {
    let sheet = tile.sheet();
    pb::TileInfo {
        tile: tile.to_pb(),
        id: tile.id().to_pb(),
        name: tile.name().to_pb(),
        kind: sheet.kind.to_pb(),
        copies: sheet.copies.to_pb(),
        cost: Some(sheet.cost).filter(|cost| !cost.is_empty()).to_pb(),
        any_cube: sheet.any_cube,
        vp: sheet.vp.to_pb(),
        favors: sheet.favors.to_pb(),
        income: sheet.income.to_pb(),
        text: sheet.effect.printed(),
        offers: offers(sheet.effect),
        owner_bonus: sheet.owner_bonus.to_pb(),
    }
}

/// Returns the options of `produce` and `trade`.
fn offers(effect: Effect) -> Vec<pb::Offer> {
    match effect {
        Effect::Produce(options) => {
            let gain = |&cubes| offer(Goods::NONE, Goods::cubes(cubes));
            options.iter().map(gain).collect()
        }
        Effect::Trade(options) => {
            let one = |&Trade { pay, gain }: &Trade| offer(pay, gain);
            options.iter().map(one).collect()
        }
        Effect::None
        | Effect::SellCube(_)
        | Effect::BuyCubes { .. }
        | Effect::BuildCraft(_)
        | Effect::BuildPrestige
        | Effect::Transform
        | Effect::Alchemy => Vec::new(),
    }
}

fn offer(pay: Goods, gain: Goods) -> pb::Offer {
    pb::Offer {
        pay: pay.to_pb(),
        gain: gain.to_pb(),
    }
}

fn special_info(special: Special) -> pb::SpecialInfo {
    pb::SpecialInfo {
        special: special.to_pb(),
        id: special.id().to_pb(),
        name: special.name().to_pb(),
        text: special.text().to_pb(),
    }
}

fn section_info(section: Section) -> pb::SectionInfo {
    let sheet = section.sheet();
    pb::SectionInfo {
        section: section.to_pb(),
        id: section.id().to_pb(),
        name: section.name().to_pb(),
        parts: sheet.parts.to_pb(),
        vp_per_part: sheet.vp.to_pb(),
        trigger_space: sheet.trigger.to_pb(),
        penalty: sheet.penalty.to_pb(),
        favors: (0..=sheet.parts)
            .map(|parts| sheet.favors(parts).to_pb())
            .collect(),
        text: format!(
            "Each batch of three different cubes, one of them food, builds one part for {} prestige \
             points. When the section is scored, players with enough parts gain favors, and players \
             without a part lose {} prestige points.",
            sheet.vp, sheet.penalty
        ),
    }
}

fn line_info(line: FavorLine) -> pb::FavorLineInfo {
    pb::FavorLineInfo {
        line: line.to_pb(),
        id: line.id().to_pb(),
        name: line.name().to_pb(),
        columns: (1..=MAX_MARKER)
            .map(|column| line.column(column).to_string())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(tile: Tile) -> pb::TileInfo {
        catalogue().tiles.swap_remove(tile.index())
    }

    #[test]
    fn every_building_with_workers_has_a_text() {
        let catalogue = catalogue();
        for (tile, info) in Tile::ALL.into_iter().zip(&catalogue.tiles) {
            assert_eq!(info.text.is_empty(), !tile.takes_workers());
        }
        let specials = catalogue.specials.iter().map(|info| &info.text);
        let sections = catalogue.sections.iter().map(|info| &info.text);
        assert!(specials.chain(sections).all(|text| text.ends_with('.')));
    }

    #[test]
    fn some_figures_of_the_box() {
        let church = info(Tile::Church);
        assert_eq!((church.vp, church.favors, church.offers.len()), (3, 1, 2));
        assert_eq!(church.offers[1], offer(Goods::deniers(4), Goods::vp(5)));
        let park = info(Tile::Park);
        let bonus = [pb::Resource::Wood as i32, pb::Resource::Food as i32];
        assert_eq!(park.owner_bonus, bonus);
        assert_eq!(info(Tile::GoldMine).cost, None);
        assert!(info(Tile::WoodMarket).any_cube);
        let walls = &catalogue().sections[1];
        assert_eq!(
            (walls.parts, walls.trigger_space, walls.penalty),
            (10, 18, 3)
        );
        assert_eq!(walls.favors, [0, 0, 1, 2, 2, 3, 3, 3, 3, 3, 3]);
        let resources = &catalogue().favor_lines[2];
        assert_eq!(resources.columns[1], "gain 1 wood, or gain 1 stone");
    }
}
