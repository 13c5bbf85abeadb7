//! Phase 7: the bailiff goes on, and sections of the castle are scored (CAY-6.9).

use crate::caylus::data::{Section, Space};
use crate::caylus::event::Event;
use crate::caylus::rules::favors;
use crate::caylus::score;
use crate::caylus::state::{Log, Phase, State, Step};

/// # Rule CAY-6.9.1
/// 2 spaces if the provost is ahead, otherwise 1; then the provost joins him.
pub(in crate::caylus) fn move_bailiff(state: &mut State, journal: &mut Log) {
    state.enter(Phase::EndOfTurn);
    let spaces = if state.provost > state.bailiff { 2 } else { 1 };
    let from = state.bailiff;
    // The game ends at 24: the road never does (CAY-10.27).
    let to = from.moved(spaces).unwrap_or(Space::LAST);
    state.bailiff = to;
    state.provost = to;
    journal.event(Event::BailiffMoved { from, to });
    state.step = Step::SectionDue;
}

/// # Rule CAY-6.9.2, CAY-6.9.6
/// The current section is scored when it is full or the bailiff has come to its trigger. After
/// the Towers the game is over, otherwise the next turn begins.
pub(in crate::caylus) fn begin_section(state: &mut State, journal: &mut Log) {
    match state.castle.current() {
        None => score::finish(state, journal),
        Some(section) if is_due(state, section) => {
            journal.event(Event::SectionScoring { section });
            state.cursor = 0;
            state.step = Step::ScoreSeat;
        }
        Some(_) => state.step = Step::StartTurn,
    }
}

fn is_due(state: &State, section: Section) -> bool {
    state.castle.is_full(section) || state.bailiff >= section.sheet().trigger
}

/// # Rule CAY-6.9.3, CAY-6.9.4
/// In turn order: without a part of this section, a loss; otherwise favors, used at once.
pub(in crate::caylus) fn score_seat(state: &mut State, journal: &mut Log) {
    state.step = Step::AfterSeat;
    let Some(section) = state.castle.current() else {
        return;
    };
    let seat = state.turn_order[usize::from(state.cursor)];
    let sheet = section.sheet();
    let parts = state.castle.parts[section as usize][seat];
    if parts == 0 {
        let vp = state.players[seat].lose_vp(sheet.penalty);
        journal.event(Event::SectionPenalty { seat, section, vp });
    } else {
        favors::gain(state, seat, sheet.favors(parts), journal);
    }
}

/// The next seat; after the last one the section is scored and closed (CAY-6.9.5).
pub(in crate::caylus) fn next_seat(state: &mut State, journal: &mut Log) {
    state.cursor += 1;
    if usize::from(state.cursor) < state.seats() {
        state.step = Step::ScoreSeat;
        return;
    }
    state.cursor = 0;
    state.step = Step::SectionDue;
    if let Some(section) = state.castle.current() {
        state.castle.scored += 1;
        journal.event(Event::SectionScored { section });
    }
}
