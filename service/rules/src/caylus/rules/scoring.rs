//! Phase 7: the bailiff moves, and sections of the castle are scored (CAY-6.9).

use super::common::gain_favors;
use super::end;
use crate::caylus::data::Section;
use crate::caylus::event::Event;
use crate::caylus::stage::{Phase, Stage};
use crate::caylus::state::{Play, State};
use crate::table::broken;

/// # Rule CAY-6.9.1
/// 2 spaces if the provost is ahead, otherwise 1; then the provost joins the bailiff.
pub fn enter(play: &mut Play<'_>) {
    play.state.enter(Phase::EndOfTurn);
    let from = play.state.bailiff;
    let spaces = if play.state.provost > from { 2 } else { 1 };
    // The game ends at 24, before the road does (CAY-10.27).
    let to = from
        .moved(spaces)
        .unwrap_or_else(|| broken("CAY-10.27", from));
    play.state.bailiff = to;
    play.state.provost = to;
    play.tell(Event::BailiffMoved {
        from_space: from,
        to_space: to,
    });
    play.state.stage = Stage::SectionDue;
}

/// # Rule CAY-6.9.2, CAY-6.9.6
/// The current section is scored when it is full or the bailiff has reached its trigger. After
/// the Towers the game is over, otherwise the next turn begins.
pub fn enter_section(play: &mut Play<'_>) {
    match play.state.castle.current() {
        None => end::finish(play),
        Some(section) if is_due(play.state, section) => {
            play.tell(Event::SectionScoring { section });
            play.state.cursor = 0;
            play.state.stage = Stage::ScoreSeat;
        }
        Some(_) => play.state.stage = Stage::StartTurn,
    }
}

fn is_due(state: &State, section: Section) -> bool {
    state.castle.is_full(section) || state.bailiff >= section.sheet().trigger
}

/// The section that is being scored.
fn scored(state: &State) -> Section {
    let section = state.castle.current();
    section.unwrap_or_else(|| broken("CAY-6.9.2", state.stage))
}

/// # Rule CAY-6.9.3, CAY-6.9.4
/// In turn order: without a part of this section, a loss; otherwise favors, used at once.
pub fn enter_seat(play: &mut Play<'_>) {
    play.state.stage = Stage::AfterSeat;
    let section = scored(play.state);
    let seat = play.state.turn_order[usize::from(play.state.cursor)];
    let sheet = section.sheet();
    let parts = play.state.castle.parts[section.index()][seat];
    if parts == 0 {
        let vp = play.state.players[seat].lose_vp(sheet.penalty);
        play.tell(Event::SectionPenalty { seat, section, vp });
    } else {
        gain_favors(play, seat, sheet.favors(parts));
    }
}

/// Continues with the next seat; after the last one the section is scored and closed (CAY-6.9.5).
pub fn enter_next_seat(play: &mut Play<'_>) {
    play.state.cursor += 1;
    if usize::from(play.state.cursor) < play.state.seats() {
        play.state.stage = Stage::ScoreSeat;
        return;
    }
    play.state.cursor = 0;
    play.state.stage = Stage::SectionDue;
    let section = scored(play.state);
    play.state.castle.scored += 1;
    play.tell(Event::SectionScored { section });
}
