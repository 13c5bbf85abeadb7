//! What actions cost and bring, in their sentences.

use super::table::*;
use crate::mythotopia::Mythotopia;
use crate::mythotopia::action::Action;
use crate::ruleset::Pricing;

/// MYT-6.1.1: a pass uses up an action.
#[test]
fn a_pass_costs_an_action() {
    let mut table = Table::of(2);
    table.turn(R);
    let price = Pricing::<Mythotopia>::new(&table.state, R).price(&Action::PassTurn);
    let paid: Vec<_> = price
        .cost
        .iter()
        .map(|paid| (paid.resource.id, paid.count))
        .collect();
    assert_eq!((paid, price.gains.len()), (vec![("action", 1)], 0));
}
