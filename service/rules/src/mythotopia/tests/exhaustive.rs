//! The exhaustive list against a **second implementation** of the rules, entry by entry (MYT-6.12, 14.16).

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::second::Second;
use super::table::*;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::audit::same_move;
use gamekeeper_rules::mythotopia::data::{Border, Card, Improvement, Province, Sea, Stack};
use gamekeeper_rules::mythotopia::stage::Decision;
use gamekeeper_rules::mythotopia::stage::TurnMark;
use gamekeeper_rules::mythotopia::state::State;
use gamekeeper_rules::mythotopia::{HandStacking, RoadScope};
use gamekeeper_rules::ruleset::{Ruleset, apply, create, legal_actions, visit_legal};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, encode};

/// Improvements that allow many payments, so the random tables have them often.
const HELPERS: [Improvement; 12] = [
    Improvement::Farming,
    Improvement::GoldMine,
    Improvement::Quarry,
    Improvement::Levies,
    Improvement::Merchant,
    Improvement::WaterMill,
    Improvement::General,
    Improvement::Ranger,
    Improvement::Portal,
    Improvement::ReserveArmy,
    Improvement::Scribe,
    Improvement::Ship,
];

/// Draws a number below `most`.
fn below(chance: &mut Chance, most: u8) -> u8 {
    chance.roll("table", None, most, 1)[0] - 1
}

/// Draws this many of these.
fn some<T: Copy>(chance: &mut Chance, from: &[T], count: usize) -> Vec<T> {
    let mut all = from.to_vec();
    while all.len() > count {
        let most = u8::try_from(all.len()).unwrap();
        all.swap_remove(usize::from(below(chance, most)));
    }
    all
}

/// Builds a small table with something of everything.
fn random_table(seed: u64) -> Table {
    let mut chance = Chance::from_seed(&Seed::from_number(seed));
    let luck = &mut chance;
    let mut table = Table::of(3);
    let point_cards = ["patronage", "guild_city", "roadside_inns", "citadel"];
    table.in_play(&some(luck, &point_cards, 3));
    table.state.switches.hand_limit_stacking = HandStacking::Max;
    if below(luck, 2) == 0 {
        table.state.switches.road_substitution_scope = RoadScope::Network;
    }
    let provinces = some(luck, &Province::ALL, 13);
    let own: Vec<&str> = provinces[..7].iter().map(|it| it.id()).collect();
    table.control(R, &own);
    let theirs: Vec<&str> = provinces[7..11].iter().map(|it| it.id()).collect();
    table.control(B, &theirs);
    table.city(R, own[0]);
    if table.state.in_play.contains(Stack::Citadel.card()) {
        table.citadel(R, own[1]);
    }
    pieces(&mut table, luck, &provinces);
    hands(&mut table, luck);
    for mark in [TurnMark::Farming, TurnMark::RoadMove, TurnMark::FreeAction] {
        if below(luck, 5) == 0 {
            table.state.turn.marks.insert(mark);
        }
    }
    for stack in [Stack::Patronage, Stack::GuildCity, Stack::RoadsideInns] {
        if below(luck, 3) == 0 {
            table.tokens(stack, 0);
        }
    }
    table
}

/// Adds roads, armies, ships, castles.
fn pieces(table: &mut Table, luck: &mut Chance, provinces: &[Province]) {
    let borders: Vec<Border> = Border::all().collect();
    let inner = |border: &&Border| {
        let row = border.row();
        provinces[..7].contains(&row.a) && provinces[..7].contains(&row.b)
    };
    let inner: Vec<Border> = borders.iter().filter(inner).copied().collect();
    for border in some(luck, &inner, inner.len() / 2) {
        table.state.roads.insert(border);
    }
    for _ in 0..2 {
        let province = provinces[usize::from(below(luck, 13))].id();
        let seat = [R, R, B, Y][usize::from(below(luck, 4))];
        table.armies(seat, province, 1 + below(luck, 2));
    }
    let sea = Sea::ALL[usize::from(below(luck, 4))].id();
    table.ships(R, sea, 1);
    let stock = [0, 1, 1, 2, 3, 6][usize::from(below(luck, 6))];
    let all = table.state.players[R].stock.armies + table.state.players[R].pool.armies;
    table.army_stock(R, stock.min(all));
    table.state.castles.insert(provinces[2]);
}

/// Gives red eight playable cards at most.
fn hands(table: &mut Table, luck: &mut Chance) {
    let ids = |cards: &[Card]| cards.iter().map(|card| card.id()).collect::<Vec<_>>();
    let own: Vec<Card> = Card::starting(table.state.players[R].color)
        .chain(table.state.players[R].towns.iter().map(Card::province))
        .collect();
    let helpers = HELPERS.map(Card::improvement);
    let count = 2 + usize::from(below(luck, 3));
    let mut hand = ids(&some(luck, &own, count));
    let helpers = some(luck, &helpers, 4);
    let any = some(luck, &Improvement::ALL, 1);
    hand.extend(ids(&[helpers[0], Card::improvement(any[0])]));
    let hand: Vec<&str> = hand.iter().map(String::as_str).collect();
    table.hand(R, &hand);
    let reserve = ids(&helpers[1..2 + usize::from(below(luck, 3))]);
    let reserve: Vec<&str> = reserve.iter().map(String::as_str).collect();
    table.reserve(R, &reserve);
    if below(luck, 4) == 0 {
        table.reserve(B, &["imp:reserve_army"]);
    }
    // A short display: drafts of different cards are alike.
    table.state.display = table.state.display.iter().take(2).collect();
}

fn exhaustive(state: &State, seat: Seat) -> Vec<Action> {
    legal_actions::<Mythotopia>(state, seat, Detail::AllPayments)
}

/// Asserts that both implementations have the same actions, each once. Returns their number.
fn read_twice(state: &State, seat: Seat) -> usize {
    let listed = exhaustive(state, seat);
    let legal = Second::new(state, seat).legal();
    let first: BTreeSet<Vec<u8>> = listed.iter().map(encode).collect();
    let second: BTreeSet<Vec<u8>> = legal.iter().map(encode).collect();
    for action in &legal {
        assert!(first.contains(&encode(action)), "not listed: {action:?}");
    }
    for action in &listed {
        assert!(second.contains(&encode(action)), "not legal: {action:?}");
    }
    assert_eq!(first.len(), listed.len(), "listed twice");
    listed.len()
}

/// Asserts that both lists have the same moves, each of the default list once.
fn same_moves(state: &State, seat: Seat) -> usize {
    let moves = legal_actions::<Mythotopia>(state, seat, Detail::Moves);
    let mut seen = vec![false; moves.len()];
    let mut entries = 0;
    let mut last = usize::MAX;
    let _all = visit_legal::<Mythotopia>(state, seat, Detail::AllPayments, &mut |way| {
        // Ways to make one move are usually adjacent.
        let repeated = moves
            .get(last)
            .is_some_and(|listed| same_move(listed, &way));
        if !repeated || matches!(way, Action::DiscardCards { .. }) {
            let covering = moves.iter().enumerate().filter(|it| same_move(it.1, &way));
            let covering: Vec<usize> = covering.map(|(place, _)| place).collect();
            assert!(!covering.is_empty(), "not a listed move: {way:?}");
            last = covering[0];
            covering.into_iter().for_each(|place| seen[place] = true);
        }
        entries += 1;
        ControlFlow::Continue(())
    });
    let missing = seen.iter().position(|seen| !seen);
    assert!(missing.is_none(), "{:?}", missing.map(|at| &moves[at]));
    for (place, listed) in moves.iter().enumerate() {
        let twice = moves[..place].iter().any(|other| same_move(other, listed));
        assert!(!twice, "listed twice: {listed:?}");
    }
    entries
}

/// Lists this many entries after the first ones, as a server with pagination reads them.
fn page(state: &State, seat: Seat, skip: usize, size: usize) -> Vec<Action> {
    let mut at = 0;
    let mut page = Vec::new();
    let _end = visit_legal::<Mythotopia>(state, seat, Detail::AllPayments, &mut |action| {
        at += 1;
        if at > skip {
            page.push(action);
        }
        if page.len() == size {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    page
}

#[test]
fn random_tables_have_the_legal_list_of_the_second_reading() {
    let mut entries = 0;
    for seed in 0..60 {
        let table = random_table(seed);
        entries += read_twice(&table.state, R);
        same_moves(&table.state, R);
    }
    assert!(entries > 20_000, "{entries}");
}

#[test]
fn every_page_of_every_size_is_part_of_one_order() {
    let mut lists = 0;
    for seed in 100..130 {
        let table = random_table(seed);
        let all = exhaustive(&table.state, R);
        if all.len() > 1500 {
            continue;
        }
        lists += 1;
        assert_eq!(exhaustive(&table.state, R), all);
        for size in [13, 64, 1000] {
            let mut pages = Vec::new();
            while pages.len() < all.len() {
                let next = page(&table.state, R, pages.len(), size);
                assert_eq!(next, all[pages.len()..all.len().min(pages.len() + size)]);
                pages.extend(next);
            }
            assert!(page(&table.state, R, all.len(), size).is_empty());
        }
    }
    assert!(lists > 10, "{lists}");
}

/// Plays games, with the policy and at random, and checks states at regular intervals.
fn sampled(seed: u64, every: usize, mut look: impl FnMut(&State, Seat) -> usize) -> usize {
    let seats = 2 + usize::try_from(seed % 3).unwrap();
    let options = Mythotopia::table(seats, seed);
    let mut now = create::<Mythotopia>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let mut player = Chance::from_seed(&Seed::from_number(seed + 1000));
    let mut entries = 0;
    for step in 0..3000 {
        let Some(pending) = Mythotopia::pending(&now.state).first().copied() else {
            break;
        };
        if step % every == every - 1 {
            entries += look(&now.state, pending.seat);
        }
        let legal = legal_actions::<Mythotopia>(&now.state, pending.seat, Detail::Moves);
        let choice = if seed.is_multiple_of(2) {
            Mythotopia::choose(&now.state, pending.seat, &legal, &mut player)
        } else {
            let most = u8::try_from(legal.len()).unwrap();
            usize::from(below(&mut player, most))
        };
        now = apply::<Mythotopia>(&now.state, &now.chance, pending.seat, &legal[choice]).unwrap();
    }
    entries
}

#[test]
fn both_lists_have_the_same_moves_all_game_long() {
    let entries: usize = (0..24).map(|seed| sampled(seed, 37, same_moves)).sum();
    assert!(entries > 90_000, "{entries}");
}

#[test]
fn both_lists_have_the_same_moves_where_they_are_long() {
    let mut longest = 0;
    for seed in 200..203 {
        let mut table = random_table(seed);
        let player = &mut table.state.players[R];
        player.hand |= player.discard | player.removed;
        player.discard = Default::default();
        longest = longest.max(same_moves(&table.state, R));
    }
    assert!(longest > 100_000, "{longest}");
}

#[test]
fn whole_games_have_the_legal_lists_of_the_second_reading() {
    let look = |state: &State, seat: Seat| {
        // The second implementation is slow with many cards.
        let few = state.players[seat].playable().len() <= 9;
        if few && state.decision() == Some(Decision::Turn) {
            read_twice(state, seat)
        } else {
            0
        }
    };
    let entries: usize = (0..12).map(|seed| sampled(seed, 101, look)).sum();
    assert!(entries > 5_000, "{entries}");
}

#[test]
fn the_end_of_whole_games_is_that_of_the_second_reading() {
    let (mut allowed, mut lost) = (0, 0);
    let mut look = |state: &State, seat: Seat| {
        let mut state = state.clone();
        if state.decision() == Some(Decision::Turn) {
            state.turn = Default::default();
            let check = Mythotopia::check(&state, seat, &Action::EndGame);
            assert_eq!(check.is_ok(), Second::new(&state, seat).may_end());
            allowed += usize::from(check.is_ok());
            let code = check.err().map(|refusal| refusal.code());
            lost += usize::from(code == Some("NOT_STRICT_LEADER"));
        }
        1
    };
    let states: usize = (0..30).map(|seed| sampled(2 * seed, 2, &mut look)).sum();
    assert!(allowed > 30 && lost > 100, "{allowed}, {lost} of {states}");
}
