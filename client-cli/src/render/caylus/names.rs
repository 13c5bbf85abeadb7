//! Names of players, buildings and sections.

use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use crate::phrase;

/// The players of the game and the buildings of the catalogue. What the catalogue does not tell, the
/// names of the contract tell.
pub(super) struct Names<'a> {
    info: &'a GameInfo,
    catalogue: &'a pb::Catalogue,
}

impl<'a> Names<'a> {
    /// The names of this game.
    pub(super) fn new(info: &'a GameInfo, catalogue: &'a pb::Catalogue) -> Self {
        Self { info, catalogue }
    }

    /// The name of a seat's player.
    pub(super) fn player(&self, seat: u32) -> String {
        phrase::player(self.info, seat)
    }

    /// The names of seats, in the same order.
    pub(super) fn list(&self, seats: &[u32]) -> String {
        let names: Vec<_> = seats.iter().map(|seat| self.player(*seat)).collect();
        names.join(", ")
    }

    /// What is printed on a building, if the catalogue tells it.
    pub(super) fn tile_info(&self, tile: i32) -> Option<&pb::TileInfo> {
        self.catalogue.tiles.iter().find(|sheet| sheet.tile == tile)
    }

    /// An option of a building.
    pub(super) fn offer(&self, tile: i32, option: u32) -> Option<pb::Offer> {
        let option = usize::try_from(option).ok()?;
        self.tile_info(tile)?.offers.get(option).copied()
    }

    /// The name of a line of the favor table.
    pub(super) fn favor_line(&self, line: i32) -> String {
        let name = pb::FavorLine::try_from(line).map(|line| line.as_str_name());
        phrase::title(name.unwrap_or("?").trim_start_matches("FAVOR_LINE_"))
    }

    /// What a column of the favor table gives, if the catalogue tells it.
    pub(super) fn favor_text(&self, line: i32, column: u32) -> String {
        let mut lines = self.catalogue.favor_lines.iter();
        let place = usize::try_from(column).map_or(0, |column| column.saturating_sub(1));
        let text = lines
            .find(|info| info.line == line)
            .and_then(|info| info.columns.get(place));
        text.map_or_else(String::new, |text| text.trim_end_matches('.').to_owned())
    }

    /// The name of a building.
    pub(super) fn tile(&self, tile: i32) -> String {
        if let Some(sheet) = self.tile_info(tile) {
            return sheet.name.clone();
        }
        let name = pb::Tile::try_from(tile).map(|tile| tile.as_str_name());
        phrase::title(name.unwrap_or("?").trim_start_matches("TILE_"))
    }

    /// The kind of a building: `wood`; empty where the catalogue does not tell.
    pub(super) fn kind(&self, tile: i32) -> String {
        self.tile_info(tile).map_or_else(String::new, |sheet| {
            let name = sheet.kind().as_str_name();
            name.trim_start_matches("TILE_KIND_").to_lowercase()
        })
    }

    fn section_info(&self, section: i32) -> Option<&pb::SectionInfo> {
        let mut sections = self.catalogue.sections.iter();
        sections.find(|info| info.section == section)
    }

    /// The name of a section.
    pub(super) fn section(&self, section: i32) -> String {
        let name = pb::Section::try_from(section).map(|section| section.as_str_name());
        phrase::title(name.unwrap_or("?").trim_start_matches("SECTION_"))
    }

    /// How many parts a section has, if the catalogue tells it.
    pub(super) fn section_parts(&self, section: i32) -> Option<u32> {
        self.section_info(section).map(|info| info.parts)
    }

    /// The section that is scored when the bailiff comes to this space.
    pub(super) fn trigger(&self, space: u32) -> Option<String> {
        let mut sections = self.catalogue.sections.iter();
        let info = sections.find(|info| info.trigger_space == space)?;
        Some(self.section(info.section))
    }
}
