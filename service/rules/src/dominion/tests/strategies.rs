//! The published strategies: their purchases, and the legality of their actions.

use gamekeeper_rules::bots::{Heuristics, MAX_ACTIONS, legal};
use gamekeeper_rules::dominion::data::Card::{
    self, Cellar, Chapel, Library, Market, Militia, Mine, Moat, Province, Remodel, Smithy, Thief,
    ThroneRoom, Village, Witch, Workshop,
};
use gamekeeper_rules::dominion::data::{KINGDOM_SIZE, KingdomSet};
use gamekeeper_rules::dominion::options::{Kingdom, Options};
use gamekeeper_rules::dominion::stage::Phase;
use gamekeeper_rules::dominion::state::State;
use gamekeeper_rules::dominion::{Action, Dominion};
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place, create};
use gamekeeper_rules::table::{Chance, Seat, Seed};

/// A kingdom with every Action that a strategy buys.
const KINGDOM: [Card; KINGDOM_SIZE] = [
    Cellar, Chapel, Market, Militia, Mine, Moat, Smithy, Village, Witch, Workshop,
];

/// A kingdom whose Actions ask what those of the recommended kingdoms do not.
const QUESTIONS: [Card; KINGDOM_SIZE] = [
    Chapel, Library, Militia, Mine, Moat, Remodel, Thief, ThroneRoom, Village, Witch,
];

fn options(kingdom: Kingdom, seats: u8, strict_secrecy: bool) -> Options {
    Options {
        seats,
        kingdom,
        first_player: Some(Seat::FIRST),
        strict_secrecy,
    }
}

/// A table at which the first player of a new game has this much to spend, and this many Provinces are left.
fn shopper(coins: u16, provinces: u8) -> State {
    let options = options(Kingdom::Cards(KINGDOM), 2, false);
    let mut state = create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(1))).state;
    while state.supply.count(Province) > Some(provinces) {
        assert!(state.supply.take(Province));
    }
    state.turn.phase = Phase::Buy;
    state.turn.counters.coins = coins;
    // Treasures are not played any more.
    state.turn.bought = true;
    state
}

/// The purchases of a strategy with 2 to 8 coins: basic cards with a capital letter.
fn shopping(strategy: usize, provinces: u8) -> String {
    let bought = |coins| {
        let state = shopper(coins, provinces);
        match Dominion::strategy_action(strategy, &state, Seat::FIRST) {
            Some(Action::BuyCard { card: Some(card) }) => {
                let initial = &card.id()[..1];
                match KINGDOM.contains(&card) {
                    true => initial.to_owned(),
                    false => initial.to_uppercase(),
                }
            }
            Some(Action::EndTurn { discard_top: None }) => String::from("-"),
            other => panic!("{other:?}"),
        }
    };
    (2..=8).map(bought).collect()
}

/// C: Copper, E: Estate, S: Silver, D: Duchy, G: Gold, P: Province; c: Chapel, m: Market, Militia or Mine, s: Smithy,
/// w: Witch or Workshop. Other Actions are not in this kingdom.
#[test]
fn strategies_buy_by_coins_and_provinces() {
    let mut table =
        String::from("\nPROVINCES LEFT         8        6        5        4        2\n");
    for (place, strategy) in Dominion::STRATEGIES.iter().enumerate() {
        table += &format!("{:<21}", strategy.id);
        for provinces in [8, 6, 5, 4, 2] {
            table += &format!("  {}", shopping(place, provinces));
        }
        table += "\n";
    }
    let expected = "
PROVINCES LEFT         8        6        5        4        2
bm0                    -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
duchy-p4               -SSSGGP  -SSSGGP  -SSSGGP  -SSDGGP  -SSDGGP
bm-ultimate            -SSSGGG  -SSDGGG  -SSDGGG  -SSDDDD  EEEDDDD
bm-adventurer1         -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
bm-chancellor1         -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
bm-chapel              ccccGGP  ccccGGP  ccccGGP  ccccGGP  ccccGGP
bm-chapel-witch        cccwwwP  cccwwwP  cccwwwP  cccDDDP  EEEDDDP
bm-council1            -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
bm-lab                 -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
bm-library1            -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
bm-market              -SSmGGP  -SSmGGP  -SSmGGP  -SSmGGP  -SSmGGP
bm-militia1            -SmmGGP  -SmmGGP  -SmmGGP  -SmmGGP  -SmmGGP
bm-mine1               -SSmGGP  -SSmGGP  -SSmGGP  -SSmGGP  -SSmGGP
bm-moneylender1        -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
bm-smithy1             -SssGGP  -SssGGP  -SssGGP  -SssGGP  -SssGGP
bm-smithy2             -SssGGP  -SssGGP  -SssGGP  -SssGGP  -SssGGP
bm-smithy2-duchy       -SssGGP  -SssGGP  -SssGGP  -SsDDDP  EEEDDDP
bm-thief1              -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP  -SSSGGP
bm-witch1              -SSwGGP  -SSwGGP  -SSwGGP  -SSwGGP  -SSwGGP
bm-witch1-duchy        -SSwGGP  -SSwGGP  -SSwGGP  -SSDDDP  EEEDDDP
gardens-rush           Ewwwwww  Ewwwwww  Ewwwwww  Ewwwwww  Ewwwwww
village-smithy         -SssGGP  -SssGGP  -SssGGP  -SsDDDP  EEEDDDP
militia-smithy-market  -SmmGGG  -SmmGGG  -SmmGGG  -SmDDDD  EEEDDDD
chapel-lab-market      cccmGGG  cccmGGG  cccmGGP  cccDDDP  EEEDDDP
";
    assert_eq!(table, expected);
}

/// The number of Smithies that a strategy owns after four purchases for 4 coins each.
#[test]
fn the_number_of_terminals_is_limited() {
    for (id, smithies) in [("bm0", 0), ("bm-smithy1", 1), ("bm-smithy2", 2)] {
        let mut strategies = Dominion::STRATEGIES.iter();
        let place = strategies.position(|strategy| strategy.id == id).unwrap();
        let mut state = shopper(4, 8);
        for _ in 0..4 {
            let Some(Action::BuyCard { card: Some(card) }) =
                Dominion::strategy_action(place, &state, Seat::FIRST)
            else {
                panic!("{id} buys nothing");
            };
            state.players[Seat::FIRST].discard_pile.put(card);
        }
        assert_eq!(state.owned(Seat::FIRST).count(Smithy), smithies, "{id}");
    }
}

/// In games in which every other action is any legal one, all strategies, and the habit of bots, answer every question
/// with a listed action.
#[test]
fn strategies_choose_legal_actions() {
    let sets = KingdomSet::ALL.into_iter().map(Kingdom::Set);
    let kingdoms = sets.chain([Kingdom::Cards(QUESTIONS), Kingdom::Random, Kingdom::Random]);
    for (number, kingdom) in (1..).zip(kingdoms) {
        for (seats, strict) in [(2, false), (3, true), (4, false)] {
            let options = options(kingdom, seats, strict);
            game(&options, &Seed::from_number(number));
        }
    }
}

fn game(options: &Options, seed: &Seed) {
    let begun = create::<Dominion>(options, Chance::from_seed(seed));
    let (mut state, mut luck) = (begun.state, begun.chance);
    let mut whim = Chance::from_seed(seed);
    let mut actions = 0;
    while let Some((seat, decision)) = state.pending() {
        let mut listed = legal::<Dominion>(&state, seat);
        let strategies = 0..Dominion::STRATEGIES.len();
        let answers = strategies.map(|strategy| Dominion::strategy_action(strategy, &state, seat));
        let mut answers: Vec<Option<Action>> = answers.collect();
        answers.push(Dominion::playout_policy(&state, seat));
        for answer in answers.iter().flatten() {
            let is_legal = listed.contains(answer)
                || listed.len() == MAX_ACTIONS && Dominion::check(&state, seat, answer).is_ok();
            assert!(is_legal, "{decision:?}: {answer:?} of {listed:?}");
        }
        assert!(answers.iter().all(Option::is_some), "{decision:?}");
        let other = seat.others(state.seats()).next().unwrap();
        assert_eq!(Dominion::strategy_action(0, &state, other), None);
        assert_eq!(Dominion::strategy_action(answers.len(), &state, seat), None);
        let any = usize::try_from(whim.uniform(1_000)).unwrap();
        let action = match any % 2 {
            0 => listed.swap_remove(any % listed.len()),
            _ => answers.swap_remove(any % answers.len()).unwrap(),
        };
        apply_in_place::<Dominion>(&mut state, &mut luck, seat, &action).unwrap();
        drop(luck.take_record());
        actions += 1;
        if actions == 2_000 {
            return;
        }
    }
}
