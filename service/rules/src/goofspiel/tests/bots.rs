//! The bids that bots choose.

use super::table::*;
use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::goofspiel::data::Card;
use gamekeeper_rules::goofspiel::options::Ties;
use gamekeeper_rules::table::{Chance, Seed};

/// Returns the bid that a bot in Ann's seat rates highest.
fn liked(table: &Table) -> Option<Card> {
    let luck = Chance::from_seed(&Seed::from_number(1));
    let appeal = |card: &Card| Goofspiel::prior(&table.state, ANN, &bid(*card), &luck);
    table.state.players[ANN].hand.into_iter().max_by_key(appeal)
}

/// Prizes with the same value as one to come share its rank.
#[test]
fn the_bid_has_the_place_of_the_prizes_among_those_to_come() {
    let mut table = Table::with_cards(2, 6, Ties::CarryOver, &[Card::Ace, Card::Two]);
    assert_eq!(liked(&table), Some(Card::Ace));
    table.bids(&[Card::Ace; 2]);
    assert_eq!(liked(&table), Some(Card::Three));
}
