//! The course of a year (KIN-3.7, KIN-6b).

use crate::kingsburg::data::Phase;
use crate::kingsburg::event::Event;
use crate::kingsburg::stage::{Part, Stage};
use crate::kingsburg::state::ExecContext;
use crate::table::invariant_violated;

/// Begins a phase of the current year with its first stage.
pub fn begin_phase(ctx: &mut ExecContext<'_>, phase: Phase) {
    ctx.state.phase = phase;
    ctx.state.stage = match phase {
        Phase::KingsAid => Stage::KingsAid,
        Phase::Spring | Phase::Summer => Stage::Roll,
        Phase::KingsReward => Stage::KingsReward,
        Phase::KingsEnvoy => Stage::KingsEnvoy,
        Phase::Autumn => Stage::EnvoyDeclaration,
        Phase::Recruit => Stage::Recruit { turn_index: 0 },
        Phase::Winter => Stage::Reveal,
    };
    let year = ctx.state.year;
    ctx.emit(Event::PhaseBegan { year, phase });
}

/// Moves on to the next phase of the year. Winter has none: the battle ends the year.
pub fn next_phase(ctx: &mut ExecContext<'_>) {
    match ctx.state.phase.next() {
        Some(next) => begin_phase(ctx, next),
        None => invariant_violated("KIN-6b", ctx.state.phase),
    }
}

/// The first part of a player's gains or losses.
pub const fn resolve(turn_index: u8) -> Stage {
    Stage::Resolve {
        turn_index,
        part: Part::Card,
    }
}
