//! The invariants of the rule document (CAY-11).

use std::ops::ControlFlow;

use crate::caylus::data::Space;
use crate::caylus::event::Event;
use crate::caylus::stage::Phase;
use crate::caylus::state::State;
use crate::caylus::{Caylus, position};
use crate::ruleset::visit_legal;
use crate::table::{Detail, Fault};

/// The invariants of one table.
pub fn of_state(state: &State) -> Result<(), Fault> {
    position::judge(state).map_err(|error| Fault {
        rule: error.rule,
        text: error.to_string(),
    })?;
    choice(state)
}

/// An open decision leaves a choice: at least two legal actions.
fn choice(state: &State) -> Result<(), Fault> {
    let Some((seat, decision)) = state.pending() else {
        return Fault::unless(state.phase == Phase::Over, "CAY-11.16", || {
            String::from("nobody is asked")
        });
    };
    let mut legal = 0;
    let _all = visit_legal::<Caylus>(state, seat, Detail::Moves, &mut |_| {
        legal += 1;
        ControlFlow::Continue(())
    });
    Fault::unless(legal >= 2, "CAY-11.16", || {
        format!("{seat} has {legal} legal actions for {}", decision.id())
    })
}

/// The invariants of two successive tables.
pub fn of_step(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    for space in Space::all() {
        let emptied = before.road[space].tile.is_some() && after.road[space].tile.is_none();
        Fault::unless(!emptied, "CAY-11.8", || format!("{space} is empty again"))?;
    }
    for (seat, player) in before.players.entries() {
        let later = &after.players[seat];
        let back = (0..4).any(|line| later.markers[line] < player.markers[line]);
        Fault::unless(!back, "CAY-11.11", || {
            format!("{seat}: {:?}", later.markers)
        })?;
    }
    for event in events {
        of_event(before, after, event)?;
    }
    new_placement_begins_empty(after, events)
}

fn of_event(before: &State, after: &State, event: &Event) -> Result<(), Fault> {
    if let Event::FavorTaken { seat, line, .. } = event {
        let same_phase = before.turn == after.turn && before.phase == after.phase;
        let used = before.players[*seat].lines_used.contains(*line);
        Fault::unless(!(same_phase && used), "CAY-11.12", || {
            format!("{seat} used {line} twice in {:?}", before.phase)
        })?;
    }
    if let Event::FavorsLost { seat, .. } = event {
        let all = after.players[*seat].lines_used == enumset::EnumSet::all();
        Fault::unless(all || after.phase != before.phase, "CAY-6.10.2", || {
            format!("{seat} lost a favor")
        })?;
    }
    if let Event::BailiffMoved {
        from_space: from,
        to_space: to,
    } = event
    {
        let spaces = to.number() - from.number();
        Fault::unless((1..=2).contains(&spaces), "CAY-11.13", || {
            format!("the bailiff moved {spaces} spaces")
        })?;
    }
    Ok(())
}

/// # Rule CAY-11.2
/// A placement phase begins with nobody on the board but perhaps one worker in the inn.
fn new_placement_begins_empty(after: &State, events: &[Event]) -> Result<(), Fault> {
    let Some(start) = events
        .iter()
        .rposition(|event| matches!(event, Event::TurnStarted { .. }))
    else {
        return Ok(());
    };
    let placed = events[start..]
        .iter()
        .filter(|event| matches!(event, Event::WorkerPlaced { .. }))
        .count();
    let on_board_count = position::on_board(after).count();
    Fault::unless(
        after.phase != Phase::Placement || placed == on_board_count,
        "CAY-11.2",
        || format!("{on_board_count} workers on the board, {placed} placed"),
    )
}
