//! Printed figures against the data file and the checksums of KIN-3.

use serde_json::{Value, json};

use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::data::{
    Advisor, Building, COLUMNS, Choice, Color, Enemy, EnemyKind, Good, Goods, Phase, ROWS,
};
use gamekeeper_rules::ruleset::Ruleset as _;

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
        assert_eq!(strengths().min(), Some(back.min_strength));
        assert_eq!(strengths().max(), Some(back.max_strength));
    }
    assert!(Enemy::of_year(0).is_empty() && Enemy::of_year(6).is_empty());
}

#[test]
fn actions_and_the_decisions_that_they_answer_are_those_of_the_data_file() {
    let figures = figures();
    let actions = figures["actions"].as_array().unwrap();
    let names = actions.iter().map(|action| action["name"].clone());
    let terms = Kingsburg::ACTIONS.iter().map(|term| json!(term.id));
    assert!(names.eq(terms));
    let answered = actions.iter().map(|action| action["decision"].clone());
    let mut answered: Vec<Value> = answered.collect();
    answered.dedup();
    let decisions = Kingsburg::DECISIONS.iter();
    let decisions: Vec<_> = decisions.map(|words| words.id.to_uppercase()).collect();
    assert_eq!(json!(answered), json!(decisions));
}

fn figures() -> Value {
    serde_json::from_str(include_str!("../data.json")).unwrap()
}

fn goods(goods: Goods) -> Value {
    let Goods { gold, wood, stone } = goods;
    json!({ "gold": gold, "wood": wood, "stone": stone })
}

/// Selects these fields of an entry of the data file.
fn fields(entry: &Value, names: &[&str]) -> Value {
    let of = |name: &&str| ((*name).to_owned(), entry[name].clone());
    names.iter().map(of).collect()
}

/// Checks one figure of every item against the list of the data file.
#[track_caller]
fn check<T: Copy>(list: &str, all: &[T], names: &[&str], figure: impl Fn(T) -> Value) {
    let figures = figures();
    let entries = figures[list].as_array().unwrap();
    assert_eq!(entries.len(), all.len(), "{list}");
    for (entry, one) in entries.iter().zip(all) {
        assert_eq!(fields(entry, names), figure(*one), "{list}");
    }
}

/// KIN-3.3.
#[test]
fn advisors_are_those_of_the_data_file() {
    let names = ["number", "id", "name", "gain", "peek_enemy", "choice"];
    check("advisors", &Advisor::ALL, &names, |advisor| {
        let help = advisor.help();
        let mut gain = goods(help.goods);
        gain["vp"] = help.vp.into();
        gain["soldiers"] = help.soldiers.into();
        gain["plus2"] = help.plus2.into();
        let ids = |goods: &[Good]| goods.iter().map(|good| good.id()).collect::<Vec<_>>();
        json!({
            "number": advisor.number(),
            "id": advisor.id(),
            "name": advisor.name(),
            "gain": gain,
            "peek_enemy": help.peek,
            "choice": help.choice.map(|choice| match choice {
                Choice::OneOf { amount, goods } => {
                    json!({ "kind": "one_of", "amount": amount, "options": ids(goods) })
                }
                Choice::Exchange => figures()["advisors"][5]["choice"].clone(),
            }),
        })
    });
}

/// KIN-3.4.
#[test]
fn buildings_are_those_of_the_data_file() {
    let names = ["id", "name", "row", "column", "cost", "vp", "strength"];
    check("buildings", &Building::ALL, &names, |building| {
        json!({
            "id": building.id(),
            "name": building.name(),
            "row": building.row(),
            "column": building.column(),
            "cost": goods(building.cost()),
            "vp": building.vp(),
            "strength": building.strength(),
        })
    });
    check(
        "buildings",
        &Building::ALL,
        &["strength_extra_vs"],
        |building| {
            let extra = building.extra_against();
            let extra: Value = extra
                .map(|kind| (kind.id().to_owned(), Value::from(1)))
                .into_iter()
                .collect();
            json!({ "strength_extra_vs": extra })
        },
    );
}

/// KIN-3.5, KIN-3.7.
#[test]
fn enemies_and_phases_are_those_of_the_data_file() {
    let names = ["id", "year", "type", "name", "strength", "loss", "reward"];
    check("enemies", &Enemy::ALL, &names, |enemy| {
        let card = enemy.card();
        let mut loss = goods(card.loss.goods);
        loss["any_goods"] = card.loss.any_goods.into();
        loss["buildings"] = card.loss.buildings.into();
        loss["vp"] = card.loss.vp.into();
        let mut reward = goods(card.reward.goods);
        reward["any_goods"] = card.reward.any_goods.into();
        reward["vp"] = card.reward.vp.into();
        json!({
            "id": enemy.id(),
            "year": card.year,
            "type": card.kind.id(),
            "name": enemy.name(),
            "strength": card.strength,
            "loss": loss,
            "reward": reward,
        })
    });
    check(
        "calendar",
        &Phase::ALL,
        &["phase", "id"],
        |phase| json!({ "phase": phase.number(), "id": phase.id() }),
    );
    assert_eq!(figures()["goods"], json!(Good::ALL.map(Good::id)));
    assert_eq!(figures()["colors"], json!(Color::ALL.map(Color::id)));
}

#[test]
fn buildings_read_as_printed() {
    assert_eq!(
        Building::StoneWall.printed(),
        "2 victory points. +1 strength. You win when you are as strong as the enemy."
    );
    assert_eq!(
        Building::Palisade.printed(),
        "+1 strength, and 1 more against zombies."
    );
}

#[test]
fn numbers_beyond_the_board_name_nothing() {
    assert!(
        [0, 19, i32::MIN]
            .map(Advisor::from_number)
            .iter()
            .all(Option::is_none)
    );
    assert!([0, 26].map(Enemy::from_number).iter().all(Option::is_none));
    assert_eq!(Enemy::from_number(25), Some(Enemy::Y5Dragons9));
}
