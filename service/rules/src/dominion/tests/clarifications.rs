//! DOM-14, which overrides the earlier chapters, and the order of checks (DOM-6.1).

use super::table::*;
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::{
    BigMoney, FirstGame, Interaction, SizeDistortion,
};
use gamekeeper_rules::dominion::{Action, Dominion, Draft, EffectFrame, Event, KingdomDraft, Zone};
use gamekeeper_rules::ruleset::{Ruleset, apply_permitted, create};
use gamekeeper_rules::table::{Chance, Draw, GameEvent, MaybeKnown, Names, Seat, Seed, Viewer};

#[test]
fn dom_14_2_strict_secrecy_asks_for_the_action_phase() {
    let mut table = table(FirstGame)
        .strict()
        .hand(P1, "2 village, copper")
        .draw_pile(P1, "copper");
    table.play(P1, play("village")).play(P1, play("village"));
    table.asks(P1, "action_phase");
    assert_eq!(table.legal_of(P1), [end_action_phase()]);
    table.play(P1, end_action_phase()).asks(P1, "buy_phase");
}

/// A player without actions is asked nothing, since the number of actions is public.
#[test]
fn dom_14_2_no_action_left_ends_the_phase() {
    let mut table = table(FirstGame)
        .strict()
        .hand(P1, "2 smithy")
        .draw_pile(P1, "3 copper");
    table.play(P1, play("smithy")).asks(P1, "buy_phase");
}

#[test]
fn dom_14_2_strict_secrecy_asks_mine_and_throne_room() {
    let mut mine_table = table(FirstGame).strict().hand(P1, "mine, estate");
    mine_table.play(P1, play("mine")).asks(P1, "mine_trash");
    let pass = Action::MineTrash { card: None };
    assert_eq!(mine_table.legal_of(P1), std::slice::from_ref(&pass));
    mine_table.refuses(P1, mine("estate"), "NOT_A_TREASURE");
    mine_table.refuses(P1, mine("gold"), "CARD_NOT_IN_HAND");
    mine_table.play(P1, pass).trash("").asks(P1, "buy_phase");

    let mut throne_table = table(BigMoney).strict().hand(P1, "throne_room, estate");
    throne_table
        .play(P1, play("throne_room"))
        .asks(P1, "throne_room_choose");
    let pass = Action::ThroneRoomChoose { card: None };
    assert_eq!(throne_table.legal_of(P1), std::slice::from_ref(&pass));
    throne_table.refuses(P1, throne("estate"), "NOT_AN_ACTION");
    throne_table.play(P1, pass).asks(P1, "buy_phase");
}

#[test]
fn dom_14_2_a_player_who_can_choose_must_choose() {
    let mut mine_table = table(FirstGame).strict().hand(P1, "mine, copper");
    mine_table.play(P1, play("mine"));
    mine_table.refuses(P1, Action::MineTrash { card: None }, "UNKNOWN_ID");
    let mut throne_table = table(BigMoney).hand(P1, "throne_room, market");
    throne_table.play(P1, play("throne_room"));
    throne_table.refuses(P1, Action::ThroneRoomChoose { card: None }, "UNKNOWN_ID");
}

/// A player with an empty hand is asked nothing, since the number of cards is public.
#[test]
fn dom_14_2_empty_hands_are_not_asked() {
    let mut mine_table = table(FirstGame).strict().hand(P1, "mine");
    mine_table.play(P1, play("mine"));
    assert!(!mine_table.state.stack.contains(&EffectFrame::MineTrash));
    let mut attack_table = table(FirstGame).strict().hand(P1, "militia");
    attack_table.play(P1, play("militia")).asks(P1, "buy_phase");
}

#[test]
fn dom_13_8_strict_secrecy_asks_library_for_every_card() {
    let mut table = table(Interaction)
        .strict()
        .hand(P1, "library, 5 copper")
        .draw_pile(P1, "estate, village, gold");
    table.play(P1, play("library")).asks(P1, "library_decide");
    assert_eq!(table.legal_of(P1), [keep()]);
    table.refuses(P1, set_aside(), "CARD_NOT_ELIGIBLE");
    table.play(P1, keep()).asks(P1, "library_decide");
    assert_eq!(table.legal_of(P1), [keep(), set_aside()]);
    table.play(P1, set_aside()).play(P1, keep());
    table
        .holds(P1, "5 copper, estate, gold")
        .discarded(P1, "village");
}

/// Without Moats in the game nobody has to be asked.
#[test]
fn dom_13_8_no_moat_in_the_kingdom() {
    let mut table = table(SizeDistortion)
        .strict()
        .hand(P1, "witch")
        .hand(P2, "5 copper");
    table.play(P1, play("witch")).asks(P1, "buy_phase");
}

#[test]
fn dom_14_3_groups_are_listed_once_in_canonical_order() {
    let table = table(FirstGame)
        .hand(P1, "2 copper, silver")
        .buy_phase()
        .buys(0);
    let mut expected: Vec<Action> = [
        "copper",
        "2 copper",
        "2 copper, silver",
        "copper, silver",
        "silver",
    ]
    .map(play_treasures)
    .to_vec();
    expected.extend([
        play_all_treasures(),
        end_turn(),
        end_turn_with("copper"),
        end_turn_with("silver"),
    ]);
    assert_eq!(table.legal_of(P1), expected);
}

#[test]
fn dom_14_3_any_order_of_a_listed_group_is_accepted() {
    let mut table = table(FirstGame)
        .hand(P1, "militia")
        .hand(P2, "copper, silver, gold, 2 estate");
    table.play(P1, play("militia"));
    let groups = [
        "copper, silver",
        "copper, gold",
        "copper, estate",
        "silver, gold",
        "silver, estate",
        "gold, estate",
        "2 estate",
    ];
    assert_eq!(table.legal_of(P2), groups.map(militia));
    table
        .play(P2, militia("estate, copper"))
        .discarded(P2, "estate, copper");
}

/// The record of a new game: R1, R2, then one R3 for each player in turn order.
#[test]
fn dom_14_4_draws_are_recorded_by_name() {
    let draft = Draft {
        kingdom: KingdomDraft::Random,
        ..Draft::default()
    };
    let names = vec![String::new(); 3];
    let options = Dominion::options(&names, &draft).unwrap();
    let game = create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(5)));
    let drawn: Vec<_> = game
        .draws
        .iter()
        .map(|d| (&*d.name, d.seat, d.values.len()))
        .collect();
    let first = game.state.turn.active;
    let mut expected = vec![("R1", None, 1), ("R2", None, 10)];
    expected.extend(first.clockwise(3).map(|seat| ("R3", Some(seat), 10)));
    assert_eq!(drawn, expected);
    assert_eq!(game.draws[0].values, [u16::from(first.number())]);
    assert_eq!(Dominion::draw_label("R1", 2), "2");
    assert_eq!(Dominion::draw_label("R4", 21), "moat");
}

#[test]
fn dom_14_4_a_shuffle_of_one_card_is_a_draw() {
    let mut table = table(FirstGame)
        .hand(P1, "moat")
        .discard_pile(P1, "gold")
        .shuffle(P1, "gold");
    table
        .play(P1, play("moat"))
        .holds(P1, "gold")
        .script_is_used();
}

/// The values of a shuffle are the new pile from the top.
#[test]
fn dom_14_4_shuffles_are_recorded_from_the_top() {
    let mut chance = Chance::from_seed(&Seed::from_number(9));
    let mut journal = gamekeeper_rules::table::Journal::new();
    let mut state = table(FirstGame)
        .hand(P1, "smithy")
        .discard_pile(P1, "2 copper, gold, 3 estate, silver")
        .state
        .clone();
    let permit = Dominion::check(&state, P1, &play("smithy")).unwrap();
    apply_permitted::<Dominion>(&mut state, permit, &mut chance, &mut journal);
    let draws = chance.take_record();
    let [Draw { name, seat, values }] = &draws[..] else {
        panic!("{draws:?}");
    };
    assert_eq!((&**name, *seat), ("R4", Some(P1)));
    let labels: Vec<String> = values
        .iter()
        .map(|&v| Dominion::draw_label("R4", v))
        .collect();
    let drawn: Vec<&str> = journal
        .events
        .iter()
        .find_map(|event| match event {
            Event::CardsDrawn { cards, .. } => cards.as_ref(),
            _ => None,
        })
        .map(|cards| cards.iter().map(|card| card.id()).collect())
        .unwrap();
    assert_eq!(labels[..3], drawn);
    let rest: Vec<&str> = state.players[P1]
        .draw_pile
        .top_down()
        .map(Card::id)
        .collect();
    assert_eq!(labels[3..], rest);
}

/// DOM-6.1: all cards of a list are known before anything else is tested.
#[test]
fn dom_14_5_unknown_cards_come_before_the_tests_of_the_action() {
    let unknown: Vec<MaybeKnown<Card>> = vec![Some(card("gold")), None];
    let mut table = table(FirstGame).hand(P1, "copper").buy_phase();
    table.play(P1, buy("copper"));
    table.refuses(
        P1,
        Action::PlayTreasures {
            cards: unknown.clone(),
        },
        "UNKNOWN_ID",
    );
    table.refuses(P1, Action::BuyCard { card: None }, "UNKNOWN_ID");
    table.refuses(
        P1,
        Action::EndTurn {
            discard_top: Some(None),
        },
        "UNKNOWN_ID",
    );
    table.refuses(P1, Action::PlayAction { card: None }, "WRONG_DECISION");
    table.refuses(
        P1,
        Action::CellarDiscard { cards: unknown },
        "WRONG_DECISION",
    );
    table.refuses(P2, Action::BuyCard { card: None }, "NOT_YOUR_TURN");
}

#[test]
fn dom_14_6_players_then_kingdom_then_first_player() {
    let code = |players: usize, kingdom, first_player| {
        let draft = Draft {
            kingdom,
            first_player,
            strict_secrecy: false,
        };
        let names = vec![String::new(); players];
        Dominion::options(&names, &draft).map_err(|refusal| refusal.code())
    };
    let nobody = Some(9);
    let wrong = || KingdomDraft::Cards(vec![None]);
    assert_eq!(code(1, wrong(), nobody), Err("INVALID_PLAYER_COUNT"));
    assert_eq!(code(2, wrong(), nobody), Err("INVALID_OPTION"));
    assert_eq!(code(2, KingdomDraft::Random, nobody), Err("INVALID_OPTION"));
    assert!(code(2, KingdomDraft::Random, None).is_ok());
}

#[test]
fn dom_14_7_the_end_shows_all_cards() {
    let mut table = table(FirstGame)
        .hand(P1, "gold, estate")
        .draw_pile(P2, "copper, province")
        .discard_pile(P2, "copper")
        .pile("province", 0)
        .buy_phase();
    table
        .play(P1, play_all_treasures())
        .play(P1, buy("village"))
        .play(P1, end_turn());
    let view = Dominion::view(&table.state, Viewer::Spectator);
    assert_eq!(table.left(), (0, 0, 0));
    assert!(view.bought_this_turn && view.active_player == P1 && view.pending.is_empty());
    let winners: Vec<Seat> = Dominion::ranking(&table.state).unwrap().winners().collect();
    assert_eq!(winners, [P2]);
    let decks = view.final_decks;
    let cards = |place: usize| {
        let cards = decks[place].cards.iter();
        cards
            .map(|pile| (pile.card.id(), pile.count))
            .collect::<Vec<_>>()
    };
    assert_eq!((decks[0].seat, decks[1].seat), (P1, P2));
    assert_eq!(cards(1), [("copper", 2), ("province", 1)]);
    assert_eq!(cards(0), [("gold", 1), ("estate", 1), ("village", 1)]);
}

#[test]
fn dom_14_8_the_queue_holds_all_opponents() {
    let mut table = table_for(4, FirstGame).hand(P1, "militia").hand(P3, "moat");
    table.play(P1, play("militia")).asks(P3, "react_to_attack");
    let queue = match table.state.stack.last() {
        Some(gamekeeper_rules::dominion::EffectFrame::Reactions { queue, .. }) => queue.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(queue[..], [P3, P4]);
}

#[test]
fn dom_14_9_events_of_a_played_card() {
    let mut table = table(BigMoney)
        .hand(P1, "market, moneylender, copper")
        .draw_pile(P1, "estate");
    table.play(P1, play("market")).play(P1, play("moneylender"));
    let sentences: Vec<String> = table
        .history
        .iter()
        .map(|event| event.sentence(Names::NONE))
        .collect();
    let expected = [
        "Seat 1 plays a Market.",
        "Seat 1 draws an Estate.",
        "Seat 1 now has 1 action, 2 buys and 1 coin.",
        "Seat 1 plays a Moneylender.",
        "Seat 1 trashes a Copper.",
        "Seat 1 now has 0 actions, 2 buys and 4 coins.",
        "Seat 1 moves on to the Buy phase.",
    ];
    assert_eq!(sentences, expected);
}

#[test]
fn dom_14_9_an_empty_hand_is_revealed_as_an_empty_list() {
    let mut table = table(BigMoney).hand(P1, "bureaucrat");
    table.play(P1, play("bureaucrat"));
    let shown = Event::CardsRevealed {
        seat: P2,
        zone: Zone::Hand,
        cards: Vec::new(),
    };
    assert!(table.history.contains(&shown));
}

#[test]
fn dom_14_9_the_trashing_event_names_the_former_owner() {
    let mut table = table(Interaction)
        .hand(P1, "thief")
        .draw_pile(P2, "gold, estate");
    table.play(P1, play("thief"));
    let trashed = Event::CardsTrashed {
        seat: P2,
        zone: Zone::Revealed,
        cards: cards("gold"),
    };
    assert!(table.history.contains(&trashed));
}

/// The sentence names who decided and whose card it is.
#[test]
fn dom_7_19_the_events_of_spy_say_who_decided() {
    let mut table = table(Interaction)
        .hand(P1, "spy")
        .draw_pile(P1, "copper, estate")
        .draw_pile(P2, "gold");
    table.play(P1, play("spy"));
    table.history.clear();
    table.play(P1, spy_puts_back()).play(P1, spy_discards());
    let players = [String::from("Ann"), String::from("Bob")];
    let names = Names::new(&players);
    let sentences: Vec<String> = table.history.iter().map(|e| e.sentence(names)).collect();
    let expected = [
        "Ann decides that their own Estate goes back.",
        "Ann puts an Estate back on the draw pile.",
        "Bob reveals a Gold from the draw pile.",
        "Ann decides that Bob's Gold is discarded.",
        "Bob discards a Gold.",
        "Ann moves on to the Buy phase.",
    ];
    assert_eq!(sentences, expected);
}

/// A voluntary choice of nothing has its event.
#[test]
fn dom_14_11_nothing_is_told_too() {
    let first_sentence = |table: &mut Table, seat, action| {
        table.history.clear();
        table.play(seat, action);
        table.history[0].sentence(Names::NONE)
    };
    let mut chapel_table = table(BigMoney).hand(P1, "chapel, copper");
    chapel_table.play(P1, play("chapel"));
    let text = first_sentence(&mut chapel_table, P1, chapel(""));
    assert_eq!(text, "Seat 1 trashes nothing.");
    let mut cellar_table = table(FirstGame).hand(P1, "cellar, copper");
    cellar_table.play(P1, play("cellar"));
    let text = first_sentence(&mut cellar_table, P1, cellar(""));
    assert_eq!(text, "Seat 1 discards nothing.");
    let mut thief_table = table(Interaction)
        .hand(P1, "thief")
        .draw_pile(P2, "gold, estate");
    thief_table.play(P1, play("thief"));
    let text = first_sentence(&mut thief_table, P1, thief_gain(""));
    assert_eq!(text, "Seat 1 chooses no card for the Thief.");
}

/// In a choice, `max` is what can be chosen now.
#[test]
fn dom_14_12_chapel_offers_the_cards_in_hand() {
    for (hand, most) in [("chapel, 2 copper", 2), ("chapel, 6 copper", 4)] {
        let mut table = table(BigMoney).hand(P1, hand);
        table.play(P1, play("chapel"));
        let view = Dominion::view(&table.state, Viewer::Seat(P1));
        let choice = view.question.and_then(|question| question.choice).unwrap();
        assert_eq!((choice.min, choice.max), (0, most));
        let many = Dominion::check(&table.state, P1, &chapel(&format!("{} copper", most + 1)));
        let sentence = format!("Choose 0 to {most} cards, not {}.", most + 1);
        assert_eq!(many.unwrap_err().to_string(), sentence);
    }
}

#[test]
fn the_first_event_names_the_players() {
    let players = ["Ann", "Bob", "Cid"].map(String::from);
    let options = Dominion::options(&players, &Draft::default()).unwrap();
    let chance = Chance::from_seed(&Seed::from_number(1));
    let events = create::<Dominion>(&options, chance).events;
    let text = events[0].sentence(Names::new(&players));
    let begins = "The table is set for Ann, Bob and Cid. The kingdom cards are Cellar, Market,";
    assert!(text.starts_with(begins), "{text}");
}
