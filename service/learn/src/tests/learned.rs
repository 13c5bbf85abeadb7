//! Learned policies as opponents: they are asked about many games at once, and no game notices.

use std::sync::Arc;

use gamekeeper_rules::table::Seed;
use xxhash_rust::xxh3::xxh3_64;

use super::{begun, settings};
use crate::seeds::seed_of;
use crate::{
    BatchRows, Ended, Fault, Opponent, Opponents, Space, Standing, Vector, WordChoice, WordPolicy,
    play_learned, space_of,
};

/// Chooses by all that it sees, and by its luck. Fails in a decision with more words than it can think of.
#[derive(Debug)]
struct Whim(usize);

impl WordPolicy for Whim {
    fn choose_words(
        &self,
        cells: &[f32],
        choices: &mut [WordChoice<'_>],
    ) -> Result<Vec<u16>, Fault> {
        let rows = cells.chunks_exact(cells.len() / choices.len());
        let choose = |(row, choice): (&[f32], &mut WordChoice<'_>)| {
            let seen: Vec<u8> = row.iter().flat_map(|cell| cell.to_le_bytes()).collect();
            let whim = xxh3_64(&seen) % 1_000 + u64::from(choice.luck.uniform(1_000));
            let words = choice.words.len();
            if words > self.0 {
                return Err(whimless());
            }
            Ok(choice.words[usize::try_from(whim).unwrap() % words])
        };
        rows.zip(choices).map(choose).collect()
    }
}

fn whimless() -> Fault {
    Fault::Learned {
        policy: "whim".to_owned(),
        reason: "too many words".to_owned(),
    }
}

fn opponents(words: usize) -> Opponents {
    Opponents {
        by_seat: vec![None, Some(Opponent::Learned(Arc::new(Whim(words))))],
        take_turns: true,
    }
}

/// The games of a vector, in which the caller says the first word.
struct Match {
    vector: Vector,
    rows: (Vec<f32>, Vec<i8>, Vec<i64>),
}

impl Match {
    fn new(space: &Arc<Space>, sizes: (usize, usize), opponents: &Opponents) -> Self {
        let (settings, games) = (Arc::new(settings(space.seats())), sizes.0);
        let seed = Seed::from_number(1);
        let cells = vec![0.0; games * space.cells().len()];
        Self {
            vector: Vector::new(space, &settings, sizes, opponents, &seed).unwrap(),
            rows: (cells, vec![0; games * space.words().len()], vec![0; games]),
        }
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let (observations, masks, seats) = &mut self.rows;
        let rows = BatchRows {
            observations,
            masks,
            seats,
        };
        self.vector.begin(None, rows)
    }

    fn step(&mut self) -> Result<Vec<Ended>, Fault> {
        let games = (0..self.vector.len()).filter_map(|slot| self.vector.game(slot));
        let words: Vec<i64> = games.map(|game| game.legal_words()[0].into()).collect();
        let (observations, masks, seats) = &mut self.rows;
        let rows = BatchRows {
            observations,
            masks,
            seats,
        };
        self.vector.step(&words, rows)
    }
}

/// Plays a game alone, and returns how it ended.
fn alone(space: &Arc<Space>, number: u64) -> (u64, Option<Vec<Standing>>) {
    let seed = seed_of(&Seed::from_number(1), number);
    let mut game = begun(space, 0);
    game.begin(&seed, number).unwrap();
    let mut decisions = 0;
    while let Some(seat) = game.seat() {
        if seat == usize::from(number.is_multiple_of(2)) {
            game.push(game.legal_words()[0].into()).unwrap();
        } else {
            decisions += 1;
            let luck = seed_of(&seed, decisions);
            play_learned(&mut *game, &Whim(usize::MAX), &luck).unwrap();
        }
    }
    (game.version(), game.standings())
}

#[test]
fn games_with_learned_opponents_are_those_of_each_alone() {
    let space = space_of("kingsburg", 2).unwrap();
    for sizes in [(1, 1), (5, 1), (5, 2)] {
        let mut all = Match::new(&space, sizes, &opponents(usize::MAX));
        all.begin().unwrap();
        let mut games = vec![0; sizes.0];
        while games.iter().sum::<u64>() < 10 {
            for ended in all.step().unwrap() {
                let slots = sizes.0 as u64;
                let number = games[ended.slot] * slots + ended.slot as u64 + 1;
                assert_eq!((ended.version, ended.standings), alone(&space, number));
                games[ended.slot] += 1;
            }
        }
    }
}

#[test]
fn an_opponent_that_cannot_choose_ends_the_games() {
    let space = space_of("kingsburg", 2).unwrap();
    let mut all = Match::new(&space, (3, 1), &opponents(3));
    let mut fault = all.begin().err();
    while fault.is_none() {
        fault = all.step().err();
    }
    assert_eq!(fault, Some(whimless()));
    assert_eq!(all.step(), Err(Fault::NotBegun));
    let mut over = begun(&space, 1);
    while over.seat().is_some() {
        over.push(over.legal_words()[0].into()).unwrap();
    }
    let said = play_learned(&mut *over, &Whim(usize::MAX), &Seed::from_number(1));
    assert_eq!(said, Ok(Vec::new()), "nobody has anything to decide");
}
