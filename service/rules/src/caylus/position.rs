//! Tables that somebody describes (CAY-15): makes the table of a view. `judge` decides whether it keeps the rules, and
//! `decision` finds the decision that is open on it.

mod common;
mod decision;
mod judge;
mod places;
mod road;

use enumset::EnumSet;

use super::data::{Kind, SPACES, STABLES_PLACES, Section, WORKERS};
use super::options::Options;
use super::stage::{Phase, Stage};
use super::state::{Castle, Lot, Player, Road, SpecialWorkers, State, Supply};
use super::view::{PlayerView, SpaceView, SpecialView, View};
use crate::table::{Chance, PerSeat, PositionError, Seat};

pub use judge::judge;
pub use places::on_board;

/// Makes the table that a view describes. Nothing is hidden, so luck deals nothing.
///
/// # Rule CAY-15.1
pub fn position(
    options: &Options,
    view: &View,
    _chance: &mut Chance,
) -> Result<State, PositionError> {
    goes_on(view.phase)?;
    lists(view, options.seats())?;
    seats_exist(view, options.seats())?;
    let mut state = read(options, view)?;
    judge(&state)?;
    road::agrees(options, &state)?;
    let (open, stage) = decision::open(&state)?;
    state.pending = Some(open);
    state.stage = stage;
    Ok(state)
}

/// # Rule CAY-8.4, CAY-15.8
/// The game is not over, and the phase is one in which somebody decides.
fn goes_on(phase: Phase) -> Result<(), PositionError> {
    let rule = match phase {
        Phase::Over => "CAY-8.4",
        Phase::Income => "CAY-15.8",
        Phase::Placement
        | Phase::Special
        | Phase::Provost
        | Phase::Activation
        | Phase::Castle
        | Phase::EndOfTurn => return Ok(()),
    };
    let allowed = "a phase in which somebody decides";
    Err(PositionError::new(rule, "phase", phase.id(), allowed))
}

/// # Rule CAY-15.2
/// Every list has one entry for each seat, section or space, in order.
fn lists(view: &View, seats: usize) -> Result<(), PositionError> {
    let players = view.players.iter().map(|player| player.seat.index());
    PositionError::in_order("CAY-15.2", "players", players, seats)?;
    let sections = view.castle.sections.iter();
    let indices = sections.clone().map(|section| section.section.index());
    PositionError::in_order("CAY-15.2", "castle.sections", indices, Section::COUNT)?;
    PositionError::in_order(
        "CAY-15.2",
        "road",
        view.road.iter().map(|lot| lot.space.index()),
        SPACES,
    )?;
    let path = "castle.batches_this_turn";
    each_seat(path, view.castle.batches_this_turn.len(), seats)?;
    for section in sections {
        let path = format!("castle.sections[{}].parts", section.section.index());
        each_seat(&path, section.parts.len(), seats)?;
    }
    Ok(())
}

/// Checks that a list of numbers is empty, where all are 0, or has one for each seat.
fn each_seat(path: &str, found: usize, seats: usize) -> Result<(), PositionError> {
    PositionError::unless(found == 0 || found == seats, || {
        PositionError::new("CAY-15.2", path, found, format!("{seats} entries"))
    })
}

/// # Rule CAY-15.2
/// Every seat that is named sits at the table.
fn seats_exist(view: &View, seats: usize) -> Result<(), PositionError> {
    let exists = |path: &dyn Fn() -> String, seat: Option<Seat>| {
        let beyond = seat.filter(|seat| seat.index() >= seats);
        beyond.map_or(Ok(()), |seat| {
            let allowed = format!("a seat from 1 to {seats}");
            Err(PositionError::new(
                "CAY-15.2",
                path(),
                seat.number(),
                allowed,
            ))
        })
    };
    let special = &view.special;
    for (path, seat) in [
        ("special.gate", special.gate),
        ("special.trading_post", special.trading_post),
        ("special.merchants_guild", special.merchants_guild),
        ("special.joust_field", special.joust_field),
        ("special.inn_left", special.inn_left),
        ("special.inn_right", special.inn_right),
        (
            "pending_favors.seat",
            view.pending_favors.map(|favors| favors.seat),
        ),
    ] {
        exists(&|| path.to_owned(), seat)?;
    }
    for (path, list) in [
        ("turn_order", view.turn_order.as_slice()),
        ("pass_order", &view.pass_order),
        ("special.stables", &special.stables),
        ("castle.queue", &view.castle.queue),
    ] {
        for (place, &seat) in list.iter().enumerate() {
            exists(&|| format!("{path}[{place}]"), Some(seat))?;
        }
    }
    for (place, lot) in view.road.iter().enumerate() {
        exists(&|| format!("road[{place}].owner"), lot.owner)?;
        exists(&|| format!("road[{place}].worker"), lot.worker)?;
        let transform = || format!("road[{place}].pending_transform");
        exists(&transform, lot.pending_transform)?;
    }
    Ok(())
}

/// Reads the table. The lists have their lengths, and all seats exist.
fn read(options: &Options, view: &View) -> Result<State, PositionError> {
    let mut road = Road::default();
    for lot in &view.road {
        road[lot.space] = space(lot);
    }
    let mut state = State {
        simplified_favors: options.simplified_favors,
        turn: view.turn,
        phase: view.phase,
        turn_order: view.turn_order.clone(),
        pass_order: view.pass_order.clone(),
        placement_cursor: view.placement_cursor,
        cursor: view.cursor,
        players: PerSeat::new(options.seats(), |seat| player(&view.players[seat.index()])),
        special: special(&view.special)?,
        castle: castle(view, options.seats())?,
        supply: supply(&road)?,
        removed_neutral: road::removed(&view.removed_neutral)?,
        residences_built: road::transformed(&road),
        road,
        provost: view.provost,
        bailiff: view.bailiff,
        pending_favors: view.pending_favors,
        pending: None,
        stage: Stage::Place,
    };
    for seat in state.players.seats() {
        let away = places::workers_away(&state, seat);
        state.players[seat].workers = WORKERS.saturating_sub(away);
    }
    decision::complete(&mut state);
    Ok(state)
}

const fn space(lot: &SpaceView) -> Lot {
    Lot {
        tile: lot.tile,
        owner: lot.owner,
        worker: lot.worker,
        pending_transform: lot.pending_transform,
    }
}

fn player(player: &PlayerView) -> Player {
    Player {
        deniers: player.deniers,
        cubes: player.cubes,
        vp: player.vp,
        workers: WORKERS,
        markers: player.favor_markers,
        lines_used: EnumSet::from_iter(player.favor_lines_used.iter().copied()),
    }
}

fn special(special: &SpecialView) -> Result<SpecialWorkers, PositionError> {
    let stables = special.stables.as_slice().try_into();
    Ok(SpecialWorkers {
        gate: special.gate,
        trading_post: special.trading_post,
        merchants_guild: special.merchants_guild,
        joust_field: special.joust_field,
        stables: stables.map_err(|_| {
            let (found, path) = (special.stables.len(), "special.stables");
            let allowed = format!("at most {STABLES_PLACES} workers");
            PositionError::new("CAY-11.4", path, found, allowed)
        })?,
        inn_left: special.inn_left,
        inn_right: special.inn_right,
    })
}

fn castle(view: &View, seats: usize) -> Result<Castle, PositionError> {
    let castle = &view.castle;
    let sections = &castle.sections;
    let scored = sections.iter().take_while(|section| section.scored).count();
    let late = sections
        .iter()
        .skip(scored)
        .position(|section| section.scored);
    PositionError::unless(late.is_none(), || {
        let path = format!("castle.sections[{}].scored", scored + late.unwrap_or(0));
        let allowed = "false before the sections below it are scored";
        PositionError::new("CAY-11.18", path, true, allowed)
    })?;
    let numbers =
        |list: &[u8]| PerSeat::new(seats, |seat| list.get(seat.index()).copied().unwrap_or(0));
    Ok(Castle {
        queue: castle.queue.clone(),
        batches: numbers(&castle.batches_this_turn),
        parts: Section::ALL.map(|section| numbers(&sections[section.index()].parts)),
        scored: u8::try_from(scored).unwrap_or(u8::MAX),
    })
}

/// Returns the tiles that can still be built: all that are not on the road.
fn supply(road: &Road) -> Result<Supply, PositionError> {
    let mut supply = Supply::full();
    for (space, lot) in road.lots() {
        let built = lot.tile.filter(|tile| match tile.kind() {
            Kind::Wood | Kind::Stone | Kind::Prestige => true,
            Kind::Neutral | Kind::Fixed | Kind::Residence => false,
        });
        if let Some(tile) = built {
            PositionError::unless(supply.count(tile) > 0, || {
                let path = format!("road[{}].tile", space.index());
                let allowed = format!("there at most {} times", tile.sheet().copies);
                PositionError::new("CAY-11.7", path, tile.id(), allowed)
            })?;
            supply.take(tile);
        }
    }
    Ok(supply)
}
