//! Luck against the exact probabilities of KIN-14. Where all cases can be counted they are counted;
//! the rest is played with fixed seeds. A count may differ from its expectation by four standard
//! deviations: with honest luck about one such comparison in 16,000 would fail, and as the seeds
//! are fixed, none does by chance.

use super::table::*;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::Action;
use gamekeeper_rules::kingsburg::data::{Building, DieId, Enemy, EnemyKind, Phase};
use gamekeeper_rules::kingsburg::event::{Event, Outcome};
use gamekeeper_rules::kingsburg::options::Draft;
use gamekeeper_rules::kingsburg::state::State;
use gamekeeper_rules::ruleset::{Applied, Ruleset, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed};

/// Asserts that `count` of `trials` is within four standard deviations of the probability `wins / of`.
#[track_caller]
fn assert_likely(count: u64, trials: u64, (wins, of): (u64, u64)) {
    let [count, trials, wins, of] = [count, trials, wins, of].map(i128::from);
    let off = count * of - trials * wins;
    let bound = 16 * trials * wins * (of - wins);
    assert!(
        off * off <= bound,
        "{count} of {trials}, expected {wins} of {of}"
    );
}

/// Plays the first spring of a game with random order; every player takes the first good offered.
fn first_spring(players: usize, seed: u64) -> (Applied<Kingsburg>, Vec<Event>) {
    let names: Vec<String> = Seat::all(players).map(|seat| seat.to_string()).collect();
    let options = Kingsburg::options(&names, &Draft::default()).unwrap();
    let mut game = create::<Kingsburg>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let mut events = game.events.clone();
    while game.state.phase == Phase::KingsAid {
        let seat = Kingsburg::pending(&game.state)[0].seat;
        let legal = legal_actions::<Kingsburg>(&game.state, seat, Detail::Moves);
        let next = gamekeeper_rules::ruleset::apply::<Kingsburg>(
            &game.state,
            &game.chance,
            seat,
            &legal[0],
        );
        game = next.unwrap();
        events.extend(game.events.iter().cloned());
    }
    (game, events)
}

/// The order before the first roll, the order after it, and the totals in the latter.
fn orders(events: &[Event]) -> (Vec<Seat>, Vec<Seat>, Vec<u8>) {
    let mut before = Vec::new();
    for event in events {
        if let Event::GameBegan { order } = event {
            before = order.to_vec();
        }
        if let Event::OrderSet { order, totals } = event {
            return (before, order.to_vec(), totals.to_vec());
        }
    }
    panic!("no order was set")
}

/// KIN-14.3: how often the first player stays first, and how often all totals differ.
#[test]
fn turn_order_ties_are_as_likely_as_they_should_be() {
    const GAMES: u64 = 4_000;
    let stays_first = [
        (4_249, 7_776),
        (960_871, 2_519_424),
        (107_082_163, 362_797_056),
        (28_430_746_255, 117_546_246_144),
    ];
    let all_different = [
        (3_888 - 361, 3_888),
        (155_569, 209_952),
        (5_445_599, 10_077_696),
        (142_201_595, 408_146_688),
    ];
    for players in 2..=5 {
        let (mut first, mut different) = (0, 0);
        for seed in 0..GAMES {
            let (_, events) = first_spring(players, seed);
            let (before, after, totals) = orders(&events);
            first += u64::from(before[0] == after[0]);
            different += u64::from(totals.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_likely(first, GAMES, stays_first[players - 2]);
        assert_likely(different, GAMES, all_different[players - 2]);
    }
}

/// KIN-14.9, KIN-14.7: the first order and the enemy deck.
#[test]
fn orders_and_enemies_are_equally_likely() {
    const GAMES: u64 = 10_000;
    let mut cards = [0_u64; Enemy::COUNT];
    let mut kinds = [0_u64; EnemyKind::ALL.len()];
    let mut starts = std::collections::BTreeMap::new();
    for seed in 0..GAMES {
        let names = ["A", "B", "C"].map(String::from);
        let options = Kingsburg::options(&names, &Draft::default()).unwrap();
        let luck = Chance::from_seed(&Seed::from_number(seed));
        let state = create::<Kingsburg>(&options, luck).state;
        for enemy in state.deck {
            cards[usize::from(enemy.number()) - 1] += 1;
        }
        for kind in EnemyKind::ALL {
            let seen = state.deck.iter().any(|enemy| enemy.card().kind == kind);
            kinds[kind as usize] += u64::from(seen);
        }
        *starts.entry(state.order.to_vec()).or_insert(0) += 1;
    }
    for count in cards {
        assert_likely(count, GAMES, (1, 5));
    }
    let seen = [
        (77, 125),
        (544, 625),
        (369, 625),
        (369, 625),
        (77, 125),
        (1, 5),
    ];
    for (count, expected) in kinds.into_iter().zip(seen) {
        assert_likely(count, GAMES, expected);
    }
    assert_eq!(starts.len(), 6);
    for count in starts.into_values() {
        assert_likely(count, GAMES, (1, 6));
    }
}

/// KIN-14.6: neutral dice, and the sums of three dice (KIN-14.1).
#[test]
fn neutral_dice_block_as_often_as_they_should() {
    const GAMES: u64 = 10_000;
    let mut blocked = [0_u64; 19];
    let mut counts = [0_u64; 4];
    let mut sums = [0_u64; 19];
    for seed in 0..GAMES {
        let (game, events) = first_spring(2, seed);
        counts[game.state.neutral.len()] += 1;
        for group in &game.state.neutral {
            blocked[usize::from(group.advisor.number())] += 1;
        }
        for event in &events {
            if let Event::NeutralRolled { together, .. } = event {
                sums[usize::from(together.iter().sum::<u8>())] += 1;
            }
        }
    }
    for (count, expected) in [(3, (785, 972)), (2, (41, 216)), (1, (5, 1_944))] {
        assert_likely(counts[count], GAMES, expected);
    }
    for (advisor, ways) in (1..).zip(BLOCKED_OF_7776) {
        assert_likely(blocked[advisor], GAMES, (ways, 7_776));
    }
    let ways = [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1];
    for (sum, ways) in (3..).zip(ways) {
        assert_likely(sums[sum], GAMES, (ways, 216));
    }
}

const BLOCKED_OF_7776: [u64; 18] = [
    2376, 2376, 2401, 2451, 2526, 2626, 540, 756, 900, 972, 972, 900, 756, 540, 360, 216, 108, 36,
];

/// KIN-14.6, every roll once.
#[test]
fn all_7776_neutral_rolls_block_what_they_should() {
    let mut blocked = [0_u64; 19];
    let mut counts = [0_u64; 4];
    let start = Table::of(2).state.clone();
    for roll in 0..7_776_u16 {
        let die = |place: u32| roll / 6_u16.pow(place) % 6 + 1;
        let draws = [
            ("neutral", None, &[die(0), die(1), die(2)][..]),
            ("neutral", None, &[die(3), die(4)][..]),
        ];
        let mut table = Table::of_state(start.clone()).luck(&draws);
        table = table.begin(Phase::Spring);
        counts[table.state.neutral.len()] += 1;
        for group in &table.state.neutral {
            blocked[usize::from(group.advisor.number())] += 1;
        }
    }
    assert_eq!(blocked[1..], BLOCKED_OF_7776);
    assert_eq!(counts, [0, 20, 1_476, 6_280]);
}

/// The dice of the roll with this number among all rolls of this many dice.
fn faces(mut number: u32, dice: usize) -> Vec<u8> {
    (0..dice)
        .map(|_| {
            let face = number % 6 + 1;
            number /= 6;
            u8::try_from(face).unwrap()
        })
        .collect()
}

/// KIN-14.5, every roll once: which advisors three dice reach without help.
#[test]
fn all_216_rolls_reach_what_they_should() {
    let mut reached = [0_u32; 19];
    for roll in 0..216 {
        let table = Table::of(3).dice(EVA, &faces(roll, 3)).influence();
        let mut targets: Vec<usize> = table
            .legal()
            .iter()
            .filter_map(|action| match action {
                Action::Influence(placement) => usize::try_from(placement.advisor).ok(),
                _ => None,
            })
            .collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            reached[target] += 1;
        }
    }
    let expected = [
        91, 104, 116, 131, 145, 162, 105, 97, 85, 73, 57, 41, 21, 15, 10, 6, 3, 1,
    ];
    assert_eq!(reached[1..], expected);
    assert_eq!(reached.iter().sum::<u32>() * 72, 421 * 216);
}

/// KIN-14.3 for two players and KIN-14.4, every pair of rolls once.
#[test]
fn all_pairs_of_rolls_order_as_they_should() {
    let order = |eva: &[u8], anna: &[u8]| {
        let mut table = Table::of(2).dice(EVA, eva).dice(ANNA, anna);
        gamekeeper_rules::kingsburg::rules::roll::enter_order(&mut table.context());
        let total = |seat: Seat| table.state.players[seat].dice.total();
        (table.state.order[0] == EVA, total(EVA) == total(ANNA))
    };
    let (mut first, mut equal) = (0, 0);
    for eva in 0..216 {
        for anna in 0..216 {
            let (eva_first, tie) = order(&faces(eva, 3), &faces(anna, 3));
            first += u32::from(eva_first);
            equal += u32::from(tie);
        }
    }
    assert_eq!((first, equal), (4_249 * 6, 361 * 12));
    let (mut lower, mut equal) = (0, 0);
    for eva in 0..216 {
        for anna in 0..1_296 {
            let (eva_first, tie) = order(&faces(eva, 3), &faces(anna, 4));
            lower += u32::from(eva_first && !tie);
            equal += u32::from(tie);
        }
    }
    // Of 279,936 pairs: 23105/31104 lower, 6109/93312 equal.
    assert_eq!((lower, equal), (23_105 * 9, 6_109 * 3));
}

/// KIN-14.2: how often the Statue helps, and how often the dice stay equal.
#[test]
fn equal_dice_are_as_likely_as_they_should_be() {
    const ROLLS: u64 = 20_000;
    let (mut rerolls, mut still) = (0, 0);
    let start = Table::of(3).built(EVA, &[Building::Statue]).state.clone();
    for seed in 0..ROLLS {
        let luck = Chance::from_seed(&Seed::from_number(seed));
        let mut table = Table::of_state(start.clone()).with_luck(luck);
        table = table.begin(Phase::Summer);
        if table.asked() == Some((EVA, "reroll")) {
            rerolls += 1;
            table.play(EVA, Action::RerollDie { die: 0 });
            still += u64::from(table.state.players[EVA].dice.all_equal());
        }
    }
    assert_likely(rerolls, ROLLS, (1, 36));
    assert_likely(still, rerolls, (1, 6));
    let equal = |dice: u32| {
        let count = usize::try_from(dice).unwrap();
        let rolls = (0..6_u32.pow(dice)).map(|roll| faces(roll, count));
        rolls
            .filter(|faces| {
                Table::of(2).dice(EVA, faces).state.players[EVA]
                    .dice
                    .all_equal()
            })
            .count()
    };
    // Six of all rolls of three, four or five dice: 1/36, 1/216, 1/1296.
    assert_eq!([equal(3), equal(4), equal(5)], [6, 6, 6]);
}

/// Victory, stand-off and defeat of 30 in KIN-14.8, by strength before the King's die and year.
const OUTCOMES: [[(u64, u64, u64); 5]; 10] = [
    [(16, 5, 9), (9, 5, 16), (4, 5, 21), (1, 3, 26), (0, 0, 30)],
    [(21, 5, 4), (14, 5, 11), (9, 5, 16), (4, 5, 21), (0, 1, 29)],
    [(26, 3, 1), (19, 5, 6), (14, 5, 11), (9, 5, 16), (1, 3, 26)],
    [(29, 1, 0), (24, 4, 2), (19, 5, 6), (14, 5, 11), (4, 5, 21)],
    [(30, 0, 0), (28, 2, 0), (24, 4, 2), (19, 5, 6), (9, 5, 16)],
    [(30, 0, 0), (30, 0, 0), (28, 2, 0), (24, 4, 2), (14, 5, 11)],
    [(30, 0, 0), (30, 0, 0), (30, 0, 0), (28, 2, 0), (19, 5, 6)],
    [(30, 0, 0), (30, 0, 0), (30, 0, 0), (30, 0, 0), (24, 4, 2)],
    [(30, 0, 0), (30, 0, 0), (30, 0, 0), (30, 0, 0), (28, 2, 0)],
    [(30, 0, 0), (30, 0, 0), (30, 0, 0), (30, 0, 0), (30, 0, 0)],
];

/// The outcome of Eva's battle in this winter, and the King's die.
fn battle(table: Table) -> (Outcome, u8) {
    let table = table.begin(Phase::Winter);
    let battle = table.state.battle.iter().chain(&table.state.history).next();
    let battle = battle.unwrap();
    (battle.outcome(EVA), battle.king_die)
}

/// KIN-14.8, every card and every face of the King's die once.
#[test]
fn all_winters_end_as_they_should() {
    for (strength, years) in (0..).zip(OUTCOMES) {
        for (year, expected) in (1..).zip(years) {
            let mut counts = (0, 0, 0);
            for &enemy in Enemy::of_year(year) {
                for die in 1..=6 {
                    let table = Table::of(2).enemy(enemy).soldiers(EVA, strength);
                    match battle(table.luck(&[("king_die", None, &[die])])).0 {
                        Outcome::Victory => counts.0 += 1,
                        Outcome::Standoff => counts.1 += 1,
                        Outcome::Defeat => counts.2 += 1,
                    }
                }
            }
            assert_eq!(counts, expected, "strength {strength}, year {year}");
        }
    }
}

/// KIN-14.8 and KIN-14.9 with drawn decks and dice.
#[test]
fn drawn_winters_end_as_often_as_they_should() {
    const WINTERS: u64 = 3_000;
    let mut dice = [0_u64; 6];
    for (year, row) in (1_u8..).zip(OUTCOMES[3]) {
        let mut counts = [0_u64; 3];
        for seed in 0..WINTERS {
            let game = first_spring(2, u64::from(year) * WINTERS + seed).0;
            let mut table = Table::of_state(cleared(game.state)).with_luck(game.chance);
            table.state.year = year;
            let (outcome, die) = battle(table.soldiers(EVA, 3));
            counts[outcome as usize] += 1;
            dice[usize::from(die) - 1] += 1;
        }
        for (count, ways) in counts.into_iter().zip([row.0, row.1, row.2]) {
            assert_likely(count, WINTERS, (ways, 30));
        }
    }
    for count in dice {
        assert_likely(count, WINTERS * 5, (1, 6));
    }
}

/// Removes goods and dice of the first spring: then a defeat asks nothing, and another spring may come.
fn cleared(mut state: State) -> State {
    state.neutral.clear();
    for seat in Seat::all(2) {
        state.players[seat].goods = gamekeeper_rules::kingsburg::data::Goods::NONE;
        state.players[seat].dice = gamekeeper_rules::kingsburg::state::Dice::default();
    }
    state
}

/// KIN-14.1: four and five dice.
#[test]
fn white_dice_are_rolled_as_fairly() {
    const ROLLS: u64 = 20_000;
    let mut faces = [[0_u64; 6]; DieId::COUNT];
    let start = Table::of(3).rows(EVA, [0, 3, 0, 0, 0]).state.clone();
    for seed in 0..ROLLS {
        let luck = Chance::from_seed(&Seed::from_number(seed));
        let mut table = Table::of_state(start.clone()).with_luck(luck);
        table.state.aid_die = Some(EVA);
        let table = table.begin(Phase::Spring);
        for (die, face) in table.faces_of(EVA).into_iter().enumerate() {
            faces[die][usize::from(face) - 1] += 1;
        }
    }
    for count in faces.into_iter().flatten() {
        assert_likely(count, ROLLS, (1, 6));
    }
}
