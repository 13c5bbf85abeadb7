//! Turns, hands, decks, reserves and the abilities that work on them.

use super::table::*;
use Symbol::Gold;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Card, Improvement, Symbol};
use gamekeeper_rules::mythotopia::{Decision, HandStacking};
use gamekeeper_rules::table::Viewer;

const STARTING: [&str; 5] = [
    "start:red:build#1",
    "start:red:build#2",
    "start:red:army#1",
    "start:red:market#1",
    "start:red:ship#1",
];

fn reserve(ids: &[&str]) -> Action {
    Action::ReserveCards { cards: cards(ids) }
}

fn remove(ids: &[&str]) -> Action {
    Action::RemoveCards { cards: cards(ids) }
}

fn pass_twice_and_end(table: &mut Table) {
    let seat = table.state.active;
    for action in [Action::PassTurn, Action::PassTurn, Action::EndTurn] {
        table.play(seat, &action);
    }
}

#[test]
fn myt_t12_nobody_acts_in_another_turn() {
    let table = Table::of(4);
    table.refuses(B, &Action::PassTurn, "NOT_YOUR_TURN");
    let choice = Action::ChooseTokenSource { source: None };
    table.refuses(B, &choice, "NOT_YOUR_TURN");
    table.refuses(R, &choice, "WRONG_DECISION");
    let setup = Action::SetupDiscardProvinces { cards: Vec::new() };
    table.refuses(R, &setup, "WRONG_DECISION");
}

#[test]
fn myt_t13_end_war_comes_first() {
    let mut table = Table::of(4);
    table.armies(R, "blore", 5);
    table.hand(R, &["imp:militia"]);
    table.play(
        R,
        &Action::UseMilitia {
            card: Some(card("imp:militia")),
        },
    );
    table.refuses(R, end_war("blore"), "AFTER_FREE_ACTION");
    table.play(R, &Action::PassTurn);
    table.refuses(R, end_war("blore"), "FIRST_ACTION_ONLY");
    table.refuses(R, &Action::EndGame, "FIRST_ACTION_ONLY");
}

#[test]
fn myt_t29_seven_cards_must_remain() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "darb"]);
    table.hand(R, &STARTING);
    table.hand(R, &["imp:hero"]);
    assert_eq!(table.state.players[R].total(), 8);
    table.refuses(
        R,
        remove(&["imp:hero", "start:red:army#1"]),
        "DECK_TOO_SMALL",
    );
    let three = ["imp:hero", "start:red:army#1", "start:red:ship#1"];
    table.refuses(R, remove(&three), "INVALID_CARD_COUNT");
    table.play(R, remove(&["imp:hero"]));
    assert!(table.state.display.contains(Improvement::Hero));
    assert_eq!(table.state.players[R].total(), 7);
}

#[test]
fn myt_t30_the_reserve_limit() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.reserve(R, &["imp:scribe"]);
    table.hand(R, &["imp:hero", "imp:queen"]);
    table.refuses(R, reserve(&["imp:hero", "imp:queen"]), "RESERVE_FULL");
    table.refuses(R, reserve(&["imp:scribe"]), "CARD_NOT_AVAILABLE");
    assert!(table.allows(R, reserve(&["imp:hero"])));
    table.city(R, "mome");
    table.play(R, reserve(&["imp:hero", "imp:queen"]));
}

#[test]
fn myt_t31_a_lost_city_forces_nothing_out() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.city(R, "mome");
    table.reserve(R, &["imp:scribe", "imp:queen", "imp:limes"]);
    table.hand(R, &["imp:hero"]);
    table.armies(B, "mome", 3);
    table.control(B, &["shog"]);
    table.turn(B);
    table.play(B, end_war("mome"));
    assert_eq!(table.state.players[R].reserve.len(), 3);
    table.turn(R);
    table.refuses(R, reserve(&["imp:hero"]), "RESERVE_FULL");
}

#[test]
fn myt_t32_two_actions_make_a_turn() {
    let mut table = Table::of(4);
    table.deck(R, &STARTING);
    table.refuses(R, &Action::EndTurn, "ACTIONS_REMAINING");
    table.play(R, &Action::PassTurn);
    table.refuses(R, &Action::EndTurn, "ACTIONS_REMAINING");
    table.play(R, &Action::PassTurn);
    table.refuses(R, &Action::PassTurn, "NO_ACTIONS_LEFT");
    table.refuses(R, end_war("blore"), "NO_ACTIONS_LEFT");
    table.play(R, &Action::EndTurn);
    assert_eq!(table.hand_of(R), 5);
    assert_eq!(table.state.active, B);
}

#[test]
fn myt_t33_the_discard_pile_is_shuffled_when_needed() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "darb"]);
    table.hand(R, &["start:red:build#1", "start:red:build#2"]);
    table.deck(R, &["start:red:army#1"]);
    table.discard(R, &["start:red:market#1", "start:red:ship#1"]);
    let order = [
        "prov:mome",
        "start:red:ship#1",
        "prov:darb",
        "start:red:market#1",
    ];
    table.draws(&[("reshuffle:red", R, &order)]);
    pass_twice_and_end(&mut table);
    let player = &table.state.players[R];
    assert_eq!(player.deck.as_slice(), [order[3], order[2]].map(card));
    assert!(player.discard.is_empty());
    let hand = [
        "start:red:build#1",
        "start:red:build#2",
        "start:red:army#1",
        order[0],
        order[1],
    ];
    assert_eq!(player.hand, hand.map(card).into_iter().collect());
    table.script_is_used();
}

#[test]
fn myt_t34_queen_and_warehouse() {
    let deck = [
        "blore", "darb", "shog", "mome", "lea", "quean", "eoan", "grimp", "nivus",
    ];
    let drawn = |reserved: &[&str], stacking| {
        let mut table = Table::of(4);
        table.control(R, &deck);
        table.reserve(R, reserved);
        table.state.switches.hand_limit_stacking = stacking;
        pass_twice_and_end(&mut table);
        table.hand_of(R)
    };
    use HandStacking::{Additive, Max};
    assert_eq!(drawn(&[], Additive), 5);
    assert_eq!(drawn(&["imp:queen"], Additive), 6);
    assert_eq!(drawn(&["imp:warehouse"], Additive), 7);
    assert_eq!(drawn(&["imp:queen", "imp:warehouse"], Additive), 8);
    assert_eq!(drawn(&["imp:queen", "imp:warehouse"], Max), 7);
}

#[test]
fn myt_t35_nobody_discards_down() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.hand(R, &STARTING);
    table.hand(R, &["imp:hero"]);
    pass_twice_and_end(&mut table);
    assert_eq!(table.hand_of(R), 6);
    assert_eq!(table.discard_of(R).len(), 1);
}

#[test]
fn myt_t36_counsellor() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "darb", "shog"]);
    table.hand(R, &["imp:counsellor", "imp:hero", "imp:alchemist"]);
    table.hand(R, &["start:red:army#1", "start:red:ship#1"]);
    table.deck(R, &["start:red:market#1"]);
    table.reserve(R, &["imp:limes"]);
    let exchange = |hand: &[&str], reserve: &[&str]| Action::UseCounsellor {
        card: Some(card("imp:counsellor")),
        hand: cards(hand),
        reserve: cards(reserve),
    };
    table.refuses(R, exchange(&[], &["imp:limes"]), "EMPTY_LIST");
    table.refuses(R, exchange(&["imp:counsellor"], &[]), "DUPLICATE_CARD");
    table.refuses(R, exchange(&["imp:limes"], &[]), "CARD_NOT_AVAILABLE");
    let order = ["prov:mome", "prov:shog", "prov:darb"];
    table.draws(&[("reshuffle:red", R, &order)]);
    table.play(
        R,
        exchange(
            &["imp:hero", "imp:alchemist", "start:red:army#1"],
            &["imp:limes"],
        ),
    );
    let player = &table.state.players[R];
    assert_eq!(
        (player.hand.len(), player.deck.len(), player.discard.len()),
        (5, 0, 5)
    );
    assert!(player.reserve.is_empty() && player.discard.contains(card("imp:counsellor")));
    table.script_is_used();
}

#[test]
fn myt_t37_providence_does_not_draw_itself() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.hand(R, &["imp:providence"]);
    table.play(
        R,
        &Action::UseProvidence {
            card: Some(card("imp:providence")),
        },
    );
    assert_eq!(
        table.state.players[R].hand,
        [card("prov:mome")].into_iter().collect()
    );
    assert_eq!(
        table.discard_of(R),
        [card("imp:providence")].into_iter().collect()
    );
}

#[test]
fn myt_t38_mystic_takes_neither_itself_nor_its_gold() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "darb"]);
    table.hand(R, &["imp:mystic", "prov:mome"]);
    let take = |id| Action::UseMystic {
        card: Some(card("imp:mystic")),
        gold: vec![play("prov:mome", Gold)],
        take: Some(card(id)),
    };
    table.refuses(R, take("imp:mystic"), "CARD_NOT_AVAILABLE");
    table.refuses(R, take("prov:mome"), "CARD_NOT_AVAILABLE");
    table.play(R, take("prov:darb"));
    let player = &table.state.players[R];
    assert_eq!(player.hand, [card("prov:darb")].into_iter().collect());
    assert_eq!(player.discard.len(), 2);
}

#[test]
fn myt_t39_philosopher() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.hand(R, &["imp:philosopher", "prov:mome"]);
    table.play(
        R,
        &Action::UsePhilosopher {
            card: Some(card("imp:philosopher")),
        },
    );
    assert_eq!(
        table.state.decision(),
        Some(Decision::ChoosePhilosopherCard)
    );
    let shown = table.view(Viewer::Seat(R)).inspected.unwrap();
    assert_eq!(shown.len(), 3);
    let other = table.view(Viewer::Seat(B));
    assert_eq!(
        (
            other.inspected,
            other.inspected_count,
            other.improvement_deck_count
        ),
        (None, 3, 10)
    );
    let take = |improvement| Action::ChoosePhilosopherCard {
        card: Some(Card::improvement(improvement)),
    };
    table.refuses(R, &Action::PassTurn, "WRONG_DECISION");
    table.refuses(R, take(Improvement::Philosopher), "CARD_NOT_AVAILABLE");
    table.refuses(B, take(shown[1]), "NOT_YOUR_TURN");
    table.play(R, take(shown[1]));
    assert_eq!(table.hand_of(R), 2);
    assert_eq!(table.state.improvement_deck.len(), 12);
    let top: Vec<Improvement> = table
        .state
        .improvement_deck
        .iter()
        .rev()
        .take(2)
        .copied()
        .collect();
    assert_eq!(top, [shown[0], shown[2]]);
    assert!(table.view(Viewer::Spectator).out_of_game.philosopher);
    table.refuses(
        R,
        draft("imp:philosopher", &[play("prov:mome", Gold)]),
        "CARD_NOT_DISPLAYED",
    );
}

#[test]
fn myt_t65_warehouse_stores_one_card_a_turn() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.hand(R, &["imp:hero", "imp:limes", "imp:queen"]);
    let store = |id| Action::WarehouseStore {
        card: Some(card(id)),
    };
    table.refuses(R, store("imp:hero"), "ABILITY_NOT_IN_RESERVE");
    table.reserve(R, &["imp:warehouse"]);
    table.refuses(R, store("imp:warehouse"), "CARD_NOT_AVAILABLE");
    table.play(R, store("imp:hero"));
    table.refuses(R, store("imp:limes"), "ALREADY_DONE_THIS_TURN");
    table.turn(R);
    table.refuses(R, store("imp:limes"), "RESERVE_FULL");
    table.city(R, "mome");
    table.play(R, store("imp:limes"));
}

#[test]
fn myt_6_2_1_reserve_cards_are_played_like_cards_of_the_hand() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.reserve(R, &["imp:providence", "prov:mome"]);
    table.display(Improvement::Hero);
    table.play(R, draft("imp:hero", &[play("prov:mome", Gold)]));
    table.play(
        R,
        &Action::UseProvidence {
            card: Some(card("imp:providence")),
        },
    );
    assert!(table.state.players[R].reserve.is_empty());
    let both = Action::DiscardCards {
        cards: cards(&["prov:mome", "imp:hero"]),
    };
    table.play(R, &both);
    assert_eq!(table.hand_of(R), 0);
}
