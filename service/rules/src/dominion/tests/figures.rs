//! DOM-3: the tables of this ruleset are those of the data file.

use serde_json::{Value, json};

use gamekeeper_rules::dominion::data::{Card, CardType, KINGDOM_SIZE, KingdomSet};
use gamekeeper_rules::dominion::data::{EMPTY_PILES_TO_END, HAND_SIZE, STARTING_DECK};
use gamekeeper_rules::dominion::{Action, Decision, Dominion, Refusal};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Refusal as _;

fn figures() -> Value {
    serde_json::from_str(include_str!("../data.json")).unwrap()
}

/// The values of the data file under this name, one for each entry.
fn each(list: &Value, name: &str) -> Vec<Value> {
    let list = list.as_array().unwrap();
    list.iter().map(|item| item[name].clone()).collect()
}

/// DOM-3.1, DOM-3.2.
#[test]
fn cards_are_those_of_the_data_file() {
    let figures = figures();
    let cards = figures["cards"].as_array().unwrap();
    assert_eq!(cards.len(), Card::COUNT);
    for (card, figures) in Card::ALL.into_iter().zip(cards) {
        let sheet = card.sheet();
        let [two, three, four] = sheet.piles;
        let printed = json!({
            "id": card.id(),
            "canonical_index": card.index(),
            "name": card.name(),
            "group": sheet.group.id(),
            "types": sheet.types.iter().map(|kind| kind.id()).collect::<Vec<_>>(),
            "cost": card.cost(),
            "treasure_coins": sheet.coins,
            "plus_cards": sheet.plus.cards,
            "plus_actions": sheet.plus.actions,
            "plus_buys": sheet.plus.buys,
            "plus_coins": sheet.plus.coins,
            "text": sheet.text,
            "copies_in_box": sheet.copies,
            "supply_pile_size": { "2": two, "3": three, "4": four },
        });
        for (name, value) in printed.as_object().unwrap() {
            assert_eq!(*value, figures[name], "{name} of {card}");
        }
        // The points of Gardens are counted by a rule.
        let points = figures["victory_points"].as_i64().unwrap_or_default();
        assert_eq!(i64::from(sheet.points), points, "{card}");
        for kind in CardType::ALL {
            assert_eq!(card.is(kind), sheet.types.contains(&kind), "{card} {kind}");
        }
    }
    let copies = |card: Card| u32::from(card.sheet().copies);
    assert_eq!(Card::ALL.map(copies).iter().sum::<u32>() + 33 + 7, 500);
}

/// DOM-3.3.
#[test]
fn recommended_kingdoms_are_those_of_the_data_file() {
    let sets = KingdomSet::ALL.map(|set| {
        let cards = set.cards().map(Card::id);
        json!({ "id": set.id(), "name": set.name(), "cards": cards })
    });
    let found = json!(sets);
    let figures = figures();
    for name in ["id", "name", "cards"] {
        let listed = &figures["kingdom_sets"];
        assert_eq!(each(&found, name), each(listed, name), "{name}");
    }
    let default = figures["default_kingdom_set"].as_str();
    assert_eq!(default, Some(KingdomSet::default().id()));
}

#[test]
fn names_are_those_of_the_data_file() {
    let figures = figures();
    assert_eq!(json!(Refusal::CODES), figures["error_codes"]);
    let decisions = Decision::WORDS.iter().map(|words| json!(words.id));
    let decisions: Vec<Value> = decisions.collect();
    assert_eq!(each(&figures["decisions"], "name"), decisions);
    let actions = <Action as strum::VariantNames>::VARIANTS;
    assert_eq!(json!(each(&figures["actions"], "name")), json!(actions));
}

#[test]
fn figures_of_the_game_are_those_of_the_data_file() {
    let figures = figures();
    let sheet = Dominion::INFO;
    let players = json!({ "min": sheet.min_seats, "max": sheet.max_seats });
    assert_eq!((sheet.id, &players), ("dominion", &figures["players"]));
    assert_eq!(figures["hand_size"], HAND_SIZE);
    assert_eq!(figures["kingdom_size"], KINGDOM_SIZE);
    for (card, count) in STARTING_DECK {
        assert_eq!(figures["starting_deck"][card.id()], count);
    }
    let empty_piles = &figures["end_conditions"]["empty_piles"];
    assert_eq!(*empty_piles, EMPTY_PILES_TO_END);
}
