//! Games of all rulesets, played at random through the interface that learners use.

mod games;
mod known;
mod sizes;

use std::sync::Arc;

use gamekeeper_rules::table::{Chance, Seed};

use crate::cells::Row;
use crate::{Game, Settings, Space, Who, game_of, rulesets, space_of};

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
    game.begin(&Seed::from_number(seed));
    game
}

/// Returns one of the words that can be said.
fn any(words: &[u16], chance: &mut Chance) -> i64 {
    let place = chance.below(u32::try_from(words.len()).unwrap());
    words[usize::try_from(place).unwrap()].into()
}

/// Says a random word. Returns false if the game is over.
fn step(game: &mut dyn Game, chance: &mut Chance) -> bool {
    if game.seat().is_none() {
        return false;
    }
    game.say(any(game.words(), chance)).unwrap();
    true
}

/// Returns the observation of a seat, in new cells.
fn observed(game: &dyn Game, seat: usize) -> Vec<f32> {
    written(game, Who::Seat(seat))
}

fn written(game: &dyn Game, who: Who) -> Vec<f32> {
    let mut page = game.space().page();
    let mut cells = vec![0.0; game.space().cells().len()];
    game.observe(who, 0, &mut page);
    page.finish(&mut cells, &mut Row::default());
    cells
}
