//! The components, from the tables of the rules.

use gamekeeper_rules::kingsburg::data::{Advisor, Building, Choice, Enemy, EnemyYear};

use super::pb;
use crate::mapping::{ToPb, message};

/// The revision of the catalogue, from 1.
pub(crate) const REVISION: u32 = 5;

pub(crate) fn catalogue() -> pb::Catalogue {
    pb::Catalogue {
        advisors: Advisor::ALL.to_pb(),
        buildings: Building::ALL.to_pb(),
        enemies: Enemy::ALL.to_pb(),
        enemy_years: Enemy::backs().to_pb(),
    }
}

message! { EnemyYear => pb::EnemyYearInfo { year, roman, min_strength, max_strength } }

message! {
    Advisor => pb::AdvisorInfo,
    |advisor| {
        let help = advisor.help();
        let (choose_amount, choose_from) = match help.choice {
            Some(Choice::OneOf { amount, goods }) => (amount, goods),
            Some(Choice::Exchange) | None => (0, [].as_slice()),
        };
        pb::AdvisorInfo {
            advisor: advisor.to_pb(),
            number: advisor.number().to_pb(),
            id: advisor.id().to_pb(),
            name: advisor.name().to_pb(),
            goods: help.goods.to_pb(),
            vp: help.vp.to_pb(),
            soldiers: help.soldiers.to_pb(),
            plus2: help.plus2.to_pb(),
            shows_enemy: help.peek,
            choose_amount: choose_amount.to_pb(),
            choose_from: choose_from.to_pb(),
            exchanges: help.choice == Some(Choice::Exchange),
            text: advisor.text(),
        }
    }
}

message! {
    Building => pb::BuildingInfo,
    |building| pb::BuildingInfo {
        building: building.to_pb(),
        id: building.id().to_pb(),
        name: building.name().to_pb(),
        row: building.row().to_pb(),
        column: building.column().to_pb(),
        cost: building.cost().to_pb(),
        vp: building.vp().to_pb(),
        strength: building.strength().to_pb(),
        extra_against: building.extra_against().to_pb(),
        text: building.printed(),
    }
}

message! {
    Enemy => pb::EnemyInfo,
    |enemy| {
        let card = enemy.card();
        pb::EnemyInfo {
            enemy: enemy.to_pb(),
            id: enemy.id().to_pb(),
            number: enemy.number().to_pb(),
            year: card.year.to_pb(),
            kind: card.kind.to_pb(),
            name: enemy.name().to_pb(),
            strength: card.strength.to_pb(),
            lost_goods: card.loss.goods.to_pb(),
            lost_any_goods: card.loss.any_goods.to_pb(),
            lost_buildings: card.loss.buildings.to_pb(),
            lost_vp: card.loss.vp.to_pb(),
            gained_goods: card.reward.goods.to_pb(),
            gained_any_goods: card.reward.any_goods.to_pb(),
            gained_vp: card.reward.vp.to_pb(),
        }
    }
}
