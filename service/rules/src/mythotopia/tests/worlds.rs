//! Sampled worlds against probabilities calculated by hand.

use super::table::*;
use gamekeeper_rules::conformance::{self, assert_same_worlds};
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Card, CardSet, Improvement, ProvinceSet};
use gamekeeper_rules::mythotopia::stage::Stage;
use gamekeeper_rules::mythotopia::state::State;
use gamekeeper_rules::mythotopia::{Draft, Mythotopia};
use gamekeeper_rules::ruleset::create;
use gamekeeper_rules::table::{Chance, Seed};

/// Asserts, over sampled worlds of red, that the results of `look` have these odds and the view never changes.
#[track_caller]
fn assert_worlds<T: Ord + std::fmt::Debug>(
    state: &State,
    odds: impl IntoIterator<Item = (T, u64)>,
    look: impl Fn(&State) -> T,
) {
    conformance::assert_worlds::<Mythotopia, _>(state, R, odds, look);
}

fn set(ids: &[&str]) -> CardSet {
    ids.iter().map(|id| card(id)).collect()
}

/// All orders of these cards.
fn orders(cards: &[Card]) -> Vec<Vec<Card>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let mut orders = Vec::new();
    for (place, &last) in cards.iter().enumerate() {
        let mut rest = cards.to_vec();
        rest.remove(place);
        orders.extend(orders_before(&rest, last));
    }
    orders
}

fn orders_before(rest: &[Card], last: Card) -> impl Iterator<Item = Vec<Card>> {
    orders(rest).into_iter().map(move |mut order| {
        order.push(last);
        order
    })
}

/// Four cards of the start: two are in red's hand and known; the other three of the deck have 3! orders.
#[test]
fn the_own_deck_has_every_order() {
    let mut table = Table::of(2);
    table.hand(R, &["start:red:build#1"]);
    let deck = ["start:red:army#1", "start:red:market#1", "start:red:ship#1"];
    table.deck(R, &deck);
    let odds = orders(&deck.map(card)).into_iter().map(|order| (order, 1));
    assert_worlds(&table.state, odds, |world| {
        assert_eq!(world.players[R].hand, set(&["start:red:build#1"]));
        world.players[R].deck.to_vec()
    });
}

/// Blue has four hidden cards, two of them in hand: 4 * 3 / 2 hands, each with 2 orders of the deck.
#[test]
fn an_opponents_hand_and_deck_are_dealt_anew() {
    let mut table = Table::of(2);
    let hidden = [
        "start:blue:build#1",
        "start:blue:army#1",
        "start:blue:market#1",
        "start:blue:ship#1",
    ];
    table.hand(B, &hidden[..2]);
    table.deck(B, &hidden[2..]);
    table.discard(B, &["start:blue:build#2"]);
    let look = |order: &[Card]| {
        let hand: CardSet = order[..2].iter().copied().collect();
        (hand.iter().collect::<Vec<_>>(), order[2..].to_vec())
    };
    let mut odds: Vec<_> = orders(&hidden.map(card))
        .iter()
        .map(|order| look(order))
        .collect();
    odds.sort_unstable();
    odds.dedup();
    assert_eq!(odds.len(), 12);
    assert_worlds(
        &table.state,
        odds.into_iter().map(|seen| (seen, 1)),
        |world| {
            let player = &world.players[B];
            assert_eq!(player.discard, set(&["start:blue:build#2"]));
            (player.hand.iter().collect(), player.deck.to_vec())
        },
    );
}

/// The improvement at a place of the face-down pile.
fn face_down(place: usize) -> impl Fn(&State) -> Improvement {
    move |world| world.improvement_deck[place]
}

/// 13 improvements are face down, each equally likely on top; opponents keep what they drafted in public.
#[test]
fn face_down_improvements_are_shuffled() {
    let mut table = Table::of(2);
    table.hand(B, &["imp:hero"]);
    let odds = table.state.improvement_deck.clone();
    for place in [0, 12] {
        let odds = odds.iter().map(|&improvement| (improvement, 1));
        assert_worlds(&table.state, odds, face_down(place));
    }
    assert_worlds(&table.state, [(true, 1)], |world| {
        world.players[B].hand == set(&["imp:hero"])
    });
}

/// Red looks at the top three, which stay; each of the others is equally likely at the bottom. If blue
/// looks at them instead, it may see any of the 13.
#[test]
fn what_philosopher_shows_is_known_to_its_player_alone() {
    let mut table = Table::of(2);
    table.state.stage = Stage::Philosopher;
    table.hand(R, &["start:red:army#1"]);
    let pile = table.state.improvement_deck.clone();
    let odds = pile[..10].iter().map(|&improvement| (improvement, 1));
    assert_worlds(&table.state, odds, |world| {
        assert_eq!(world.improvement_deck[10..], pile[10..]);
        world.improvement_deck[0]
    });
    table.turn(B);
    let odds = pile.iter().map(|&improvement| (improvement, 1));
    assert_worlds(&table.state, odds, face_down(12));
}

/// Blue has taken an improvement with Philosopher: it may be any of the 12 face down and the one that it is. Yellow's
/// and green's are public, in any zone.
#[test]
fn a_secret_improvement_may_be_any_that_is_out_of_sight() {
    let mut table = Table::of(4);
    table.hand(B, &["imp:hero"]);
    table.state.players[B].secret = Some(Improvement::Hero);
    table.deck(Y, &["imp:queen"]);
    table.reserve(G, &["imp:scribe"]);
    table.hand(R, &["imp:levies"]);
    let _taken = table.state.improvement_deck.pop();
    let mut unseen = table.state.improvement_deck.to_vec();
    unseen.push(Improvement::Hero);
    let odds = unseen.iter().map(|&improvement| (improvement, 1));
    assert_worlds(&table.state, odds.clone(), |world| {
        assert_eq!(world.players[Y].deck_cards(), set(&["imp:queen"]));
        assert_eq!(world.players[G].reserve, set(&["imp:scribe"]));
        let secret_card = world.players[B].hand.iter().next().unwrap();
        assert_eq!(world.players[B].secret_card(), Some(secret_card));
        secret_card.as_improvement().unwrap()
    });
    assert_worlds(&table.state, odds, face_down(0));
}

/// Red used Philosopher: the two improvements that it left on top are known to red, and each of the others is as likely
/// at the bottom.
#[test]
fn what_philosopher_left_on_top_stays_known_to_its_player() {
    let mut table = Table::of(2);
    table.hand(R, &["imp:hero"]);
    table.state.players[R].has_looked = true;
    let _taken = table.state.improvement_deck.pop();
    let pile = table.state.improvement_deck.clone();
    let odds = pile[..10].iter().map(|&improvement| (improvement, 1));
    assert_worlds(&table.state, odds, |world| {
        assert_eq!(world.improvement_deck[10..], pile[10..]);
        world.improvement_deck[0]
    });
}

/// Blue took Market back from the discard pile with Mystic: it is in hand. Of the other three cards each is the second
/// one of the hand as often.
#[test]
fn a_card_that_was_taken_back_is_known_in_the_hand() {
    let mut table = Table::of(2);
    table.hand(B, &["start:blue:market#1", "start:blue:army#1"]);
    table.state.players[B].shown = set(&["start:blue:market#1"]);
    let deck = ["start:blue:build#1", "start:blue:ship#1"];
    table.deck(B, &deck);
    let others = ["start:blue:army#1", deck[0], deck[1]].map(card);
    assert_worlds(&table.state, others.map(|card| (card, 1)), |world| {
        let hand = world.players[B].hand - set(&["start:blue:market#1"]);
        assert_eq!(hand.len(), 1);
        hand.iter().next().unwrap()
    });
}

/// Blue's deck runs out, and blue draws on: the hand of that moment is all that was hidden, so it is known. Of the
/// three cards shuffled anew, one is drawn.
#[test]
fn a_hand_is_known_when_the_discard_pile_is_shuffled() {
    let mut table = Table::of(2);
    let hand = [
        "start:blue:build#1",
        "start:blue:army#1",
        "start:blue:market#1",
    ];
    table.hand(B, &hand);
    table.deck(B, &["start:blue:ship#1"]);
    let discard = ["start:blue:build#2", "prov:mome", "prov:oxter"];
    table.discard(B, &discard);
    table.turn(B);
    table.state.turn.actions_done = 2;
    table.play(B, &Action::EndTurn);
    let known_cards = set(&hand) | set(&["start:blue:ship#1"]);
    assert_eq!(table.state.players[B].shown, known_cards);
    assert_worlds(&table.state, discard.map(|id| (card(id), 1)), |world| {
        let drawn = world.players[B].hand - known_cards;
        assert_eq!(drawn.len(), 1);
        drawn.iter().next().unwrap()
    });
}

/// Blue gives provinces away in secret: with n provinces and k to give, each set of k is equally
/// likely. Red's own choice stays, and nobody's deck changes.
#[test]
fn secret_choices_of_the_set_up_are_chosen_anew() {
    let more_choice = Draft {
        more_choice: true,
        ..Draft::default()
    };
    let luck = Chance::from_seed(&Seed::from_number(5));
    let mut state = create::<Mythotopia>(&options(3, &more_choice), luck).state;
    let wanted = state.provinces_to_discard();
    assert_eq!(wanted, 2);
    let own = |state: &State, seat| state.players[seat].controlled();
    let pick = |set: ProvinceSet| set.iter().take(wanted).collect::<ProvinceSet>();
    state.players[R].choice = Some(pick(own(&state, R)));
    state.players[B].choice = Some(pick(own(&state, B)));
    let provinces: Vec<_> = own(&state, B).iter().collect();
    let pairs = provinces.iter().enumerate().flat_map(|(place, &a)| {
        let later = provinces[place + 1..].iter();
        later.map(move |&b| (vec![a, b], 1))
    });
    assert_worlds(&state, pairs, |world| {
        assert_eq!(world.players[R], state.players[R]);
        assert_eq!(world.players[B].deck, state.players[B].deck);
        world.players[B].choice.unwrap().iter().collect()
    });
    // A player who has not chosen yet has not chosen in a world either.
    state.players[B].choice = None;
    assert_worlds(&state, [(true, 1)], |world| {
        world.players[B].choice.is_none()
    });
}

/// Tables that differ in hands, decks, and in the improvement that Philosopher took.
#[test]
fn twins_have_the_same_worlds() {
    let table = |hand: [&str; 2], deck: [&str; 2]| {
        let mut table = Table::of(2);
        table.hand(B, &["imp:hero"]);
        table.hand(B, &hand);
        table.deck(B, &deck);
        table.state.players[B].secret = Some(Improvement::Hero);
        let _taken = table.state.improvement_deck.pop();
        table.state.clone()
    };
    let one = table(
        ["start:blue:build#1", "start:blue:army#1"],
        ["start:blue:market#1", "start:blue:ship#1"],
    );
    let mut two = table(
        ["start:blue:ship#1", "start:blue:market#1"],
        ["start:blue:army#1", "start:blue:build#1"],
    );
    let player = &mut two.players[B];
    player.hand.remove(Card::improvement(Improvement::Hero));
    let bottom = std::mem::replace(&mut two.improvement_deck[0], Improvement::Hero);
    player.hand.insert(Card::improvement(bottom));
    player.secret = Some(bottom);
    assert_same_worlds::<Mythotopia>(&one, &two, R);
}
