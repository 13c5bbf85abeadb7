//! The components, from the tables of the rules.

use gamekeeper_rules::kingsburg::{Advisor, Building, Choice, Enemy, EnemyYear, Good, Help};

use super::{ids, pb};
use crate::names::{Name, numbers};

/// Counts the changes of the catalogue. From 1.
pub(super) const REVISION: u32 = 2;

pub(super) fn message() -> pb::Catalogue {
    pb::Catalogue {
        revision: REVISION,
        advisors: Advisor::ALL.into_iter().map(advisor_info).collect(),
        buildings: Building::ALL.into_iter().map(building_info).collect(),
        enemies: Enemy::ALL.into_iter().map(enemy_info).collect(),
        enemy_years: Enemy::backs().iter().map(year_info).collect(),
    }
}

fn advisor_info(advisor: Advisor) -> pb::AdvisorInfo {
    let help = advisor.help();
    let (choose_amount, choose_from) = match help.choice {
        Some(Choice::OneOf { amount, goods }) => (u32::from(amount), numbers(goods)),
        Some(Choice::Exchange) | None => (0, Vec::new()),
    };
    pb::AdvisorInfo {
        advisor: Name::number(advisor),
        number: u32::from(advisor.number()),
        id: advisor.id().to_owned(),
        name: advisor.name().to_owned(),
        goods: Some(ids::goods(help.goods)),
        vp: u32::from(help.vp),
        soldiers: u32::from(help.soldiers),
        plus2: u32::from(help.plus2),
        shows_enemy: help.peek,
        choose_amount,
        choose_from,
        exchanges: help.choice == Some(Choice::Exchange),
        text: help_text(&help),
    }
}

/// What an advisor gives, in plain English.
fn help_text(help: &Help) -> String {
    let counted = |count: u8, one: &str, more: &str| {
        (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { more }))
    };
    let same = |count: u8, what: &str| counted(count, what, what);
    let mut given: Vec<String> = [
        same(help.goods.gold, "gold"),
        same(help.goods.wood, "wood"),
        same(help.goods.stone, "stone"),
        counted(help.vp, "victory point", "victory points"),
        counted(help.soldiers, "soldier", "soldiers"),
        counted(help.plus2, "+2 token", "+2 tokens"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if let Some(Choice::OneOf { amount, goods }) = help.choice {
        let names: Vec<&str> = goods.iter().map(|good| good_name(*good)).collect();
        given.push(format!("{amount} {}", names.join(" or ")));
    }
    let mut sentences = Vec::new();
    if !given.is_empty() {
        sentences.push(format!("Gives {}.", given.join(", ")));
    }
    if help.choice == Some(Choice::Exchange) {
        sentences.push(String::from(
            "Exchanges 1 good for 1 of each other kind, if wanted.",
        ));
    }
    if help.peek {
        sentences.push(String::from("Shows the enemy of the year."));
    }
    sentences.join(" ")
}

const fn good_name(good: Good) -> &'static str {
    match good {
        Good::Gold => "gold",
        Good::Wood => "wood",
        Good::Stone => "stone",
    }
}

fn building_info(building: Building) -> pb::BuildingInfo {
    pb::BuildingInfo {
        building: building.number(),
        id: building.id().to_owned(),
        name: building.name().to_owned(),
        row: u32::from(building.row()),
        column: u32::from(building.column()),
        cost: Some(ids::goods(building.cost())),
        vp: u32::from(building.vp()),
        strength: i32::from(building.strength()),
        extra_against: building.extra_against().map(Name::number),
        text: building.text().to_owned(),
    }
}

fn enemy_info(enemy: Enemy) -> pb::EnemyInfo {
    let card = enemy.card();
    pb::EnemyInfo {
        enemy: Name::number(enemy),
        id: enemy.id().to_owned(),
        number: u32::from(enemy.number()),
        year: u32::from(card.year),
        kind: card.kind.number(),
        name: enemy.name().to_owned(),
        strength: u32::from(card.strength),
        lost_goods: Some(ids::goods(card.loss.goods)),
        lost_any_goods: u32::from(card.loss.any_goods),
        lost_buildings: u32::from(card.loss.buildings),
        lost_vp: u32::from(card.loss.vp),
        gained_goods: Some(ids::goods(card.reward.goods)),
        gained_any_goods: u32::from(card.reward.any_goods),
        gained_vp: u32::from(card.reward.vp),
    }
}

fn year_info(back: &EnemyYear) -> pb::EnemyYearInfo {
    pb::EnemyYearInfo {
        year: u32::from(back.year),
        roman: back.roman.to_owned(),
        least_strength: u32::from(back.least),
        greatest_strength: u32::from(back.greatest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_has_all_components() {
        let catalogue = message();
        assert_eq!(catalogue.revision, REVISION);
        let advisors: Vec<_> = catalogue.advisors.iter().map(|info| info.number).collect();
        assert_eq!(advisors, (1..=18).collect::<Vec<u32>>());
        assert_eq!(catalogue.buildings.len(), 20);
        assert_eq!(catalogue.enemies.len(), 25);
        assert_eq!(catalogue.enemy_years.len(), 5);
        let vp: u32 = catalogue.buildings.iter().map(|info| info.vp).sum();
        assert_eq!(vp, 59);
        let strength: u32 = catalogue.enemies.iter().map(|info| info.strength).sum();
        assert_eq!(strength, 14 + 21 + 26 + 31 + 41);
    }

    #[test]
    fn an_advisor_field_by_field() {
        let queen = pb::AdvisorInfo {
            advisor: pb::Advisor::Queen as i32,
            number: 17,
            id: "queen".to_owned(),
            name: "Queen".to_owned(),
            goods: Some(pb::Goods::default()),
            vp: 3,
            soldiers: 0,
            plus2: 0,
            shows_enemy: true,
            choose_amount: 2,
            choose_from: vec![
                pb::Good::Gold as i32,
                pb::Good::Wood as i32,
                pb::Good::Stone as i32,
            ],
            exchanges: false,
            text: "Gives 3 victory points, 2 gold or wood or stone. Shows the enemy of the year."
                .to_owned(),
        };
        assert_eq!(advisor_info(Advisor::Queen), queen);
        assert!(advisor_info(Advisor::Alchemist).exchanges);
        assert!(
            message()
                .advisors
                .iter()
                .all(|info| info.text.ends_with('.'))
        );
    }

    #[test]
    fn a_building_field_by_field() {
        let palisade = pb::BuildingInfo {
            building: pb::Building::Palisade as i32,
            id: "palisade".to_owned(),
            name: "Palisade".to_owned(),
            row: 4,
            column: 1,
            cost: Some(pb::Goods {
                gold: 0,
                wood: 2,
                stone: 0,
            }),
            vp: 0,
            strength: 1,
            extra_against: Some(pb::EnemyKind::Zombies as i32),
            text: String::new(),
        };
        assert_eq!(building_info(Building::Palisade), palisade);
        assert_eq!(building_info(Building::Farms).strength, -1);
        assert!(!building_info(Building::Crane).text.is_empty());
    }

    #[test]
    fn an_enemy_field_by_field() {
        let goods = |gold, wood, stone| Some(pb::Goods { gold, wood, stone });
        let demons = pb::EnemyInfo {
            enemy: pb::Enemy::Y3Demons6 as i32,
            id: "y3_demons_6".to_owned(),
            number: 15,
            year: 3,
            kind: pb::EnemyKind::Demons as i32,
            name: "Demons".to_owned(),
            strength: 6,
            lost_goods: goods(2, 1, 1),
            lost_any_goods: 0,
            lost_buildings: 0,
            lost_vp: 1,
            gained_goods: goods(0, 0, 0),
            gained_any_goods: 0,
            gained_vp: 1,
        };
        assert_eq!(enemy_info(Enemy::Y3Demons6), demons);
    }
}
