//! The map: structures, bridges and towns (TM-11.1, TM-11.4, TM-11.5, TM-11.8 to TM-11.10, TM-15.4).

use super::common::{is_setup, path};
use crate::table::{PositionError, Seat};
use crate::terra_mystica::data::{
    BRIDGE_SITES, BRIDGES, Faction, Land, LandSet, Structure, TownTile, lands_at_river,
};
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::{State, Town};

pub(super) fn judge(state: &State) -> Result<(), PositionError> {
    spaces(state)?;
    structures(state)?;
    first_dwellings(state)?;
    bridges(state)?;
    tiles(state)?;
    for (place, town) in state.towns.iter().enumerate() {
        founded(state, place, town)?;
        in_its_turn(state, place, town)?;
    }
    state
        .players
        .seats()
        .try_for_each(|seat| missing(state, seat))
}

/// # Rule TM-11.4, TM-15.4
/// Structures stand on home terrain. In the set-up, and only then, all terrain is as printed.
fn spaces(state: &State) -> Result<(), PositionError> {
    for land in Land::all() {
        let terrain = state.board.terrain(land);
        let owner = state.board.piece(land).map(|piece| piece.seat);
        let home = owner.and_then(|seat| state.players.iter().nth(seat.index()));
        let wanted = match (owner, home) {
            (Some(_), Some(player)) => Some(player.faction.home()),
            (Some(seat), None) => {
                let path = format!("spaces[{}].owner", land.index());
                let allowed = "nobody before all have factions";
                return Err(PositionError::new("TM-15.4", path, seat.number(), allowed));
            }
            (None, _) => is_setup(state).then(|| land.printed()),
        };
        PositionError::unless(wanted.is_none_or(|wanted| wanted == terrain), || {
            let path = format!("spaces[{}].terrain", land.index());
            let allowed = wanted.map_or("", |terrain| terrain.id());
            let rule = if owner.is_some() {
                "TM-11.4"
            } else {
                "TM-15.4"
            };
            PositionError::new(rule, path, terrain.id(), allowed)
        })?;
    }
    Ok(())
}

/// # Rule TM-11.1
/// No more structures of a kind than a player has.
fn structures(state: &State) -> Result<(), PositionError> {
    for seat in state.players.seats() {
        for structure in Structure::ALL {
            let count = state.board.count(seat, structure);
            PositionError::unless(count <= structure.stock(), || {
                let field = path(seat, &format!("structures_left[{}]", structure.index()));
                let allowed = format!("at most {} on the map", structure.stock());
                PositionError::new("TM-11.1", field, format!("{count} on the map"), allowed)
            })?;
        }
    }
    Ok(())
}

/// # Rule TM-5.7
/// In the set-up the dwellings are those placed so far. Later everybody has at least as many structures.
fn first_dwellings(state: &State) -> Result<(), PositionError> {
    let placed = state.board.dwellings();
    for (seat, player) in state.players.entries() {
        let standing = usize::from(state.board.owned(seat).len());
        let all = usize::from(player.sheet().dwellings);
        let range = match state.stage {
            Stage::ChooseFaction(_) | Stage::PlaceDwelling => {
                let own = state
                    .placing_order()
                    .take(placed)
                    .filter(|&next| next == seat)
                    .count();
                own..=own
            }
            Stage::ChooseBonusCard => all..=all,
            Stage::Action | Stage::Cult | Stage::Over => all..=usize::MAX,
        };
        PositionError::unless(range.contains(&standing), || {
            let allowed = match is_setup(state) {
                true => format!("{}, in the order of the set-up", range.start()),
                false => format!("at least {all}"),
            };
            let field = path(seat, "structures_left");
            PositionError::new("TM-5.7", field, format!("{standing} on the map"), allowed)
        })?;
    }
    let mut others = Structure::ALL.into_iter().skip(1);
    let built = |structure| {
        state
            .players
            .seats()
            .any(|seat| state.board.count(seat, structure) > 0)
    };
    let early = others.find(|&structure| is_setup(state) && built(structure));
    early.map_or(Ok(()), |structure| {
        let allowed = "dwellings alone in the set-up";
        Err(PositionError::new(
            "TM-5.7",
            "spaces",
            structure.id(),
            allowed,
        ))
    })
}

/// # Rule TM-6.39, TM-11.1
/// At most three bridges of a player, each at a structure of its owner.
fn bridges(state: &State) -> Result<(), PositionError> {
    for seat in state.players.seats() {
        let own = state.board.bridges().filter(|&(_, owner)| owner == seat);
        PositionError::within("TM-11.1", "bridges", own.count(), 0..=usize::from(BRIDGES))?;
    }
    for (place, (site, seat)) in state.board.bridges().enumerate() {
        let (ends, own) = (BRIDGE_SITES[site], state.board.owned(seat));
        PositionError::unless(own.contains(ends.a) || own.contains(ends.b), || {
            let allowed = "a seat with a structure at an end of the bridge";
            PositionError::new(
                "TM-6.39",
                format!("bridges[{place}].seat"),
                seat.number(),
                allowed,
            )
        })?;
    }
    Ok(())
}

/// # Rule TM-11.5, TM-P.53
/// No more town tiles than the box has, nor more towns than it has tiles.
fn tiles(state: &State) -> Result<(), PositionError> {
    let in_box = |tile: TownTile| {
        if state.rules.has_town_tile(tile) {
            tile.copies()
        } else {
            0
        }
    };
    for tile in TownTile::ALL {
        let mut used = state
            .towns
            .iter()
            .enumerate()
            .filter(|(_, town)| town.tile == Some(tile));
        if let Some((place, _)) = used.nth(usize::from(in_box(tile))) {
            let allowed = format!("{} at most {} times", tile.id(), in_box(tile));
            return Err(PositionError::new(
                "TM-11.5",
                format!("towns[{place}].tile"),
                tile.id(),
                allowed,
            ));
        }
    }
    let most: usize = TownTile::ALL
        .into_iter()
        .map(|tile| usize::from(in_box(tile)))
        .sum();
    PositionError::within("TM-11.5", "towns", state.towns.len(), 0..=most)
}

/// # Rule TM-6.50, TM-6.53, TM-11.9
/// A town is a group of structures of its seat, enough for a town, in no other town.
fn founded(state: &State, place: usize, town: &Town) -> Result<(), PositionError> {
    let (seat, lands) = (town.seat, town.lands);
    let spaces = || lands.iter().map(Land::id).collect::<Vec<_>>().join(", ");
    let wrong = |rule, allowed| {
        Err(PositionError::new(
            rule,
            format!("towns[{place}].spaces"),
            spaces(),
            allowed,
        ))
    };
    let Some(first) = lands.first().filter(|_| state.players.has(seat)) else {
        return wrong("TM-11.9", "spaces with structures of the seat");
    };
    let mut others = state
        .towns
        .iter()
        .take(place)
        .filter(|other| other.seat == seat);
    if !lands.minus(state.board.owned(seat)).is_empty()
        || others.any(|other| other.lands.meets(lands))
    {
        return wrong(
            "TM-11.9",
            "spaces with structures of the seat, in no other town",
        );
    }
    if !lands
        .minus(state.component(seat, LandSet::of(first)))
        .is_empty()
    {
        return wrong("TM-11.9", "connected structures");
    }
    if !state.is_enough_for_town(seat, lands) {
        return wrong("TM-6.50", "enough structures and power value for a town");
    }
    let is_near =
        |river| state.faction(seat) == Faction::Mermaids && lands_at_river(river).meets(lands);
    PositionError::unless(town.river.is_none_or(is_near), || {
        let found = town.river.map_or("none", |river| river.id());
        let allowed = "none, or of the Mermaids a river hex beside the town";
        PositionError::new("TM-6.53", format!("towns[{place}].river"), found, allowed)
    })
}

/// # Rule TM-6.55
/// Only the player whose turn it is chooses a tile.
fn in_its_turn(state: &State, place: usize, town: &Town) -> Result<(), PositionError> {
    let chooses = state.stage == Stage::Action && state.turn.seat == town.seat;
    PositionError::unless(town.tile.is_some() || chooses, || {
        let allowed = "a tile, except in the seat's own turn";
        PositionError::new("TM-6.55", format!("towns[{place}].tile"), "none", allowed)
    })
}

/// # Rule TM-11.10
/// No group of structures that is enough for a town lacks one.
fn missing(state: &State, seat: Seat) -> Result<(), PositionError> {
    let in_towns = state.town_lands(seat);
    let mut groups = state
        .components(seat)
        .filter(|group| !group.meets(in_towns));
    let late = groups.find(|&group| state.is_enough_for_town(seat, group));
    let late = late
        .filter(|_| state.towns_left() > 0)
        .and_then(LandSet::first);
    late.map_or(Ok(()), |land| {
        let found = format!("none at {}", land.id());
        let allowed = format!("a town of {seat} there");
        Err(PositionError::new("TM-11.10", "towns", found, allowed))
    })
}
