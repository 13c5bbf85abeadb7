//! Acceptance cases (GOO-12).

use super::table::*;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::goofspiel::data::Card::{
    self, Eight, Five, Four, King, Nine, Seven, Six, Three, Two,
};
use gamekeeper_rules::goofspiel::event::Event;
use gamekeeper_rules::goofspiel::options::Ties;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{PerSeat, Viewer};

/// GOO-AC-01.
#[test]
fn ac_01_the_highest_bid_takes_the_prize() {
    let mut table = Table::of(3, Ties::CarryOver, &[Seven, Two]);
    table.bids(&[Nine, Four, Six]);
    assert_eq!(table.points(), [7, 0, 0]);
    assert!(!table.state.players[ANN].hand.contains(Nine));
    let bids = [Nine, Four, Six];
    let bids = PerSeat::new(3, |seat| bids[seat.index()]);
    assert!(table.happened(&Event::BidsRevealed { bids }));
    let turned = Event::PrizeTurnedUp {
        turn: 2,
        prize: Two,
    };
    assert!(table.happened(&turned));
    assert_eq!(Goofspiel::pending(&table.state).len(), 3);
}

/// GOO-AC-02.
#[test]
fn ac_02_tied_prizes_wait_for_the_next_turn() {
    let mut table = Table::of(2, Ties::CarryOver, &[Seven, King]);
    table.bids(&[Five, Five]);
    let prizes = Seven.into();
    assert!(table.happened(&Event::PrizesCarriedOver { prizes }));
    table.bids(&[Three, Four]);
    assert_eq!(table.points(), [0, 20]);
}

/// GOO-AC-03.
#[test]
fn ac_03_tied_prizes_leave_the_game() {
    let mut table = Table::of(2, Ties::Discard, &[Seven, King]);
    table.bids(&[Five, Five]);
    let prizes = Seven.into();
    assert!(table.happened(&Event::PrizesDiscarded { prizes }));
    table.bids(&[Three, Four]);
    assert_eq!(table.points(), [0, 13]);
}

/// GOO-AC-04.
#[test]
fn ac_04_the_third_does_not_win_when_two_quarrel() {
    let mut table = Table::of(3, Ties::Discard, &[Seven]);
    table.bids(&[Nine, Nine, Two]);
    assert_eq!(table.points(), [0, 0, 0]);
}

/// GOO-AC-05, GOO-10.2.
#[test]
fn ac_05_the_service_bids_the_last_cards() {
    let mut table = Table::with_cards(2, 5, Ties::CarryOver, &[]);
    for card in &Card::ALL[..4] {
        table.bids(&[*card, *card]);
    }
    assert!(table.forced(ANN, bid(Five)) && table.forced(BEN, bid(Five)));
    assert_eq!(table.log.automatic.len(), 2);
    let prizes = table.state.order.iter().copied().collect();
    assert!(table.happened(&Event::PrizesDiscarded { prizes }));
    assert_eq!(table.ranks(), [(ANN, 1, 0), (BEN, 1, 0)]);
}

/// GOO-AC-11.
#[test]
fn ac_11_equal_points_share_a_rank() {
    let mut table = Table::with_cards(3, 5, Ties::CarryOver, &[]);
    for player in table.state.players.iter_mut() {
        player.hand.clear();
        player.won = Five.into();
    }
    table.state.players[BEN].won = Four.into();
    assert_eq!(table.ranks(), [(ANN, 1, 5), (CY, 1, 5), (BEN, 3, 4)]);
}

/// GOO-13.2: the board shows who has bid, and shows the card to its owner only.
#[test]
fn a_board_keeps_bids_face_down() {
    let mut table = Table::with_cards(2, 8, Ties::CarryOver, &[Seven, Two]);
    table.bids(&[Four, Three]);
    table.play(ANN, bid(Eight));
    let board = |viewer| table.board(viewer, &["Ann", "Ben"]);
    let ben = "\
Turn 2 of 8
Prizes  2;  2 points
To come  Ace;  3;  4;  5;  6;  8
  1 Ann  points 7  prizes 7  cards Ace 2 3 5 6 7 8  bid ?
> 2 Ben  points 0  prizes none  cards Ace 2 4 5 6 7 8";
    assert_eq!(board(Viewer::Seat(BEN)), ben);
    assert_eq!(board(Viewer::Seat(ANN)), ben.replace('?', "8"));
}
