//! The sentences of actions name their costs and gains.

use super::table::*;
use gamekeeper_rules::terra_mystica::action::PowerUse;
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Cult, Faction, PriestSlot, Structure, Terrain,
};

fn witches() -> Table {
    Table::of(&[Faction::Witches, Faction::Halflings])
        .at(S1, Structure::Dwelling, &["A1"])
        .turn(S1)
}

/// TM-6.22: spades are paid with workers.
#[test]
fn spades_cost_workers() {
    let table = witches().goods(S1, 9, 9, 0);
    let action = transform(&[("A2", Terrain::Forest)], "");
    assert_eq!(
        table.said(S1, &action),
        "transform A2 to forest with 1 spade (costs 3 workers)"
    );
}

/// TM-6.35: a priest on a cult advances the marker.
#[test]
fn a_priest_advances_on_a_cult() {
    let table = witches().goods(S1, 0, 0, 1).cults(S1, [0; 4]);
    let said = table.said(S1, priest(Cult::Fire, PriestSlot::Three));
    assert!(said.contains("3 steps on the fire track"), "{said}");
}

/// TM-6.45: passing scores the bonus card that is given back, and takes the coins on the new one.
#[test]
fn passing_scores_at_once_and_no_income() {
    let table = witches().card(S1, BonusCard::Bon9);
    let said = table.said(S1, pass(BonusCard::Bon2));
    assert!(said.ends_with(" with 1 coin (brings 1 VP)"), "{said}");
    assert!(!said.contains("worker"), "{said}");
}

/// TM-6.9: power is spent as it is printed, and sacrificed tokens are named.
#[test]
fn power_is_counted_as_it_is_printed() {
    let table = witches().bowls(S1, [0, 2, 3]);
    let said = table.said(S1, sacrificing(PowerUse::Priest, 0));
    assert!(said.contains("3 power"), "{said}");
}
