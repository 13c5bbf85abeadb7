//! Games of all rulesets, played at random through the interface that learners use.

mod described;
mod games;
mod learned;
mod seat_fields;
mod sizes;
mod view_coverage;

use std::sync::Arc;

use gamekeeper_rules::table::{Chance, Seed};

use crate::row_buffer::DirtyCells;
use crate::{Game, Observer, Settings, Space, game_of, rulesets, space_of};

/// Returns the spaces of every ruleset with every number of seats.
fn sizes() -> Vec<Arc<Space>> {
    let seats = |ruleset| (2..=5).filter_map(move |seats| space_of(ruleset, seats).ok());
    rulesets().into_iter().flat_map(seats).collect()
}

fn settings(seats: usize) -> Settings {
    Settings {
        seats,
        recall: true,
        ..Settings::default()
    }
}

fn begun(space: &Arc<Space>, seed: u64) -> Box<dyn Game> {
    let mut game = game_of(space, &Arc::new(settings(space.seats()))).unwrap();
    game.begin(&Seed::from_number(seed), 1).unwrap();
    game
}

/// Returns one of the words that can be said.
fn any_word(words: &[u16], chance: &mut Chance) -> i64 {
    let index = chance.uniform(u32::try_from(words.len()).unwrap());
    words[usize::try_from(index).unwrap()].into()
}

/// Says a random word. Returns false if the game is over.
fn step(game: &mut dyn Game, chance: &mut Chance) -> bool {
    if game.seat().is_none() {
        return false;
    }
    game.push(any_word(game.legal_words(), chance)).unwrap();
    true
}

/// Returns the observation of a seat, in new cells.
fn observed(game: &dyn Game, seat: usize) -> Vec<f32> {
    written(game, Observer::Seat(seat))
}

fn written(game: &dyn Game, observer: Observer) -> Vec<f32> {
    let mut buffer = game.space().row_buffer();
    let mut cells = vec![0.0; game.space().cells().len()];
    game.observe(observer, 0, &mut buffer);
    buffer.flush_into(&mut cells, &mut DirtyCells::default());
    cells
}
