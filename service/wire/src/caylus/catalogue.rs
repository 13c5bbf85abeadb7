//! The components, from the tables of the rules.

use gamekeeper_rules::caylus::{
    Effect, FavorLine, Goods, Kind, MAX_MARKER, Section, Special, Tile, Trade,
};

use super::ids::{cubes, goods, space_number};
use super::pb;
use crate::names::{Name, names, numbers};

/// Counts the changes of the catalogue. From 1.
pub(super) const REVISION: u32 = 2;

names! { Kind => pb::TileKind { Neutral, Fixed, Wood, Stone, Prestige, Residence } }

pub(super) fn message() -> pb::Catalogue {
    pb::Catalogue {
        revision: REVISION,
        tiles: Tile::ALL.into_iter().map(tile_info).collect(),
        specials: Special::ALL.into_iter().map(special_info).collect(),
        sections: Section::ALL.into_iter().map(section_info).collect(),
        favor_lines: FavorLine::ALL.into_iter().map(line_info).collect(),
    }
}

fn tile_info(tile: Tile) -> pb::TileInfo {
    let sheet = tile.sheet();
    pb::TileInfo {
        tile: tile.number(),
        id: tile.id().to_owned(),
        name: tile.name().to_owned(),
        kind: sheet.kind.number(),
        copies: u32::from(sheet.copies),
        cost: Some(sheet.cost).filter(|cost| !cost.is_empty()).map(cubes),
        any_cube: sheet.any_cube,
        vp: u32::from(sheet.vp),
        favors: u32::from(sheet.favors),
        income: u32::from(sheet.income),
        text: sheet.effect.to_string(),
        offers: offers(sheet.effect),
        owner_bonus: numbers(sheet.owner_bonus),
    }
}

/// What `produce` and `trade` choose from.
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
        pay: Some(goods(pay)),
        gain: Some(goods(gain)),
    }
}

fn special_info(special: Special) -> pb::SpecialInfo {
    pb::SpecialInfo {
        special: special.number(),
        id: special.id().to_owned(),
        name: special.name().to_owned(),
        text: special.text().to_owned(),
    }
}

fn section_info(section: Section) -> pb::SectionInfo {
    let sheet = section.sheet();
    pb::SectionInfo {
        section: section.number(),
        id: section.id().to_owned(),
        name: section.name().to_owned(),
        parts: u32::from(sheet.parts),
        vp_per_part: u32::from(sheet.vp),
        trigger_space: space_number(sheet.trigger),
        penalty: u32::from(sheet.penalty),
        favors: (0..=sheet.parts)
            .map(|parts| u32::from(sheet.favors(parts)))
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
        line: line.number(),
        id: line.id().to_owned(),
        name: line.name().to_owned(),
        columns: (1..=MAX_MARKER)
            .map(|column| line.column(column).to_string())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tests::check_names;

    fn info(tile: Tile) -> pb::TileInfo {
        message().tiles.swap_remove(tile as usize)
    }

    #[test]
    fn kinds_keep_their_order() {
        check_names(&[
            Kind::Neutral,
            Kind::Fixed,
            Kind::Wood,
            Kind::Stone,
            Kind::Prestige,
            Kind::Residence,
        ]);
    }

    #[test]
    fn the_catalogue_is_the_printed_table() {
        let catalogue = message();
        assert_eq!(catalogue.revision, REVISION);
        assert_eq!(catalogue.tiles.len(), Tile::ALL.len());
        for (tile, info) in Tile::ALL.into_iter().zip(&catalogue.tiles) {
            let sheet = tile.sheet();
            assert_eq!(Tile::named(info.tile), Some(tile));
            assert_eq!(Kind::named(info.kind), Some(sheet.kind));
            assert_eq!((&*info.id, &*info.name), (tile.id(), tile.name()));
            let figures = [info.vp, info.income];
            assert_eq!(figures, [sheet.vp, sheet.income].map(u32::from));
            let figures = [info.copies, info.favors];
            assert_eq!(figures, [sheet.copies, sheet.favors].map(u32::from));
            assert_eq!(info.cost.unwrap_or_default(), cubes(sheet.cost));
            assert_eq!(info.any_cube, sheet.any_cube);
            assert_eq!(info.text.is_empty(), !tile.takes_workers());
        }
        assert_eq!(catalogue.specials.len(), 6);
        let texts = catalogue.specials.iter().map(|info| &info.text);
        assert!(
            texts
                .chain(catalogue.sections.iter().map(|info| &info.text))
                .all(|text| text.ends_with('.'))
        );
        assert_eq!(catalogue.sections.len(), 3);
        assert_eq!(catalogue.favor_lines.len(), 4);
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
        let walls = &message().sections[1];
        assert_eq!(
            (walls.parts, walls.trigger_space, walls.penalty),
            (10, 18, 3)
        );
        assert_eq!(walls.favors, [0, 0, 1, 2, 2, 3, 3, 3, 3, 3, 3]);
        let resources = &message().favor_lines[2];
        assert_eq!(resources.columns[1], "gain 1 wood, or gain 1 stone");
    }
}
