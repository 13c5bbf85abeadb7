//! The road: which buildings stand on it, and which tiles have left it (CAY-11.7 to CAY-11.10, CAY-11.15, CAY-15.6).

use arrayvec::ArrayVec;

use super::common::joust_is_over;
use crate::caylus::data::{FIXED_BUILDINGS, Kind, NEUTRAL_TILES, Space, Tile};
use crate::caylus::options::Options;
use crate::caylus::rules::building::is_transformable;
use crate::caylus::stage::Phase;
use crate::caylus::state::{Lot, Road, State};
use crate::table::{PositionError, Seat};

/// Reads the neutral tiles that have left the road.
pub(super) fn removed(tiles: &[Tile]) -> Result<ArrayVec<Tile, 6>, PositionError> {
    tiles.try_into().map_err(|_| {
        let (found, allowed) = (tiles.len(), "at most 6 tiles");
        PositionError::new("CAY-11.7", "removed_neutral", found, allowed)
    })
}

/// Checks every space, and that every tile exists as often as it is printed.
pub(super) fn road(state: &State) -> Result<(), PositionError> {
    let free = state.road.first_free();
    for (space, lot) in state.road.lots() {
        building(space, lot, free)?;
        owner(space, lot)?;
        transformation(state, space, lot)?;
    }
    copies(state)?;
    let residences = transformed(&state.road);
    let path = "residences_built";
    PositionError::within(
        "CAY-14.5",
        path,
        state.residences_built,
        residences..=residences,
    )
}

/// # Rule CAY-11.8, CAY-11.9, CAY-15.6
/// Fixed buildings stand in their places, neutral tiles or what replaced them on spaces 1 to 6, and the other spaces
/// are filled without gaps.
fn building(space: Space, lot: &Lot, free: Option<Space>) -> Result<(), PositionError> {
    let kind = lot.tile.map(Tile::kind);
    let fixed = FIXED_BUILDINGS.into_iter().find(|(at, _)| *at == space);
    let neutral = space.index() < NEUTRAL_TILES.len();
    let (rule, fits, allowed) = match fixed {
        Some((_, tile)) => ("CAY-11.8", lot.tile == Some(tile), tile.id()),
        None if neutral => {
            let fits = matches!(kind, Some(Kind::Neutral | Kind::Residence | Kind::Prestige));
            (
                "CAY-15.6",
                fits,
                "a neutral, residential or prestige building",
            )
        }
        None if kind.is_none() => ("CAY-11.9", true, ""),
        None if free.is_some_and(|free| space > free) => {
            ("CAY-11.9", false, "empty while a space before it is empty")
        }
        None => {
            let fits = !matches!(kind, Some(Kind::Neutral | Kind::Fixed));
            ("CAY-15.6", fits, "empty, or a building that players build")
        }
    };
    PositionError::unless(fits, || {
        let path = format!("road[{}].tile", space.index());
        PositionError::new(rule, path, lot.tile.map_or("empty", Tile::id), allowed)
    })
}

/// # Rule CAY-11.10
fn owner(space: Space, lot: &Lot) -> Result<(), PositionError> {
    let is_owned = match lot.tile.map(Tile::kind) {
        Some(Kind::Wood | Kind::Stone | Kind::Residence | Kind::Prestige) => true,
        Some(Kind::Neutral | Kind::Fixed) | None => false,
    };
    PositionError::unless(lot.owner.is_some() == is_owned, || {
        let path = format!("road[{}].owner", space.index());
        let found = lot.owner.map_or(0, Seat::number);
        let allowed = if is_owned { "a seat" } else { "nobody" };
        PositionError::new("CAY-11.10", path, found, allowed)
    })
}

/// # Rule CAY-7.5, CAY-11.15
/// A transformation waits for a worker in a building that its seat can transform, from the joust field on.
fn transformation(state: &State, space: Space, lot: &Lot) -> Result<(), PositionError> {
    let Some(seat) = lot.pending_transform else {
        return Ok(());
    };
    let may_wait = match state.phase {
        Phase::Special => joust_is_over(state),
        Phase::Provost | Phase::Activation => true,
        Phase::Income | Phase::Placement | Phase::Castle | Phase::EndOfTurn | Phase::Over => false,
    };
    let fits = may_wait && lot.worker.is_some() && is_transformable(lot, seat);
    PositionError::unless(fits, || {
        let path = format!("road[{}].pending_transform", space.index());
        let allowed = "a seat only while a worker is in a building that the seat can transform";
        PositionError::new("CAY-11.15", path, seat.number(), allowed)
    })
}

/// # Rule CAY-11.7
/// Every copy of a tile is on the road, in the supply or, if it is neutral, out of the game.
fn copies(state: &State) -> Result<(), PositionError> {
    let removed = &state.removed_neutral;
    let stranger = removed.iter().find(|tile| tile.kind() != Kind::Neutral);
    stranger.map_or(Ok(()), |tile| {
        let (path, allowed) = ("removed_neutral", "neutral tiles");
        Err(PositionError::new("CAY-11.7", path, tile.id(), allowed))
    })?;
    for tile in Tile::ALL {
        let path = match tile.kind() {
            Kind::Neutral => "removed_neutral",
            Kind::Fixed => "road",
            Kind::Wood => "supply.wood",
            Kind::Stone => "supply.stone",
            Kind::Prestige => "supply.prestige",
            Kind::Residence => continue,
        };
        let here = state.road.lots().filter(|(_, lot)| lot.tile == Some(tile));
        let gone = removed.iter().filter(|&&other| other == tile);
        let all = here.count() + gone.count() + usize::from(state.supply.count(tile));
        let copies = tile.sheet().copies;
        PositionError::unless(all == usize::from(copies), || {
            let found = format!("{} {all} times in all", tile.id());
            let allowed = format!("{copies}, with those on the road");
            PositionError::new("CAY-11.7", path, found, allowed)
        })?;
    }
    Ok(())
}

/// Counts the buildings that have come from transformations: residences, and prestige tiles that replaced one.
pub(super) fn transformed(road: &Road) -> u8 {
    let transformed = road.lots().filter(|(_, lot)| {
        let kind = lot.tile.map(Tile::kind);
        matches!(kind, Some(Kind::Residence | Kind::Prestige))
    });
    u8::try_from(transformed.count()).unwrap_or(u8::MAX)
}

/// # Rule CAY-15.1
/// Neutral tiles lie where the options have put them, and the turn order of the options holds in the placement of turn 1.
pub(super) fn agrees(options: &Options, state: &State) -> Result<(), PositionError> {
    let order = options.neutral_order.iter().flatten();
    for ((space, lot), &tile) in state.road.lots().zip(order) {
        let is_neutral = lot.tile.is_some_and(|tile| tile.kind() == Kind::Neutral);
        PositionError::unless(!is_neutral || lot.tile == Some(tile), || {
            let path = format!("road[{}].tile", space.index());
            let found = lot.tile.map_or("empty", Tile::id);
            let allowed = format!("{}, as the options say", tile.id());
            PositionError::new("CAY-15.1", path, found, allowed)
        })?;
    }
    let first = options.turn_order.as_ref();
    let is_first = state.turn == 1 && state.phase == Phase::Placement;
    let changed = first.is_some_and(|order| is_first && *order != state.turn_order);
    PositionError::unless(!changed, || {
        let found = "another order";
        PositionError::new(
            "CAY-15.1",
            "turn_order",
            found,
            "that of the options in turn 1",
        )
    })
}
