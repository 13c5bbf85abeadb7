//! Every building, advisor and enemy card has a paragraph of its own in the rule document (KIN-7), with
//! the figures that the game plays by.

use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::data::{Advisor, Building, Choice, Enemy, Good, Goods};
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::JoinAnd;

/// The text of a paragraph of chapter 7.
fn paragraph(number: usize) -> &'static str {
    let book = Rulebook::read(Kingsburg::RULES);
    let id = format!("KIN-7.{number}");
    book.rule(&id).map_or("", |rule| rule.text.trim_end())
}

/// The beginning of a paragraph.
fn begins(number: usize, name: &str) -> String {
    format!("- **KIN-7.{number}** **{name}.** ")
}

fn amounts(goods: Goods, order: [Good; 3]) -> impl Iterator<Item = String> {
    let amounts = order.map(|good| (goods.amount(good), good));
    let owned = amounts.into_iter().filter(|(amount, _)| *amount > 0);
    owned.map(|(amount, good)| format!("{amount} {good}"))
}

fn of_choice(amount: u8) -> Option<String> {
    match amount {
        0 => None,
        1 => Some(String::from("1 good of your choice")),
        more => Some(format!("{more} goods of your choice")),
    }
}

fn points(vp: u8) -> Option<String> {
    (vp > 0).then(|| format!("{vp} VP"))
}

/// KIN-7.1 to KIN-7.20.
#[test]
fn every_building_has_a_paragraph() {
    for (number, building) in (1..).zip(Building::ALL) {
        let text = paragraph(number);
        let begin = format!(
            "{}Row {}, column {}. Costs {}; {} VP. ",
            begins(number, building.name()),
            building.row(),
            building.column(),
            building.cost(),
            building.vp(),
        );
        assert!(text.starts_with(&begin), "{begin}\n{text}");
        let strength = match (building.strength(), building.extra_against()) {
            (0, None) => continue,
            (0, Some(kind)) => format!("+1 strength against {kind}, none against others."),
            (strength, None) => format!("{strength:+} strength"),
            (strength, Some(kind)) => format!(
                "{strength:+} strength; {:+} in all against {kind}",
                strength + 1
            ),
        };
        assert!(text.contains(&strength), "{strength}\n{text}");
    }
}

/// KIN-7.41 to KIN-7.58.
#[test]
fn every_advisor_has_a_paragraph() {
    for (number, advisor) in (1..).zip(Advisor::ALL) {
        let text = paragraph(40 + number);
        let begin = format!("{}Advisor {number}. ", begins(40 + number, advisor.name()));
        assert!(text.starts_with(&begin), "{begin}\n{text}");
        let help = advisor.help();
        let chosen = match help.choice {
            Some(Choice::OneOf { amount: 1, goods }) if goods.len() == Good::ALL.len() => {
                Some(String::from("1 good of the kind you choose"))
            }
            Some(Choice::OneOf { amount: 1, goods }) => {
                let goods: Vec<String> = goods.iter().map(|good| format!("1 {good}")).collect();
                Some(goods.join(" or "))
            }
            Some(Choice::OneOf { amount, .. }) => Some(format!("{amount} goods of one kind")),
            Some(Choice::Exchange) => Some(String::from("1 of each of the two other kinds")),
            None => None,
        };
        let soldiers = match help.soldiers {
            0 => None,
            1 => Some(String::from("1 soldier")),
            more => Some(format!("{more} soldiers")),
        };
        let token = (help.plus2 > 0).then(|| String::from("a +2 token"));
        let look = help
            .peek
            .then(|| String::from("you look at this year's enemy card"));
        let said = amounts(help.goods, Good::ALL).chain(
            [points(help.vp), chosen, soldiers, token, look]
                .into_iter()
                .flatten(),
        );
        for what in said {
            assert!(text.contains(&what), "{what}\n{text}");
        }
    }
}

/// KIN-7.61 to KIN-7.85.
#[test]
fn every_enemy_card_has_a_paragraph() {
    let years = || Enemy::backs().iter();
    for (number, enemy) in (61..).zip(Enemy::ALL) {
        let card = enemy.card();
        let year = years().find(|back| back.year == card.year);
        let (loss, reward) = (card.loss, card.reward);
        let lost: Vec<String> = amounts(loss.goods, [Good::Gold, Good::Stone, Good::Wood])
            .chain(of_choice(loss.any_goods))
            .chain((loss.buildings > 0).then(|| format!("{} building", loss.buildings)))
            .chain(points(loss.vp))
            .collect();
        let gained: Vec<String> = amounts(reward.goods, Good::ALL)
            .chain(of_choice(reward.any_goods))
            .chain(points(reward.vp))
            .collect();
        let text = format!(
            "{}Enemy of year {}, strength {}. A defeat costs you {}. A victory brings you {}.",
            begins(number, enemy.name()),
            year.map_or("", |back| back.roman),
            card.strength,
            JoinAnd(lost),
            JoinAnd(gained),
        );
        assert_eq!(paragraph(number), text);
    }
}
