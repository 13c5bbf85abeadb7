//! Tables that somebody describes (GOO-15).

#![expect(clippy::too_many_lines, reason = "a row for each broken table")]

use gamekeeper_rules::conformance::changed_tables_are_judged;
use gamekeeper_rules::goofspiel::data::Card::{
    self, Ace, Eight, Five, Four, King, Nine, Seven, Six, Three, Two,
};
use gamekeeper_rules::goofspiel::data::Cards;
use gamekeeper_rules::goofspiel::options::{Options, Ties};
use gamekeeper_rules::goofspiel::{Goofspiel, PlayerView, State, View};
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place, legal_actions};
use gamekeeper_rules::table::{
    Chance, Detail, PendingList, PositionError, Seat, Seed, Viewer, text::plain,
};

use super::table::{ANN, BEN};

const SMALL: Options = Options {
    seats: 2,
    cards: 5,
    ties: Ties::CarryOver,
};

fn cards<const N: usize>(cards: [Card; N]) -> Cards {
    cards.into_iter().collect()
}

/// Describes a table for two by the cards in hand, the prizes taken and those offered.
fn described(hands: [Cards; 2], won: [Cards; 2], offered: Cards) -> View {
    let player = |seat: Seat| PlayerView {
        seat,
        hand: hands[seat.index()],
        has_bid: false,
        bid: None,
        won: won[seat.index()],
        points: 0,
    };
    View {
        options: SMALL,
        turn: 0,
        offered,
        to_come: Cards::empty(),
        order: Vec::new(),
        turned_up: Vec::new(),
        players: Seat::all(2).map(player).collect(),
        pending: PendingList::default(),
    }
}

/// The third of five turns: the Ace is taken, the 2 and the 4 are offered.
fn third_turn() -> View {
    let hands = [cards([Three, Four, Five]), cards([Ace, Two, Five])];
    described(hands, [cards([Ace]), Cards::empty()], cards([Two, Four]))
}

fn made_with(options: &Options, view: &View) -> Result<(State, usize), PositionError> {
    let mut luck = Chance::from_seed(&Seed::from_number(3));
    let state = Goofspiel::position(options, view, &mut luck)?;
    Ok((state, luck.take_record().len()))
}

fn made(view: &View) -> (State, usize) {
    made_with(&SMALL, view).unwrap()
}

/// Asserts that a table is refused by this rule, at this field.
#[track_caller]
fn refuses(view: &View, rule: &str, path: &str) {
    let error = made_with(&SMALL, view).unwrap_err();
    assert_eq!((error.rule, &*error.path), (rule, path), "{error}");
}

/// Returns the third turn with a change.
fn changed(change: impl FnOnce(&mut View)) -> View {
    let mut view = third_turn();
    change(&mut view);
    view
}

/// GOO-15.1, GOO-15.5: what is left out follows, but for the order, which is dealt.
#[test]
fn a_table_is_made_of_hands_and_prizes() {
    let (mut state, draws) = made(&third_turn());
    assert_eq!((state.turn, draws), (3, 1));
    assert_eq!(state.to_come(), cards([Three, Five]));
    assert_eq!(Goofspiel::pending(&state).len(), 2);
    let legal = legal_actions::<Goofspiel>(&state, BEN, Detail::Moves);
    assert_eq!(legal.len(), 3);
    let mut luck = Chance::scripted([]);
    for (seat, card) in [(ANN, Three), (BEN, Five)] {
        let bid = gamekeeper_rules::goofspiel::Action::Bid { card: Some(card) };
        let played = apply_in_place::<Goofspiel>(&mut state, &mut luck, seat, &bid);
        assert!(played.is_ok());
    }
    assert_eq!(state.players[BEN].won, cards([Two, Four]));
}

/// GOO-15.5, GOO-15.6: given orders are kept, and nothing is drawn.
#[test]
fn given_orders_are_kept() {
    let (state, draws) = made(&changed(|view| {
        view.order = vec![Five, Three];
        view.turned_up = vec![Ace, Four, Two];
    }));
    assert_eq!(draws, 0);
    assert_eq!(state.order[..], [Ace, Four, Two, Five, Three]);
}

/// GOO-15.4: a bid may lie face down, and the others see it no more than in any game.
#[test]
fn a_bid_may_lie_face_down() {
    let (state, _) = made(&changed(|view| view.players[0].bid = Some(Four)));
    let owing = Goofspiel::pending(&state);
    assert_eq!((owing.len(), owing[0].seat), (1, BEN));
    let shown = Goofspiel::view(&state, Viewer::Seat(BEN));
    assert!(shown.players[0].has_bid && shown.players[0].bid.is_none());
    let names = ["Ann", "Ben"].map(String::from);
    let names = gamekeeper_rules::table::Names::new(&names);
    assert!(plain(&Goofspiel::board(&shown, names, 100)).contains("Ann"));
}

/// GOO-15.4: with `discard`, prizes of tied turns are nowhere, so those to come are given.
#[test]
fn discarded_prizes_are_nowhere() {
    let options = Options {
        ties: Ties::Discard,
        ..SMALL
    };
    let mut view = changed(|view| view.offered = cards([Two]));
    let refused = made_with(&options, &view).unwrap_err();
    assert_eq!((refused.rule, &*refused.path), ("GOO-15.4", "to_come"));
    view.to_come = cards([Three, Five]);
    let (state, _) = made_with(&options, &view).unwrap();
    assert_eq!(state.order[..3], [Ace, Four, Two], "the 4 was discarded");
    view.offered = cards([Two, Four]);
    let refused = made_with(&options, &view).unwrap_err();
    assert_eq!((refused.rule, &*refused.path), ("GOO-15.4", "offered"));
}

/// GOO-15.2 to GOO-15.6.
#[test]
fn broken_tables_are_refused() {
    type Change = fn(&mut View);
    let broken: [(Change, &str, &str); 15] = [
        (|view| view.players.truncate(1), "GOO-15.2", "players"),
        (
            |view| view.players.swap(0, 1),
            "GOO-15.2",
            "players[0].seat",
        ),
        (
            |view| view.players[1].hand = cards([Ace, Two]),
            "GOO-15.3",
            "players[1].hand",
        ),
        (
            |view| view.players[0].hand = cards([Three, Four, Six]),
            "GOO-15.3",
            "players[0].hand",
        ),
        (
            |view| {
                for player in &mut view.players {
                    player.hand = cards([Five]);
                }
            },
            "GOO-15.3",
            "players[0].hand",
        ),
        (
            |view| view.players[1].bid = Some(Three),
            "GOO-15.3",
            "players[1].bid",
        ),
        (
            |view| {
                for player in &mut view.players {
                    player.bid = Some(Five);
                }
            },
            "GOO-15.4",
            "players",
        ),
        (|view| view.offered.clear(), "GOO-15.4", "offered"),
        (|view| view.offered = cards([King]), "GOO-15.4", "offered"),
        (
            |view| view.players[1].won = cards([Two]),
            "GOO-15.4",
            "players[1].won",
        ),
        (
            |view| view.players[1].won = cards([Ace]),
            "GOO-15.4",
            "players[1].won",
        ),
        (
            |view| view.players[1].won = cards([Three]),
            "GOO-15.4",
            "to_come",
        ),
        (|view| view.order = vec![Five, Five], "GOO-15.4", "order"),
        (
            |view| view.order = vec![Five, Three, Five],
            "GOO-15.5",
            "order",
        ),
        (
            |view| view.turned_up = vec![Two, Four, Ace],
            "GOO-15.6",
            "turned_up",
        ),
    ];
    for (change, rule, path) in broken {
        refuses(&changed(change), rule, path);
    }
}

/// Changes one part of a view at random.
fn harm(view: &mut View, luck: &mut Chance) {
    let all = [Ace, Two, Three, Four, Five, Six, Seven, Eight, Nine, King];
    let mut pick = || all[usize::try_from(luck.uniform(10)).unwrap()];
    let (card, other) = (pick(), pick());
    let seat = usize::try_from(luck.uniform(2)).unwrap() % view.players.len();
    let player = &mut view.players[seat];
    match luck.uniform(12) {
        0 => view.offered |= card,
        1 => view.offered -= card,
        2 => view.order.clear(),
        3 => view.order.push(card),
        4 => view.order.reverse(),
        5 => view.turned_up.clear(),
        6 => player.hand = (player.hand - card) | other,
        7 => drop(player.won.insert(card)),
        8 => drop(player.won.remove(card)),
        9 => player.bid = player.hand.iter().next().filter(|_| player.bid.is_none()),
        10 => view.players.truncate(1),
        _ => view.to_come = Cards::only(card) | other,
    }
}

/// At least every tenth changed table is accepted, and none leads to a table that breaks a rule.
#[test]
fn changed_tables_are_refused_or_played() {
    let judged = changed_tables_are_judged::<Goofspiel>(400, |view, luck| {
        for _ in 0..=luck.uniform(2) {
            harm(view, luck);
        }
        true
    });
    let judged = judged.unwrap_or_else(|fault| panic!("{fault:?}"));
    assert!(judged.accepted * 10 >= judged.changed, "{judged:?}");
}
