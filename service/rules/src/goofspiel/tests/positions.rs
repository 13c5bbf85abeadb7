//! Tables that somebody describes (GOO-15).

use gamekeeper_rules::conformance::{
    DescribedTable, TestDescription as _, assert_changed_tables_are_judged, one_of, pick,
};
use gamekeeper_rules::goofspiel::data::Card::{self, Ace, Five, Four, King, Six, Three, Two};
use gamekeeper_rules::goofspiel::data::Cards;
use gamekeeper_rules::goofspiel::options::{Options, Ties};
use gamekeeper_rules::goofspiel::{Goofspiel, PlayerView, View};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, PendingList, Seat, Viewer};

use super::table::*;

gamekeeper_rules::test_type! { Described: DescribedTable<Goofspiel> }

fn cards<const N: usize>(cards: [Card; N]) -> Cards {
    cards.into_iter().collect()
}

/// The third of five turns of a game for two: the Ace is taken, the 2 and the 4 are offered.
fn third_turn(ties: Ties) -> Described {
    let (seats, all) = (2, 5);
    let options = Options {
        seats,
        cards: all,
        ties,
    };
    let hands = [cards([Three, Four, Five]), cards([Ace, Two, Five])];
    let won = [cards([Ace]), Cards::empty()];
    let player = |seat: Seat| PlayerView {
        seat,
        hand: hands[seat.index()],
        has_bid: false,
        bid: None,
        won: won[seat.index()],
        points: 0,
    };
    let view = View {
        options,
        turn: 0,
        offered: cards([Two, Four]),
        to_come: Cards::empty(),
        order: Vec::new(),
        turned_up: Vec::new(),
        players: Seat::all(2).map(player).collect(),
        pending: PendingList::default(),
    };
    Described(DescribedTable::of(view, options))
}

/// GOO-15.1, GOO-15.5: what is left out follows, but for the order, which is dealt.
#[test]
fn a_table_is_made_of_hands_and_prizes() {
    let described = third_turn(Ties::CarryOver);
    assert_eq!(described.drawn().1, ["prizes"]);
    let mut table: Table = described.made().into();
    assert_eq!(table.state.turn, 3);
    assert_eq!(table.state.to_come(), cards([Three, Five]));
    assert_eq!(Goofspiel::pending(&table.state).len(), 2);
    assert_eq!(table.legal_of(BEN).len(), 3);
    table.bids(&[Three, Five]);
    assert_eq!(table.state.players[BEN].won, cards([Two, Four]));
}

/// GOO-15.5, GOO-15.6: given orders are kept, and nothing is drawn.
#[test]
fn given_orders_are_kept() {
    let described = third_turn(Ties::CarryOver).with(|view| {
        view.order = vec![Five, Three];
        view.turned_up = vec![Ace, Four, Two];
    });
    let (state, draws) = described.drawn();
    assert_eq!(draws, [""; 0]);
    assert_eq!(state.order[..], [Ace, Four, Two, Five, Three]);
}

/// GOO-15.4: a bid may lie face down, and the others see it no more than in any game.
#[test]
fn a_bid_may_lie_face_down() {
    let described = third_turn(Ties::CarryOver).with(|view| view.players[0].bid = Some(Four));
    let table: Table = described.made().into();
    assert_eq!(table.asked(), Some((BEN, "bid")));
    let shown = table.view(Viewer::Seat(BEN));
    assert!(shown.players[0].has_bid && shown.players[0].bid.is_none());
    assert!(
        table
            .board(Viewer::Seat(BEN), &["Ann", "Ben"])
            .contains("bid ?")
    );
}

/// GOO-15.4: with `discard`, prizes of tied turns are nowhere, so those to come are given.
#[test]
fn discarded_prizes_are_nowhere() {
    let described = third_turn(Ties::Discard).with(|view| view.offered = cards([Two]));
    described.breaks("GOO-15.4", "to_come");
    let described = described.with(|view| view.to_come = cards([Three, Five]));
    let state = described.judged().unwrap();
    assert_eq!(state.order[..3], [Ace, Four, Two], "the 4 was discarded");
    described.broken_by(
        |view| view.offered = cards([Two, Four]),
        "GOO-15.4",
        "offered",
    );
}

/// GOO-15.2 to GOO-15.6.
#[test]
fn broken_tables_are_refused() {
    let broken = |change: fn(&mut View), rule: &str, path: &str| {
        third_turn(Ties::CarryOver).broken_by(change, rule, path);
    };
    broken(|view| view.players.truncate(1), "GOO-15.2", "players");
    broken(
        |view| view.players.swap(0, 1),
        "GOO-15.2",
        "players[0].seat",
    );
    let hands = |view: &mut View| view.players[1].hand = cards([Ace, Two]);
    broken(hands, "GOO-15.3", "players[1].hand");
    let strange = |view: &mut View| view.players[0].hand = cards([Three, Four, Six]);
    broken(strange, "GOO-15.3", "players[0].hand");
    let last = |view: &mut View| {
        for player in &mut view.players {
            player.hand = Five.into();
        }
    };
    broken(last, "GOO-15.3", "players[0].hand");
    broken(
        |view| view.players[1].bid = Some(Three),
        "GOO-15.3",
        "players[1].bid",
    );
    let bids = |view: &mut View| {
        for player in &mut view.players {
            player.bid = Some(Five);
        }
    };
    broken(bids, "GOO-15.4", "players");
    broken(|view| view.offered.clear(), "GOO-15.4", "offered");
    broken(|view| view.offered = cards([King]), "GOO-15.4", "offered");
    broken(
        |view| view.players[1].won = cards([Two]),
        "GOO-15.4",
        "players[1].won",
    );
    broken(
        |view| view.players[1].won = cards([Ace]),
        "GOO-15.4",
        "players[1].won",
    );
    broken(
        |view| view.players[1].won = cards([Three]),
        "GOO-15.4",
        "to_come",
    );
    broken(|view| view.order = vec![Five, Five], "GOO-15.4", "order");
    broken(
        |view| view.order = vec![Five, Three, Five],
        "GOO-15.5",
        "order",
    );
    broken(
        |view| view.turned_up = vec![Two, Four, Ace],
        "GOO-15.6",
        "turned_up",
    );
}

/// Changes one part of a view.
fn change(view: &mut View, luck: &mut Chance) {
    let (card, other) = (pick(luck, &Card::ALL[..10]), pick(luck, &Card::ALL[..10]));
    let what = luck.uniform(12);
    let Some(player) = one_of(luck, &mut view.players) else {
        return;
    };
    match what {
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

/// A game goes on from every table that is accepted.
#[test]
fn changed_tables_are_refused_or_played() {
    assert_changed_tables_are_judged::<Goofspiel>(400, |view, luck| {
        for _ in 0..=luck.uniform(2) {
            change(view, luck);
        }
    });
}
