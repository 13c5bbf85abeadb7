//! Games, copies, snapshots, worlds, and many games side by side.

use std::collections::BTreeSet;
use std::sync::Arc;

use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::table::{Chance, Seed};

use super::{any_word, begun, observed, settings, sizes, step, written};
use crate::seeds::seed_of;
use crate::{
    BatchRows, Bot, Fault, Game, Observer, Opponent, Opponents, Settings, Space, Vector,
    WordResult, game_from_snapshot, game_of, play_bot, space_of,
};

const STEPS: usize = 40;

fn luck(seed: u64) -> Chance {
    Chance::from_seed(&Seed::from_number(seed))
}

/// Observations of all seats, words that can be said, words that were said, seat to move, version, and memories.
type All = (
    Vec<Vec<f32>>,
    Vec<u16>,
    Vec<u16>,
    Option<usize>,
    u64,
    Vec<u128>,
);

/// Collects the whole observable state of a game.
fn all(game: &dyn Game) -> All {
    let seats = 0..game.space().seats();
    (
        seats.clone().map(|seat| observed(game, seat)).collect(),
        game.legal_words().to_vec(),
        game.prefix().to_vec(),
        game.seat(),
        game.version(),
        seats.map(|seat| game.memory_digest(seat)).collect(),
    )
}

#[test]
fn games_end_and_every_action_can_be_said() {
    for space in sizes() {
        let (mut game, mut chance) = (begun(&space, 1), luck(1));
        let mut left = 20_000;
        while left > 0 && step(&mut *game, &mut chance) {
            left -= 1;
        }
        let standings = game.standings();
        assert_eq!(
            standings.map(|all| all.len()),
            Some(space.seats()),
            "{}",
            space.ruleset()
        );
    }
}

#[test]
fn an_illegal_word_changes_nothing() {
    let space = space_of("kingsburg", 3).unwrap();
    let mut game = begun(&space, 1);
    let before = all(&*game);
    for word in [-1, 65_536, 40_000] {
        assert_eq!(game.push(word), Err(Fault::Illegal { word, game: None }));
    }
    assert!(before == all(&*game));
}

#[test]
fn copies_and_snapshots_go_on_alike() {
    for space in sizes() {
        let (mut game, mut chance) = (begun(&space, 2), luck(2));
        for _ in 0..STEPS {
            step(&mut *game, &mut chance);
        }
        let mut copy = game.copy();
        let mut read =
            game_from_snapshot(&space, game.settings(), &game.snapshot().unwrap()).unwrap();
        for _ in 0..STEPS {
            assert!(all(&*game) == all(&*copy), "{}: the copy", space.ruleset());
            assert!(
                all(&*game) == all(&*read),
                "{}: the snapshot",
                space.ruleset()
            );
            if game.seat().is_none() {
                break;
            }
            let word = any_word(game.legal_words(), &mut chance);
            for one in [&mut game, &mut copy, &mut read] {
                one.push(word).unwrap();
            }
        }
    }
}

/// The draws of an action follow from the luck that is provided, and from nothing else.
#[test]
fn an_action_that_draws_waits_for_its_luck() {
    let mut rulesets = BTreeSet::new();
    for space in sizes() {
        let (mut game, mut chance) = (begun(&space, 6), luck(6));
        for _ in 0..STEPS {
            let Some(seat) = game.seat() else {
                break;
            };
            let (word, mut plain) = (any_word(game.legal_words(), &mut chance), game.copy());
            let is_played = plain.push(word).unwrap();
            let offered = game.push_without_chance(word).unwrap();
            assert_eq!(is_played, offered != WordResult::Partial);
            assert_eq!(game.awaits_chance(), offered == WordResult::AwaitsChance);
            if offered != WordResult::AwaitsChance {
                assert!(all(&*game) == all(&*plain), "{}", space.ruleset());
                assert_eq!(game.draw(&Seed::from_number(1)), Err(Fault::NothingWaits));
                continue;
            }
            assert_eq!((game.seat(), game.legal_words()), (Some(seat), &[][..]));
            let mut read =
                game_from_snapshot(&space, game.settings(), &game.snapshot().unwrap()).unwrap();
            let drawn = |game: &dyn Game, number| {
                let mut copy = game.copy();
                copy.draw(&Seed::from_number(number)).unwrap();
                all(&*copy)
            };
            assert!(drawn(&*game, 1) == drawn(&*read, 1), "{}", space.ruleset());
            if (2..20).any(|number| drawn(&*game, number) != drawn(&*game, 1)) {
                rulesets.insert(space.ruleset());
            }
            for one in [&mut game, &mut read] {
                one.draw(&Seed::from_number(chance.position())).unwrap();
            }
            assert!(all(&*game) == all(&*read), "{}", space.ruleset());
        }
    }
    // Actions draw luck in exactly these rulesets.
    let drawing: Vec<_> = rulesets.into_iter().collect();
    assert_eq!(drawing, ["dominion", "kingsburg", "mythotopia"]);
}

#[test]
fn bytes_that_are_no_snapshot_are_refused() {
    let (dominion, caylus) = (
        space_of("dominion", 2).unwrap(),
        space_of("caylus", 2).unwrap(),
    );
    let game = begun(&dominion, 1);
    let bytes = game.snapshot().unwrap();
    let settings = game.settings();
    assert!(
        game_from_snapshot(&caylus, settings, &bytes).is_err(),
        "of another ruleset"
    );
    assert!(
        game_from_snapshot(&space_of("dominion", 3).unwrap(), settings, &bytes).is_err(),
        "of other seats"
    );
    for cut in 0..bytes.len() {
        assert!(
            game_from_snapshot(&dominion, settings, &bytes[..cut]).is_err(),
            "cut to {cut}"
        );
    }
}

/// A world equals the game for the seat: its observation, its legal words and its memory.
#[test]
fn worlds_look_the_same_and_go_on() {
    for space in sizes() {
        let (mut game, mut chance) = (begun(&space, 4), luck(4));
        for number in 0..STEPS {
            let Some(seat) = game.seat() else {
                break;
            };
            let mut world = game.sample_world(seat, &seed_of(&Seed::from_number(4), number as u64));
            assert!(
                observed(&*game, seat) == observed(&*world, seat),
                "{}",
                space.ruleset()
            );
            assert_eq!(
                (game.legal_words(), game.memory_digest(seat)),
                (world.legal_words(), world.memory_digest(seat))
            );
            for _ in 0..5 {
                step(&mut *world, &mut chance);
            }
            step(&mut *game, &mut chance);
        }
    }
}

/// The knowledge of other seats in a world follows from the knowledge of the observing seat alone.
#[test]
fn worlds_of_worlds_are_worlds() {
    let space = space_of("dominion", 3).unwrap();
    let (mut game, mut chance) = (begun(&space, 4), luck(4));
    for number in 0..200 {
        let Some(seat) = game.seat() else {
            break;
        };
        let seed = seed_of(&Seed::from_number(5), number);
        let world = game.sample_world(seat, &seed);
        let other = game.sample_world(seat, &seed_of(&seed, 1));
        assert!(all(&*world) == all(&*other.sample_world(seat, &seed)));
        step(&mut *game, &mut chance);
    }
}

#[test]
fn bots_play_to_the_end() {
    for space in sizes() {
        let mut game = begun(&space, 6);
        let mut number = 0;
        while game.seat().is_some() {
            number += 1;
            let bot = Bot {
                policy: if number % 2 == 0 {
                    Policy::Random
                } else {
                    Policy::Greedy
                },
                playouts: None,
                seed: seed_of(&Seed::from_number(6), number),
            };
            let before = game.version();
            play_bot(&mut *game, &bot);
            assert!(game.version() > before);
        }
        assert!(game.standings().is_some());
    }
}

/// The arrays of a caller.
pub(super) struct Arrays {
    observations: Vec<f32>,
    masks: Vec<i8>,
    seats: Vec<i64>,
}

impl Arrays {
    pub(super) fn new(space: &Space, games: usize) -> Self {
        Self {
            observations: vec![7.0; games * space.cells().len()],
            masks: vec![7; games * space.words().len()],
            seats: vec![7; games],
        }
    }

    pub(super) fn rows(&mut self) -> BatchRows<'_, f32> {
        BatchRows {
            observations: &mut self.observations,
            masks: &mut self.masks,
            seats: &mut self.seats,
        }
    }

    /// Fails unless the rows at this index are those of a game.
    fn show(&self, index: usize, game: &dyn Game) {
        let (space, seat) = (game.space(), game.seat().unwrap());
        let (size, words) = (space.cells().len(), space.words().len());
        assert_eq!(self.seats[index], i64::try_from(seat).unwrap());
        let row = &self.observations[index * size..][..size];
        assert!(row == observed(game, seat), "{}", space.ruleset());
        let mask = &self.masks[index * words..][..words];
        let allowed = (0..).zip(mask).filter(|(_, cell)| **cell == 1);
        let allowed: Vec<u16> = allowed.map(|(word, _)| word).collect();
        assert_eq!(allowed, game.legal_words());
    }
}

/// A vector plays the same games as single ones, on any number of threads, and its rows never contain leftovers of an
/// earlier table.
#[test]
fn a_vector_is_its_games() {
    for space in sizes() {
        let settings = Arc::new(Settings {
            max_versions: 60,
            ..settings(space.seats())
        });
        let seed = Seed::from_number(9);
        let games = 3;
        let mut vectors = [1, 3].map(|threads| {
            let nobody = Opponents::default();
            let vector = Vector::new(&space, &settings, (games, threads), &nobody, &seed).unwrap();
            (vector, Arrays::new(&space, games))
        });
        for (vector, arrays) in &mut vectors {
            vector.begin(None, arrays.rows()).unwrap();
        }
        let begin = |number| {
            let mut game = game_of(&space, &settings).unwrap();
            game.begin(&seed_of(&seed, number), number).unwrap();
            game
        };
        let mut singles: Vec<_> = (1..=3).map(begin).collect();
        let (mut begun, mut chance) = ([1, 1, 1], luck(9));
        for _ in 0..150 {
            for (_, arrays) in &vectors {
                for (index, single) in singles.iter().enumerate() {
                    arrays.show(index, &**single);
                }
            }
            let words: Vec<i64> = singles
                .iter()
                .map(|game| any_word(game.legal_words(), &mut chance))
                .collect();
            let ended = vectors
                .each_mut()
                .map(|(vector, arrays)| vector.step(&words, arrays.rows()).unwrap());
            let mut expected = Vec::new();
            for (slot, (single, word)) in singles.iter_mut().zip(&words).enumerate() {
                single.push(*word).unwrap();
                if single.seat().is_none() {
                    for (vector, _) in &vectors {
                        assert!(all(vector.last(slot).unwrap()) == all(&**single));
                    }
                    expected.push((slot, single.standings(), single.version()));
                    *single = begin(3 * begun[slot] + slot as u64 + 1);
                    begun[slot] += 1;
                }
            }
            for ended in ended {
                let ended: Vec<_> = ended
                    .into_iter()
                    .map(|one| (one.slot, one.standings, one.version))
                    .collect();
                assert_eq!(ended, expected);
            }
        }
    }
}

#[test]
fn a_word_that_one_game_does_not_take_moves_none() {
    let space = space_of("kingsburg", 2).unwrap();
    let settings = Arc::new(settings(2));
    let (nobody, seed) = (Opponents::default(), Seed::from_number(1));
    let mut vector = Vector::new(&space, &settings, (2, 1), &nobody, &seed).unwrap();
    let mut arrays = Arrays::new(&space, 2);
    let early = vector.step(&[0, 0], arrays.rows());
    assert_eq!(early, Err(Fault::NotBegun));
    vector.begin(None, arrays.rows()).unwrap();
    let legal = i64::from(vector.game(0).unwrap().legal_words()[0]);
    let before = (arrays.observations.clone(), arrays.masks.clone());
    let refused = vector.step(&[legal, 9_999], arrays.rows()).unwrap_err();
    assert_eq!(
        refused,
        Fault::Illegal {
            word: 9_999,
            game: Some(1)
        }
    );
    assert_eq!(
        vector.step(&[legal], arrays.rows()),
        Err(Fault::Size {
            array: "words",
            size: 1,
            expected: 2
        })
    );
    arrays.seats.pop();
    assert_eq!(
        vector.step(&[legal, legal], arrays.rows()),
        Err(Fault::Size {
            array: "seats",
            size: 1,
            expected: 2
        })
    );
    assert_eq!(before, (arrays.observations, arrays.masks));
}

#[test]
fn bots_take_the_seats_that_the_caller_leaves_them() {
    let space = space_of("kingsburg", 3).unwrap();
    let settings = Arc::new(settings(3));
    let seed = Seed::from_number(1);
    for take_turns in [false, true] {
        let opponents = Opponents {
            by_seat: vec![
                Some(Opponent::Bot(Policy::Greedy, None)),
                None,
                Some(Opponent::Bot(Policy::Random, None)),
            ],
            take_turns,
        };
        let mut vector = Vector::new(&space, &settings, (2, 1), &opponents, &seed).unwrap();
        let mut arrays = Arrays::new(&space, 2);
        vector.begin(None, arrays.rows()).unwrap();
        let (mut chance, mut ended, mut turns) = (luck(1), 0, [0, 1]);
        while ended < 4 {
            let expected = turns.map(|turned| if take_turns { (1 + turned) % 3 } else { 1 });
            assert_eq!(arrays.seats, expected);
            let words: Vec<i64> = (0..2)
                .map(|slot| any_word(vector.game(slot).unwrap().legal_words(), &mut chance))
                .collect();
            for one in vector.step(&words, arrays.rows()).unwrap() {
                turns[one.slot] += 1;
                ended += 1;
            }
        }
    }
}

#[test]
fn a_vector_without_decisions_gives_up() {
    let space = space_of("kingsburg", 2).unwrap();
    let mut arrays = Arrays::new(&space, 2);
    let seed = Seed::from_number(1);
    let bots = |count| Opponents {
        by_seat: vec![Some(Opponent::Bot(Policy::Random, None)); count],
        take_turns: false,
    };
    for (max_versions, opponents) in [(1, bots(0)), (20, bots(2))] {
        let settings = Arc::new(Settings {
            max_versions,
            ..settings(2)
        });
        let mut vector = Vector::new(&space, &settings, (2, 1), &opponents, &seed).unwrap();
        let begun = vector.begin(None, arrays.rows());
        assert_eq!(begun, Err(Fault::NothingToDecide));
        let next = vector.step(&[0, 0], arrays.rows());
        assert_eq!(next, Err(Fault::NotBegun));
    }
    let crowd = Vector::new(&space, &Arc::new(settings(2)), (2, 1), &bots(3), &seed);
    let expected = Fault::Opponents {
        opponents: 3,
        seats: 2,
    };
    assert_eq!(crowd.err(), Some(expected));
}

/// The observer of everything knows more than any seat, and the public less than each seat.
#[test]
fn what_nobody_knows_is_in_the_whole_table_alone() {
    let space = space_of("dominion", 2).unwrap();
    let game = begun(&space, 1);
    let seen = |wanted: &str, cells: &[f32]| {
        let names = space.cells().iter().zip(cells);
        names
            .filter(|(name, cell)| name.contains(wanted) && **cell != 0.0)
            .count()
    };
    let public = written(&*game, Observer::Public);
    let full_table = written(&*game, Observer::Omniscient);
    assert_eq!(seen("hand is set", &public), 0);
    assert_eq!(seen("hand is set", &observed(&*game, 0)), 1);
    assert_eq!(seen("hand is set", &full_table), 2);
    assert_eq!(seen("draw_pile is set", &observed(&*game, 0)), 0);
    assert_eq!(seen("draw_pile is set", &full_table), 2);
}
