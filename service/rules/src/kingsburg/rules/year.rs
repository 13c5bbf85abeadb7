//! The course of a year (KIN-3.7, KIN-6.2).

use super::super::Log;
use super::super::data::Phase;
use super::super::event::Event;
use super::super::pending::{Part, Stage};
use super::super::state::State;

/// Begins a phase of the current year with its first stage.
pub(in super::super) fn begin_phase(state: &mut State, phase: Phase, journal: &mut Log) {
    state.phase = phase;
    state.stage = match phase {
        Phase::KingsAid => Stage::KingsAid,
        Phase::Spring | Phase::Summer => Stage::Roll,
        Phase::KingsReward => Stage::KingsReward,
        Phase::KingsEnvoy => Stage::KingsEnvoy,
        Phase::Autumn => Stage::EnvoyDeclaration,
        Phase::Recruit => Stage::Recruit { place: 0 },
        Phase::Winter => Stage::Reveal,
    };
    journal.event(Event::PhaseBegan {
        year: state.year,
        phase,
    });
}

/// Goes on to the next phase of the year. Winter has none: the battle ends the year.
pub(super) fn next_phase(state: &mut State, journal: &mut Log) {
    if let Some(next) = state.phase.next() {
        begin_phase(state, next, journal);
    }
}

/// The first part of a player's gains or losses.
pub(super) const fn resolve(place: u8) -> Stage {
    Stage::Resolve {
        place,
        part: Part::Card,
    }
}
