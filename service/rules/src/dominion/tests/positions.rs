//! DOM-15: tables that somebody describes, with what is legal and what is refused there; and descriptions that are
//! refused.

mod changed_views;
mod described;
mod endings;
mod gaps;
mod refused;

use self::described::{Described, kingdom_with, militia_frame, second};
use super::table::*;
use gamekeeper_rules::dominion::EffectFrame;
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, Interaction};
use gamekeeper_rules::dominion::data::KingdomSet::{SizeDistortion, VillageSquare};

/// The limit of 2 allows Copper, Curse, Estate and Moat, which all ran out in this turn.
#[test]
fn dom_10_25_remodel_with_nothing_to_gain() {
    let mut table = Described::new(2, kingdom_with(Interaction, Card::Remodel))
        .in_play("festival, council_room, remodel")
        .hand(P1, "copper, gold")
        .trash("52 copper, 10 curse, 10 estate, 10 moat")
        .hand(P2, "7 copper, 4 estate")
        .stack(vec![EffectFrame::RemodelTrash])
        .counters(0, 3, 2)
        .table();
    table.refuses(P1, remodel("moat"), "CARD_NOT_IN_HAND");
    table
        .play(P1, remodel("copper"))
        .asks(P1, "buy_phase")
        .holds(P1, "gold")
        .discarded(P1, "");
    table
        .play(P1, play_all_treasures())
        .refuses(P1, buy("curse"), "PILE_EMPTY");
    assert!(table.play(P1, end_turn()).is_over());
}

/// DOM-12.40 describes a table that no game reaches in this form: with three empty piles the turn before was the last.
#[test]
fn dom_12_40_only_a_duchy_is_left_to_gain() {
    let empty = "52 copper, 40 silver, 14 estate, 10 curse, 10 cellar, 10 chapel, 8 feast, 8 gardens, \
                 10 laboratory, 10 thief, 10 village, 10 witch, 10 woodcutter, 10 workshop";
    let described = Described::new(2, SizeDistortion.cards())
        .hand(P1, "feast, 4 copper")
        .hand(P2, "4 copper")
        .trash(empty)
        .discard_pile(P1, "feast");
    described.breaks("DOM-15.8", "supply");
    // Later in a turn that emptied the piles, it is one.
    let mut table = (described
        .in_play("village, village, workshop")
        .counters(2, 1, 0))
    .trash(
        &empty
            .replace("10 village", "8 village")
            .replace("10 workshop", "9 workshop"),
    )
    .table();
    table
        .play(P1, play("feast"))
        .asks(P1, "buy_phase")
        .discarded(P1, "feast, duchy");
}

#[test]
fn dom_12_9_witch_with_two_curses() {
    let mut table = Described::new(4, SizeDistortion.cards())
        .hand(P1, "witch, 4 copper")
        .trash("28 curse")
        .table();
    table.play(P1, play("witch")).asks(P1, "buy_phase");
    table
        .discarded(P2, "curse")
        .discarded(P3, "curse")
        .discarded(P4, "");
    table.refuses(P1, buy("curse"), "PILE_EMPTY");
    // One pile alone does not end the game.
    table.play(P1, end_turn()).asks(P2, "buy_phase");
}

/// The third Throne Room, which the second one chose, has played Village twice, and is played again.
#[test]
fn dom_12_31_three_throne_rooms_in_the_middle() {
    let mut table = Described::new(2, VillageSquare.cards())
        .in_play("3 throne_room, village")
        .hand(P1, "woodcutter, market, 2 copper")
        .draw_pile(P1, "18 copper")
        .stack(vec![second("throne_room"), EffectFrame::ThroneChoose])
        .counters(4, 1, 0)
        .table();
    table
        .refuses(P1, end_action_phase(), "WRONG_DECISION")
        .refuses(P1, throne("copper"), "NOT_AN_ACTION");
    table
        .play(P1, throne("woodcutter"))
        .asks(P1, "throne_room_choose");
    assert_eq!(table.left(), (4, 3, 4));
    table.play(P1, throne("market")).asks(P1, "buy_phase");
    assert_eq!(table.left(), (6, 5, 6));
}

/// P2 has shown a Moat; P3 has to discard.
#[test]
fn dom_12_17_militia_in_the_middle() {
    let mut table = Described::new(3, FirstGame.cards())
        .in_play("militia")
        .hand(P1, "4 copper")
        .hand(P2, "moat, 4 copper")
        .hand(P3, "5 copper")
        .stack(vec![militia_frame(&[P3], &[P2])])
        .counters(0, 1, 2)
        .table();
    table
        .refuses(P2, militia("2 copper"), "NOT_YOUR_TURN")
        .refuses(P3, militia("copper"), "WRONG_NUMBER_OF_CARDS");
    table
        .play(P3, militia("2 copper"))
        .asks(P1, "buy_phase")
        .holds(P2, "moat, 4 copper");
}

/// The second play of a Militia that Throne Room chose comes after the answer.
#[test]
fn dom_12_32_throne_room_on_militia_in_the_middle() {
    let mut table = Described::new(2, kingdom_with(FirstGame, Card::ThroneRoom))
        .in_play("throne_room, militia")
        .hand(P2, "moat, 4 copper")
        .stack(vec![second("militia"), militia_frame(&[P2], &[])])
        .counters(0, 1, 2)
        .table();
    table
        .play(P2, militia("2 copper"))
        .asks(P2, "react_to_attack")
        .play(P2, reveal("moat"))
        .asks(P1, "buy_phase");
    assert_eq!((table.left(), table.hand_count(P2)), ((0, 1, 4), 3));
}

/// The Thief has trashed a Gold of P2 and asks about P3.
#[test]
fn dom_12_22_thief_in_the_middle() {
    let mut table = Described::new(3, Interaction.cards())
        .in_play("thief")
        .trash("gold, 2 silver")
        .discard_pile(P2, "copper")
        .stack(vec![EffectFrame::Thief {
            queue: [P3].into_iter().collect(),
            immune: [].into_iter().collect(),
            revealed: cards("copper, silver").into_iter().collect(),
            trashed: [Card::Gold].into_iter().collect(),
        }])
        .counters(0, 1, 0)
        .table();
    table.refuses(P1, thief("gold"), "CARD_NOT_ELIGIBLE");
    table
        .play(P1, thief("silver"))
        .discarded(P3, "copper")
        .asks(P1, "thief_gain");
    // The two Silvers that were trashed before are not this play's.
    table.refuses(P1, thief_gain("2 silver"), "CARD_NOT_ELIGIBLE");
    table
        .play(P1, thief_gain("gold, silver"))
        .trash("2 silver")
        .discarded(P1, "gold, silver");
}

/// Library has set a Militia aside and asks about a Festival, the last card of the draw pile.
#[test]
fn dom_12_25_library_in_the_middle() {
    let mut table = Described::new(2, Interaction.cards())
        .in_play("library")
        .hand(P1, "4 copper")
        .draw_pile(P1, "festival")
        .discard_pile(P1, "2 estate")
        .stack(vec![EffectFrame::Library {
            drawn: None,
            set_aside: cards("militia"),
        }])
        .counters(0, 1, 0)
        .table();
    table.asks(P1, "library_decide");
    table
        .play(P1, set_aside())
        .holds(P1, "4 copper, 2 estate")
        .discarded(P1, "militia, festival")
        .asks(P1, "buy_phase");
}

/// The Silver of a Bureaucrat lies on the draw pile, and everybody knows it until it is played.
#[test]
fn dom_13_11_a_known_card_is_drawn() {
    let described = Described::new(2, BigMoney.cards())
        .in_play("bureaucrat")
        .draw_pile(P1, "silver, 4 copper")
        .hand(P2, "estate, province, 3 copper")
        .knows(P1, "", 1)
        .stack(vec![EffectFrame::Bureaucrat {
            queue: [P2].into_iter().collect(),
            immune: [].into_iter().collect(),
        }])
        .counters(0, 1, 0);
    let mut table = described.table();
    table.refuses(P2, bureaucrat("copper"), "NOT_A_VICTORY_CARD");
    table.play(P2, bureaucrat("province")).play(P1, end_turn());
    assert_eq!(*table.state.players[P1].shown(), many("silver"));
    assert_eq!(table.state.players[P2].draw_pile.seen(), 1);
}

#[test]
fn dom_12_47_the_third_pile_runs_out() {
    let described = Described::new(2, FirstGame.cards())
        .buy_phase()
        .in_play("5 copper")
        .counters(1, 1, 5)
        .trash("10 cellar, 10 moat, 13 estate")
        .draw_pile(P2, "10 copper");
    let mut table = described.table();
    table.refuses(P1, buy("cellar"), "PILE_EMPTY");
    table
        .play(P1, buy("estate"))
        .refuses(P1, buy("copper"), "NO_BUYS_LEFT");
    assert!(table.play(P1, end_turn()).is_over());
    // With the Estate bought, there are no more buys than that.
    let bought = described.discard_pile(P1, "estate").bought();
    bought.breaks("DOM-15.7", "counters.buys");
    assert!(
        bought
            .counters(1, 0, 3)
            .table()
            .play(P1, end_turn())
            .is_over()
    );
}

#[test]
fn dom_12_46_the_last_province() {
    let mut table = Described::new(2, FirstGame.cards())
        .buy_phase()
        .hand(P1, "2 gold, silver, 2 estate")
        .trash("7 province")
        .counters(1, 1, 0)
        .table();
    table
        .play(P1, play_all_treasures())
        .play(P1, buy("province"))
        .asks(P1, "buy_phase");
    assert!(table.play(P1, end_turn()).is_over());
}

/// Spy keeps the Gold of P1; P2 has no cards; P3's Province goes back on top, where everybody knows it.
#[test]
fn dom_12_21_spy_in_the_middle() {
    let mut table = Described::new(3, Interaction.cards())
        .in_play("spy")
        .hand(P1, "village, 4 copper")
        .draw_pile(P1, "estate")
        .draw_pile(P3, "province, silver")
        .stack(vec![EffectFrame::Spy {
            queue: [P1, P2, P3].into_iter().collect(),
            immune: [].into_iter().collect(),
            revealed: Some(Card::Gold),
        }])
        .counters(1, 1, 0)
        .table();
    table.refuses(P2, spy_puts_back(), "NOT_YOUR_TURN");
    table
        .play(P1, spy_puts_back())
        .draws_from(P1, "gold, estate")
        .asks(P1, "spy_decide");
    assert!(table.revealed(P3, "province"));
    table
        .play(P1, spy_puts_back())
        .asks(P1, "action_phase")
        .draws_from(P3, "province, silver");
    let seen = |seat| table.state.players[seat].draw_pile.seen();
    assert_eq!([P1, P3].map(seen), [1, 1]);
}
