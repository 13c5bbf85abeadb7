//! What the conformance suite needs to know of Kingsburg (KIN-11, KIN-13).

mod invariants;
mod ledger;
mod universe;

use super::action::Action;
use super::data::{Color, Enemy};
use super::event::Event;
use super::options::{Draft, InitialOrder, Options};
use super::state::State;
use super::{Kingsburg, options};
use crate::conformance::Audit;
use crate::table::{Chance, Fault, Given, Seat, Viewer, broken};

impl Audit for Kingsburg {
    fn table(seats: usize, seed: u64) -> Options {
        let players: Vec<String> = Seat::all(seats).map(|seat| seat.to_string()).collect();
        let draft = Draft {
            // Every second table names the color of its first player.
            colors: vec![match seed % 2 {
                0 => Given::Absent,
                _ => Given::Known(Color::Blue),
            }],
            initial_order: Given::Known(InitialOrder::ALL[usize::from(seed.is_multiple_of(3))]),
            two_player_set_aside: Some(!seed.is_multiple_of(5)),
        };
        let checked = options::check(&players, &draft);
        checked.unwrap_or_else(|no| broken(no.refused.rule, no))
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        universe::of(state, seat)
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        invariants::check(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        ledger::check(before, after, events)
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        let mut other = state.clone();
        let peeked = match viewer {
            Viewer::Seat(seat) => state.peeked_by.contains(seat),
            Viewer::Spectator => false,
            Viewer::Operator => return other,
        };
        let known = state.revealed() + usize::from(peeked);
        for (year, card) in (1..).zip(&mut other.deck).skip(known) {
            *card = another(year, *card, chance);
        }
        other
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
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

    /// Random, but a pass only if it is drawn twice, so that provinces fill.
    fn choose(_state: &State, _seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        let places: Vec<u16> = (0..u16::try_from(legal.len()).unwrap_or(u16::MAX)).collect();
        let mut pick = || chance.pick("play", None, &places).map_or(0, usize::from);
        let place = pick();
        match legal.get(place) {
            Some(Action::PassInfluence | Action::PassBuild | Action::PassRecruit) => pick(),
            Some(_) | None => place,
        }
    }
}

/// A card of the same year at random.
fn another(year: u8, card: Enemy, chance: &mut Chance) -> Enemy {
    let cards = Enemy::of_year(year);
    chance.pick("scramble", None, cards).unwrap_or(card)
}
