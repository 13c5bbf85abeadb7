//! Names of advisors, buildings, enemies and goods.

use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;

use crate::phrase;

/// The names of the catalogue. What it does not tell, the names of the contract tell.
pub(super) struct Names<'a> {
    catalogue: &'a pb::Catalogue,
}

impl<'a> Names<'a> {
    /// The names of this catalogue.
    pub(super) const fn new(catalogue: &'a pb::Catalogue) -> Self {
        Self { catalogue }
    }

    /// What the catalogue says of an advisor.
    pub(super) fn advisor_info(&self, advisor: i32) -> Option<&'a pb::AdvisorInfo> {
        let mut advisors = self.catalogue.advisors.iter();
        advisors.find(|info| info.advisor == advisor)
    }

    /// The name of an advisor.
    pub(super) fn advisor(&self, advisor: i32) -> String {
        if let Some(info) = self.advisor_info(advisor) {
            return info.name.clone();
        }
        let name = pb::Advisor::try_from(advisor).map(|advisor| advisor.as_str_name());
        told(name.unwrap_or("?"), "ADVISOR_")
    }

    /// What the catalogue says of a building.
    pub(super) fn building_info(&self, building: i32) -> Option<&'a pb::BuildingInfo> {
        let mut buildings = self.catalogue.buildings.iter();
        buildings.find(|info| info.building == building)
    }

    /// The name of a building.
    pub(super) fn building(&self, building: i32) -> String {
        if let Some(info) = self.building_info(building) {
            return info.name.clone();
        }
        let name = pb::Building::try_from(building).map(|building| building.as_str_name());
        told(name.unwrap_or("?"), "BUILDING_")
    }

    /// An enemy: `Goblins 3`.
    pub(super) fn enemy(&self, enemy: i32) -> String {
        let mut enemies = self.catalogue.enemies.iter();
        if let Some(info) = enemies.find(|info| info.enemy == enemy) {
            return format!("{} {}", info.name, info.strength);
        }
        let name = pb::Enemy::try_from(enemy).map(|enemy| enemy.as_str_name());
        told(name.unwrap_or("?"), "ENEMY_")
    }
}

/// The name of a colour.
pub(super) fn color(color: pb::Color) -> String {
    told(color.as_str_name(), "COLOR_")
}

/// `ADVISOR_MASTER_HUNTER` is `Master Hunter`.
fn told(name: &str, prefix: &str) -> String {
    phrase::title(name.trim_start_matches(prefix))
}

/// A good as within a sentence.
pub(super) const fn good(good: pb::Good) -> &'static str {
    match good {
        pb::Good::Gold => "gold",
        pb::Good::Wood => "wood",
        pb::Good::Stone => "stone",
        pb::Good::Unspecified => "?",
    }
}

/// Amounts of goods: `2 gold, 1 stone`; `nothing`.
pub(super) fn goods(gold: u32, wood: u32, stone: u32) -> String {
    let amounts = [(gold, "gold"), (wood, "wood"), (stone, "stone")];
    let told: Vec<String> = amounts
        .iter()
        .filter(|(amount, _)| *amount > 0)
        .map(|(amount, name)| format!("{amount} {name}"))
        .collect();
    if told.is_empty() {
        return String::from("nothing");
    }
    told.join(", ")
}
