//! The table and its actions in words.

use super::table::*;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, Interaction};
use gamekeeper_rules::dominion::data::{Card, Pile};
use gamekeeper_rules::dominion::stage::{
    Counters, Decision, Destination, EffectFrame, Gain, Phase,
};
use gamekeeper_rules::dominion::view::{Choice, FinalDeck, PlayerView, Question, View};
use gamekeeper_rules::dominion::{Action, Dominion, Kingdom, Options};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Names, Pending, PendingList, Seat, Viewer, text};

const SUPPLY: [(Card, u8); 11] = [
    (Card::Copper, 46),
    (Card::Silver, 38),
    (Card::Gold, 30),
    (Card::Estate, 8),
    (Card::Duchy, 8),
    (Card::Province, 7),
    (Card::Curse, 0),
    (Card::CouncilRoom, 10),
    (Card::Militia, 9),
    (Card::Moat, 10),
    (Card::Village, 9),
];

fn piles(piles: &[(Card, u8)]) -> Vec<Pile> {
    let piles = piles.iter().copied();
    piles.map(|(card, count)| Pile { card, count }).collect()
}

fn players() -> Vec<PlayerView> {
    let ann = PlayerView {
        seat: P1,
        hand_count: 4,
        hand: None,
        draw_pile_empty: false,
        draw_pile_count: None,
        draw_pile: None,
        discard_empty: false,
        discard_top: Some(Card::Copper),
        discard_pile: None,
        in_play: cards("village, militia"),
        turns_taken: 5,
    };
    let bob = PlayerView {
        seat: P2,
        hand_count: 5,
        hand: Some(many("3 copper, estate, province")),
        draw_pile_empty: true,
        draw_pile_count: Some(0),
        discard_empty: true,
        discard_top: None,
        in_play: Vec::new(),
        turns_taken: 4,
        ..ann.clone()
    };
    vec![ann, bob]
}

/// The view of Bob, who has to discard: Ann has played a Village and a Militia.
fn view() -> View {
    let mut kingdom = FirstGame.cards();
    kingdom[0] = Card::CouncilRoom;
    View {
        options: Options {
            seats: 2,
            kingdom: Kingdom::Cards(kingdom),
            first_player: None,
            strict_secrecy: false,
        },
        kingdom: kingdom.to_vec(),
        phase: Phase::Action,
        active_player: P1,
        turn_number: 9,
        counters: Counters {
            actions: 1,
            buys: 1,
            coins: 2,
        },
        bought_this_turn: false,
        supply: piles(&SUPPLY),
        trash: many("2 copper, estate"),
        players: players(),
        stack: vec![EffectFrame::Militia {
            queue: [P2].into_iter().collect(),
            immune: [].into_iter().collect(),
        }],
        pending: Pending::all([(P2, Decision::MilitiaDiscard)], Decision::id),
        question: Some(Question {
            choice: Some(Choice {
                cards: many("3 copper, estate, province"),
                min: 2,
                max: 2,
            }),
        }),
        final_decks: Vec::new(),
        bookkeeping: None,
    }
}

fn drawn(view: &View, columns: usize) -> String {
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    text::plain(&Dominion::board(view, Names::new(&names), columns))
}

#[test]
fn a_seat_sees_its_own_hand() {
    insta::assert_snapshot!(drawn(&view(), 80), @r"
    Turn 9: Ann, Action phase   1 action, 1 buy, 2 coins

    Supply  (price, card, left)
      0 Copper        46  3 Silver        38  6 Gold          30  2 Estate         8
      5 Duchy          8  8 Province       7  0 Curse          0

      2 Moat          10  3 Village        9  4 Militia        9  5 Council Room  10

    Trash  Copper x2, Estate

    > 1 Ann   hand 4   draw pile not empty   discard Copper   turns 5
        in play   Village, Militia
      2 Bob   hand 5   draw pile 0   discard empty   turns 4
        hand      Copper x3, Estate, Province

    In progress
      Militia: next Bob
      choose 2 of Copper x3, Estate, Province
    ");
}

#[test]
fn unfinished_effects_are_told_from_the_first_to_the_last() {
    let gain = |treasure_only, destination| {
        EffectFrame::Gain(Gain {
            max_cost: 4,
            treasure_only,
            destination,
        })
    };
    let trashed = [Card::Copper, Card::Silver].into_iter().collect();
    let view = View {
        stack: vec![
            EffectFrame::ThroneSecond { card: Card::Thief },
            EffectFrame::ThiefGain { trashed },
            gain(false, Destination::DiscardPile),
            gain(true, Destination::Hand),
        ],
        ..view()
    };
    let text = drawn(&view, 80);
    let section = text.split("In progress").nth(1).unwrap().trim();
    let lines: Vec<&str> = section.lines().map(str::trim).take(4).collect();
    assert_eq!(
        lines,
        [
            "Throne Room: then Thief again",
            "Thief: may gain Copper, Silver",
            "gain a card for at most 4 coins",
            "gain a Treasure for at most 4 coins into the hand",
        ]
    );
}

#[test]
fn the_end_shows_what_everybody_owned() {
    let deck = FinalDeck {
        seat: P2,
        cards: piles(&[(Card::Copper, 7), (Card::Province, 1)]),
    };
    let view = View {
        phase: Phase::Over,
        stack: Vec::new(),
        pending: PendingList::new(),
        question: None,
        final_decks: vec![deck],
        ..view()
    };
    insta::assert_snapshot!(drawn(&view, 80), @r"
    The game is over after turn 9.

    Supply  (price, card, left)
      0 Copper        46  3 Silver        38  6 Gold          30  2 Estate         8
      5 Duchy          8  8 Province       7  0 Curse          0

      2 Moat          10  3 Village        9  4 Militia        9  5 Council Room  10

    Trash  Copper x2, Estate

      1 Ann   hand 4   draw pile not empty   discard Copper   turns 5
        in play   Village, Militia
      2 Bob   hand 5   draw pile 0   discard empty   turns 4
        hand      Copper x3, Estate, Province
        owned     Copper x7, Province
    ");
}

#[test]
fn in_a_terminal_of_120_columns_the_players_are_beside_the_supply() {
    insta::assert_snapshot!(drawn(&view(), 120), @r"
    Turn 9: Ann, Action phase   1 action, 1 buy, 2 coins

    Supply  (price, card, left)                                    > 1 Ann   hand 4   draw pile not empty   discard Copper
      0 Copper        46  3 Silver        38  6 Gold          30       turns 5
      2 Estate         8  5 Duchy          8  8 Province       7       in play   Village, Militia
      0 Curse          0                                             2 Bob   hand 5   draw pile 0   discard empty   turns 4
                                                                       hand      Copper x3, Estate, Province
      2 Moat          10  3 Village        9  4 Militia        9
      5 Council Room  10                                           In progress
                                                                     Militia: next Bob
    Trash  Copper x2, Estate                                         choose 2 of Copper x3, Estate, Province
    ");
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for columns in [60, 80, 120] {
        for line in drawn(&view(), columns).lines() {
            assert!(text::width(line) <= columns, "{columns}: {line}");
        }
    }
}

/// An action in the words of the seat itself.
fn said(table: &Table, seat: Seat, action: &Action) -> String {
    let view = Dominion::view(&table.state, Viewer::Seat(seat));
    Dominion::action_text(&view, action, Names::NONE)
}

#[test]
fn phases_in_words() {
    let table = table(FirstGame).hand(P1, "2 copper, moat");
    let say = |action| said(&table, P1, &action);
    assert_eq!(say(play("moat")), "play a Moat");
    assert_eq!(say(end_action_phase()), "end the Action phase");
    let treasures = say(play_treasures("2 copper, gold, copper"));
    assert_eq!(treasures, "play 2 Coppers, a Gold and a Copper");
    assert_eq!(say(play_all_treasures()), "play all Treasures");
    assert_eq!(say(buy("estate")), "buy an Estate for 2 coins");
    assert_eq!(say(end_turn()), "end the turn");
    let top = say(end_turn_with("copper"));
    assert_eq!(top, "end the turn with a Copper on top of the discard pile");
}

#[test]
fn answers_in_words() {
    let table = table(BigMoney);
    let say = |action| said(&table, P1, &action);
    assert_eq!(say(reveal("moat")), "show a Moat");
    assert_eq!(say(decline()), "show no Reaction");
    assert_eq!(say(cellar("")), "discard nothing");
    assert_eq!(
        say(militia("2 duchy, curse")),
        "discard 2 Duchies and a Curse"
    );
    assert_eq!(
        say(chapel("2 thief, 2 gardens")),
        "trash 2 Thieves and 2 Gardens"
    );
    assert_eq!(say(gain("silver")), "gain a Silver");
    assert_eq!(say(remodel("witch")), "trash a Witch");
    assert_eq!(say(mine("gold")), "trash a Gold");
    assert_eq!(say(Action::MineTrash { card: None }), "trash nothing");
    assert_eq!(say(bureaucrat("duchy")), "put a Duchy on the draw pile");
    assert_eq!(say(thief("gold")), "trash a Gold");
    assert_eq!(say(thief_gain("2 silver")), "gain 2 Silvers");
    assert_eq!(say(throne("smithy")), "play a Smithy twice");
    let turned = "turn the draw pile over onto the discard pile";
    assert_eq!(say(turn_over()), turned);
    assert_eq!(say(keep_draw_pile()), "keep the draw pile");
    let unknown = Action::CellarDiscard {
        cards: vec![None, None, Some(Card::Spy)],
    };
    assert_eq!(say(unknown), "discard 2 unknown cards and a Spy");
}

/// Cards that are public, or that only the player sees, are named.
#[test]
fn cards_in_question_in_words() {
    let mut library = table(Interaction).hand(P1, "library").draw_pile(P1, "moat");
    library.play(P1, play("library"));
    assert_eq!(said(&library, P1, &set_aside()), "set the Moat aside");
    assert_eq!(said(&library, P2, &keep()), "keep the card");
    let mut spy = table(Interaction).hand(P1, "spy").draw_pile(P2, "gold");
    spy.play(P1, play("spy"));
    assert_eq!(said(&spy, P1, &spy_discards()), "discard seat 2's Gold");
    assert_eq!(said(&spy, P1, &spy_puts_back()), "put seat 2's Gold back");
}
