//! Views of random tables with random changes: no description stops the program, and on every table that is accepted a
//! game can be played on with every guarantee.

use arrayvec::ArrayVec;
use gamekeeper_rules::conformance::{assert_changed_tables_are_judged, pick};
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::{Cards, Dominion, EffectFrame, Phase, PlayerView, View};
use gamekeeper_rules::table::{Chance, Seat};

/// Returns a random number near this one, or now and then any number.
fn near(luck: &mut Chance, number: u16) -> u16 {
    match luck.uniform(8) {
        0 => u16::try_from(luck.uniform(65_536)).unwrap(),
        step => (number + u16::try_from(step % 4).unwrap()).saturating_sub(2),
    }
}

/// Moves a card from one zone of the table to another, if it is there.
fn move_card(view: &mut View, luck: &mut Chance) {
    let kinds = [pick(luck, &Card::ALL[..7]), pick(luck, &view.kingdom)];
    let card = pick(luck, &kinds);
    let players = view.players.len();
    let mut places = [0, 1].map(|_| {
        (
            luck.uniform(5),
            usize::try_from(luck.uniform(4)).unwrap() % players,
        )
    });
    places[1].0 = luck.uniform(5);
    let (from, to) = (places[0], places[1]);
    if take(view, card, from) {
        put(view, card, to);
    }
}

fn take(view: &mut View, card: Card, (zone, index): (u32, usize)) -> bool {
    let player = &mut view.players[index];
    let from_list = |list: &mut Vec<Card>| {
        let place = list.iter().position(|&other| other == card);
        place.map(|place| list.remove(place)).is_some()
    };
    match zone {
        0 => player.hand.as_mut().is_some_and(|cards| cards.remove(card)),
        1 => player.draw_pile.as_mut().is_some_and(from_list),
        2 => player
            .discard_pile
            .as_mut()
            .is_some_and(|cards| cards.remove(card)),
        3 => from_list(&mut player.in_play),
        _ => view.trash.remove(card),
    }
}

fn put(view: &mut View, card: Card, (zone, index): (u32, usize)) {
    let player = &mut view.players[index];
    match zone {
        0 => player.hand.iter_mut().for_each(|cards| cards.add(card)),
        1 => player
            .draw_pile
            .iter_mut()
            .for_each(|pile| pile.insert(0, card)),
        2 => {
            player
                .discard_pile
                .iter_mut()
                .for_each(|cards| cards.add(card));
            player.discard_top = Some(card);
        }
        3 => player.in_play.push(card),
        _ => view.trash.add(card),
    }
}

/// Leaves something of a player out.
fn leave_out(player: &mut PlayerView, luck: &mut Chance) {
    match luck.uniform(4) {
        0 => player.hand = None,
        1 => player.draw_pile = None,
        2 => player.discard_pile = None,
        _ => player.draw_pile_count = None,
    }
}

/// Changes what everybody knows.
fn forget(view: &mut View, luck: &mut Chance) {
    let index = usize::try_from(luck.uniform(4)).unwrap() % view.players.len();
    let Some(known) = &mut view.bookkeeping else {
        return;
    };
    let player = &mut known.players[index];
    match luck.uniform(6) {
        0 => player.hand = Cards::none(),
        1 => player.discard_pile = Cards::none(),
        2 => player.draw_pile = near(luck, player.draw_pile),
        3 => player.hand.add(pick(luck, &Card::ALL)),
        4 => player.owned.add(pick(luck, &Card::ALL)),
        _ => view.bookkeeping = None,
    }
}

/// Adds something to a list that has room for it.
fn push<T, const N: usize>(list: &mut ArrayVec<T, N>, one: T) {
    if !list.is_full() {
        list.push(one);
    }
}

/// Removes the last entry of a list.
fn shorten<T, const N: usize>(list: &mut ArrayVec<T, N>) {
    list.truncate(list.len().saturating_sub(1));
}

/// Changes the open effects.
fn change_effects(view: &mut View, luck: &mut Chance) {
    let (seats, card) = (
        [1, 2, 3, 4].map(|number| Seat::new(number).unwrap()),
        pick(luck, &Card::ALL),
    );
    match (luck.uniform(8), view.stack.last_mut()) {
        (0, Some(_)) => drop(view.stack.pop()),
        (1, _) => view.stack.insert(0, EffectFrame::ThroneSecond { card }),
        (2, _) => view.stack.push(pick_frame(luck)),
        (_, Some(EffectFrame::Library { drawn, set_aside })) => {
            *drawn = pick(luck, &[None, Some(card)]);
            set_aside.extend(pick(luck, &[None, Some(card)]));
        }
        (_, Some(EffectFrame::ThiefGain { trashed })) => push(trashed, card),
        (_, Some(EffectFrame::Gain(gain))) => {
            gain.max_cost = u8::try_from(luck.uniform(256)).unwrap();
        }
        (
            3,
            Some(EffectFrame::Thief {
                revealed, trashed, ..
            }),
        ) => {
            revealed.clear();
            push(trashed, card);
        }
        (4, Some(EffectFrame::Spy { revealed, .. })) => *revealed = pick(luck, &[None, Some(card)]),
        (
            _,
            Some(
                EffectFrame::Reactions { queue, immune, .. }
                | EffectFrame::Militia { queue, immune }
                | EffectFrame::Bureaucrat { queue, immune }
                | EffectFrame::Spy { queue, immune, .. }
                | EffectFrame::Thief { queue, immune, .. },
            ),
        ) => match luck.uniform(4) {
            0 => shorten(queue),
            1 => push(queue, pick(luck, &seats)),
            2 => shorten(immune),
            _ => push(immune, pick(luck, &seats)),
        },
        (_, Some(_) | None) => {}
    }
}

fn pick_frame(luck: &mut Chance) -> EffectFrame {
    match luck.uniform(8) {
        0 => EffectFrame::Cellar,
        1 => EffectFrame::Chapel,
        2 => EffectFrame::Chancellor,
        3 => EffectFrame::RemodelTrash,
        4 => EffectFrame::MineTrash,
        5 => EffectFrame::ThroneChoose,
        6 => EffectFrame::Library {
            drawn: None,
            set_aside: Vec::new(),
        },
        _ => EffectFrame::Militia {
            queue: Seat::all(4).skip(1).collect(),
            immune: [].into_iter().collect(),
        },
    }
}

/// Changes a view in one place.
fn change(view: &mut View, luck: &mut Chance) {
    let index = usize::try_from(luck.uniform(4)).unwrap() % view.players.len();
    match luck.uniform(16) {
        0..=3 => move_card(view, luck),
        4 => view.counters.actions = near(luck, view.counters.actions),
        5 => view.counters.buys = near(luck, view.counters.buys),
        6 => view.counters.coins = near(luck, view.counters.coins),
        7 | 8 => leave_out(&mut view.players[index], luck),
        9 => forget(view, luck),
        10 | 11 => change_effects(view, luck),
        12 => view.players[index].turns_taken = luck.uniform(20),
        13 => view.phase = pick(luck, &[Phase::Action, Phase::Buy]),
        14 => view.bought_this_turn = !view.bought_this_turn,
        _ => {
            view.players[index].hand_count = near(luck, view.players[index].hand_count);
            view.trash.add(pick(luck, &view.kingdom));
        }
    }
    if luck.uniform(4) > 0 {
        view.supply.clear();
    }
}

/// A game goes on from every table that is accepted.
#[test]
fn changed_tables_are_refused_or_played() {
    assert_changed_tables_are_judged::<Dominion>(350, |view, luck| {
        for _ in 0..=luck.uniform(3) {
            change(view, luck);
        }
    });
}
