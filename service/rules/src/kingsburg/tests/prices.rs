//! The sentences of actions name their costs and gains.

use super::table::*;
use gamekeeper_rules::kingsburg::data::{Advisor, Building, Good};

/// KIN-6.52: an advisor gives without a choice; the choice is another action.
#[test]
fn advisors_promise_their_help() {
    let table = Table::of(3).dice(EVA, &[1, 5, 6]).influence();
    let said = |action| table.said(EVA, action);
    assert_eq!(
        said(place(1, &[0])),
        "influence the Jester (1) with 1 (brings 1 VP)"
    );
    assert_eq!(
        said(place(12, &[0, 1, 2])),
        "influence the Duchess (12) with 1, 5 and 6 (brings 1 +2 token)"
    );
}

/// KIN-6.53: the Stable adds a soldier.
#[test]
fn the_stable_is_counted() {
    let table = Table::of(3)
        .rows(EVA, [0, 0, 0, 2, 0])
        .dice(EVA, &[5, 5, 1])
        .influence();
    let said = table.said(EVA, place(5, &[0]));
    let stable = table.has(EVA, Building::Stable);
    let soldiers = if stable { "2 soldiers" } else { "1 soldier" };
    assert!(said.ends_with(&format!("(brings {soldiers})")), "{said}");
}

/// KIN-6.63: a building says its price and its points, and nothing twice.
#[test]
fn buildings_say_their_price_once() {
    let table = Table::of(3).goods(EVA, (3, 3, 3)).build();
    let said = |building| table.said(EVA, build(building));
    assert_eq!(said(Building::Statue), "build the Statue for 2 gold (3 VP)");
    assert_eq!(said(Building::Palisade), "build the Palisade for 2 wood");
}

/// KIN-6.51: the exchange of the Alchemist.
#[test]
fn the_alchemist_says_what_he_gives() {
    let table = Table::of(3)
        .goods(EVA, (1, 0, 0))
        .group(EVA, Advisor::Alchemist)
        .help();
    assert_eq!(
        table.said(EVA, exchange(Good::Gold)),
        "give 1 gold for 1 of each other kind (brings 1 wood and 1 stone)"
    );
}
