//! Names of players, factions, terrains, structures and tiles.

use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use crate::phrase;

/// The players of the game and the components of the catalogue. What the catalogue does not tell, the
/// names of the contract tell.
pub(super) struct Names<'a> {
    info: &'a GameInfo,
    pub(super) catalogue: &'a pb::Catalogue,
}

/// How something of these kinds is called: the id and the words of the catalogue.
macro_rules! components {
    ($($name:ident: $list:ident, $field:ident, $kind:ty, $prefix:literal;)*) => {
        impl Names<'_> {
            $(
                /// The id and what it does, in a few words.
                pub(super) fn $name(&self, number: i32) -> Component {
                    let mut known = self.catalogue.$list.iter();
                    match known.find(|info| info.$field == number) {
                        Some(info) => Component { id: info.id.clone(), text: info.text.clone() },
                        None => {
                            let name = <$kind>::try_from(number).map(|one| one.as_str_name());
                            let id = name.unwrap_or("?").trim_start_matches($prefix);
                            Component { id: id.replace('_', ""), text: String::new() }
                        }
                    }
                }
            )*
        }
    };
}

components! {
    favor: favor_tiles, tile, pb::FavorTile, "FAVOR_TILE_";
    town: town_tiles, tile, pb::TownTile, "TOWN_TILE_";
    bonus: bonus_cards, card, pb::BonusCard, "BONUS_CARD_";
    scoring: scoring_tiles, tile, pb::ScoringTile, "SCORING_TILE_";
    power: power_actions, action, pb::PowerAction, "POWER_ACTION_";
    special: special_actions, action, pb::SpecialAction, "SPECIAL_ACTION_";
}

/// A tile, a card or an action.
pub(super) struct Component {
    /// `FAV5`.
    pub(super) id: String,
    /// What it does.
    pub(super) text: String,
}

impl std::fmt::Display for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.id)?;
        if self.text.is_empty() {
            return Ok(());
        }
        write!(f, " {}", self.text)
    }
}

impl<'a> Names<'a> {
    /// The names of this game.
    pub(super) const fn new(info: &'a GameInfo, catalogue: &'a pb::Catalogue) -> Self {
        Self { info, catalogue }
    }

    /// The name of a seat's player.
    pub(super) fn player(&self, seat: u32) -> String {
        phrase::player(self.info, seat)
    }

    /// The names of seats, in the same order.
    pub(super) fn players(&self, seats: &[u32]) -> String {
        let names: Vec<_> = seats.iter().map(|seat| self.player(*seat)).collect();
        names.join(", ")
    }

    /// What the catalogue says of a faction.
    pub(super) fn faction_info(&self, faction: i32) -> Option<&'a pb::FactionInfo> {
        let mut factions = self.catalogue.factions.iter();
        factions.find(|info| info.faction == faction)
    }

    /// The name of a faction: `Chaos Magicians`.
    pub(super) fn faction(&self, faction: i32) -> String {
        if let Some(info) = self.faction_info(faction) {
            return info.name.clone();
        }
        let name = pb::Faction::try_from(faction).map(|faction| faction.as_str_name());
        phrase::title(name.unwrap_or("?").trim_start_matches("FACTION_"))
    }

    /// The name of a terrain: `desert`.
    pub(super) fn terrain(&self, terrain: i32) -> String {
        let mut terrains = self.catalogue.terrains.iter();
        if let Some(info) = terrains.find(|info| info.terrain == terrain) {
            return info.name.clone();
        }
        let name = pb::Terrain::try_from(terrain).map(|terrain| terrain.as_str_name());
        told(name.unwrap_or("?"), "TERRAIN_")
    }

    /// The letter of a terrain on the map: `D`.
    pub(super) fn letter(&self, terrain: i32) -> char {
        let name = self.terrain(terrain);
        name.chars().next().unwrap_or('?').to_ascii_uppercase()
    }

    /// What the catalogue says of a kind of structure, and its place on the faction boards.
    pub(super) fn structure_info(&self, structure: i32) -> Option<(usize, &'a pb::StructureInfo)> {
        let mut structures = self.catalogue.structures.iter().enumerate();
        structures.find(|(_, info)| info.structure == structure)
    }

    /// The name of a kind of structure: `trading house`.
    pub(super) fn structure(&self, structure: i32) -> String {
        if let Some((_, info)) = self.structure_info(structure) {
            return info.name.clone();
        }
        let name = pb::Structure::try_from(structure).map(|structure| structure.as_str_name());
        told(name.unwrap_or("?"), "STRUCTURE_")
    }

    /// Two letters for a kind of structure: `TH`. The first of two words, or of one.
    pub(super) fn code(&self, structure: i32) -> String {
        let name = self.structure(structure);
        let letters: String = match name.split_once(' ') {
            Some((first, second)) => first
                .chars()
                .take(1)
                .chain(second.chars().take(1))
                .collect(),
            None => name.chars().take(2).collect(),
        };
        letters.to_uppercase()
    }
}

/// The name of a cult: `fire`.
pub(super) fn cult(cult: i32) -> String {
    let name = pb::Cult::try_from(cult).map(|cult| cult.as_str_name());
    told(name.unwrap_or("?"), "CULT_")
}

/// `TERRAIN_DESERT` is `desert`.
pub(super) fn told(name: &str, prefix: &str) -> String {
    phrase::words(&name.trim_start_matches(prefix).to_lowercase())
}

/// Goods in words: `2 workers, 6 coins`; `nothing`.
pub(super) fn goods(goods: pb::Goods, vp: u32) -> String {
    let amounts = [
        (goods.workers, "worker", "workers"),
        (goods.coins, "coin", "coins"),
        (goods.priests, "priest", "priests"),
        (goods.power, "power", "power"),
        (vp, "VP", "VP"),
    ];
    let told: Vec<String> = amounts
        .iter()
        .filter(|(amount, ..)| *amount > 0)
        .map(|(amount, one, more)| format!("{amount} {}", if *amount == 1 { one } else { more }))
        .collect();
    if told.is_empty() {
        return String::from("nothing");
    }
    told.join(", ")
}
