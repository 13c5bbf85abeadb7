//! The **projection** of the table for one viewer, field by field: everything is public (CAY-13.1).

use super::action::Target;
use super::data::{Cubes, FavorLine, Kind, Section, Space, Tile};
use super::rules::placement;
use super::stage::{Decision, Phase, SeatList};
use super::state::{Castle, Lot, PendingFavors, SpecialWorkers, State};
use crate::table::{Pending, PendingList, Seat, Viewer};

/// The table as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub simplified_favors: bool,
    /// The turn, from 1.
    pub turn: u8,
    pub phase: Phase,
    pub turn_order: SeatList,
    /// The seats that have passed this turn, in order.
    pub pass_order: SeatList,
    /// The position in the turn order of the next player to act in placement, from 0.
    pub placement_cursor: u8,
    /// The position within the phase (CAY-14.5).
    pub cursor: u8,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    pub special: SpecialView,
    pub castle: CastleView,
    /// The spaces of the road, space 1 first.
    pub road: Vec<SpaceView>,
    pub supply: SupplyView,
    /// The neutral tiles that were transformed, in the order of leaving the game.
    pub removed_neutral: Vec<Tile>,
    /// Transformations carried out.
    pub residences_built: u8,
    pub provost: Space,
    pub bailiff: Space,
    /// The last column of the favor table that markers may stand on.
    pub columns_available: u8,
    pub pending_favors: Option<PendingFavors>,
    /// The pending decisions.
    pub pending: PendingList,
    /// The details of the pending decision, if it has any.
    pub question: Option<Question>,
}

/// The details of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The space of the building in use.
    pub space: Option<Space>,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    pub seat: Seat,
    pub deniers: u16,
    pub cubes: Cubes,
    pub vp: u16,
    /// Workers that are not on the board.
    pub workers_available: u8,
    /// The column of the marker on each favor line, in table order; 0 in front of the table.
    pub favor_markers: [u8; 4],
    /// The favor lines used in this phase, in table order.
    pub favor_lines_used: Vec<FavorLine>,
    /// The price of the next worker, except on own buildings, in deniers. Is `None` once the player has passed.
    pub placement_price: Option<u16>,
}

/// The workers on the special buildings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialView {
    pub gate: Option<Seat>,
    pub trading_post: Option<Seat>,
    pub merchants_guild: Option<Seat>,
    pub joust_field: Option<Seat>,
    /// The workers in the stables, by circle.
    pub stables: Vec<Seat>,
    pub inn_left: Option<Seat>,
    pub inn_right: Option<Seat>,
}

/// The castle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastleView {
    /// The workers in the order of building.
    pub queue: SeatList,
    /// The parts built this turn, in seat order.
    pub batches_this_turn: Vec<u8>,
    /// The sections, in the order of building.
    pub sections: Vec<SectionView>,
    /// The lowest section that is not scored.
    pub current_section: Option<Section>,
}

/// One section of the castle, with the houses of each seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionView {
    pub section: Section,
    pub parts: Vec<u8>,
    pub scored: bool,
}

/// One space of the road.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceView {
    pub space: Space,
    pub tile: Option<Tile>,
    pub owner: Option<Seat>,
    pub worker: Option<Seat>,
    /// The seat that has paid to transform the building once its worker has left.
    pub pending_transform: Option<Seat>,
}

/// Every copy of the tiles that can be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupplyView {
    pub wood: Vec<Tile>,
    pub stone: Vec<Tile>,
    pub prestige: Vec<Tile>,
}

/// The table as everybody may know it.
///
/// # Rule CAY-13.1
pub fn view(state: &State, _viewer: Viewer) -> View {
    let supply = |kind| state.supply.tiles(kind).collect();
    View {
        simplified_favors: state.simplified_favors,
        turn: state.turn,
        phase: state.phase,
        turn_order: state.turn_order.clone(),
        pass_order: state.pass_order.clone(),
        placement_cursor: state.placement_cursor,
        cursor: state.cursor,
        players: state
            .players
            .seats()
            .map(|seat| player(state, seat))
            .collect(),
        special: special(&state.special),
        castle: castle(&state.castle),
        road: state.road.lots().map(space).collect(),
        supply: SupplyView {
            wood: supply(Kind::Wood),
            stone: supply(Kind::Stone),
            prestige: supply(Kind::Prestige),
        },
        removed_neutral: state.removed_neutral.to_vec(),
        residences_built: state.residences_built,
        provost: state.provost,
        bailiff: state.bailiff,
        columns_available: state.columns_available(),
        pending_favors: state.pending_favors,
        pending: Pending::all(state.pending(), Decision::id),
        question: (state.pending())
            .and_then(|(_, decision)| decision.space())
            .map(|space| Question { space: Some(space) }),
    }
}

/// Removes the pending decisions from a view.
pub fn clear_pending(view: &mut View) {
    view.pending.clear();
    view.question = None;
    view.pending_favors = None;
}

fn player(state: &State, seat: Seat) -> PlayerView {
    let player = &state.players[seat];
    PlayerView {
        seat,
        deniers: player.deniers,
        cubes: player.cubes,
        vp: player.vp,
        workers_available: player.workers,
        favor_markers: player.markers,
        favor_lines_used: player.lines_used.iter().collect(),
        placement_price: (!state.pass_order.contains(&seat))
            .then(|| placement::price(state, seat, Target::Castle)),
    }
}

fn special(special: &SpecialWorkers) -> SpecialView {
    SpecialView {
        gate: special.gate,
        trading_post: special.trading_post,
        merchants_guild: special.merchants_guild,
        joust_field: special.joust_field,
        stables: special.stables.to_vec(),
        inn_left: special.inn_left,
        inn_right: special.inn_right,
    }
}

fn castle(castle: &Castle) -> CastleView {
    CastleView {
        queue: castle.queue.clone(),
        batches_this_turn: castle.batches.iter().copied().collect(),
        sections: Section::ALL
            .into_iter()
            .map(|section| SectionView {
                section,
                parts: castle.parts[section.index()].iter().copied().collect(),
                scored: castle.is_scored(section),
            })
            .collect(),
        current_section: castle.current(),
    }
}

fn space((space, lot): (Space, &Lot)) -> SpaceView {
    SpaceView {
        space,
        tile: lot.tile,
        owner: lot.owner,
        worker: lot.worker,
        pending_transform: lot.pending_transform,
    }
}
