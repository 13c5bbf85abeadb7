//! Refusals, and the order of checks (GOO-6.3, GOO-5.3).

use super::table::*;
use gamekeeper_rules::goofspiel::Action;
use gamekeeper_rules::goofspiel::data::Card::{Ace, Five, Four, Six};
use gamekeeper_rules::goofspiel::options::{Draft, Ties, check};
use gamekeeper_rules::table::{OptionalParam, Seat};

/// GOO-AC-06, GOO-AC-07, GOO-AC-10.
#[test]
fn ac_06_07_10_a_bid_is_a_card_in_hand_and_final() {
    let mut table = Table::with_cards(2, 5, Ties::CarryOver, &[]);
    table.refuses(ANN, bid(Six), "CARD_NOT_IN_HAND");
    table.bids(&[Five, Four]);
    table.refuses(ANN, bid(Five), "CARD_NOT_IN_HAND");
    table.refuses(ANN, Action::Bid { card: None }, "UNKNOWN_ID");
    table.play(ANN, bid(Ace));
    for card in [Some(Four), Some(Five), None] {
        table.refuses(ANN, Action::Bid { card }, "NOT_YOUR_TURN");
        table.refuses(Seat::at(4), Action::Bid { card }, "NOT_YOUR_TURN");
    }
}

/// GOO-AC-08.
#[test]
fn ac_08_nothing_happens_after_the_end() {
    let mut table = Table::with_cards(2, 5, Ties::CarryOver, &[]);
    for player in table.state.players.iter_mut() {
        player.hand.clear();
    }
    table.refuses(ANN, Action::Bid { card: None }, "GAME_OVER");
    table.refuses(Seat::at(4), bid(Ace), "GAME_OVER");
}

/// GOO-AC-09.
#[test]
fn ac_09_options_are_checked_in_order() {
    let check_options = |seats, cards, ties| {
        let players: Vec<String> = Seat::all(seats).map(|seat| seat.to_string()).collect();
        let checked = check(&players, &Draft { cards, ties });
        checked.map_err(|no| (no.field.to_string(), no.code()))
    };
    let refused = |field: &str, code| Err((field.to_owned(), code));
    let unknown = OptionalParam::Unknown;
    let count = refused("players", "INVALID_PLAYER_COUNT");
    assert_eq!(check_options(1, Some(4), unknown), count);
    let cards = refused("options.cards", "INVALID_OPTION");
    for number in [4, 14, u32::MAX] {
        assert_eq!(check_options(2, Some(number), unknown), cards);
    }
    assert_eq!(
        check_options(5, Some(13), unknown),
        refused("options.ties", "INVALID_OPTION")
    );
    let plain = check_options(5, None, OptionalParam::Absent).unwrap();
    assert_eq!(
        (plain.seats, plain.cards, plain.ties),
        (5, 13, Ties::CarryOver)
    );
}
