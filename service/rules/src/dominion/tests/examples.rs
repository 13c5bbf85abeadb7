//! DOM-12.1 to DOM-12.24: the examples of the rulebook.

use super::table::*;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, Interaction};
use gamekeeper_rules::dominion::data::KingdomSet::{SizeDistortion, VillageSquare};
use gamekeeper_rules::dominion::{Action, Dominion, Draft, KingdomDraft, Phase};
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seed};

#[test]
fn dom_12_1_a_whole_turn() {
    let mut table = table(FirstGame)
        .hand(P1, "market, smithy, silver, 2 estate")
        .draw_pile(P1, "silver, copper, market")
        .discard_pile(P1, "copper");
    table.play(P1, play("market"));
    assert_eq!(table.left(), (1, 2, 1));
    table.holds(P1, "smithy, 2 silver, 2 estate");
    table.play(P1, play("smithy"));
    table.holds(P1, "2 silver, 2 estate, 2 copper, market");
    assert_eq!((table.left().0, table.shuffles()), (0, 1));
    assert_eq!(table.phase(), Phase::Buy);
    table.play(P1, play_all_treasures());
    assert_eq!(table.left().2, 7);
    table.play(P1, buy("village"));
    assert_eq!(
        (table.left().2, table.discard_top(P1)),
        (4, Some("village"))
    );
    table.play(P1, buy("remodel"));
    assert_eq!(table.left(), (0, 0, 0));
    assert_eq!(table.discard_top(P1), Some("remodel"));
    table.refuses(P1, buy("copper"), "NO_BUYS_LEFT");
    table.play(P1, end_turn());
    assert_eq!(table.hand_count(P1), 5);
    assert_eq!(table.state.owned(P1).len(), 11);
    table.asks(P2, "buy_phase");
}

#[test]
fn dom_12_2_two_purchases() {
    let mut table = table(FirstGame)
        .hand(P1, "2 gold, 3 estate")
        .buy_phase()
        .buys(2);
    table.play(P1, play_all_treasures());
    assert_eq!(table.left().2, 6);
    table.play(P1, buy("cellar"));
    assert_eq!(table.left().2, 4);
    table.play(P1, buy("smithy"));
    assert_eq!(table.left().2, 0);
    table.discarded(P1, "cellar, smithy").lies_in_play("2 gold");
}

#[test]
fn dom_12_3_throne_room_on_market() {
    let mut table = table(VillageSquare)
        .hand(P1, "throne_room, market, 3 copper")
        .draw_pile(P1, "estate, silver, gold");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("market"));
    assert_eq!(table.left(), (2, 3, 2));
    table
        .holds(P1, "3 copper, estate, silver")
        .asks(P1, "buy_phase");
}

#[test]
fn dom_12_4_two_markets() {
    let mut table = table(VillageSquare)
        .hand(P1, "2 market, 3 copper")
        .draw_pile(P1, "village, silver, gold");
    table.play(P1, play("market")).play(P1, play("market"));
    assert_eq!(table.left().0, 1);
    table.asks(P1, "action_phase");
}

#[test]
fn dom_12_5_throne_room_on_feast() {
    let mut table = table(BigMoney).hand(P1, "throne_room, feast, 3 copper");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("feast"));
    table.play(P1, gain("laboratory")).play(P1, gain("duchy"));
    table
        .trash("feast")
        .discarded(P1, "laboratory, duchy")
        .lies_in_play("throne_room");
    assert_eq!(table.left_of("laboratory"), Some(9));
    assert_eq!(table.left_of("duchy"), Some(7));
}

#[test]
fn dom_12_6_throne_room_on_throne_room() {
    let mut table = table(VillageSquare)
        .hand(P1, "2 throne_room, market, smithy, copper")
        .draw_pile(P1, "10 copper");
    table
        .play(P1, play("throne_room"))
        .play(P1, throne("throne_room"));
    table.play(P1, throne("market"));
    assert_eq!(table.left().0, 2);
    table.asks(P1, "throne_room_choose");
    table.play(P1, throne("smithy"));
    assert_eq!(table.hand_count(P1), 9);
    assert_eq!(table.left(), (2, 3, 2));
    table.lies_in_play("2 throne_room, market, smithy");
}

#[test]
fn dom_12_7_mine_turns_silver_into_gold() {
    let mut table = table(FirstGame).hand(P1, "mine, copper, silver, 2 estate");
    table
        .play(P1, play("mine"))
        .play(P1, mine("silver"))
        .play(P1, gain("gold"));
    table.holds(P1, "copper, gold, 2 estate").trash("silver");
    table.play(P1, play_all_treasures());
    assert_eq!(table.left().2, 4);
}

#[test]
fn dom_12_8_mine_may_gain_the_same_treasure() {
    let mut table = table(FirstGame).hand(P1, "mine, copper, 3 estate");
    assert_eq!(table.left_of("copper"), Some(46));
    table.play(P1, play("mine")).play(P1, mine("copper"));
    table.refuses(P1, gain("gold"), "TOO_EXPENSIVE");
    table.play(P1, gain("copper")).holds(P1, "copper, 3 estate");
    assert_eq!(table.left_of("copper"), Some(45));
}

#[test]
fn dom_12_9_witch_deals_the_last_curses_clockwise() {
    let mut table = table_for(4, SizeDistortion)
        .pile("curse", 2)
        .hand(P1, "witch, 4 copper")
        .draw_pile(P1, "3 copper");
    table.play(P1, play("witch")).holds(P1, "6 copper");
    table
        .discarded(P2, "curse")
        .discarded(P3, "curse")
        .discarded(P4, "");
    assert_eq!(table.left_of("curse"), Some(0));
}

#[test]
fn dom_12_10_bureaucrat() {
    let mut table = table_for(3, BigMoney)
        .hand(P1, "bureaucrat, 4 copper")
        .discard_pile(P1, "estate")
        .hand(P2, "estate, province, 3 copper")
        .hand(P3, "5 copper");
    table
        .play(P1, play("bureaucrat"))
        .asks(P2, "bureaucrat_topdeck");
    table.play(P2, bureaucrat("province"));
    table.draws_from(P1, "silver").discarded(P1, "estate");
    table
        .draws_from(P2, "province")
        .holds(P2, "estate, 3 copper");
    assert!(table.revealed(P3, "5 copper"));
    assert_eq!(table.shuffles(), 0);
    table.asks(P1, "buy_phase");
}

/// Gardens among 39 cards, then among 40 with a Curse.
#[test]
fn dom_12_11_gardens() {
    let mut table = table(SizeDistortion)
        .buy_phase()
        .pile("province", 0)
        .draw_pile(P1, "38 copper, gardens");
    let mut more = table.state.clone();
    table.play(P1, end_turn());
    assert!(table.ranks().contains(&(P1, 1, 3)));
    more.players[P1].draw_pile.put_on_top(card("curse"));
    table.state = more;
    table.play(P1, end_turn());
    assert!(table.ranks().contains(&(P1, 1, 3)));
    let standing = Dominion::ranking(&table.state).unwrap().standings[0].clone();
    let breakdown: Vec<_> = standing
        .breakdown
        .iter()
        .map(|i| (i.source.id, i.points))
        .collect();
    let expected = [
        ("estate", 0),
        ("duchy", 0),
        ("province", 0),
        ("curse", -1),
        ("gardens", 4),
    ];
    assert_eq!(breakdown, expected);
}

#[test]
fn dom_12_12_piles_by_number_of_players() {
    for (seats, copper, victory, curse) in [(2, 46, 8, 10), (3, 39, 12, 20), (4, 32, 12, 30)] {
        let draft = Draft {
            kingdom: KingdomDraft::Set(Some(SizeDistortion)),
            ..Draft::default()
        };
        let options = Dominion::options(&vec![String::new(); seats], &draft).unwrap();
        let game = create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(3)));
        let state = &game.state;
        let left = |id| state.supply.count(card(id)).unwrap();
        assert_eq!(
            (left("copper"), left("silver"), left("gold")),
            (copper, 40, 30)
        );
        for id in ["estate", "duchy", "province", "gardens"] {
            assert_eq!(left(id), victory);
        }
        assert_eq!(left("curse"), curse);
        for kind in SizeDistortion
            .cards()
            .into_iter()
            .filter(|&kind| kind != card("gardens"))
        {
            assert_eq!(state.supply.count(kind), Some(10));
        }
        assert_eq!(state.supply.piles().len(), 17);
        for player in &state.players {
            assert_eq!((player.hand.len(), player.draw_pile.len()), (5, 5));
        }
    }
}

#[test]
fn dom_12_13_cellar_shuffles_the_discarded_cards_in() {
    let mut table = table(FirstGame)
        .hand(P1, "cellar, 2 estate, copper, smithy")
        .draw_pile(P1, "gold")
        .discard_pile(P1, "silver")
        .shuffle(P1, "estate, silver, copper, estate");
    table
        .play(P1, play("cellar"))
        .play(P1, cellar("estate, estate, copper"));
    table
        .holds(P1, "smithy, gold, estate, silver")
        .draws_from(P1, "copper, estate");
    table.discarded(P1, "").script_is_used();
    assert_eq!(table.left().0, 1);
}

#[test]
fn dom_12_14_chapel() {
    let mut table = table(BigMoney).hand(P1, "2 chapel, 3 estate, copper");
    table
        .play(P1, play("chapel"))
        .play(P1, chapel("3 estate, chapel"));
    table
        .trash("3 estate, chapel")
        .holds(P1, "copper")
        .lies_in_play("chapel");
}

#[test]
fn dom_12_15_council_room() {
    let mut table = table(Interaction)
        .hand(P1, "council_room, 4 copper")
        .draw_pile(P1, "4 estate")
        .hand(P2, "5 copper")
        .discard_pile(P2, "gold");
    table.play(P1, play("council_room"));
    assert_eq!((table.hand_count(P1), table.left().1), (8, 2));
    table.holds(P2, "5 copper, gold");
    assert_eq!(table.shuffles(), 1);
}

#[test]
fn dom_12_16_militia() {
    let mut table = table_for(3, FirstGame)
        .hand(P1, "militia, 4 copper")
        .hand(P2, "2 estate, 3 copper")
        .hand(P3, "3 copper");
    table.play(P1, play("militia")).asks(P2, "militia_discard");
    table.play(P2, militia("copper, estate"));
    assert_eq!((table.left().2, table.hand_count(P2)), (2, 3));
    assert_eq!(table.discard_top(P2), Some("estate"));
    table.asks(P1, "buy_phase");
}

#[test]
fn dom_12_17_moat_against_militia() {
    let mut table = table_for(3, FirstGame)
        .hand(P1, "militia, 4 copper")
        .hand(P2, "moat, 4 copper")
        .hand(P3, "5 copper");
    table.play(P1, play("militia")).asks(P2, "react_to_attack");
    assert_eq!(table.left().2, 0);
    table.play(P2, reveal("moat")).asks(P3, "militia_discard");
    assert_eq!((table.left().2, table.hand_count(P2)), (2, 5));
}

#[test]
fn dom_12_18_moneylender() {
    let mut table = table(BigMoney).hand(P1, "moneylender, 2 copper, 2 estate");
    table
        .play(P1, play("moneylender"))
        .trash("copper")
        .holds(P1, "copper, 2 estate");
    assert_eq!(table.left().2, 3);
}

#[test]
fn dom_12_19_moneylender_without_copper() {
    let mut table = table(BigMoney).hand(P1, "moneylender, silver, 3 estate");
    table.play(P1, play("moneylender")).trash("");
    assert_eq!(table.left().2, 0);
}

#[test]
fn dom_12_20_remodel_turns_gold_into_a_province() {
    let mut table = table(FirstGame).hand(P1, "2 remodel, gold, estate, copper");
    table
        .play(P1, play("remodel"))
        .play(P1, remodel("gold"))
        .play(P1, gain("province"));
    assert_eq!(table.discard_top(P1), Some("province"));
    assert_eq!(table.left_of("province"), Some(7));
}

#[test]
fn dom_12_21_spy() {
    let mut table = table_for(3, Interaction)
        .hand(P1, "spy, 4 copper")
        .draw_pile(P1, "village, gold, estate")
        .draw_pile(P3, "province, silver");
    table.play(P1, play("spy"));
    assert!(table.revealed(P1, "gold"));
    table.play(P1, spy_puts_back()).asks(P1, "spy_decide");
    assert!(table.revealed(P3, "province"));
    table.play(P1, spy_puts_back());
    table
        .draws_from(P1, "gold, estate")
        .draws_from(P3, "province, silver");
    table
        .holds(P1, "4 copper, village")
        .asks(P1, "action_phase");
    assert_eq!(table.left().0, 1);
}

#[test]
fn dom_12_22_thief() {
    let mut table = table_for(3, Interaction)
        .hand(P1, "thief, 4 copper")
        .draw_pile(P2, "gold, copper, estate")
        .draw_pile(P3, "silver")
        .discard_pile(P3, "2 silver");
    table.play(P1, play("thief")).asks(P1, "thief_trash");
    assert_eq!(table.legal_of(P1), [thief("copper"), thief("gold")]);
    table
        .play(P1, thief("gold"))
        .discarded(P2, "copper")
        .draws_from(P2, "estate");
    assert!(table.revealed(P3, "2 silver"));
    assert_eq!(table.shuffles(), 1);
    table.discarded(P3, "silver").draws_from(P3, "silver");
    assert!(
        table
            .log
            .automatic
            .iter()
            .any(|taken| taken.seat == P1 && taken.action == thief("silver"))
    );
    table.asks(P1, "thief_gain");
    let lists = ["", "silver", "silver, gold", "gold"].map(thief_gain);
    assert_eq!(table.legal_of(P1), lists);
    table
        .play(P1, thief_gain("gold"))
        .discarded(P1, "gold")
        .trash("silver");
}

#[test]
fn dom_12_23_library() {
    let mut table = table(Interaction)
        .hand(P1, "library, village, 3 copper")
        .draw_pile(P1, "militia, copper, moat, estate, festival, gold, silver");
    table
        .play(P1, play("village"))
        .holds(P1, "library, militia, 3 copper");
    table.play(P1, play("library")).asks(P1, "library_decide");
    table.holds(P1, "militia, 4 copper");
    table.play(P1, set_aside()).asks(P1, "library_decide");
    assert_eq!(table.hand_count(P1), 6);
    table
        .play(P1, keep())
        .holds(P1, "militia, 4 copper, estate, festival");
    table.discarded(P1, "moat").draws_from(P1, "gold, silver");
    assert_eq!(table.left().0, 1);
}

#[test]
fn dom_12_24_adventurer_stops_when_no_card_is_left() {
    let mut table = table(BigMoney)
        .hand(P1, "adventurer, 4 estate")
        .draw_pile(P1, "estate")
        .discard_pile(P1, "copper, market")
        .shuffle(P1, "market, copper");
    table.play(P1, play("adventurer"));
    assert!(table.revealed(P1, "estate, market, copper"));
    table
        .holds(P1, "4 estate, copper")
        .discarded(P1, "estate, market")
        .draws_from(P1, "");
    table.script_is_used();
    assert!(matches!(
        table.legal_of(P1)[..],
        [Action::PlayTreasures { .. }, ..]
    ));
}
