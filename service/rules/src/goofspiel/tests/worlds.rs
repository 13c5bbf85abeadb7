//! Sampled worlds against probabilities calculated by hand (GOO-14.1).

use super::table::*;
use gamekeeper_rules::conformance::assert_odds;
use gamekeeper_rules::goofspiel::data::Card;
use gamekeeper_rules::goofspiel::options::Ties;
use gamekeeper_rules::goofspiel::{Goofspiel, State};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Viewer;

/// Asserts, over sampled worlds of Ann, that the results of `look` are equally likely and the view never changes.
#[track_caller]
fn assert_worlds(table: &Table, results: &[&[Card]], look: impl Fn(&State) -> Vec<Card>) {
    let view = Goofspiel::view(&table.state, Viewer::Seat(ANN));
    let odds = results.iter().map(|cards| (cards.to_vec(), 1));
    assert_odds(odds, |chance| {
        let world = Goofspiel::sample_world(&table.state, ANN, chance);
        assert_eq!(Goofspiel::view(&world, Viewer::Seat(ANN)), view);
        look(&world)
    });
}

/// Five cards; three turns are over. The order of the prizes to come: 2 ways; the bid of Ben: 3 cards.
#[test]
fn hidden_prizes_and_bids_are_drawn_anew() {
    let prizes = [Card::Ace, Card::Four, Card::Two];
    let mut table = Table::with_cards(3, 5, Ties::Discard, &prizes);
    table.bids(&[Card::Ace; 3]);
    table.bids(&[Card::Two; 3]);
    table.bid(BEN, Card::Four);
    let orders: [&[Card]; 2] = [&[Card::Three, Card::Five], &[Card::Five, Card::Three]];
    assert_worlds(&table, &orders, |world| world.order[3..].to_vec());
    let bids: [&[Card]; 3] = [&[Card::Three], &[Card::Four], &[Card::Five]];
    assert_worlds(&table, &bids, |world| {
        world.players[BEN].bid.into_iter().collect()
    });
    table.bid(ANN, Card::Five);
    let own: [&[Card]; 1] = [&[Card::Five]];
    assert_worlds(&table, &own, |world| {
        world.players[ANN].bid.into_iter().collect()
    });
}
