//! The sentences of actions name their costs and gains.

use super::table::*;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::Stack;
use gamekeeper_rules::mythotopia::holdings::RESOURCES;
use gamekeeper_rules::mythotopia::state::Award;
use gamekeeper_rules::ruleset::{CostPreview, holdings};

/// MYT-6.1.1: a pass uses up an action.
#[test]
fn a_pass_costs_an_action() {
    let mut table = Table::of(2);
    table.turn(R);
    let price = CostPreview::<Mythotopia>::new(&table.state, R).price(&Action::PassTurn);
    let paid: Vec<_> = price
        .cost
        .iter()
        .map(|paid| (paid.resource.id, paid.count))
        .collect();
    assert_eq!((paid, price.gains.len()), (vec![("action", 1)], 0));
}

/// MYT-6.8.2: of two who are due a token of one card, the first has it for certain.
#[test]
fn a_token_is_certain_for_the_first_in_the_queue() {
    let mut table = Table::of(2);
    table.in_play(&["lord_of_the_isles"]);
    let at = RESOURCES.iter().position(|one| one.id == "victory_point");
    let points = |table: &Table| {
        [R, B].map(|seat| holdings::<Mythotopia>(&table.state, seat).total(at.unwrap()))
    };
    let stack = Stack::SmallIsland;
    for (left, certain) in [(0, [0, 0]), (1, [2, 0]), (2, [2, 2])] {
        table.tokens(stack, left);
        table.state.awards.clear();
        let before = points(&table);
        table.state.awards = [R, B]
            .map(|seat| Award { seat, stack })
            .into_iter()
            .collect();
        let after = points(&table);
        assert_eq!([after[0] - before[0], after[1] - before[1]], certain);
    }
}
