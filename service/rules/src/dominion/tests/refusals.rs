//! DOM-12.60 to DOM-12.92: what the rules refuse, and with which code.

use super::table::*;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, Interaction};
use gamekeeper_rules::dominion::data::{Card, KingdomSet};
use gamekeeper_rules::dominion::{Action, Dominion, Draft, KingdomDraft, Phase};
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::ClosedSet;

#[test]
fn dom_12_60_not_your_turn() {
    let table = table(FirstGame).hand(P1, "smithy").buy_phase();
    table.refuses(P2, end_turn(), "NOT_YOUR_TURN");
}

#[test]
fn dom_12_61_the_active_player_waits_for_an_answer() {
    let mut table = table(FirstGame).hand(P1, "militia").hand(P2, "5 copper");
    table.play(P1, play("militia"));
    table.refuses(P1, end_action_phase(), "NOT_YOUR_TURN");
}

#[test]
fn dom_12_62_no_action_cards_in_the_buy_phase() {
    let table = table(FirstGame).hand(P1, "smithy").buy_phase();
    table.refuses(P1, play("smithy"), "WRONG_DECISION");
}

#[test]
fn dom_12_63_no_purchases_in_the_action_phase() {
    let table = table(FirstGame).hand(P1, "smithy, copper");
    table.refuses(P1, buy("copper"), "WRONG_DECISION");
    table.refuses(P1, play_all_treasures(), "WRONG_DECISION");
}

#[test]
fn dom_12_64_no_such_decision() {
    let table = table(FirstGame).hand(P1, "smithy");
    table.refuses(P1, chapel(""), "WRONG_DECISION");
}

#[test]
fn dom_12_65_a_decision_is_pending() {
    let mut table = table(FirstGame).hand(P1, "workshop");
    table.play(P1, play("workshop")).asks(P1, "gain_card");
    table.refuses(P1, end_action_phase(), "WRONG_DECISION");
}

#[test]
fn dom_12_66_the_card_is_not_in_hand() {
    let table = table(FirstGame).hand(P1, "smithy");
    table.refuses(P1, play("festival"), "CARD_NOT_IN_HAND");
}

#[test]
fn dom_12_67_copper_is_no_action_card() {
    let table = table(FirstGame).hand(P1, "market, copper");
    table.refuses(P1, play("copper"), "NOT_AN_ACTION");
}

#[test]
fn dom_12_68_too_few_coins() {
    let table = table(FirstGame).buy_phase().coins(3);
    table.refuses(P1, buy("smithy"), "CANNOT_AFFORD");
}

#[test]
fn dom_12_69_not_in_this_game() {
    let table = table(FirstGame).buy_phase().coins(9);
    table.refuses(P1, buy("witch"), "NOT_IN_SUPPLY");
}

/// "artisan" is not a card of this edition: it arrives as `None` (DOM-14.10: in the Buy phase).
#[test]
fn dom_12_70_no_such_card() {
    let table = table(FirstGame).buy_phase();
    table.refuses(P1, Action::BuyCard { card: None }, "UNKNOWN_ID");
}

#[test]
fn dom_12_71_an_empty_pile() {
    let table = table(FirstGame).buy_phase().coins(4).pile("smithy", 0);
    table.refuses(P1, buy("smithy"), "PILE_EMPTY");
}

#[test]
fn dom_12_72_no_buys_left() {
    let table = table(FirstGame).buy_phase().buys(0);
    table.refuses(P1, buy("copper"), "NO_BUYS_LEFT");
}

#[test]
fn dom_12_73_no_treasures_after_a_purchase() {
    let mut table = table(FirstGame).hand(P1, "gold").buy_phase();
    table.play(P1, buy("copper"));
    table.refuses(P1, play_treasures("gold"), "TREASURES_CLOSED");
    table.refuses(P1, play_all_treasures(), "TREASURES_CLOSED");
}

fn two_coppers() -> Table {
    table(FirstGame).hand(P1, "2 copper, 3 estate").buy_phase()
}

#[test]
fn dom_12_74_no_treasure_chosen() {
    two_coppers().refuses(P1, play_treasures(""), "EMPTY_SELECTION");
}

#[test]
fn dom_12_75_estate_is_no_treasure() {
    two_coppers().refuses(P1, play_treasures("estate"), "NOT_A_TREASURE");
}

#[test]
fn dom_12_76_too_many_coppers() {
    two_coppers().refuses(P1, play_treasures("3 copper"), "CARD_NOT_IN_HAND");
}

#[test]
fn dom_12_77_only_own_cards_end_on_top() {
    two_coppers().refuses(P1, end_turn_with("gold"), "CARD_NOT_AVAILABLE");
}

#[test]
fn dom_12_78_too_expensive_for_workshop() {
    let mut table = table(FirstGame).hand(P1, "workshop");
    table
        .play(P1, play("workshop"))
        .refuses(P1, gain("market"), "TOO_EXPENSIVE");
}

#[test]
fn dom_12_79_mine_gains_treasures_only() {
    let mut table = table(FirstGame).hand(P1, "mine, silver");
    table.play(P1, play("mine")).play(P1, mine("silver"));
    table.refuses(P1, gain("village"), "NOT_A_TREASURE");
}

#[test]
fn dom_12_80_mine_trashes_treasures_only() {
    let mut table = table(FirstGame).hand(P1, "mine, silver, estate");
    table
        .play(P1, play("mine"))
        .refuses(P1, mine("estate"), "NOT_A_TREASURE");
}

#[test]
fn dom_12_81_militia_wants_two_cards() {
    let mut table = table(FirstGame).hand(P1, "militia").hand(P2, "5 copper");
    table.play(P1, play("militia"));
    table.refuses(P2, militia("copper"), "WRONG_NUMBER_OF_CARDS");
}

#[test]
fn dom_12_82_chapel_trashes_four_at_most() {
    let mut table = table(BigMoney).hand(P1, "chapel, 5 copper");
    table
        .play(P1, play("chapel"))
        .refuses(P1, chapel("5 copper"), "WRONG_NUMBER_OF_CARDS");
}

#[test]
fn dom_12_83_the_played_cellar_is_not_in_hand() {
    let mut table = table(FirstGame).hand(P1, "cellar, copper");
    table
        .play(P1, play("cellar"))
        .refuses(P1, cellar("cellar"), "CARD_NOT_IN_HAND");
}

#[test]
fn dom_12_84_bureaucrat_wants_a_victory_card() {
    let mut table = table(BigMoney)
        .hand(P1, "bureaucrat")
        .hand(P2, "estate, copper");
    table.play(P1, play("bureaucrat"));
    table.refuses(P2, bureaucrat("copper"), "NOT_A_VICTORY_CARD");
}

#[test]
fn dom_12_85_thief_trashes_a_revealed_card() {
    let mut table = table(Interaction)
        .hand(P1, "thief")
        .draw_pile(P2, "gold, copper");
    table
        .play(P1, play("thief"))
        .refuses(P1, thief("silver"), "CARD_NOT_ELIGIBLE");
}

#[test]
fn dom_12_86_thief_gains_what_was_trashed() {
    let mut table = table_for(3, Interaction)
        .hand(P1, "thief")
        .draw_pile(P2, "gold, estate")
        .draw_pile(P3, "silver, estate");
    table.play(P1, play("thief"));
    table.refuses(P1, thief_gain("silver, silver"), "CARD_NOT_ELIGIBLE");
}

#[test]
fn dom_12_87_smithy_is_no_reaction() {
    let mut table = table(FirstGame)
        .hand(P1, "militia")
        .hand(P2, "moat, smithy");
    table
        .play(P1, play("militia"))
        .refuses(P2, reveal("smithy"), "CARD_NOT_ELIGIBLE");
}

#[test]
fn dom_12_88_the_game_is_over() {
    let mut table = table(FirstGame).hand(P1, "smithy");
    table.state.turn.phase = Phase::Over;
    for seat in [P1, P2] {
        table.refuses(seat, play("smithy"), "GAME_OVER");
        table.refuses(seat, end_turn(), "GAME_OVER");
    }
}

/// The code with which a new game is refused.
fn code_of(players: usize, draft: &Draft) -> Option<&'static str> {
    let names = vec![String::new(); players];
    let options = Dominion::options(&names, draft);
    options.err().map(|refusal| refusal.code())
}

fn with_cards(cards: Vec<Option<Card>>) -> Draft {
    Draft {
        kingdom: KingdomDraft::Cards(cards),
        ..Draft::default()
    }
}

#[test]
fn dom_12_89_two_to_four_players() {
    for players in [0, 1, 5, 300] {
        assert_eq!(
            code_of(players, &Draft::default()),
            Some("INVALID_PLAYER_COUNT")
        );
    }
    for players in 2..=4 {
        assert_eq!(code_of(players, &Draft::default()), None);
    }
}

#[test]
fn dom_12_90_ten_different_kingdom_cards() {
    let ten: Vec<Option<Card>> = KingdomSet::Interaction.cards().map(Some).to_vec();
    assert_eq!(code_of(2, &with_cards(ten.clone())), None);
    let nine = ten[1..].to_vec();
    let eleven = [&ten[..], &[Some(card("witch"))]].concat();
    let replaced = |card| [&[card], &ten[1..]].concat();
    for cards in [
        nine,
        eleven,
        replaced(ten[1]),
        replaced(Some(card("copper"))),
        replaced(Some(card("curse"))),
        replaced(None),
        Vec::new(),
    ] {
        assert_eq!(code_of(2, &with_cards(cards)), Some("INVALID_OPTION"));
    }
    let unknown_set = Draft {
        kingdom: KingdomDraft::Set(None),
        ..Draft::default()
    };
    assert_eq!(code_of(2, &unknown_set), Some("INVALID_OPTION"));
}

/// Seats are numbered from 1 here: three players sit at 1, 2 and 3.
#[test]
fn dom_12_91_the_first_player_is_a_seat() {
    let begins = |number| Draft {
        first_player: Some(number),
        ..Draft::default()
    };
    for number in [0, 4, 256 + 1, u32::MAX] {
        assert_eq!(code_of(3, &begins(number)), Some("INVALID_OPTION"));
    }
    for number in 1..=3 {
        assert_eq!(code_of(3, &begins(number)), None);
    }
}

#[test]
fn dom_12_92_throne_room_wants_an_action_card() {
    let mut table = table(BigMoney).hand(P1, "throne_room, market, copper");
    table
        .play(P1, play("throne_room"))
        .refuses(P1, throne("copper"), "NOT_AN_ACTION");
}

/// DOM-14.12: several paragraphs can refuse with one code.
#[test]
fn refusals_cite_the_paragraph_of_the_action() {
    let rulebook = Rulebook::read(Dominion::RULES);
    let rule = |table: &Table, seat, action| {
        let found = Dominion::check(&table.state, seat, &action);
        let rule = found.err().map(|refused| refused.rule);
        rule.filter(|id| rulebook.rule(id).is_some())
    };
    let mut buying = table(FirstGame)
        .hand(P1, "gold")
        .buy_phase()
        .pile("moat", 0);
    assert_eq!(rule(&buying, P1, buy("moat")), Some("DOM-6.10"));
    assert_eq!(rule(&buying, P1, end_turn_with("moat")), Some("DOM-6.13"));
    buying.play(P1, buy("copper"));
    let treasures = [play_treasures("gold"), play_all_treasures()];
    let rules = treasures.map(|action| rule(&buying, P1, action));
    assert_eq!(rules, [Some("DOM-6.8"), Some("DOM-6.9")]);
    let mut playing = table(FirstGame).hand(P1, "workshop").pile("moat", 0);
    assert_eq!(rule(&playing, P1, play("moat")), Some("DOM-6.5"));
    assert_eq!(rule(&playing, P2, end_turn()), Some("DOM-6.1"));
    playing.play(P1, play("workshop"));
    assert_eq!(rule(&playing, P1, gain("moat")), Some("DOM-6.34"));
    assert_eq!(rule(&playing, P1, play("moat")), Some("DOM-6.1"));
    let mut attacked = table(FirstGame).hand(P1, "militia").hand(P2, "5 copper");
    attacked.play(P1, play("militia"));
    assert_eq!(rule(&attacked, P2, militia("2 moat")), Some("DOM-7.13"));
}

/// The sentences of refusals name nothing but the values of the refusal.
#[test]
fn refusals_are_sentences() {
    let says = |table: &Table, seat, action| {
        let found = Dominion::check(&table.state, seat, &action);
        found.err().map(|refused| refused.to_string()).unwrap()
    };
    let mut buying = table(FirstGame)
        .hand(P1, "2 copper, estate")
        .buy_phase()
        .coins(3);
    for (action, sentence) in [
        (
            play("smithy"),
            "`play_action` does not answer the open decision, `buy_phase`.",
        ),
        (
            Action::BuyCard { card: None },
            "`card` is missing, or there is no such thing in this game.",
        ),
        (
            play_treasures("3 copper"),
            "You have only 2 Coppers in hand, not 3.",
        ),
        (play_treasures("gold"), "You have no Gold in hand."),
        (play_treasures("estate"), "Estate is not a Treasure."),
        (
            play_treasures(""),
            "At least one Treasure must be played; you have 2 in hand.",
        ),
        (buy("smithy"), "Smithy costs 4 coins, but you have 3."),
        (buy("witch"), "Witch is not in the Supply of this game."),
        (
            end_turn_with("gold"),
            "You have no Gold in hand or in play.",
        ),
    ] {
        assert_eq!(says(&buying, P1, action), sentence);
    }
    assert_eq!(
        says(&buying, P2, end_turn()),
        "It is not your turn: seat 1 must act first."
    );
    buying.play(P1, buy("copper"));
    assert_eq!(says(&buying, P1, buy("copper")), "You have no buys left.");
}

#[test]
fn refused_answers_are_sentences() {
    let says = |table: &Table, seat, action| {
        let found = Dominion::check(&table.state, seat, &action);
        found.err().map(|refused| refused.to_string()).unwrap()
    };
    let mut attacked = table(FirstGame)
        .hand(P1, "militia")
        .hand(P2, "moat, 4 copper");
    attacked.play(P1, play("militia"));
    assert_eq!(
        says(&attacked, P2, reveal("smithy")),
        "Smithy is not a Reaction."
    );
    attacked.play(P2, Action::DeclineReaction);
    assert_eq!(
        says(&attacked, P2, militia("copper")),
        "Choose 2 cards, not 1."
    );
    let mut chapel_table = table(BigMoney).hand(P1, "chapel, 5 copper");
    chapel_table.play(P1, play("chapel"));
    assert_eq!(
        says(&chapel_table, P1, chapel("5 copper")),
        "Choose 0 to 4 cards, not 5."
    );
}

#[test]
fn refused_options_say_what_is_wrong() {
    let says = |players: usize, draft: &Draft| {
        let names = vec![String::new(); players];
        let refused = Dominion::options(&names, draft).err().unwrap();
        refused.to_string()
    };
    let five = says(5, &Draft::default());
    assert_eq!(five, "Dominion is for 2 to 4 players, not 5.");
    let named = |names: &[&str]| with_cards(names.iter().map(|name| Card::by_id(name)).collect());
    for (cards, sentence) in [
        (
            &["moat", "artisan"][..],
            "Card 2 of the kingdom does not exist.",
        ),
        (&["moat", "moat"], "Moat is in the kingdom twice."),
        (&["moat"], "A kingdom has 10 cards, not 1."),
        (
            &["gold"],
            "Gold is in every Supply and cannot be a kingdom card.",
        ),
    ] {
        assert_eq!(says(2, &named(cards)), sentence);
    }
    let begins = Draft {
        first_player: Some(4),
        ..Draft::default()
    };
    assert_eq!(
        says(3, &begins),
        "The first player must be a seat from 1 to 3, not 4."
    );
}
