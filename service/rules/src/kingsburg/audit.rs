//! The hooks of the **conformance suite** for Kingsburg (KIN-11, KIN-13).

pub mod invariants;
pub mod ledger;
pub mod policy;
pub mod reader;
pub mod scramble;
pub mod universe;

use super::action::Action;
use super::data::Color;
use super::event::Event;
use super::options::{Draft, InitialOrder, Options};
use super::state::State;
use super::{Kingsburg, options};
use crate::conformance::Audit;
use crate::table::{Chance, Fault, OptionalParam, Seat, Viewer, invariant_violated};

impl Audit for Kingsburg {
    type Reader = reader::Reader;

    fn table(seats: usize, seed: u64) -> Options {
        let players: Vec<String> = Seat::all(seats).map(|seat| seat.to_string()).collect();
        let draft = Draft {
            // Every second table names the color of its first player.
            colors: vec![match seed % 2 {
                0 => OptionalParam::Absent,
                _ => OptionalParam::Known(Color::Blue),
            }],
            initial_order: OptionalParam::Known(
                InitialOrder::ALL[usize::from(seed.is_multiple_of(3))],
            ),
            two_player_set_aside: Some(!seed.is_multiple_of(5)),
        };
        let checked = options::check(&players, &draft);
        checked.unwrap_or_else(|no| invariant_violated(no.refused.rule, no))
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        universe::universe(state, seat)
    }

    const CEILINGS: &'static [&'static str] = &["KIN-5.10"];

    const RENEWED: &'static [&'static str] = &[
        "gold",
        "wood",
        "stone",
        "plus2_token",
        "soldier",
        "victory_point",
    ];

    /// The building of a season: then come what buildings bring at its end, and the next phase (KIN-6.70).
    fn ends_period(event: &Event) -> bool {
        matches!(
            event,
            Event::InnToken { .. }
                | Event::EmbassyPoint { .. }
                | Event::TownHallToken { .. }
                | Event::PhaseBegan { .. }
        )
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        invariants::of_state(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        ledger::balance(before, after, events)
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        scramble::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        scramble::scramble_event(event, viewer, chance)
    }

    fn choose(_state: &State, _seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        policy::choose(legal, chance)
    }
}
