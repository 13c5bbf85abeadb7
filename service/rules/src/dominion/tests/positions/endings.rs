//! Tables of last turns, which need whole games otherwise: what ends the game, and who wins it.

use super::described::{Described, kingdom_with};
use crate::table::*;
use gamekeeper_rules::dominion::Event;
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, SizeDistortion};
use gamekeeper_rules::table::Seat;

/// The turn in which this seat has bought the last Province.
fn last_province(seats: u8, active: Seat, turns: &[u32]) -> Described {
    Described::new(seats, FirstGame.cards())
        .turns(active, turns)
        .buy_phase()
        .in_play("silver, 2 gold")
        .counters(1, 0, 0)
        .bought()
}

#[test]
fn dom_12_49_fewer_turns_win() {
    let mut table = last_province(2, P1, &[12, 11])
        .discard_pile(P1, "2 duchy, 4 province")
        .draw_pile(P2, "2 duchy, 4 province")
        .table();
    table.refuses(P1, buy("copper"), "NO_BUYS_LEFT");
    assert!(table.play(P1, end_turn()).is_over());
    assert_eq!(table.ranks(), [(P2, 1, 30), (P1, 2, 30)]);
    table.refuses(P2, end_turn(), "GAME_OVER");
}

#[test]
fn dom_12_50_the_third_player_had_a_turn_less() {
    let mut table = last_province(3, P2, &[10, 10, 9])
        .draw_pile(P1, "estate, 4 province")
        .discard_pile(P2, "estate, 2 duchy, 4 province")
        .draw_pile(P3, "estate, 2 duchy, 4 province")
        .table();
    assert!(table.play(P2, end_turn()).is_over());
    let expected = [(P3, 1, 31), (P2, 2, 31), (P1, 3, 25)];
    assert_eq!(table.ranks(), expected);
}

#[test]
fn dom_12_51_two_winners() {
    let mut table = last_province(3, P2, &[10, 10, 9])
        .draw_pile(P1, "estate, 2 duchy, 4 province")
        .discard_pile(P2, "estate, 2 duchy, 4 province")
        .draw_pile(P3, "2 estate, 3 province")
        .trash("province")
        .table();
    assert!(table.play(P2, end_turn()).is_over());
    let expected = [(P1, 1, 31), (P2, 1, 31), (P3, 3, 20)];
    assert_eq!(table.ranks(), expected);
}

/// Gardens count all cards: 39 are worth 3 points, 40 are worth 4, of which the Curse takes one.
#[test]
fn dom_12_11_gardens_at_the_end() {
    for cards in ["38 copper", "curse, 38 copper"] {
        let mut table = Described::new(2, SizeDistortion.cards())
            .buy_phase()
            .hand(P1, "gardens")
            .discard_pile(P1, cards)
            .trash("8 province")
            .counters(1, 0, 0)
            .bought()
            .table();
        assert!(table.play(P1, end_turn()).is_over());
        assert_eq!(table.ranks()[0], (P1, 1, 3));
    }
}

#[test]
fn dom_12_54_the_curses_are_the_third_empty_pile() {
    let mut table = Described::new(2, SizeDistortion.cards())
        .hand(P1, "witch, 3 copper")
        .draw_pile(P1, "2 copper")
        .trash("10 cellar, 10 chapel, 9 curse")
        .table();
    table.play(P1, play("witch")).discarded(P2, "curse");
    table
        .play(P1, play_all_treasures())
        .play(P1, buy("village"))
        .asks(P1, "buy_phase");
    assert!(table.play(P1, end_turn()).is_over());
}

#[test]
fn dom_12_52_throne_room_on_witch_with_three_curses() {
    let mut table = Described::new(3, kingdom_with(SizeDistortion, Card::ThroneRoom))
        .hand(P1, "throne_room, witch")
        .draw_pile(P1, "4 copper")
        .trash("17 curse")
        .table();
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("witch"))
        .asks(P1, "buy_phase")
        .holds(P1, "4 copper")
        .discarded(P2, "2 curse")
        .discarded(P3, "curse");
}

/// Moneylender has trashed the last Copper, and all Curses are gone: after this turn nobody can change anything.
#[test]
fn dom_14_1_nothing_can_change_anymore() {
    let described = Described::new(2, BigMoney.cards())
        .buy_phase()
        .in_play("moneylender")
        .hand(P1, "3 estate")
        .hand(P2, "3 estate, smithy")
        .counters(0, 1, 3)
        .trash("60 copper, 10 curse");
    described.breaks("DOM-11.1", "players");
    let described = described.hand(P2, "3 estate, market");
    let mut table = described.table();
    assert!(table.play(P1, end_turn()).is_over());
    assert!(table.history.contains(&Event::Stalemate));
    // With what the Moneylender gave, a Silver could be bought, and the game goes on.
    let mut table = described.table();
    table
        .play(P1, buy("silver"))
        .play(P1, end_turn())
        .asks(P2, "action_phase");
    // Such a table does not begin a turn.
    let begun = (described.in_play("").hand(P1, "3 estate, moneylender")).counters(1, 1, 0);
    begun.breaks("DOM-15.8", "supply");
}
