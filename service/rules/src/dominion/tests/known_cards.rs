//! DOM-13.11: a card that was seen and cannot have moved is in every world; the others have the odds of luck.

use super::table::*;
use super::worlds::{assert_worlds, hand, pile};
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::{
    BigMoney, FirstGame, Interaction, SizeDistortion,
};
use gamekeeper_rules::dominion::{EffectFrame, Phase, State};
use gamekeeper_rules::table::Seat;

/// The discard pile in canonical order.
fn discarded(world: &State, seat: Seat) -> String {
    let cards = world.players[seat].discard_pile.cards().each();
    let ids: Vec<&str> = cards.map(Card::id).collect();
    ids.join(" ")
}

/// The Silver stays on top of the three cards below it, and everybody knows it in the hand that draws it: of Copper,
/// Copper and Estate, the Estate is the other card of the hand in one world of three.
#[test]
fn a_card_put_on_the_draw_pile_is_known_until_it_leaves_the_hand() {
    let mut table = table(SizeDistortion)
        .hand(P2, "bureaucrat, 2 moat")
        .draw_pile(P2, "estate, 2 copper");
    table.state.turn.active = P2;
    table.play(P2, play("bureaucrat"));
    let odds = [
        ("silver estate copper copper", 1),
        ("silver copper estate copper", 1),
        ("silver copper copper estate", 1),
    ];
    // P1 knows neither hand nor draw pile, so the two Moats may be in the pile: they are out of the way here.
    table.state.players[P2].show_hand();
    assert_worlds(&table, &odds, |world| pile(world, P2));
    table.state.turn.phase = Phase::Action;
    table.state.turn.counters.actions = 1;
    table.play(P2, play("moat"));
    let odds = [("copper silver moat", 2), ("silver estate moat", 1)];
    assert_worlds(&table, &odds, |world| hand(world, P2));
}

/// P1's own Spy card goes back on top, and P2's too.
#[test]
fn what_spy_puts_back_stays_on_top() {
    let mut table = table(Interaction)
        .hand(P1, "spy")
        .draw_pile(P1, "moat, gold, copper, estate")
        .draw_pile(P2, "village, copper, curse");
    table.play(P1, play("spy"));
    table.play(P1, spy_puts_back()).play(P1, spy_puts_back());
    let odds = [("gold copper estate", 1), ("gold estate copper", 1)];
    assert_worlds(&table, &odds, |world| pile(world, P1));
    let odds = [("village copper curse", 1), ("village curse copper", 1)];
    assert_worlds(&table, &odds, |world| pile(world, P2));
}

/// P2 shows two Coppers and a Curse to Bureaucrat: they stay in hand in every world.
#[test]
fn a_hand_that_was_shown_is_known() {
    let mut table = table(BigMoney)
        .hand(P1, "bureaucrat")
        .hand(P2, "2 copper, curse")
        .draw_pile(P2, "gold, estate");
    table.play(P1, play("bureaucrat"));
    assert_worlds(&table, &[("copper copper curse", 1)], |world| {
        hand(world, P2)
    });
}

/// Of four Coppers and a Curse that were shown, Militia discards two, a Copper on top: the other one is a Copper or
/// the Curse, so two Coppers stay in hand in any case.
#[test]
fn of_cards_that_leave_a_hand_unseen_those_are_known_that_are_certain() {
    let mut table = table(Interaction)
        .hand(P1, "militia")
        .hand(P2, "4 copper, curse");
    table.state.players[P2].show_hand();
    table
        .play(P1, play("militia"))
        .play(P2, militia("curse, copper"));
    let odds = [
        ("copper copper copper, discarded copper curse", 1),
        ("copper copper curse, discarded copper copper", 1),
    ];
    assert_worlds(&table, &odds, |world| {
        format!("{}, discarded {}", hand(world, P2), discarded(world, P2))
    });
}

/// P2 bought a Silver with three Coppers and cleans up two Estates and those: the Coppers and the Silver were seen, the
/// cards of the hand were not. Hidden are these two places and the new hand of five: two Estates and five Coppers lie
/// there in 21 ways.
#[test]
fn clean_up_hides_the_cards_of_the_hand_alone() {
    let mut table = table(FirstGame)
        .hand(P2, "3 copper, 2 estate")
        .draw_pile(P2, "5 copper")
        .buy_phase();
    table.state.turn.active = P2;
    table.play(P2, play_all_treasures()).play(P2, buy("silver"));
    table.play(P2, end_turn());
    let odds = [
        ("copper copper copper copper copper silver", 10),
        ("copper copper copper copper silver estate", 10),
        ("copper copper copper silver estate estate", 1),
    ];
    assert_worlds(&table, &odds, |world| discarded(world, P2));
}

/// The player names the top card, an Estate of the hand: now it is seen as well.
#[test]
fn the_top_of_the_discard_pile_is_seen() {
    let mut table = table(FirstGame)
        .hand(P2, "estate, copper")
        .draw_pile(P2, "5 curse")
        .buy_phase();
    table.state.turn.active = P2;
    table.play(P2, end_turn_with("estate"));
    let odds = [("copper estate", 1), ("estate curse", 5)];
    assert_worlds(&table, &odds, |world| discarded(world, P2));
}

/// Chancellor turns a pile over that nobody has seen, but its bottom card: for P1 one of the others is in the hand, for
/// its owner nothing is hidden.
#[test]
fn a_pile_that_is_turned_over_shows_its_bottom_card() {
    let mut table = table(BigMoney)
        .hand(P2, "chancellor, gold")
        .draw_pile(P2, "copper, copper, estate");
    table.state.turn.active = P2;
    table.play(P2, play("chancellor")).play(P2, turn_over());
    let odds = [("copper copper estate", 1), ("copper gold estate", 2)];
    assert_worlds(&table, &odds, |world| discarded(world, P2));
}

/// Everybody saw all of the discard pile, so the hand is known when the pile is shuffled: P2 has nothing else.
#[test]
fn a_shuffle_of_a_known_pile_leaves_the_hand_known() {
    let mut table = table(FirstGame)
        .hand(P2, "moat, gold")
        .discard_pile(P2, "2 copper, estate");
    table.state.turn.active = P2;
    table.play(P2, play("moat"));
    let odds = [
        ("copper copper gold, estate", 1),
        ("copper gold estate, copper", 2),
    ];
    assert_worlds(&table, &odds, |world| {
        let cards = hand(world, P2);
        assert!(cards.contains("gold"), "{cards}");
        format!("{cards}, {}", pile(world, P2))
    });
}

/// Library asks P2 about a Village that Spy had put back: everybody knows that it is the Village.
#[test]
fn library_asks_about_a_card_that_was_seen() {
    let mut table = table(Interaction)
        .hand(P1, "spy")
        .draw_pile(P2, "village, moat, militia");
    table.play(P1, play("spy")).play(P1, spy_puts_back());
    table.play(P1, end_turn());
    let mut table = table.hand(P2, "library");
    table.state.turn.phase = Phase::Action;
    table.play(P2, play("library")).asks(P2, "library_decide");
    let library_card = |world: &State| match world.stack.last() {
        Some(EffectFrame::Library { drawn, .. }) => format!("{drawn:?}"),
        other => panic!("{other:?}"),
    };
    assert_worlds(&table, &[("Some(Village)", 1)], library_card);
    table.play(P2, keep());
    let odds = [("village, Some(Moat)", 1), ("village, Some(Militia)", 1)];
    assert_worlds(&table, &odds, |world| {
        format!("{}, {}", hand(world, P2), library_card(world))
    });
}

/// A Moat that was shown is in hand after the Attack, until one leaves it.
#[test]
fn a_moat_that_was_shown_stays_known() {
    let mut table = table(FirstGame)
        .hand(P1, "militia")
        .hand(P2, "moat, copper")
        .draw_pile(P2, "estate, moat");
    table.play(P1, play("militia")).play(P2, reveal("moat"));
    table.asks(P1, "buy_phase");
    let odds = [("moat moat", 1), ("copper moat", 1), ("estate moat", 1)];
    assert_worlds(&table, &odds, |world| hand(world, P2));
}
