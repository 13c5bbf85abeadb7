//! The course of a year (KIN-3.7, KIN-6b).

use crate::kingsburg::data::Phase;
use crate::kingsburg::event::Event;
use crate::kingsburg::stage::{Part, Stage};
use crate::kingsburg::state::Play;
use crate::table::broken;

/// Begins a phase of the current year with its first stage.
pub fn begin_phase(play: &mut Play<'_>, phase: Phase) {
    play.state.phase = phase;
    play.state.stage = match phase {
        Phase::KingsAid => Stage::KingsAid,
        Phase::Spring | Phase::Summer => Stage::Roll,
        Phase::KingsReward => Stage::KingsReward,
        Phase::KingsEnvoy => Stage::KingsEnvoy,
        Phase::Autumn => Stage::EnvoyDeclaration,
        Phase::Recruit => Stage::Recruit { place: 0 },
        Phase::Winter => Stage::Reveal,
    };
    let year = play.state.year;
    play.tell(Event::PhaseBegan { year, phase });
}

/// Moves on to the next phase of the year. Winter has none: the battle ends the year.
pub fn next_phase(play: &mut Play<'_>) {
    match play.state.phase.next() {
        Some(next) => begin_phase(play, next),
        None => broken("KIN-6b", play.state.phase),
    }
}

/// The first part of a player's gains or losses.
pub const fn resolve(place: u8) -> Stage {
    Stage::Resolve {
        place,
        part: Part::Card,
    }
}
