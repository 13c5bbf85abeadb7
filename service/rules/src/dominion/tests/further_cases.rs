//! DOM-12.25 to DOM-12.55.

use super::table::*;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, Interaction};
use gamekeeper_rules::dominion::data::KingdomSet::{SizeDistortion, VillageSquare};
use gamekeeper_rules::dominion::{Action, Phase};

#[test]
fn dom_12_25_library_does_not_shuffle_what_is_set_aside() {
    let mut table = table(Interaction)
        .hand(P1, "library, 4 copper")
        .draw_pile(P1, "militia")
        .discard_pile(P1, "2 estate")
        .shuffle(P1, "2 estate");
    table.play(P1, play("library")).play(P1, set_aside());
    table
        .holds(P1, "4 copper, 2 estate")
        .discarded(P1, "militia")
        .draws_from(P1, "");
    table.script_is_used();
}

#[test]
fn dom_12_26_library_with_seven_cards_draws_nothing() {
    let mut table = table(Interaction)
        .hand(P1, "library, 7 copper")
        .draw_pile(P1, "militia");
    table
        .play(P1, play("library"))
        .holds(P1, "7 copper")
        .draws_from(P1, "militia");
    table.asks(P1, "buy_phase");
}

#[test]
fn dom_12_27_chancellor_turns_the_draw_pile_over() {
    let mut table = table(BigMoney)
        .hand(P1, "chancellor, 4 copper")
        .draw_pile(P1, "gold, estate, silver")
        .discard_pile(P1, "copper");
    table.play(P1, play("chancellor")).play(P1, turn_over());
    table
        .discarded(P1, "copper, gold, estate, silver")
        .draws_from(P1, "");
    assert_eq!((table.left().2, table.shuffles()), (2, 0));
}

#[test]
fn dom_12_28_chancellor_without_a_draw_pile_asks_nothing() {
    let mut table = table(BigMoney).hand(P1, "chancellor, 4 copper");
    table.play(P1, play("chancellor")).asks(P1, "buy_phase");
    assert_eq!(table.left().2, 2);
}

#[test]
fn dom_12_29_throne_room_without_an_action_card() {
    let mut table = table(VillageSquare).hand(P1, "throne_room, 4 copper");
    table.play(P1, play("throne_room")).asks(P1, "buy_phase");
}

#[test]
fn dom_12_30_second_choice_without_an_action_card() {
    let mut table = table(VillageSquare)
        .hand(P1, "2 throne_room, smithy, 2 copper")
        .draw_pile(P1, "8 copper");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("throne_room"));
    table.play(P1, throne("smithy")).asks(P1, "buy_phase");
    assert_eq!(table.hand_count(P1), 8);
}

#[test]
fn dom_12_31_three_throne_rooms() {
    let mut table = table(VillageSquare)
        .hand(P1, "3 throne_room, village, woodcutter, market")
        .draw_pile(P1, "20 copper");
    table.play(P1, play("throne_room"));
    for choice in [
        "throne_room",
        "throne_room",
        "village",
        "woodcutter",
        "market",
    ] {
        table
            .asks(P1, "throne_room_choose")
            .play(P1, throne(choice));
    }
    assert_eq!(table.left(), (6, 5, 6));
    table.holds(P1, "4 copper");
    let played: Vec<&str> = table
        .history
        .iter()
        .filter_map(|event| match event {
            gamekeeper_rules::dominion::Event::ActionPlayed { card, .. } => Some(card.id()),
            _ => None,
        })
        .collect();
    let order = "throne_room throne_room throne_room village village throne_room woodcutter \
                 woodcutter throne_room market market";
    assert_eq!(played.join(" "), order);
}

fn throne_room_on_militia() -> Table {
    table(FirstGame)
        .hand(P1, "throne_room, militia, 3 copper")
        .hand(P2, "moat, 4 copper")
}

#[test]
fn dom_12_32_each_play_of_an_attack_has_its_reactions() {
    let mut table = throne_room_on_militia();
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("militia"));
    table.asks(P2, "react_to_attack").play(P2, reveal("moat"));
    table.asks(P2, "react_to_attack");
    assert_eq!(table.left().2, 2);
    table.play(P2, decline()).asks(P2, "militia_discard");
    assert_eq!(table.left().2, 4);
}

/// The victim declines at the first play, then discards Moat and Copper (DOM-14.10).
#[test]
fn dom_12_33_a_discarded_moat_cannot_be_shown() {
    let mut table = throne_room_on_militia();
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("militia"));
    table.play(P2, decline()).play(P2, militia("moat, copper"));
    table.discarded(P2, "moat, copper").asks(P1, "buy_phase");
    assert_eq!(table.left().2, 4);
}

#[test]
fn dom_12_34_throne_room_on_library() {
    let mut table = table(VillageSquare)
        .hand(P1, "throne_room, library, 3 copper")
        .draw_pile(P1, "8 estate");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("library"));
    assert_eq!(table.hand_count(P1), 7);
    table.draws_from(P1, "4 estate").asks(P1, "buy_phase");
}

#[test]
fn dom_12_35_throne_room_on_chancellor() {
    let mut table = table(BigMoney)
        .hand(P1, "throne_room, chancellor, 3 copper")
        .draw_pile(P1, "estate");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("chancellor"));
    table.play(P1, turn_over()).asks(P1, "buy_phase");
    assert_eq!(table.left().2, 4);
}

#[test]
fn dom_12_36_throne_room_on_moneylender() {
    let mut table = table(BigMoney).hand(P1, "throne_room, moneylender, copper, 2 estate");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("moneylender"));
    assert_eq!(table.left().2, 3);
}

#[test]
fn dom_12_37_mine_without_a_treasure() {
    let mut table = table(FirstGame).hand(P1, "mine, 4 estate");
    table.play(P1, play("mine")).trash("").asks(P1, "buy_phase");
}

#[test]
fn dom_12_38_remodel_without_a_card() {
    let mut table = table(FirstGame).hand(P1, "remodel");
    table
        .play(P1, play("remodel"))
        .trash("")
        .discarded(P1, "")
        .asks(P1, "buy_phase");
}

#[test]
fn dom_12_39_remodel_copper() {
    let mut table = table(FirstGame).hand(P1, "remodel, copper, 3 estate");
    table.play(P1, play("remodel")).play(P1, remodel("copper"));
    table.refuses(P1, gain("silver"), "TOO_EXPENSIVE");
    table.play(P1, gain("moat")).discarded(P1, "moat");
}

#[test]
fn dom_12_40_feast_takes_the_only_card() {
    let mut table = table(SizeDistortion).hand(P1, "feast");
    for pile in table.state.supply.piles().to_vec() {
        if pile.card.cost() <= 5 && pile.card != card("duchy") {
            table = table.pile(pile.card.id(), 0);
        }
    }
    table
        .play(P1, play("feast"))
        .discarded(P1, "duchy")
        .asks(P1, "buy_phase");
    assert_eq!(table.log.automatic.len(), 1);
    assert_eq!(table.log.automatic[0].action, gain("duchy"));
}

#[test]
fn dom_12_41_fewer_cards_than_asked_for() {
    let mut table = table(FirstGame)
        .hand(P1, "smithy, 4 copper")
        .draw_pile(P1, "estate");
    table.play(P1, play("smithy")).holds(P1, "4 copper, estate");
}

#[test]
fn dom_12_42_the_last_card_causes_no_shuffle() {
    let mut table = table(FirstGame)
        .hand(P1, "smithy, 4 copper")
        .draw_pile(P1, "3 estate")
        .discard_pile(P1, "gold");
    table
        .play(P1, play("smithy"))
        .draws_from(P1, "")
        .discarded(P1, "gold");
    assert_eq!(table.shuffles(), 0);
}

#[test]
fn dom_12_43_cellar_of_nothing() {
    let mut table = table(FirstGame)
        .hand(P1, "cellar, 2 estate, copper, silver")
        .draw_pile(P1, "gold");
    table.play(P1, play("cellar")).play(P1, cellar(""));
    table
        .draws_from(P1, "gold")
        .holds(P1, "2 estate, copper, silver");
}

#[test]
fn dom_12_44_the_last_card_in_play_ends_on_top() {
    let mut table = table(FirstGame)
        .hand(P1, "2 copper, silver, 2 estate")
        .draw_pile(P1, "5 gold")
        .buy_phase();
    table
        .play(P1, play_treasures("copper, silver"))
        .play(P1, end_turn());
    assert_eq!(table.discard_top(P1), Some("silver"));
}

#[test]
fn dom_12_45_the_player_chooses_what_ends_on_top() {
    let table = || {
        let table = table(FirstGame).hand(P1, "2 copper, 3 estate");
        table.draw_pile(P1, "5 gold").buy_phase()
    };
    let mut chosen = table();
    chosen.play(P1, end_turn_with("estate"));
    assert_eq!(chosen.discard_top(P1), Some("estate"));
    let mut default = table();
    default.play(P1, end_turn());
    assert_eq!(default.discard_top(P1), Some("copper"));
}

#[test]
fn dom_12_46_the_last_province() {
    let mut table = table(FirstGame)
        .hand(P1, "2 gold, silver, 2 estate")
        .pile("province", 1)
        .buy_phase();
    table
        .play(P1, play_all_treasures())
        .play(P1, buy("province"));
    table.asks(P1, "buy_phase").play(P1, end_turn());
    assert!(table.is_over());
    assert_eq!(table.ranks(), [(P1, 1, 8), (P2, 2, 0)]);
}

#[test]
fn dom_12_47_three_empty_piles() {
    let mut table = table(FirstGame)
        .hand(P1, "5 copper")
        .pile("cellar", 0)
        .pile("moat", 0)
        .pile("estate", 1)
        .buy_phase();
    table
        .play(P1, play_all_treasures())
        .play(P1, buy("estate"))
        .play(P1, end_turn());
    assert!(table.is_over());
}

#[test]
fn dom_12_48_two_empty_piles() {
    let mut table = table_for(4, FirstGame)
        .hand(P1, "5 copper")
        .pile("cellar", 0)
        .pile("moat", 0)
        .buy_phase();
    assert_eq!(table.left_of("estate"), Some(12));
    table
        .play(P1, play_all_treasures())
        .play(P1, buy("estate"))
        .play(P1, end_turn());
    assert_eq!(table.left_of("estate"), Some(11));
    table.asks(P2, "buy_phase");
}

/// A game that ended with these points (as Estates) and turns.
fn ended<const SEATS: usize>(results: [(u8, u32); SEATS]) -> Table {
    let mut table = table_for(u8::try_from(SEATS).unwrap(), FirstGame);
    for (seat, (points, turns)) in table.state.players.seats().zip(results) {
        let estates = format!("{points} estate");
        table = table.hand(seat, &estates);
        table.state.players[seat].turns_taken = turns;
    }
    table.state.turn.phase = Phase::Over;
    table
}

#[test]
fn dom_12_49_fewer_turns_win() {
    let table = ended([(30, 12), (30, 11)]);
    assert_eq!(table.ranks(), [(P2, 1, 30), (P1, 2, 30)]);
}

#[test]
fn dom_12_50_fewer_turns_win_among_the_best() {
    let table = ended([(25, 10), (31, 10), (31, 9)]);
    assert_eq!(table.ranks(), [(P3, 1, 31), (P2, 2, 31), (P1, 3, 25)]);
}

#[test]
fn dom_12_51_a_shared_victory() {
    let table = ended([(31, 10), (31, 10), (20, 9)]);
    assert_eq!(table.ranks(), [(P1, 1, 31), (P2, 1, 31), (P3, 3, 20)]);
}

#[test]
fn dom_12_52_throne_room_on_witch() {
    let mut table = table_for(3, SizeDistortion)
        .hand(P1, "throne_room, witch, 3 copper")
        .draw_pile(P1, "5 copper")
        .pile("curse", 3);
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("witch"));
    table
        .discarded(P2, "2 curse")
        .discarded(P3, "curse")
        .holds(P1, "7 copper");
}

#[test]
fn dom_12_53_thief_finds_no_treasure() {
    let mut table = table(Interaction)
        .hand(P1, "thief, 4 copper")
        .hand(P2, "5 copper")
        .draw_pile(P2, "estate, duchy, gold");
    table
        .play(P1, play("thief"))
        .discarded(P2, "estate, duchy")
        .trash("");
    table.asks(P1, "buy_phase");
}

#[test]
fn dom_12_54_the_third_pile_empties_by_witch() {
    let mut table = table(SizeDistortion)
        .hand(P1, "witch, 4 copper")
        .draw_pile(P1, "2 copper")
        .pile("cellar", 0)
        .pile("chapel", 0)
        .pile("curse", 1);
    table.play(P1, play("witch")).asks(P1, "buy_phase");
    table
        .play(P1, play_all_treasures())
        .play(P1, buy("village"));
    table.asks(P1, "buy_phase").play(P1, end_turn());
    assert!(table.is_over());
}

#[test]
fn dom_12_55_strict_secrecy_asks_without_a_moat() {
    let mut table = table(FirstGame)
        .strict()
        .hand(P1, "militia")
        .hand(P2, "5 copper");
    table.play(P1, play("militia")).asks(P2, "react_to_attack");
    table.refuses(P2, reveal("moat"), "CARD_NOT_IN_HAND");
    assert_eq!(table.legal_of(P2), [Action::DeclineReaction]);
    table.play(P2, decline()).asks(P2, "militia_discard");
}
