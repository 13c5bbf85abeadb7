//! Printed figures against the check sums of KIN-3.

use std::collections::BTreeSet;

use crate::kingsburg::data::{
    Advisor, Building, COLUMNS, Choice, Color, Enemy, EnemyKind, Good, Goods, Phase, ROWS, Step,
};

fn sum(buildings: &[Building], figure: impl Fn(Building) -> u16) -> u16 {
    buildings.iter().map(|&building| figure(building)).sum()
}

#[test]
fn buildings_sum_up() {
    let all = Building::ALL;
    assert_eq!(all.len(), ROWS * COLUMNS);
    assert_eq!(sum(&all, |building| building.vp().into()), 59);
    let cost = all.iter().fold((0, 0, 0), |(gold, wood, stone), building| {
        let cost = building.cost();
        (
            gold + u16::from(cost.gold),
            wood + u16::from(cost.wood),
            stone + u16::from(cost.stone),
        )
    });
    assert_eq!(cost, (38, 22, 22));
    let strength: i8 = all.iter().map(|building| building.strength()).sum();
    assert_eq!(strength, 6);
    assert_eq!(strength - Building::Farms.strength(), 7);
}

#[test]
fn rows_of_buildings_sum_up() {
    let rows: Vec<(u16, u16)> = Building::ALL
        .chunks(COLUMNS)
        .map(|row| {
            (
                sum(row, |building| building.vp().into()),
                sum(row, |building| building.cost().total()),
            )
        })
        .collect();
    assert_eq!(rows, [(24, 20), (7, 18), (13, 17), (8, 14), (7, 13)]);
}

#[test]
fn buildings_stand_where_the_board_says() {
    for building in Building::ALL {
        let at = Building::at(building.row_index(), building.column());
        assert_eq!(at, Some(building));
        assert_eq!(usize::from(building.row()), building.row_index() + 1);
        let before = building.before();
        assert_eq!(before.is_none(), building.column() == 1);
        assert!(before.is_none_or(|before| before.row() == building.row()));
    }
    let place = |building: Building| (building.row(), building.column());
    assert_eq!(place(Building::Church), (1, 3));
    assert_eq!(place(Building::Inn), (2, 1));
    assert_eq!(place(Building::Crane), (5, 2));
    let extras = Building::ALL.into_iter();
    let extras: Vec<_> = extras
        .filter_map(|building| building.extra_against().map(|kind| (building, kind)))
        .collect();
    assert_eq!(
        extras,
        [
            (Building::Church, EnemyKind::Demons),
            (Building::Palisade, EnemyKind::Zombies),
            (Building::Barricade, EnemyKind::Goblins),
        ]
    );
}

#[test]
fn enemies_sum_up() {
    let count = |kind| {
        Enemy::ALL
            .iter()
            .filter(|enemy| enemy.card().kind == kind)
            .count()
    };
    let counts = EnemyKind::ALL.map(count);
    assert_eq!(counts, [4, 8, 4, 4, 4, 1]);
    let strength = |year| -> u8 {
        let cards = Enemy::of_year(year).iter();
        cards.map(|enemy| enemy.card().strength).sum()
    };
    assert_eq!([1, 2, 3, 4, 5].map(strength), [14, 21, 26, 31, 41]);
    for (year, back) in (1..).zip(Enemy::backs()) {
        let strengths = || {
            Enemy::of_year(year)
                .iter()
                .map(|enemy| enemy.card().strength)
        };
        assert_eq!(back.year, year);
        assert_eq!(strengths().min(), Some(back.least_strength));
        assert_eq!(strengths().max(), Some(back.greatest_strength));
    }
    assert!(Enemy::of_year(0).is_empty() && Enemy::of_year(6).is_empty());
}

#[test]
fn losses_and_rewards_sum_up() {
    let total = |figure: fn(&Enemy) -> u16| -> u16 { Enemy::ALL.iter().map(figure).sum() };
    assert_eq!(total(|enemy| enemy.card().loss.goods.total()), 34);
    assert_eq!(total(|enemy| enemy.card().loss.any_goods.into()), 15);
    assert_eq!(total(|enemy| enemy.card().loss.buildings.into()), 15);
    assert_eq!(total(|enemy| enemy.card().loss.vp.into()), 31);
    assert_eq!(total(|enemy| enemy.card().reward.goods.total()), 14);
    assert_eq!(total(|enemy| enemy.card().reward.any_goods.into()), 1);
    assert_eq!(total(|enemy| enemy.card().reward.vp.into()), 15);
    let some = |enemy: &Enemy| enemy.card().loss.buildings <= 1;
    assert!(Enemy::ALL.iter().all(some), "KIN-INV-13");
}

#[test]
fn card_ids_name_year_kind_and_strength() {
    for (number, enemy) in (1..).zip(Enemy::ALL) {
        let card = enemy.card();
        let id = format!("y{}_{}_{}", card.year, card.kind.id(), card.strength);
        assert_eq!(enemy.id(), id);
        assert_eq!(enemy.number(), number);
        assert_eq!(Enemy::from_number(number), Some(enemy));
    }
    assert_eq!(Enemy::from_number(0), None);
    assert_eq!(Enemy::from_number(26), None);
}

#[test]
fn advisors_give_as_much_as_the_board_says() {
    let help = || Advisor::ALL.iter().map(|advisor| advisor.help());
    let goods = help().fold(Goods::NONE, |all, help| all.plus(help.goods));
    assert_eq!(goods, Goods::new(9, 4, 6));
    assert_eq!(help().map(|help| help.vp).sum::<u8>(), 5);
    assert_eq!(help().map(|help| help.soldiers).sum::<u8>(), 4);
    assert_eq!(help().map(|help| help.plus2).sum::<u8>(), 2);
    assert_eq!(help().filter(|help| help.peek).count(), 2);
    let chosen: u8 = help()
        .filter_map(|help| match help.choice {
            Some(Choice::OneOf { amount, .. }) => Some(amount),
            Some(Choice::Exchange) | None => None,
        })
        .sum();
    assert_eq!(chosen, 1 + 1 + 1 + 1 + 2 + 3 + 2);
    for (number, advisor) in (1..).zip(Advisor::ALL) {
        assert_eq!(Advisor::from_number(number), Some(advisor));
        assert_eq!(i32::from(advisor.number()), number);
    }
    assert_eq!(Advisor::from_number(0), None);
    assert_eq!(Advisor::from_number(19), None);
    assert_eq!(Advisor::from_number(i32::MIN), None);
}

/// Ids are unique and in lower snake case.
#[test]
fn ids_are_unique() {
    let unique = |ids: &[&str]| {
        let set: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(set.len(), ids.len(), "{ids:?}");
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(ids.iter().all(|id| id.chars().all(snake)), "{ids:?}");
    };
    unique(&Advisor::ALL.map(Advisor::id));
    unique(&Building::ALL.map(Building::id));
    unique(&Enemy::ALL.map(Enemy::id));
    unique(&EnemyKind::ALL.map(EnemyKind::id));
    unique(&Phase::ALL.map(Phase::id));
    unique(&Good::ALL.map(Good::id));
    unique(&Color::ALL.map(Color::id));
    let steps: BTreeSet<_> = Step::ALL.map(Step::id).into_iter().collect();
    assert_eq!(steps.len(), Step::ALL.len());
}
