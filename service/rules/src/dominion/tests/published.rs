//! The published strategies do as well as in two independent public simulators with 100,000 games for each pair.

use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::dominion::data::Card::{
    Adventurer, CouncilRoom, Gardens, Laboratory, Market, Militia, Smithy, Thief, Witch, Workshop,
};
use gamekeeper_rules::dominion::options::{Kingdom, Options};
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place, create};
use gamekeeper_rules::table::{Chance, Seat, Seed};

/// The number of games for each pair.
const GAMES: u64 = 200;

/// A strategy against `bm0`. In hundredths: the percentage of games that it won alone, and that `bm0` won alone; its
/// turns; the points of each of the two; the percentage of games that the first seat won alone, and the
/// second one.
type Row = (&'static str, [i64; 7]);

const PUBLISHED: [Row; 11] = [
    ("bm0", [3335, 3319, 1711, 2700, 2700, 2411, 4243]),
    ("duchy-p4", [5387, 2868, 1717, 2872, 2726, 3925, 4330]),
    ("bm-smithy1", [5985, 1243, 1618, 2931, 2469, 2821, 4408]),
    ("bm-lab", [4978, 1803, 1653, 2854, 2546, 2514, 4268]),
    ("bm-market", [4200, 2402, 1678, 2787, 2613, 2390, 4211]),
    ("bm-council1", [5033, 1706, 1539, 2853, 2547, 2475, 4263]),
    ("bm-adventurer1", [3711, 2987, 1696, 2739, 2661, 2478, 4219]),
    ("bm-militia1", [5704, 1599, 1794, 2915, 2485, 2930, 4374]),
    ("bm-thief1", [2892, 4399, 1820, 2627, 2773, 2729, 4562]),
    ("bm-witch1", [9191, 551, 1776, 3004, 2067, 4985, 4757]),
    ("gardens-rush", [6652, 3347, 2209, 4274, 3859, 5531, 4467]),
];

/// Every figure lies within four and a half standard errors, with the standard deviation of the games played.
#[test]
fn strategies_do_as_well_as_published() {
    let mut off = Vec::new();
    for (row, (name, published)) in (0..).zip(PUBLISHED) {
        let pair = [name, "bm0"].map(place);
        let games = row * GAMES..(row + 1) * GAMES;
        let games: Vec<[i64; 7]> = games.map(|game| figures(pair, game)).collect();
        for (figure, expected) in published.into_iter().enumerate() {
            let found = games.iter().map(|game| game[figure]);
            let (mean, near) = compared(found, expected);
            if !near {
                off.push(format!(
                    "{name}, figure {figure}: {mean} instead of {expected}"
                ));
            }
        }
    }
    assert!(off.is_empty(), "{off:#?}");
}

fn place(id: &str) -> usize {
    let mut strategies = Dominion::STRATEGIES.iter();
    strategies.position(|strategy| strategy.id == id).unwrap()
}

/// Returns the mean, and whether it lies within the statistical error of the expected one.
fn compared(found: impl Iterator<Item = i64>, expected: i64) -> (i128, bool) {
    let (mut count, mut sum, mut squares) = (0_i128, 0_i128, 0_i128);
    for value in found.map(i128::from) {
        count += 1;
        sum += value;
        squares += value * value;
    }
    let off = sum - count * i128::from(expected);
    // (off / count)^2 <= 4.5^2 variance / count
    let variance = count * squares - sum * sum;
    (sum / count, 4 * count * off * off <= 81 * variance)
}

/// The figures of one game. The strategies change seats from game to game.
fn figures(pair: [usize; 2], number: u64) -> [i64; 7] {
    let kingdom = [
        Adventurer,
        CouncilRoom,
        Gardens,
        Laboratory,
        Market,
        Militia,
        Smithy,
        Thief,
        Witch,
        Workshop,
    ];
    let options = Options {
        seats: 2,
        kingdom: Kingdom::Cards(kingdom),
        first_player: Some(Seat::FIRST),
        strict_secrecy: false,
    };
    let begun = create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(number)));
    let (mut state, mut luck) = (begun.state, begun.chance);
    let first = Seat::at(usize::from(number % 2 == 1));
    let second = first.others(2).next().unwrap();
    while let Some((seat, _)) = state.pending() {
        let strategy = pair[usize::from(seat != first)];
        let action = Dominion::strategy_action(strategy, &state, seat).unwrap();
        apply_in_place::<Dominion>(&mut state, &mut luck, seat, &action).unwrap();
        drop(luck.take_record());
    }
    let ranking = Dominion::ranking(&state).unwrap();
    let winners: Vec<Seat> = ranking.winners().collect();
    let won = |seat: Seat| i64::from(winners == [seat]) * 10_000;
    let score = |seat: Seat| {
        let standing = ranking.standings.iter().find(|one| one.seat == seat);
        standing.map_or(0, |one| 100 * i64::from(one.score))
    };
    [
        won(first),
        won(second),
        100 * i64::from(state.players[first].turns_taken),
        score(first),
        score(second),
        won(Seat::FIRST),
        won(Seat::at(1)),
    ]
}
