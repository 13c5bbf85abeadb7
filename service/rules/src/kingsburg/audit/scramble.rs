//! Changes everything that a viewer cannot know, and nothing else, to find leaks: enemies to come (KIN-13).

use crate::kingsburg::data::Enemy;
use crate::kingsburg::event::Event;
use crate::kingsburg::state::State;
use crate::table::{Chance, Viewer};

pub fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
    let mut other = state.clone();
    let peeked = match viewer {
        Viewer::Seat(seat) => state.peeked_by.contains(seat),
        Viewer::Spectator => false,
        Viewer::Operator => return other,
    };
    let visible = state.revealed() + usize::from(peeked);
    for (year, card) in (1..).zip(&mut other.deck).skip(visible) {
        *card = another(year, *card, chance);
    }
    other
}

pub fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
    let mut other = event.clone();
    if let Event::EnemyPeeked {
        seat,
        year,
        card: Some(card),
        ..
    } = &mut other
        && !viewer.sees(*seat)
    {
        *card = another(*year, *card, chance);
    }
    other
}

/// A card of the same year at random.
fn another(year: u8, card: Enemy, chance: &mut Chance) -> Enemy {
    let cards = Enemy::of_year(year);
    chance.pick("scramble", None, cards).unwrap_or(card)
}
