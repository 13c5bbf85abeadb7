//! DOM-11.14: the first hands of many games, and the first players.

use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::{Dominion, Draft, Event, KingdomDraft};
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seat, Seed};

const GAMES: u64 = 20_000;

/// Four standard errors around the expected number of `trials` with chance `numerator / 252`.
fn assert_near(found: u64, numerator: u64, trials: u64) {
    let (found, expected) = (252 * i128::from(found), i128::from(numerator * trials));
    let variance = i128::from(numerator * (252 - numerator) * trials);
    let off = found - expected;
    assert!(
        off * off <= 16 * variance,
        "{found} / 252 instead of {expected} / 252"
    );
}

/// 5, 4, 3, 2 Coppers with 21, 105, 105, 21 chances in 252; 5+2 or 2+5 in a sixth of the games.
#[test]
fn dom_11_14_the_first_hand() {
    let names = [String::from("a"), String::from("b")];
    let options = Dominion::options(&names, &Draft::default()).unwrap();
    let mut coppers = [0_u64; 8];
    let mut first = 0;
    for seed in 0..GAMES {
        let game = create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(seed)));
        first += u64::from(game.state.turn.active == Seat::FIRST);
        for player in &game.state.players {
            coppers[usize::from(player.hand.count(Card::Copper))] += 1;
        }
    }
    let hands = 2 * GAMES;
    for (count, numerator) in [(5, 21), (4, 105), (3, 105), (2, 21)] {
        assert_near(coppers[count], numerator, hands);
    }
    assert_eq!(coppers[2..=5].iter().sum::<u64>(), hands);
    // The second hand holds the other Coppers: 5+2 and 2+5 together are a sixth.
    assert_near(coppers[5] + coppers[2], 42, hands);
    assert_near(first, 126, GAMES);
}

/// Each of the 25 kinds is in a random kingdom with a chance of 10 in 25.
#[test]
fn dom_5_2_random_kingdoms() {
    let names = [String::from("a"), String::from("b")];
    let draft = Draft {
        kingdom: KingdomDraft::Random,
        ..Draft::default()
    };
    let options = Dominion::options(&names, &draft).unwrap();
    let games = 5_000;
    let mut found = [0_u64; 32];
    for seed in 0..games {
        let game = create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(seed)));
        let Some(Event::GameCreated { kingdom, .. }) = game.events.first() else {
            panic!("{:?}", game.events);
        };
        assert!(kingdom.is_sorted());
        kingdom.iter().for_each(|card| found[card.index()] += 1);
    }
    assert_eq!(found[..7], [0; 7]);
    for kind in (7..32).filter(|&kind| Card::ALL[kind] != Card::Copper) {
        let off = i128::from(found[kind]) - i128::from(games * 2 / 5);
        // Four standard errors: the variance of one game is 6/25.
        assert!(
            off * off <= 16 * i128::from(games) * 6 / 25,
            "{} of {games}",
            found[kind]
        );
    }
}
