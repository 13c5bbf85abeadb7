//! Games that begin on described tables.

use std::sync::Arc;

use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_wire::MAX_POSITIONS;

use super::games::Arrays;
use super::{any_word, begun, observed, settings, sizes};
use crate::seeds::seed_of;
use crate::{Fault, Observer, Opponents, Settings, Space, Vector, game_of, space_of};

/// Returns two tables of a game, as the omniscient see them, each at the beginning of a decision.
fn tables(space: &Arc<Space>) -> Vec<Vec<u8>> {
    let mut game = begun(space, 4);
    let mut luck = Chance::from_seed(&Seed::from_number(4));
    let mut found = Vec::new();
    while found.len() < 2 {
        for _ in 0..5 {
            while !game.push(any_word(game.legal_words(), &mut luck)).unwrap() {}
        }
        found.push(game.view(Observer::Omniscient));
    }
    found
}

fn beginning_on(space: &Space, positions: Vec<Vec<u8>>) -> Arc<Settings> {
    Arc::new(Settings {
        positions,
        ..settings(space.seats())
    })
}

/// Game number n begins on table (n - 1) mod 2, alone and in a vector, and nobody has seen anything happen.
#[test]
fn games_begin_on_their_tables_in_turn() {
    for space in sizes() {
        let tables = tables(&space);
        let settings = beginning_on(&space, tables.clone());
        let (nobody, seed) = (Opponents::default(), Seed::from_number(1));
        let mut vector = Vector::new(&space, &settings, (3, 2), &nobody, &seed).unwrap();
        vector.begin(None, Arrays::new(&space, 3).rows()).unwrap();
        let mut single = game_of(&space, &settings).unwrap();
        for number in 1..=3 {
            let slot = usize::try_from(number - 1).unwrap();
            single.begin(&seed_of(&seed, number), number).unwrap();
            let view = single.view(Observer::Omniscient);
            assert_eq!(
                (view.as_slice(), single.version()),
                (&*tables[slot % 2], 1),
                "{} {number}",
                space.ruleset()
            );
            let other = vector.game(slot).unwrap();
            assert_eq!(other.view(Observer::Omniscient), view);
            assert_eq!((single.version(), other.version()), (1, 1));
            for seat in 0..space.seats() {
                assert!(single.events(seat).is_empty());
                let cells = observed(&*single, seat);
                let mut happened = space.cells().iter().zip(&cells);
                assert!(happened.all(|(name, cell)| !name.starts_with("happened") || *cell == 0.0));
            }
            // A snapshot goes on with the same tables.
            let restored =
                crate::game_from_snapshot(&space, &settings, &single.snapshot().unwrap());
            let mut restored = restored.unwrap();
            assert_eq!(restored.view(Observer::Omniscient), view);
            restored.begin(&seed, number + 1).unwrap();
            assert_eq!(restored.view(Observer::Omniscient), tables[(slot + 1) % 2]);
        }
    }
}

#[test]
fn tables_that_do_not_fit_are_named() {
    let space = space_of("kingsburg", 2).unwrap();
    let good = tables(&space).remove(0);
    let three = tables(&space_of("kingsburg", 3).unwrap()).remove(0);
    let refusal = |positions| match game_of(&space, &beginning_on(&space, positions)) {
        Ok(_) => panic!("a table that does not fit"),
        Err(fault) => fault,
    };
    let seats = refusal(vec![good.clone(), three]).to_string();
    assert!(seats.starts_with("positions[1].kingsburg."), "{seats}");
    let garbled = refusal(vec![vec![255]]);
    assert!(matches!(garbled, Fault::Position(_)), "{garbled}");
    let many = refusal(vec![good; MAX_POSITIONS + 1]);
    assert_eq!(many, Fault::Positions(MAX_POSITIONS + 1));
}
