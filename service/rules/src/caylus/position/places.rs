//! Where workers stand (CAY-11.1, CAY-11.4, CAY-15.7).

use super::common::{distinct, seats};
use crate::caylus::action::Target;
use crate::caylus::data::{Space, Special, Tile, WORKERS};
use crate::caylus::stage::Phase;
use crate::caylus::state::State;
use crate::table::{PositionError, Seat};

/// Lists all workers on the board except the one on the inn's right circle, which may have been there for turns.
pub fn on_board(state: &State) -> impl Iterator<Item = Seat> {
    let single = Special::ALL.map(|special| state.worker_on(Target::Special(special)));
    let on_road = state.road.lots().filter_map(|(_, lot)| lot.worker);
    (single.into_iter().flatten())
        .chain(state.special.stables.iter().copied())
        .chain(on_road)
        .chain(state.castle.queue.iter().copied())
}

/// Counts the workers of a seat on the board.
pub(super) fn workers_away(state: &State, seat: Seat) -> u8 {
    let all = on_board(state).chain(state.special.inn_right);
    let away = all.filter(|&worker| worker == seat).count();
    u8::try_from(away).unwrap_or(u8::MAX)
}

/// Checks how many workers there are, and that they stand where the phase lets them stand.
pub(super) fn workers(state: &State) -> Result<(), PositionError> {
    for (seat, player) in state.players.entries() {
        let away = workers_away(state, seat);
        PositionError::unless(away.saturating_add(player.workers) == WORKERS, || {
            let path = format!("players[{}].workers_available", seat.index());
            let allowed = format!("{WORKERS} workers, {away} of them on the board");
            PositionError::new("CAY-11.1", path, player.workers, allowed)
        })?;
    }
    places_for_several(state)?;
    special_buildings(state)?;
    road(state)?;
    castle(state)
}

/// # Rule CAY-11.4
/// One worker of each player in the stables, which 2 players do not use, and in the castle.
fn places_for_several(state: &State) -> Result<(), PositionError> {
    let lists = [
        ("special.stables", state.special.stables.as_slice()),
        ("castle.queue", state.castle.queue.as_slice()),
    ];
    for (path, list) in lists {
        PositionError::unless(distinct(list), || {
            PositionError::new("CAY-11.4", path, seats(list), "one worker of each seat")
        })?;
    }
    let stables = &state.special.stables;
    PositionError::unless(state.seats() > 2 || stables.is_empty(), || {
        let allowed = "empty with 2 players";
        PositionError::new("CAY-11.4", "special.stables", seats(stables), allowed)
    })
}

/// # Rule CAY-6.5.7, CAY-15.7
/// Special buildings that have been activated this turn are empty, but for the inn's right circle.
fn special_buildings(state: &State) -> Result<(), PositionError> {
    let done = match state.phase {
        Phase::Placement => 0,
        // A favor of the joust field is used after its worker has returned.
        Phase::Special if state.pending_favors.is_some() => Special::JoustField.index() + 1,
        Phase::Special => usize::from(state.cursor),
        Phase::Income
        | Phase::Provost
        | Phase::Activation
        | Phase::Castle
        | Phase::EndOfTurn
        | Phase::Over => Special::COUNT,
    };
    let stables_done = done > Special::Stables.index();
    PositionError::unless(!stables_done || state.special.stables.is_empty(), || {
        let found = seats(&state.special.stables);
        let allowed = "empty after their activation";
        PositionError::new("CAY-15.7", "special.stables", found, allowed)
    })?;
    // The left circle of the inn is empty whenever the inn waits for a decision.
    let inn_asks = state.phase == Phase::Special && done == Special::Inn.index();
    let done = if inn_asks { Special::COUNT } else { done };
    for special in Special::ALL.into_iter().take(done) {
        if let Some(seat) = state.worker_on(Target::Special(special)) {
            let circle = if special == Special::Inn { "_left" } else { "" };
            let path = format!("special.{}{circle}", special.id());
            let allowed = "nobody after its activation";
            return Err(PositionError::new("CAY-15.7", path, seat.number(), allowed));
        }
    }
    Ok(())
}

/// # Rule CAY-6.7.4, CAY-11.5, CAY-15.7
/// Workers stand in buildings that take them, up to the phase of activation, and there not before the cursor.
fn road(state: &State) -> Result<(), PositionError> {
    for (space, lot) in state.road.lots() {
        let Some(worker) = lot.worker else { continue };
        let path = || format!("road[{}].worker", space.index());
        let takes = lot.tile.is_some_and(Tile::takes_workers);
        PositionError::unless(takes, || {
            let allowed = "nobody where no building takes workers";
            PositionError::new("CAY-11.5", path(), worker.number(), allowed)
        })?;
        let may_stand = match state.phase {
            Phase::Placement | Phase::Special | Phase::Provost => true,
            Phase::Activation => Space::new(state.cursor).is_some_and(|next| space >= next),
            Phase::Income | Phase::Castle | Phase::EndOfTurn | Phase::Over => false,
        };
        PositionError::unless(may_stand, || {
            let allowed = "nobody after the activation of the building";
            PositionError::new("CAY-15.7", path(), worker.number(), allowed)
        })?;
    }
    Ok(())
}

/// # Rule CAY-6.8.7, CAY-15.7
/// Nobody is in the castle after its phase.
fn castle(state: &State) -> Result<(), PositionError> {
    let has_left = match state.phase {
        Phase::Placement | Phase::Special | Phase::Provost | Phase::Activation | Phase::Castle => {
            false
        }
        Phase::Income | Phase::EndOfTurn | Phase::Over => true,
    };
    let queue = &state.castle.queue;
    PositionError::unless(!has_left || queue.is_empty(), || {
        let allowed = "empty after the phase of the castle";
        PositionError::new("CAY-15.7", "castle.queue", seats(queue), allowed)
    })
}
