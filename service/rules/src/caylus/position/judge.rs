//! The judgment whether a table keeps the rules (CAY-11, CAY-15): of described tables before games begin on them, and
//! of every table in tests.

use super::common::{distinct, joust_is_over, seats};
use super::{places, road};
use crate::caylus::data::{BAILIFF_START, FavorLine, Resource, Section};
use crate::caylus::stage::Phase;
use crate::caylus::state::{Player, State};
use crate::table::{PositionError, Seat};

/// The most deniers, cubes of a kind and prestige points of a player on a described table (CAY-15.3).
const MOST: u16 = 5_000;

/// The last space that the bailiff can reach (CAY-11.13).
const LAST_SPACE: u8 = 25;

/// The most favors that can wait for one player (CAY-15.8).
const MOST_FAVORS: u8 = 4;

/// Checks everything that a single table must keep, but for the open decision.
///
/// # Errors
/// The first part of the table that does not fit, with its rule.
pub fn judge(state: &State) -> Result<(), PositionError> {
    orders(state)?;
    officials(state)?;
    sections(state)?;
    batches(state)?;
    road::road(state)?;
    places::workers(state)?;
    for (seat, player) in state.players.entries() {
        amounts(seat, player)?;
        markers(state, seat, player)?;
        lines(state, seat, player)?;
    }
    favors(state)
}

/// # Rule CAY-11.14
/// The turn order has every seat once, the order of passing no seat twice, and all after the placement.
fn orders(state: &State) -> Result<(), PositionError> {
    let order = &state.turn_order;
    PositionError::unless(distinct(order) && order.len() == state.seats(), || {
        let allowed = "every seat once";
        PositionError::new("CAY-11.14", "turn_order", seats(order), allowed)
    })?;
    let passed = &state.pass_order;
    let (count, allowed) = match state.phase {
        Phase::Income | Phase::Placement => (passed.len(), "no seat twice"),
        Phase::Special
        | Phase::Provost
        | Phase::Activation
        | Phase::Castle
        | Phase::EndOfTurn
        | Phase::Over => (state.seats(), "every seat once"),
    };
    PositionError::unless(distinct(passed) && passed.len() == count, || {
        PositionError::new("CAY-11.14", "pass_order", seats(passed), allowed)
    })
}

/// Returns whether the bailiff has moved in this turn.
fn is_end(phase: Phase) -> bool {
    match phase {
        Phase::Income
        | Phase::Placement
        | Phase::Special
        | Phase::Provost
        | Phase::Activation
        | Phase::Castle => false,
        Phase::EndOfTurn | Phase::Over => true,
    }
}

/// # Rule CAY-11.13, CAY-15.4
/// The bailiff has gone one or two spaces in every turn. The provost is with it, except from the special buildings to
/// the castle.
fn officials(state: &State) -> Result<(), PositionError> {
    let (provost, bailiff) = (state.provost, state.bailiff);
    let (start, ends) = (BAILIFF_START.number(), is_end(state.phase));
    let spaces = start + u8::from(ends)..=LAST_SPACE;
    PositionError::within("CAY-11.13", "bailiff", bailiff.number(), spaces)?;
    let gone = bailiff.number() - start;
    let this_turn = u8::from(!ends);
    let turns = gone.div_ceil(2) + this_turn..=gone + this_turn;
    PositionError::within("CAY-15.4", "turn", state.turn, turns)?;
    let may_stray = match state.phase {
        Phase::Special | Phase::Provost | Phase::Activation | Phase::Castle => true,
        Phase::Income | Phase::Placement | Phase::EndOfTurn | Phase::Over => false,
    };
    PositionError::unless(may_stray || provost == bailiff, || {
        let allowed = format!("{}, with the bailiff", bailiff.number());
        PositionError::new("CAY-11.13", "provost", provost.number(), allowed)
    })?;
    triggers(state)
}

/// # Rule CAY-6.9.2, CAY-6.9.6, CAY-15.4
/// Before the end of a turn, every section is scored whose trigger the bailiff has reached. The Towers are not scored
/// before the game is over.
fn triggers(state: &State) -> Result<(), PositionError> {
    let (found, section, allowed) = match state.castle.current() {
        None if state.phase != Phase::Over => {
            (true, Section::Towers, "false before the game is over")
        }
        Some(next) if !is_end(state.phase) && state.bailiff >= next.sheet().trigger => (
            false,
            next,
            "true, since the bailiff has reached its trigger",
        ),
        Some(_) | None => return Ok(()),
    };
    let path = format!("castle.sections[{}].scored", section.index());
    Err(PositionError::new("CAY-15.4", path, found, allowed))
}

/// # Rule CAY-11.6
/// No section has more parts than it has room for, and none has any before the sections below it are closed or full.
fn sections(state: &State) -> Result<(), PositionError> {
    let castle = &state.castle;
    let mut room_below = false;
    for section in Section::ALL {
        let parts = section.sheet().parts;
        let path = || format!("castle.sections[{}].parts", section.index());
        for (seat, &own) in castle.parts[section.index()].entries() {
            let path = format!("{}[{}]", path(), seat.index());
            PositionError::within("CAY-11.6", path, own, 0..=parts)?;
        }
        let built = castle.built(section);
        PositionError::within("CAY-11.6", path(), built, 0..=parts)?;
        PositionError::unless(built == 0 || !room_below, || {
            let allowed = "0 while a section below it has room";
            PositionError::new("CAY-11.6", path(), built, allowed)
        })?;
        room_below |= !castle.is_scored(section) && built < parts;
    }
    PositionError::within("CAY-11.18", "castle.sections", castle.scored, 0..=3)
}

/// # Rule CAY-6.8.4, CAY-6.9.2, CAY-15.5
/// The batches of this turn are among the parts of their builders. Without them the current section has room, up to the
/// end of the turn: it would have been scored.
fn batches(state: &State) -> Result<(), PositionError> {
    let castle = &state.castle;
    let has_begun = match state.phase {
        Phase::Income | Phase::Placement | Phase::Special | Phase::Provost | Phase::Activation => {
            false
        }
        Phase::Castle | Phase::EndOfTurn | Phase::Over => true,
    };
    let ends = is_end(state.phase);
    let open = if ends { 0 } else { usize::from(castle.scored) };
    for (seat, &batches) in castle.batches.entries() {
        let own: u8 = castle.parts[open..].iter().map(|parts| parts[seat]).sum();
        let builds = has_begun && (ends || castle.queue.contains(&seat));
        let most = if builds { own } else { 0 };
        let path = format!("castle.batches_this_turn[{}]", seat.index());
        PositionError::within("CAY-15.5", path, batches, 0..=most)?;
    }
    let Some(section) = castle.current().filter(|_| !ends) else {
        return Ok(());
    };
    let built: u8 = Section::ALL[open..]
        .iter()
        .map(|&later| castle.built(later))
        .sum();
    let before = built - castle.batches.iter().sum::<u8>();
    PositionError::unless(before < section.sheet().parts, || {
        let path = format!("castle.sections[{}].scored", section.index());
        let allowed = "true, since the section was full when the turn began";
        PositionError::new("CAY-15.5", path, false, allowed)
    })
}

/// # Rule CAY-15.3
fn amounts(seat: Seat, player: &Player) -> Result<(), PositionError> {
    let of = |name: &str| format!("players[{}].{name}", seat.index());
    PositionError::within("CAY-15.3", of("deniers"), player.deniers, 0..=MOST)?;
    PositionError::within("CAY-15.3", of("vp"), player.vp, 0..=MOST)?;
    Resource::ALL.into_iter().try_for_each(|kind| {
        let path = of(&format!("cubes.{}", kind.id()));
        PositionError::within("CAY-15.3", path, player.cubes.count(kind), 0..=MOST)
    })
}

/// # Rule CAY-11.11
fn markers(state: &State, seat: Seat, player: &Player) -> Result<(), PositionError> {
    let most = match state.simplified_favors {
        true => 0,
        false => state.columns_available(),
    };
    player
        .markers
        .iter()
        .enumerate()
        .try_for_each(|(line, &marker)| {
            let path = format!("players[{}].favor_markers[{line}]", seat.index());
            PositionError::within("CAY-11.11", path, marker, 0..=most)
        })
}

/// # Rule CAY-6.1.3, CAY-15.8
/// Lines are used only in phases that give favors, and by those who can have had one.
fn lines(state: &State, seat: Seat, player: &Player) -> Result<(), PositionError> {
    let uses_favors = state
        .pending_favors
        .is_some_and(|favors| favors.seat == seat);
    let may_have_used = match state.phase {
        Phase::Income | Phase::Placement | Phase::Provost | Phase::Over => false,
        Phase::Special => joust_is_over(state) && (uses_favors || state.pending_favors.is_none()),
        Phase::Castle => uses_favors,
        Phase::Activation | Phase::EndOfTurn => true,
    };
    let fits = player.lines_used.is_empty() || may_have_used && !state.simplified_favors;
    PositionError::unless(fits, || {
        let path = format!("players[{}].favor_lines_used", seat.index());
        let used = player.lines_used.iter().map(FavorLine::id);
        let found = used.collect::<Vec<_>>().join(", ");
        let allowed = "no line before the seat can have used a favor in the phase";
        PositionError::new("CAY-15.8", path, found, allowed)
    })
}

/// # Rule CAY-6.10.1, CAY-6.10.2, CAY-15.8
/// Favors that wait are few, and one of them can be used: a line is left.
fn favors(state: &State) -> Result<(), PositionError> {
    let Some(favors) = state.pending_favors else {
        return Ok(());
    };
    PositionError::unless(!state.simplified_favors, || {
        let allowed = "none with simplified favors";
        PositionError::new("CAY-6.10.1", "pending_favors", favors.count, allowed)
    })?;
    let path = "pending_favors.count";
    PositionError::within("CAY-15.8", path, favors.count, 1..=MOST_FAVORS)?;
    let used = state.players[favors.seat].lines_used;
    PositionError::unless(used != enumset::EnumSet::all(), || {
        let path = format!("players[{}].favor_lines_used", favors.seat.index());
        let allowed = "at least one line left for the favor";
        PositionError::new("CAY-6.10.2", path, "all", allowed)
    })
}
