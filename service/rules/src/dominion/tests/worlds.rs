//! Sampled worlds against probabilities calculated by hand. Cards of the same kind still count as
//! single cards: of two Coppers and an Estate, two of three are Coppers.

use super::table::*;
use gamekeeper_rules::conformance::{self, assert_same_worlds};
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::{FirstGame, SizeDistortion};
use gamekeeper_rules::dominion::{Dominion, EffectFrame, State};
use gamekeeper_rules::ruleset::legal_actions;
use gamekeeper_rules::table::{Detail, Seat};

/// The cards of the draw pile in order.
pub(super) fn pile(state: &State, seat: Seat) -> String {
    let ids: Vec<&str> = (state.players[seat].draw_pile.top_down())
        .map(Card::id)
        .collect();
    ids.join(" ")
}

/// The cards in canonical order.
pub(super) fn hand(state: &State, seat: Seat) -> String {
    let ids: Vec<&str> = (state.players[seat].hand.each()).map(Card::id).collect();
    ids.join(" ")
}

/// Asserts, over sampled worlds of P1, that the results of `look` have these odds and the view never changes.
#[track_caller]
pub(super) fn assert_worlds(table: &Table, odds: &[(&str, u64)], look: impl Fn(&State) -> String) {
    let odds = odds.iter();
    let odds = odds.map(|&(seen, weight)| (String::from(seen), weight));
    conformance::assert_worlds::<Dominion, _>(&table.state, P1, odds, look);
}

/// Two Coppers and an Estate: the Estate is equally likely on top, in the middle and at the bottom.
#[test]
fn the_own_draw_pile_has_every_order() {
    let table = table(FirstGame)
        .hand(P1, "moat")
        .draw_pile(P1, "2 copper, estate");
    let odds = [
        ("copper copper estate", 1),
        ("copper estate copper", 1),
        ("estate copper copper", 1),
    ];
    assert_worlds(&table, &odds, |world| pile(world, P1));
}

/// The view shows only the top of the discard pile, even to its owner (DOM-13.1), but the owner knows which cards
/// lie there, whether others have seen them or not: Gold and Silver alone can be in the draw pile.
#[test]
fn the_own_discard_pile_is_known() {
    let table = table(FirstGame)
        .hand(P1, "moat")
        .draw_pile(P1, "gold, silver")
        .unseen(P1, "estate")
        .discard_pile(P1, "copper, curse");
    let odds = [("gold silver", 1), ("silver gold", 1)];
    assert_worlds(&table, &odds, |world| {
        let (there, real) = (&world.players[P1], &table.state.players[P1]);
        assert_eq!(there.discard_pile, real.discard_pile);
        pile(world, P1)
    });
}

/// P2 has three Coppers and two Estates in hidden zones: two in hand, one unseen in the discard
/// pile, two in the draw pile. Hands: 3 of 10 pairs are two Coppers, 6 one of each, 1 two Estates. The
/// card below is then any of the other three: of C E E, C C E, C C C.
#[test]
fn an_opponents_cards_are_dealt_to_their_places() {
    let table = table(FirstGame)
        .hand(P1, "moat")
        .hand(P2, "2 copper")
        .draw_pile(P2, "copper, estate")
        .unseen(P2, "estate")
        .discard_pile(P2, "estate");
    let odds = [
        ("copper copper, below copper", 3),
        ("copper copper, below estate", 6),
        ("copper estate, below copper", 12),
        ("copper estate, below estate", 6),
        ("estate estate, below copper", 3),
    ];
    assert_worlds(&table, &odds, |world| {
        let discarded = world.players[P2].discard_pile.cards();
        // The top is an Estate, which is public.
        let below = if discarded.has(card("copper")) {
            "copper"
        } else {
            "estate"
        };
        format!("{}, below {below}", hand(world, P2))
    });
}

/// Cards do not change their owner: P2 keeps the Gold and P3 the Curse.
#[test]
fn everybody_keeps_their_cards() {
    let table = table_for(3, FirstGame)
        .hand(P1, "moat")
        .hand(P2, "gold")
        .draw_pile(P2, "copper")
        .draw_pile(P3, "curse")
        .hand(P3, "copper");
    let odds = [
        ("gold, curse", 1),
        ("gold, copper", 1),
        ("copper, curse", 1),
        ("copper, copper", 1),
    ];
    assert_worlds(&table, &odds, |world| {
        format!("{}, {}", hand(world, P2), hand(world, P3))
    });
}

/// P2 is asked for an Action card: of the 6 pairs of Smithy, two Coppers and Estate, the 3 with the
/// Smithy are left, two of them with a Copper (DOM-13.8).
#[test]
fn an_open_action_phase_shows_an_action_card() {
    let table = || {
        let mut table = table(FirstGame)
            .hand(P2, "smithy, estate")
            .draw_pile(P2, "2 copper");
        table.state.turn.active = P2;
        table
    };
    let odds = [("copper smithy", 2), ("estate smithy", 1)];
    assert_worlds(&table(), &odds, |world| hand(world, P2));
    // Under strict secrecy everybody is asked.
    let odds = [
        ("copper copper", 1),
        ("copper estate", 2),
        ("copper smithy", 2),
        ("estate smithy", 1),
    ];
    assert_worlds(&table().strict(), &odds, |world| hand(world, P2));
}

/// P3 has shown a Moat against Militia, and P2 is asked what to discard: that Moat is still in P3's hand, and the other
/// card is as likely the other Moat, Copper or Estate. P2 holds any four of five cards.
#[test]
fn a_moat_that_was_shown_is_in_hand() {
    let mut table = table_for(3, FirstGame)
        .hand(P1, "militia")
        .hand(P2, "4 copper")
        .draw_pile(P2, "gold")
        .hand(P3, "moat, estate")
        .draw_pile(P3, "moat, copper");
    table.play(P1, play("militia"));
    table.play(P3, reveal("moat")).asks(P2, "militia_discard");
    let odds = [("moat moat", 1), ("copper moat", 1), ("estate moat", 1)];
    assert_worlds(&table, &odds, |world| hand(world, P3));
    let odds = [
        ("copper copper copper copper", 1),
        ("copper copper copper gold", 4),
    ];
    assert_worlds(&table, &odds, |world| hand(world, P2));
}

/// P2 is asked whether to show a Moat. By default that reveals one; under strict secrecy
/// nothing (DOM-13.8).
#[test]
fn a_question_for_a_reaction_shows_a_moat() {
    let table = |strict: bool| {
        let table = table(FirstGame)
            .hand(P1, "militia")
            .hand(P2, "moat")
            .draw_pile(P2, "2 copper");
        let mut table = if strict { table.strict() } else { table };
        table.play(P1, play("militia")).asks(P2, "react_to_attack");
        table
    };
    assert_worlds(&table(false), &[("moat", 1)], |world| hand(world, P2));
    let odds = [("moat", 1), ("copper", 2)];
    assert_worlds(&table(true), &odds, |world| hand(world, P2));
}

/// Bureaucrat asks only players with a Victory card, even under strict secrecy (DOM-7.2, DOM-14.2):
/// of 6 pairs of Estate, Province, Copper and Silver, 5 have one.
#[test]
fn bureaucrat_asks_for_a_victory_card_in_hand() {
    for strict in [false, true] {
        let table = table(SizeDistortion)
            .hand(P1, "bureaucrat")
            .hand(P2, "estate, copper")
            .draw_pile(P2, "province, silver");
        let mut table = if strict { table.strict() } else { table };
        table.play(P1, play("bureaucrat"));
        table.asks(P2, "bureaucrat_topdeck");
        let odds = [
            ("estate province", 1),
            ("copper estate", 1),
            ("copper province", 1),
            ("silver estate", 1),
            ("silver province", 1),
        ];
        assert_worlds(&table, &odds, |world| hand(world, P2));
    }
}

/// Library asks P2 about a card that P1 does not see: it must be an Action card, since others are not
/// asked about. Hand, card in question and draw pile have Village, Smithy and Copper: 6 orders, and in 4
/// of them the card in question is an Action card. Under strict secrecy it may be any.
#[test]
fn the_card_that_library_asks_about_is_hidden() {
    let table = || {
        let mut table = table(FirstGame).hand(P2, "village").draw_pile(P2, "copper");
        table.state.turn.active = P2;
        table.state.stack.push(EffectFrame::Library {
            drawn: Some(card("smithy")),
            set_aside: Vec::new(),
        });
        table
    };
    let look = |world: &State| match world.stack.last() {
        Some(EffectFrame::Library {
            drawn: Some(drawn), ..
        }) => format!("{}, asked about {drawn:?}", hand(world, P2)),
        other => panic!("{other:?}"),
    };
    let odds = [
        ("smithy, asked about Village", 1),
        ("copper, asked about Village", 1),
        ("village, asked about Smithy", 1),
        ("copper, asked about Smithy", 1),
    ];
    assert_worlds(&table(), &odds, look);
    let any = [
        odds[0],
        odds[1],
        odds[2],
        odds[3],
        ("smithy, asked about Copper", 1),
        ("village, asked about Copper", 1),
    ];
    assert_worlds(&table().strict(), &any, look);
}

/// The player's own card in question is known; a Mine of P2 reveals a Treasure.
#[test]
fn own_questions_are_kept_and_mine_shows_a_treasure() {
    let mut own = table(FirstGame).hand(P1, "village").draw_pile(P1, "copper");
    own.state.stack.push(EffectFrame::Library {
        drawn: Some(card("smithy")),
        set_aside: Vec::new(),
    });
    assert_worlds(&own, &[("copper", 1)], |world| {
        assert_eq!(world.stack, own.state.stack);
        pile(world, P1)
    });
    let mut mine = table(FirstGame)
        .hand(P2, "copper, estate")
        .draw_pile(P2, "2 estate");
    mine.state.turn.active = P2;
    mine.state.stack.push(EffectFrame::MineTrash);
    assert_worlds(&mine, &[("copper estate", 1)], |world| hand(world, P2));
    let actions = legal_actions::<Dominion>(&mine.state, P1, Detail::Moves);
    assert_eq!(actions, []);
}

/// Two tables that look the same to P1 give the same worlds.
#[test]
fn twins_have_the_same_worlds() {
    let one = table(FirstGame)
        .hand(P2, "gold, estate")
        .draw_pile(P2, "copper, moat")
        .unseen(P2, "curse")
        .discard_pile(P2, "duchy");
    let two = table(FirstGame)
        .hand(P2, "curse, copper")
        .draw_pile(P2, "estate, gold")
        .unseen(P2, "moat")
        .discard_pile(P2, "duchy");
    assert_same_worlds::<Dominion>(&one.state, &two.state, P1);
}
