//! Sampled worlds against probabilities calculated by hand (GOO-14.1).

use super::table::*;
use gamekeeper_rules::conformance::assert_worlds;
use gamekeeper_rules::goofspiel::data::Card::{Ace, Five, Four, Three, Two};
use gamekeeper_rules::goofspiel::options::Ties;
use gamekeeper_rules::goofspiel::{Goofspiel, State};

/// Five cards; three turns are over. The order of the prizes to come: 2 ways; the bid of Ben: 3 cards.
#[test]
fn hidden_prizes_and_bids_are_drawn_anew() {
    let mut table = Table::with_cards(3, 5, Ties::Discard, &[Ace, Four, Two]);
    table.bids(&[Ace; 3]);
    table.bids(&[Two; 3]);
    table.play(BEN, bid(Four));
    let orders = [[Three, Five], [Five, Three]].map(|order| (order.to_vec(), 1));
    let order = |world: &State| world.order[3..].to_vec();
    assert_worlds::<Goofspiel, _>(&table.state, ANN, orders, order);
    let bids = [Three, Four, Five].map(|card| (Some(card), 1));
    assert_worlds::<Goofspiel, _>(&table.state, ANN, bids, |world| world.players[BEN].bid);
    table.play(ANN, bid(Five));
    let own = [(Some(Five), 1)];
    assert_worlds::<Goofspiel, _>(&table.state, ANN, own, |world| world.players[ANN].bid);
}
