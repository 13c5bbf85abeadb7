//! The invariants of the rule document (CAY-11).

use std::ops::ControlFlow;

use crate::caylus::Caylus;
use crate::caylus::action::Target;
use crate::caylus::data::{
    FIXED_BUILDINGS, Kind, Section, Space, Special, Tile, WORKERS, columns_available,
};
use crate::caylus::event::Event;
use crate::caylus::stage::Phase;
use crate::caylus::state::State;
use crate::ruleset::visit_legal;
use crate::table::{Detail, Fault, Seat};

/// The invariants of one table.
pub fn of_state(state: &State) -> Result<(), Fault> {
    workers(state)?;
    places(state)?;
    castle(state)?;
    tiles(state)?;
    road(state)?;
    favors(state)?;
    officials_and_orders(state)?;
    choice(state)
}

fn on_special(state: &State) -> impl Iterator<Item = Seat> {
    let single = Special::ALL.map(|special| state.worker_on(Target::Special(special)));
    single
        .into_iter()
        .flatten()
        .chain(state.special.stables.iter().copied())
}

fn on_road(state: &State) -> impl Iterator<Item = Seat> {
    state.road.lots().filter_map(|(_, lot)| lot.worker)
}

/// All workers on the board except the one on the inn's right circle.
fn on_board(state: &State) -> impl Iterator<Item = Seat> {
    on_special(state)
        .chain(on_road(state))
        .chain(state.castle.queue.iter().copied())
}

fn workers(state: &State) -> Result<(), Fault> {
    for (seat, player) in state.players.entries() {
        let away = on_board(state)
            .chain(state.special.inn_right)
            .filter(|&worker| worker == seat)
            .count();
        Fault::unless(
            usize::from(player.workers) + away == usize::from(WORKERS),
            "CAY-11.1",
            || format!("{seat}: {} at home, {away} on the board", player.workers),
        )?;
    }
    Ok(())
}

fn distinct<T: PartialEq>(things: &[T]) -> bool {
    (1..things.len()).all(|index| !things[..index].contains(&things[index]))
}

fn places(state: &State) -> Result<(), Fault> {
    let stables = &state.special.stables;
    let used = state.seats() > 2 || stables.is_empty();
    Fault::unless(
        distinct(stables) && used && distinct(&state.castle.queue),
        "CAY-11.4",
        || format!("stables {stables:?}, castle {:?}", state.castle.queue),
    )?;
    for (space, lot) in state.road.lots() {
        let stands = lot.tile.is_some_and(Tile::takes_workers);
        Fault::unless(lot.worker.is_none() || stands, "CAY-11.5", || {
            format!("a worker on {space}: {lot:?}")
        })?;
        let may_wait = match state.phase {
            Phase::Special | Phase::Provost | Phase::Activation => lot.worker.is_some(),
            Phase::Income | Phase::Placement | Phase::Castle | Phase::EndOfTurn | Phase::Over => {
                false
            }
        };
        Fault::unless(
            lot.pending_transform.is_none() || may_wait,
            "CAY-11.15",
            || format!("{space} in {:?}: {lot:?}", state.phase),
        )?;
    }
    Ok(())
}

fn castle(state: &State) -> Result<(), Fault> {
    let castle = &state.castle;
    let mut room_below = false;
    for section in Section::ALL {
        let built = castle.built(section);
        let open = !castle.is_scored(section);
        let parts = section.sheet().parts;
        Fault::unless(
            built <= parts && (built == 0 || !room_below),
            "CAY-11.6",
            || format!("{section}: {built} of {parts}"),
        )?;
        room_below |= open && built < parts;
    }
    let scored = usize::from(castle.scored);
    Fault::unless(scored <= Section::ALL.len(), "CAY-11.18", || {
        format!("{scored} sections are scored")
    })
}

fn tiles(state: &State) -> Result<(), Fault> {
    for tile in Tile::ALL {
        let here = state.road.lots().filter(|(_, lot)| lot.tile == Some(tile));
        let built = here.count();
        let removed = state
            .removed_neutral
            .iter()
            .filter(|&&other| other == tile)
            .count();
        let all = built + removed + usize::from(state.supply.count(tile));
        let endless = tile.kind() == Kind::Residence;
        Fault::unless(
            endless || all == usize::from(tile.sheet().copies),
            "CAY-11.7",
            || format!("{all} copies of {tile:?}"),
        )?;
    }
    Ok(())
}

fn road(state: &State) -> Result<(), Fault> {
    for (space, tile) in FIXED_BUILDINGS {
        Fault::unless(state.road[space].tile == Some(tile), "CAY-11.8", || {
            format!("{:?} on {space}", state.road[space])
        })?;
    }
    let free = state.road.first_free();
    for (space, lot) in state.road.lots() {
        let fixed = lot.tile.is_some_and(|tile| tile.kind() == Kind::Fixed);
        let behind = free.is_some_and(|free| space > free);
        Fault::unless(!behind || lot.tile.is_none() || fixed, "CAY-11.9", || {
            format!("{lot:?} on {space}, but {free:?} is free")
        })?;
        let owned = match lot.tile.map(Tile::kind) {
            Some(Kind::Wood | Kind::Stone | Kind::Residence | Kind::Prestige) => true,
            Some(Kind::Neutral | Kind::Fixed) | None => false,
        };
        Fault::unless(lot.owner.is_some() == owned, "CAY-11.10", || {
            format!("{lot:?} on {space}")
        })?;
    }
    Ok(())
}

fn favors(state: &State) -> Result<(), Fault> {
    for (seat, player) in state.players.entries() {
        let most = if state.simplified_favors {
            0
        } else {
            columns_available(state.castle.scored)
        };
        Fault::unless(
            player.markers.iter().all(|&marker| marker <= most),
            "CAY-11.11",
            || format!("{seat}: {:?}, open to {most}", player.markers),
        )?;
    }
    Ok(())
}

fn officials_and_orders(state: &State) -> Result<(), Fault> {
    let (provost, bailiff) = (state.provost, state.bailiff);
    let still = match state.phase {
        Phase::Income | Phase::Placement | Phase::EndOfTurn | Phase::Over => provost == bailiff,
        Phase::Special | Phase::Provost | Phase::Activation | Phase::Castle => true,
    };
    Fault::unless(
        still && (6..=25).contains(&bailiff.number()),
        "CAY-11.13",
        || format!("provost on {provost}, bailiff on {bailiff}"),
    )?;
    let all_passed = match state.phase {
        Phase::Income | Phase::Placement => true,
        Phase::Special
        | Phase::Provost
        | Phase::Activation
        | Phase::Castle
        | Phase::EndOfTurn
        | Phase::Over => state.pass_order.len() == state.seats(),
    };
    let order = &state.turn_order;
    Fault::unless(
        all_passed
            && distinct(&state.pass_order)
            && distinct(order)
            && order.len() == state.seats(),
        "CAY-11.14",
        || format!("{order:?}, passed: {:?}", state.pass_order),
    )?;
    Fault::unless(state.turn <= 18, "CAY-11.16", || {
        format!("turn {}", state.turn)
    })
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
    let on_board_count = on_board(after).count();
    Fault::unless(
        after.phase != Phase::Placement || placed == on_board_count,
        "CAY-11.2",
        || format!("{on_board_count} workers on the board, {placed} placed"),
    )
}
