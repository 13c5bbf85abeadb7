//! DOM-15.3, DOM-15.4: luck deals what a description leaves out, and only that.

use super::described::{Described, TestDescription as _, kingdom_with};
use crate::table::*;
use gamekeeper_rules::conformance::{Audit, random_game};
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::{FirstGame, Interaction};
use gamekeeper_rules::dominion::{Dominion, EffectFrame, Kingdom, State, View};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, Draw, Seat, Seed, Viewer};
use std::collections::BTreeMap;

/// Leaves out everything that players cannot see, but for the cards that everybody knows and the sizes of the zones.
fn without_hidden_cards(view: &mut View) {
    let known = view.bookkeeping.iter().flat_map(|all| &all.players);
    for (player, known) in view.players.iter_mut().zip(known) {
        player.hand = None;
        player.discard_pile = None;
        if known.draw_pile == 0 {
            player.draw_pile = None;
        }
    }
    view.supply.clear();
}

/// Makes the table of a view, and returns the draws that it took.
fn dealt(described: &Described, mut chance: Chance) -> (State, Vec<Draw>) {
    let made = described.dealt(&mut chance);
    let state = made.unwrap_or_else(|error| panic!("{error}: {:?}", described.view));
    (state, chance.take_record())
}

/// In random games, hidden cards that are left out are dealt anew: each to a hidden zone of its owner, so that nobody at
/// the table sees a difference, and the recorded draws give the table again.
#[test]
fn hidden_cards_are_dealt_anew() {
    for (number, seats) in (0..6).zip([2, 3, 4].into_iter().cycle()) {
        let played = random_game::<Dominion>(&Dominion::table(seats, number), number, |now| {
            if !Dominion::pending(&now.state).is_empty() {
                is_dealt_anew(&now.state, number);
            }
        });
        assert_eq!(played, Ok(()));
    }
}

fn is_dealt_anew(state: &State, seed: u64) {
    let described = Described::of(state).with(without_hidden_cards);
    let (made, draws) = dealt(&described, Chance::from_seed(&Seed::from_number(seed)));
    Dominion::invariants(&made).unwrap();
    let view = |state| Dominion::view(state, Viewer::Spectator);
    assert_eq!(view(&made), view(state));
    for seat in state.players.seats() {
        assert_eq!(made.counted(seat), state.counted(seat));
    }
    assert!(draws.iter().all(|draw| draw.name == "R5"));
    let (again, _) = dealt(&described, Chance::scripted(draws));
    assert_eq!(again, made);
}

/// A hand of one card from two Coppers and a Moat: each card is as likely, unless the question shows which it is.
#[test]
fn every_deal_that_fits_is_as_likely() {
    let hands = |described: &Described| {
        let mut found = BTreeMap::new();
        for seed in 0..600 {
            let (state, _) = dealt(described, Chance::from_seed(&Seed::from_number(seed)));
            *found.entry(state.players[P2].hand.first()).or_insert(0) += 1;
        }
        found
    };
    let described = Described::new(2, FirstGame.cards())
        .hand(P1, "moat")
        .knows(P1, "", 0)
        .with(|view| {
            let player = &mut view.players[1];
            (player.hand, player.draw_pile, player.hand_count) = (None, None, 1);
            let known = view.bookkeeping.as_mut().unwrap();
            known.players[1].owned = many("2 copper, moat");
        });
    let found = hands(&described);
    let moats = found[&Some(Card::Moat)];
    assert!((150..250).contains(&moats), "{found:?}");
    let asked = (described.in_play("militia").hand(P1, ""))
        .counters(0, 1, 0)
        .stack(vec![EffectFrame::Reactions {
            card: Card::Militia,
            queue: [P2].into_iter().collect(),
            immune: [].into_iter().collect(),
        }]);
    assert_eq!(hands(&asked), BTreeMap::from([(Some(Card::Moat), 600)]));
}

/// Library asks about an Action card: one is dealt to the top of the draw pile.
#[test]
fn the_card_in_question_is_dealt() {
    let described = Described::new(2, Interaction.cards())
        .in_play("library")
        .counters(0, 1, 0)
        .knows(P1, "", 0)
        .with(|view| {
            let known = view.bookkeeping.as_mut().unwrap();
            known.players[0].owned = many("library, 9 copper, village");
            let player = &mut view.players[0];
            (player.draw_pile, player.hand, player.hand_count) = (None, None, 4);
        })
        .stack(vec![EffectFrame::Library {
            drawn: None,
            set_aside: Vec::new(),
        }]);
    let mut table = described.table();
    assert_eq!(table.state.library_asks(P1), Some(Card::Village));
    table.holds(P1, "4 copper").draws_from(P1, "5 copper");
}

/// A random kingdom that is left out is drawn as in a set-up; so is nothing else of a plain table.
#[test]
fn a_random_kingdom_is_drawn() {
    let mut described = Described::new(2, FirstGame.cards())
        .hand(P1, "5 copper")
        .buy_phase();
    described.options.kingdom = Kingdom::Random;
    let seed = || Chance::from_seed(&Seed::from_number(5));
    let (state, draws) = dealt(&described, seed());
    assert_eq!((state.kingdom(), draws), (FirstGame.cards(), Vec::new()));
    let described = described.with(|view| view.kingdom.clear());
    let (_, draws) = dealt(&described, seed());
    assert_eq!(
        draws.iter().map(|draw| &*draw.name).collect::<Vec<_>>(),
        ["R2"]
    );
}

/// Without a word about known cards, everybody knows the tops of discard piles and a Moat that spares its owner.
#[test]
fn the_least_is_known() {
    let table = Described::new(2, kingdom_with(Interaction, Card::Witch))
        .in_play("spy")
        .hand(P2, "moat, copper")
        .discard_pile(P2, "estate, gold")
        .stack(vec![EffectFrame::Spy {
            queue: [P1].into_iter().collect(),
            immune: [P2].into_iter().collect(),
            revealed: Some(Card::Copper),
        }])
        .counters(1, 1, 0)
        .table();
    let player = &table.state.players[P2];
    assert_eq!(*player.shown(), many("moat"));
    assert_eq!(player.discard_pile.seen(), many("gold"));
}

/// Numbers of cards that do not fit into the zones are refused, with the numbers that fit.
#[test]
fn gaps_must_be_filled() {
    let owned = |text: &'static str, seat: Seat| {
        Described::new(2, FirstGame.cards())
            .hand(P1, "moat")
            .knows(P1, "", 0)
            .with(move |view| {
                let known = view.bookkeeping.as_mut().unwrap();
                known.players[seat.index()].owned = many(text);
                view.players[seat.index()].hand = None;
            })
    };
    let (count, path) = ("DOM-15.4", "players[1].hand_count");
    let with_hand =
        |count| owned("3 copper, estate", P2).with(move |view| view.players[1].hand_count = count);
    with_hand(5).breaks(count, path);
    with_hand(3).breaks(count, path);
    assert_eq!(with_hand(4).table().hand_count(P2), 4);
    // A known card, or one in play, is among the owned ones.
    with_hand(4)
        .knows(P2, "moat", 0)
        .with(|view| {
            view.bookkeeping.as_mut().unwrap().players[1].owned = many("4 copper");
        })
        .breaks("DOM-11.1", "bookkeeping.players[1].owned");
    // The order of a pile of which a card is known cannot be dealt.
    let piled = with_hand(1).with(|view| {
        view.players[1].draw_pile = None;
        view.bookkeeping.as_mut().unwrap().players[1].draw_pile = 1;
    });
    piled.breaks("DOM-11.15", "bookkeeping.players[1].draw_pile");
}
