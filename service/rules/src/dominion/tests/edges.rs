//! DOM-10, and rules of DOM-6 and DOM-7 that the acceptance cases do not reach.

use super::table::*;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, Interaction};
use gamekeeper_rules::dominion::data::KingdomSet::{SizeDistortion, VillageSquare};
use gamekeeper_rules::dominion::{Event, Phase};

#[test]
fn dom_10_1_the_shuffle_comes_with_the_next_card_needed() {
    let mut table = table(FirstGame)
        .hand(P1, "smithy, 4 copper")
        .draw_pile(P1, "3 estate")
        .discard_pile(P1, "gold")
        .shuffle(P1, "silver, gold, 3 copper, smithy, 4 estate");
    table
        .play(P1, play("smithy"))
        .play(P1, play_treasures("3 copper"));
    table.play(P1, buy("silver"));
    assert_eq!(table.shuffles(), 0);
    // Clean-up discards the hand before it draws: everything takes part.
    table.state.players[P1].hand.add(card("estate"));
    table.state.players[P1].hand.remove(card("copper"));
    table
        .play(P1, end_turn())
        .holds(P1, "silver, gold, 3 copper");
    table.script_is_used();
}

#[test]
fn dom_10_5_chancellor_may_keep_the_draw_pile() {
    let mut table = table(BigMoney)
        .hand(P1, "throne_room, chancellor, village")
        .draw_pile(P1, "estate, gold")
        .discard_pile(P1, "copper");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("chancellor"));
    table
        .play(P1, keep_draw_pile())
        .asks(P1, "chancellor_decide");
    table
        .play(P1, keep_draw_pile())
        .draws_from(P1, "estate, gold")
        .discarded(P1, "copper");
}

/// The first play ends for lack of cards; the second shuffles in what the first set aside.
#[test]
fn dom_10_7_throne_room_on_library() {
    let mut table = table(VillageSquare)
        .hand(P1, "throne_room, library, 3 copper")
        .draw_pile(P1, "market, estate")
        .shuffle(P1, "market");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("library"));
    table.play(P1, set_aside()).asks(P1, "library_decide");
    table
        .holds(P1, "3 copper, estate")
        .discarded(P1, "")
        .draws_from(P1, "");
    table
        .play(P1, keep())
        .holds(P1, "3 copper, estate, market")
        .script_is_used();
}

#[test]
fn dom_10_9_throne_room_on_militia() {
    let mut table = table(FirstGame)
        .hand(P1, "throne_room, militia")
        .hand(P2, "5 copper");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("militia"));
    table.play(P2, militia("2 copper")).asks(P1, "buy_phase");
    assert_eq!((table.left().2, table.hand_count(P2)), (4, 3));
}

#[test]
fn dom_10_10_throne_room_on_council_room() {
    let mut table = table_for(3, Interaction)
        .hand(P1, "throne_room, council_room")
        .draw_pile(P1, "9 copper")
        .draw_pile(P2, "3 estate")
        .draw_pile(P3, "estate");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("council_room"));
    assert_eq!((table.hand_count(P1), table.left().1), (8, 3));
    table.holds(P2, "2 estate").holds(P3, "estate");
}

#[test]
fn dom_10_11_throne_room_on_mine_trashes_the_gained_silver() {
    let mut table = table(FirstGame).hand(P1, "throne_room, mine, copper");
    table.play(P1, play("throne_room")).play(P1, throne("mine"));
    table.play(P1, mine("copper")).play(P1, gain("silver"));
    table.play(P1, mine("silver")).play(P1, gain("gold"));
    table.holds(P1, "gold").trash("copper, silver");
}

#[test]
fn dom_10_12_a_moat_may_be_shown_later_only() {
    let mut table = table(FirstGame)
        .hand(P1, "throne_room, militia")
        .hand(P2, "moat, 4 copper");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("militia"));
    table.play(P2, decline()).play(P2, militia("2 copper"));
    table.play(P2, reveal("moat")).asks(P1, "buy_phase");
    table.holds(P2, "moat, 2 copper");
}

#[test]
fn dom_10_14_militia_against_six_cards() {
    let mut table = table(FirstGame).hand(P1, "militia").hand(P2, "6 copper");
    table
        .play(P1, play("militia"))
        .play(P2, militia("3 copper"));
    assert_eq!(table.hand_count(P2), 3);
}

#[test]
fn dom_10_15_the_silver_is_the_next_card_drawn() {
    let mut table = table(BigMoney)
        .hand(P1, "bureaucrat, village")
        .discard_pile(P1, "estate")
        .actions(2);
    table.play(P1, play("bureaucrat")).play(P1, play("village"));
    table.holds(P1, "silver").discarded(P1, "estate");
    assert_eq!(table.shuffles(), 0);
}

#[test]
fn dom_10_16_bureaucrat_without_silvers_still_attacks() {
    let mut table = table(BigMoney)
        .hand(P1, "bureaucrat")
        .hand(P2, "gardens")
        .pile("silver", 0);
    table
        .play(P1, play("bureaucrat"))
        .draws_from(P1, "")
        .asks(P2, "bureaucrat_topdeck");
    table
        .play(P2, bureaucrat("gardens"))
        .draws_from(P2, "gardens");
}

/// Curses are not Victory cards (DOM-1.A23).
#[test]
fn dom_7_2_curses_stay_in_hand() {
    let mut table = table(BigMoney).hand(P1, "bureaucrat").hand(P2, "2 curse");
    table.play(P1, play("bureaucrat")).asks(P1, "buy_phase");
    assert!(table.revealed(P2, "2 curse"));
}

#[test]
fn dom_10_17_spy_shuffles_to_reveal() {
    let mut table = table(Interaction)
        .hand(P1, "spy")
        .draw_pile(P1, "copper")
        .discard_pile(P1, "gold")
        .shuffle(P1, "gold");
    table.play(P1, play("spy"));
    assert!(table.revealed(P1, "gold"));
    table
        .play(P1, spy_discards())
        .discarded(P1, "gold")
        .draws_from(P1, "")
        .script_is_used();
}

/// The player of Spy decides for all; a discarded card goes to its owner's pile.
#[test]
fn dom_7_19_spy_discards_an_opponents_card() {
    let mut table = table(Interaction)
        .hand(P1, "spy")
        .draw_pile(P2, "province, gold");
    table.play(P1, play("spy")).play(P1, spy_discards());
    table.discarded(P2, "province").draws_from(P2, "gold");
}

#[test]
fn dom_10_18_thief_gains_from_this_play_only() {
    let mut table = table(Interaction)
        .hand(P1, "throne_room, thief")
        .draw_pile(P2, "gold, estate, silver, estate");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("thief"));
    table.refuses(P1, thief_gain("silver"), "CARD_NOT_ELIGIBLE");
    table.play(P1, thief_gain("")).trash("gold, silver");
    table.refuses(P1, thief_gain("gold"), "CARD_NOT_ELIGIBLE");
    table
        .play(P1, thief_gain("silver"))
        .trash("gold")
        .discarded(P1, "silver");
}

/// Two Treasures of one kind: one is trashed, the other discarded, nothing is asked.
#[test]
fn dom_7_20_thief_trashes_one_of_two_equal_treasures() {
    let mut table = table(Interaction)
        .hand(P1, "thief")
        .draw_pile(P2, "2 copper");
    table.play(P1, play("thief")).asks(P1, "thief_gain");
    table.trash("copper").discarded(P2, "copper");
}

/// The order of the list is the order in which the cards reach the pile.
#[test]
fn dom_7_20_thief_chooses_which_card_ends_on_top() {
    let mut table = table_for(3, Interaction)
        .hand(P1, "thief")
        .draw_pile(P2, "gold, estate")
        .draw_pile(P3, "silver, estate");
    table
        .play(P1, play("thief"))
        .play(P1, thief_gain("gold, silver"));
    table.discarded(P1, "gold, silver").trash("");
    assert_eq!(
        (table.left_of("gold"), table.left_of("silver")),
        (Some(30), Some(40))
    );
}

#[test]
fn dom_10_20_library_may_set_a_moat_aside_but_no_curse() {
    let mut table = table(Interaction)
        .hand(P1, "library, 4 copper")
        .draw_pile(P1, "curse, moat, gardens, gold, silver");
    table.play(P1, play("library")).asks(P1, "library_decide");
    table.holds(P1, "4 copper, curse").play(P1, set_aside());
    table
        .holds(P1, "4 copper, curse, gardens, gold")
        .discarded(P1, "moat");
}

/// Cards set aside are discarded in their order: the last one ends on top.
#[test]
fn dom_7_11_cards_set_aside_are_discarded_in_order() {
    let mut table = table(Interaction)
        .hand(P1, "library, 6 copper")
        .draw_pile(P1, "village, militia, estate");
    table
        .play(P1, play("library"))
        .play(P1, set_aside())
        .play(P1, set_aside());
    table
        .discarded(P1, "village, militia")
        .holds(P1, "6 copper, estate");
}

#[test]
fn dom_10_21_treasures_of_adventurer_can_be_spent() {
    let mut table = table(BigMoney)
        .hand(P1, "adventurer")
        .draw_pile(P1, "estate, silver, chapel, gold, copper");
    table.play(P1, play("adventurer")).holds(P1, "silver, gold");
    table
        .discarded(P1, "estate, chapel")
        .draws_from(P1, "copper");
    table.play(P1, play_all_treasures());
    assert_eq!(table.left().2, 5);
}

#[test]
fn dom_10_22_cellar_draws_what_there_is() {
    let mut table = table(FirstGame)
        .hand(P1, "cellar, 2 estate")
        .shuffle(P1, "2 estate");
    table.play(P1, play("cellar")).play(P1, cellar("2 estate"));
    table.holds(P1, "2 estate").script_is_used();
}

#[test]
fn dom_10_24_remodel_limits() {
    let mut table = table(FirstGame).hand(P1, "2 remodel, curse").actions(2);
    table.play(P1, play("remodel")).play(P1, remodel("curse"));
    table.refuses(P1, gain("workshop"), "TOO_EXPENSIVE");
    table.play(P1, gain("estate")).discarded(P1, "estate");
}

/// The card is trashed even though nothing can be gained.
#[test]
fn dom_10_25_no_pile_within_the_limit() {
    let mut table = table(FirstGame).hand(P1, "remodel, copper");
    for id in ["copper", "curse", "estate", "cellar", "moat"] {
        table = table.pile(id, 0);
    }
    table.play(P1, play("remodel")).play(P1, remodel("copper"));
    table
        .trash("copper")
        .discarded(P1, "")
        .asks(P1, "buy_phase");
}

/// A Treasure must be gained even if it is the same again, when no other is left.
#[test]
fn dom_10_23_mine_gains_the_only_treasure_left() {
    let mut table = table(FirstGame).hand(P1, "mine, copper").pile("silver", 0);
    table.play(P1, play("mine")).play(P1, mine("copper"));
    table
        .holds(P1, "copper")
        .trash("copper")
        .asks(P1, "buy_phase");
    assert_eq!(table.left_of("copper"), Some(45));
}

#[test]
fn dom_10_27_purchases_go_on_after_the_last_province() {
    let mut table = table(FirstGame)
        .buy_phase()
        .coins(10)
        .buys(2)
        .pile("province", 1);
    table
        .play(P1, buy("province"))
        .play(P1, buy("estate"))
        .asks(P1, "buy_phase");
    assert_eq!(table.left(), (1, 0, 0));
}

#[test]
fn dom_10_29_nobody_has_to_play_anything() {
    let mut table = table(FirstGame).hand(P1, "smithy, gold");
    table.play(P1, end_action_phase()).play(P1, end_turn());
    assert_eq!(table.phase(), Phase::Buy);
    table.asks(P2, "buy_phase");
}

/// No purchase without coins ends the phase: the player must say so (DOM-6.12).
#[test]
fn dom_6_12_the_buy_phase_never_ends_by_itself() {
    let mut table = table(FirstGame).buy_phase().buys(1);
    table.play(P1, buy("copper")).asks(P1, "buy_phase");
    assert_eq!(table.legal_of(P1), [end_turn()]);
}

#[test]
fn dom_6_8_treasures_may_be_played_in_several_portions() {
    let mut table = table(FirstGame).hand(P1, "2 copper, gold").buy_phase();
    table
        .play(P1, play_treasures("gold, copper"))
        .play(P1, play_treasures("copper"));
    assert_eq!(table.left().2, 5);
    table
        .lies_in_play("gold, 2 copper")
        .refuses(P1, play_all_treasures(), "EMPTY_SELECTION");
}

/// Cards in play count too, and without any cards the old top stays (DOM-6.16).
#[test]
fn dom_6_16_the_top_of_the_discard_pile() {
    let mut played = table(FirstGame)
        .in_play("gold")
        .hand(P1, "estate")
        .draw_pile(P1, "5 copper")
        .buy_phase();
    played.play(P1, end_turn_with("gold"));
    assert_eq!(played.discard_top(P1), Some("gold"));
    let mut nothing = table(FirstGame)
        .draw_pile(P1, "5 copper")
        .discard_pile(P1, "moat")
        .buy_phase();
    nothing.play(P1, end_turn());
    assert_eq!(nothing.discard_top(P1), Some("moat"));
}

/// A player with fewer than five cards draws them all (DOM-11.7).
#[test]
fn dom_6_15_a_small_deck() {
    let mut table = table(FirstGame)
        .hand(P1, "copper")
        .in_play("silver")
        .buy_phase();
    table
        .play(P1, end_turn())
        .holds(P1, "copper, silver")
        .draws_from(P1, "")
        .discarded(P1, "");
}

/// Reactions are asked in seat order, starting after the attacker.
#[test]
fn dom_6_18_reactions_go_clockwise_from_the_attacker() {
    let mut table = table_for(3, FirstGame)
        .hand(P2, "militia")
        .hand(P1, "moat, 4 copper")
        .hand(P3, "moat, 4 copper");
    table.state.turn.active = P2;
    table.play(P2, play("militia")).asks(P3, "react_to_attack");
    table.play(P3, decline()).asks(P1, "react_to_attack");
    table.play(P1, decline()).asks(P3, "militia_discard");
    table
        .play(P3, militia("2 copper"))
        .asks(P1, "militia_discard");
}

/// An immune player neither reveals nor loses anything; the player's own part goes on (DOM-6.19).
#[test]
fn dom_6_19_a_moat_protects_against_every_attack() {
    let protected = |attack: &str| {
        let mut table = table(Interaction)
            .hand(P1, attack)
            .draw_pile(P1, "3 copper")
            .hand(P2, "moat, 2 estate, 2 copper")
            .draw_pile(P2, "gold, silver");
        table.play(P1, play(attack)).play(P2, reveal("moat"));
        if attack == "spy" {
            table.play(P1, spy_puts_back());
        }
        table
            .asks(P1, "buy_phase")
            .holds(P2, "moat, 2 estate, 2 copper");
        table.draws_from(P2, "gold, silver").discarded(P2, "");
        table
    };
    protected("bureaucrat").draws_from(P1, "silver, 3 copper");
    protected("militia");
    protected("thief");
    protected("witch").holds(P1, "2 copper");
    protected("spy").holds(P1, "copper");
}

/// A Feast played again by Throne Room is in the trash already: nothing is trashed twice.
#[test]
fn dom_10_4_the_second_feast_trashes_nothing() {
    let mut table = table(BigMoney).hand(P1, "throne_room, feast");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("feast"));
    table.play(P1, gain("feast")).play(P1, gain("feast"));
    table.trash("feast").discarded(P1, "2 feast");
    let trashed = |event: &&Event| matches!(event, Event::CardsTrashed { .. });
    assert_eq!(table.history.iter().filter(trashed).count(), 1);
}

#[test]
fn dom_7_25_workshop() {
    let mut table = table(SizeDistortion).hand(P1, "workshop");
    table
        .play(P1, play("workshop"))
        .refuses(P1, gain("duchy"), "TOO_EXPENSIVE");
    table.refuses(P1, gain("smithy"), "NOT_IN_SUPPLY");
    table.play(P1, gain("gardens")).discarded(P1, "gardens");
    assert_eq!(table.left(), (0, 1, 0));
}
