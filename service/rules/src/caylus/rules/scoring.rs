//! Phase 7: the bailiff moves, and sections of the castle are scored (CAY-6.9).

use super::common::gain_favors;
use super::end;
use crate::caylus::data::Section;
use crate::caylus::event::Event;
use crate::caylus::stage::{Phase, Stage};
use crate::caylus::state::{ExecContext, State};
use crate::table::invariant_violated;

/// # Rule CAY-6.9.1
/// 2 spaces if the provost is ahead, otherwise 1; then the provost joins the bailiff.
pub fn enter(ctx: &mut ExecContext<'_>) {
    ctx.state.enter(Phase::EndOfTurn);
    let from = ctx.state.bailiff;
    let spaces = if ctx.state.provost > from { 2 } else { 1 };
    // The game ends at 24, before the road does (CAY-10.27).
    let to = from
        .moved(spaces)
        .unwrap_or_else(|| invariant_violated("CAY-10.27", from));
    ctx.state.bailiff = to;
    ctx.state.provost = to;
    ctx.emit(Event::BailiffMoved {
        from_space: from,
        to_space: to,
    });
    ctx.state.stage = Stage::SectionDue;
}

/// # Rule CAY-6.9.2, CAY-6.9.6
/// The current section is scored when it is full or the bailiff has reached its trigger. After
/// the Towers the game is over, otherwise the next turn begins.
pub fn enter_section(ctx: &mut ExecContext<'_>) {
    match ctx.state.castle.current() {
        None => end::finish(ctx),
        Some(section) if is_due(ctx.state, section) => {
            ctx.emit(Event::SectionScoring { section });
            ctx.state.cursor = 0;
            ctx.state.stage = Stage::ScoreSeat;
        }
        Some(_) => ctx.state.stage = Stage::StartTurn,
    }
}

/// Returns whether the section is full, or the bailiff has reached its trigger.
pub fn is_due(state: &State, section: Section) -> bool {
    state.castle.is_full(section) || state.bailiff >= section.sheet().trigger
}

/// The section that is being scored.
fn scored(state: &State) -> Section {
    let section = state.castle.current();
    section.unwrap_or_else(|| invariant_violated("CAY-6.9.2", state.stage))
}

/// # Rule CAY-6.9.3, CAY-6.9.4
/// In turn order: without a part of this section, a loss; otherwise favors, used at once.
pub fn enter_seat(ctx: &mut ExecContext<'_>) {
    ctx.state.stage = Stage::AfterSeat;
    let section = scored(ctx.state);
    let seat = ctx.state.turn_order[usize::from(ctx.state.cursor)];
    let sheet = section.sheet();
    let parts = ctx.state.castle.parts[section.index()][seat];
    if parts == 0 {
        let vp = ctx.state.players[seat].lose_vp(sheet.penalty);
        ctx.emit(Event::SectionPenalty { seat, section, vp });
    } else {
        gain_favors(ctx, seat, sheet.favors(parts));
    }
}

/// Continues with the next seat; after the last one the section is scored and closed (CAY-6.9.5).
pub fn enter_next_seat(ctx: &mut ExecContext<'_>) {
    ctx.state.cursor += 1;
    if usize::from(ctx.state.cursor) < ctx.state.seats() {
        ctx.state.stage = Stage::ScoreSeat;
        return;
    }
    ctx.state.cursor = 0;
    ctx.state.stage = Stage::SectionDue;
    let section = scored(ctx.state);
    ctx.state.castle.scored += 1;
    ctx.emit(Event::SectionScored { section });
}
