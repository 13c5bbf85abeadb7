//! The board of a described table: provinces, seas, roads.

use super::{Judged, needs, seated};
use crate::mythotopia::data::{
    ARMIES, BorderSet, CASTLES, CITIES, DRAGONS, MERCENARIES, PointCard, PointCardSet, Province,
    ProvinceSet, ROADS, RUNESTONES, SHIPS, SeaSet,
};
use crate::mythotopia::stage::Building;
use crate::mythotopia::state::{Citadel, Player};
use crate::mythotopia::view::{Force, ProvinceView, View};
use crate::table::{PerSeat, PositionError};

/// The places of pieces without an owner.
#[derive(Default)]
pub(super) struct Board {
    pub(super) castles: ProvinceSet,
    pub(super) dragons: ProvinceSet,
    pub(super) runestones: ProvinceSet,
    pub(super) roads: BorderSet,
}

/// Reads the board, and gives the players what is theirs on it. Provinces and seas that are left out are empty.
///
/// # Rule MYT-11.3, MYT-11.9, MYT-11.10
pub(super) fn board(
    view: &View,
    in_play: PointCardSet,
    players: &mut PerSeat<Player>,
) -> Judged<Board> {
    let (mut board, mut seen) = (Board::default(), ProvinceSet::empty());
    for (index, shown) in view.provinces.iter().enumerate() {
        let path = format!("provinces[{index}]");
        PositionError::unless(seen.insert(shown.province), || {
            let path = format!("{path}.province");
            PositionError::new("MYT-11.9", path, shown.province, "each province once")
        })?;
        building(&path, shown, players)?;
        wonders(&path, shown, in_play, &mut board)?;
        for (place, force) in shown.forces.iter().enumerate() {
            forces(
                &format!("{path}.forces[{place}]"),
                shown.province,
                *force,
                players,
            )?;
        }
    }
    let most = |path, found: ProvinceSet, most: usize| {
        PositionError::within("MYT-11.3", path, found.len(), 0..=most)
    };
    most("provinces.castle", board.castles, usize::from(CASTLES))?;
    most("provinces.dragon", board.dragons, DRAGONS)?;
    most("provinces.runestone", board.runestones, RUNESTONES)?;
    for (index, &road) in view.roads.iter().enumerate() {
        PositionError::unless(!board.roads.contains(road), || {
            PositionError::new(
                "MYT-11.10",
                format!("roads[{index}]"),
                road.id(),
                "each road once",
            )
        })?;
        board.roads.insert(road);
    }
    PositionError::within(
        "MYT-11.3",
        "roads",
        board.roads.len(),
        0..=usize::from(ROADS),
    )?;
    ships(view, players)?;
    Ok(board)
}

/// Reads the building of a province; left out, a town of its controller.
fn building(path: &str, shown: &ProvinceView, players: &mut PerSeat<Player>) -> Judged {
    let Some(seat) = shown.controller else {
        return Ok(());
    };
    seated(format!("{path}.controller"), seat, players.count())?;
    let player = &mut players[seat];
    let building = shown.building.unwrap_or(Building::Town);
    let path = format!("{path}.building");
    match building {
        Building::Town => {
            player.towns.insert(shown.province);
        }
        Building::City => {
            player.cities.insert(shown.province);
            let cities = player.cities.len();
            PositionError::within("MYT-11.2", path, cities, 0..=usize::from(CITIES))?;
        }
        Building::Citadel => {
            PositionError::unless(player.citadel == Citadel::Unused && !shown.castle, || {
                let allowed = "one citadel of each player, without a castle";
                PositionError::new("MYT-11.2", path, "a citadel", allowed)
            })?;
            player.citadel = Citadel::At(shown.province);
        }
    }
    Ok(())
}

/// Reads castle, dragon and runestone.
fn wonders(path: &str, shown: &ProvinceView, in_play: PointCardSet, board: &mut Board) -> Judged {
    let wonders = [
        (
            "dragon",
            shown.dragon,
            PointCard::HereBeDragons,
            &mut board.dragons,
        ),
        (
            "runestone",
            shown.runestone,
            PointCard::Runestones,
            &mut board.runestones,
        ),
    ];
    for (field, is_there, card, places) in wonders {
        if is_there {
            let path = format!("{path}.{field}");
            needs(in_play, card, path.as_str(), true)?;
            PositionError::unless(shown.controller.is_none(), || {
                PositionError::new("MYT-11.9", path, true, "true only in a neutral province")
            })?;
            places.insert(shown.province);
        }
    }
    if shown.castle {
        board.castles.insert(shown.province);
    }
    Ok(())
}

/// Reads the armies and mercenaries of a player in a province.
///
/// # Rule MYT-11.1, MYT-11.3
fn forces(path: &str, province: Province, force: Force, players: &mut PerSeat<Player>) -> Judged {
    seated(format!("{path}.seat"), force.seat, players.count())?;
    let hired: u8 = players
        .iter()
        .map(|player| player.mercenaries.total())
        .sum();
    let player = &mut players[force.seat];
    PositionError::unless(!player.garrisons().contains(province), || {
        PositionError::new(
            "MYT-5.1",
            format!("{path}.seat"),
            force.seat,
            "each seat once",
        )
    })?;
    let left = ARMIES.saturating_sub(player.armies.total());
    PositionError::within("MYT-11.1", format!("{path}.armies"), force.armies, 0..=left)?;
    let left = MERCENARIES.saturating_sub(hired);
    PositionError::within(
        "MYT-11.3",
        format!("{path}.mercenaries"),
        force.mercenaries,
        0..=left,
    )?;
    player.armies.add(province, force.armies);
    player.mercenaries.add(province, force.mercenaries);
    Ok(())
}

/// Reads the ships of each sea, in seat order.
///
/// # Rule MYT-11.1
fn ships(view: &View, players: &mut PerSeat<Player>) -> Judged {
    let mut seen = SeaSet::empty();
    for (index, shown) in view.seas.iter().enumerate() {
        let path = format!("seas[{index}]");
        let count = shown.ships.len();
        let fits = seen.insert(shown.sea) && (count == players.count() || count == 0);
        PositionError::unless(fits, || {
            let allowed = "each sea once, with a number for each seat";
            PositionError::new(
                "MYT-11.1",
                path.as_str(),
                format!("{count} numbers"),
                allowed,
            )
        })?;
        for (seat, (player, &ships)) in players.iter_mut().zip(&shown.ships).enumerate() {
            let left = SHIPS.saturating_sub(player.ships.iter().sum());
            PositionError::within("MYT-11.1", format!("{path}.ships[{seat}]"), ships, 0..=left)?;
            player.ships[shown.sea.index()] = ships;
        }
    }
    Ok(())
}
