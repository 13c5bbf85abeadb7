//! The hooks of the **conformance suite** for Mythotopia (MYT-11, MYT-13).

pub mod cover;
pub mod invariants;
pub mod policy;
pub mod reader;
pub mod scramble;
pub mod universe;

#[cfg(feature = "conformance")]
pub use cover::same_move;

use super::action::Action;
use super::data::Color;
use super::event::Event;
use super::options::{Draft, EndGameWars, HandStacking, Options, RoadScope};
use super::state::State;
use super::{Mythotopia, options};
use crate::conformance::Audit;
use crate::table::{Chance, Fault, OptionalParam, Seat, Viewer, invariant_violated};

impl Audit for Mythotopia {
    type Reader = reader::Reader;

    fn table(seats: usize, seed: u64) -> Options {
        let players = vec![String::from("Anybody"); seats];
        let checked = options::check(&players, &draft(seats, seed));
        checked.unwrap_or_else(|no| invariant_violated(no.refused.rule, no))
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        universe::universe(state, seat)
    }

    fn covers(listed: &Action, accepted: &Action) -> bool {
        cover::same_move(listed, accepted)
    }

    const RENEWED: &'static [&'static str] = &["action", "card"];

    /// The turn of a player.
    fn ends_period(event: &Event) -> bool {
        matches!(event, Event::TurnBegan { .. })
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        invariants::of_state(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        invariants::of_step(before, after, events)
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        scramble::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        scramble::scramble_event(event, viewer, chance)
    }

    fn choose(state: &State, seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        policy::choose(state, seat, legal, chance)
    }
}

/// Returns this choice if it is made, otherwise none.
fn given_if<T>(is_made: bool, choice: T) -> OptionalParam<T> {
    if is_made {
        OptionalParam::Known(choice)
    } else {
        OptionalParam::Absent
    }
}

/// A draft that depends on the seed: every option occurs.
fn draft(seats: usize, seed: u64) -> Draft {
    let odd = |bit: u32| seed >> bit & 1 == 1;
    let colors = if odd(0) {
        let last = if seats == 2 {
            Color::Blue
        } else {
            Color::Green
        };
        vec![OptionalParam::Known(last)]
    } else {
        Vec::new()
    };
    let pick = |bit, yes, no| if odd(bit) { yes } else { no };
    Draft {
        colors,
        more_choice: seats > 2 && odd(1),
        castle_token_value: Some(pick(2, 1, 2)),
        end_game_wars: given_if(odd(3), EndGameWars::DefenderWins),
        road_substitution_scope: given_if(odd(4), RoadScope::Network),
        hand_limit_stacking: given_if(odd(5), HandStacking::Max),
        vp_floor: Some(pick(6, 0, 12)),
    }
}
