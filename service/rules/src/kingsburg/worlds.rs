//! **Determinization**: samples worlds that a seat may be in (KIN-13). Redraws every enemy that its view hides.
//!
//! Hidden are the enemies that are not revealed; viewers who have peeked know this year's, and the
//! view remembers that (KIN-13.1). Each year has five cards, of which one was drawn independently of
//! the other years (KIN-5.5), and nothing that happens before the reveal depends on it: each of the
//! five is equally likely, whatever else the view shows.

use super::data::Enemy;
use super::state::State;
use crate::table::{Chance, Seat};

/// Samples a table that this seat cannot tell from the real one.
pub fn sample_world(state: &State, seat: Seat, chance: &mut Chance) -> State {
    let mut world = state.clone();
    let visible = state.revealed() + usize::from(state.peeked_by.contains(seat));
    for (year, card) in (1..).zip(&mut world.deck).skip(visible) {
        *card = chance
            .pick("world", None, Enemy::of_year(year))
            .unwrap_or(*card);
    }
    drop(chance.take_record());
    world
}
