//! What a viewer may know: everything (CAY-13.1). Written field by field all the same.

use super::action::Target;
use super::data::FavorLine;
use super::data::{Cubes, Kind, Section, Space, Tile};
use super::options::SeatList;
use super::pending::Asked;
use super::rules::placement;
use super::score::{self, FinalScore};
use super::state::{Castle, Lot, Phase, Player, SpecialWorkers, State};
use crate::table::{PerSeat, Seat};

/// The whole table (CAY-4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Every favor gives 3 VP at once.
    pub simplified_favors: bool,
    /// The turn, from 1.
    pub turn: u8,
    /// The phase of the turn.
    pub phase: Phase,
    /// The turn order.
    pub turn_order: Vec<Seat>,
    /// Who has passed this turn, in order.
    pub pass_order: Vec<Seat>,
    /// The place in the turn order of the next player to act in placement, from 0.
    pub placement_cursor: u8,
    /// The place inside the phase (CAY-14.5).
    pub cursor: u8,
    /// What each player has, in seat order.
    pub players: Vec<PlayerView>,
    /// The workers on the special buildings.
    pub special: SpecialView,
    /// The castle.
    pub castle: CastleView,
    /// The road, space 1 first.
    pub road: Vec<SpaceView>,
    /// The wood tiles that can be built, every copy.
    pub wood_supply: Vec<Tile>,
    /// The stone tiles that can be built, every copy.
    pub stone_supply: Vec<Tile>,
    /// The prestige tiles that can be built.
    pub prestige_supply: Vec<Tile>,
    /// Neutral tiles that are out of the game, in the order of leaving it.
    pub removed_neutral: Vec<Tile>,
    /// Transformations carried out.
    pub residences_built: u8,
    /// Where the provost stands.
    pub provost: Space,
    /// Where the bailiff stands.
    pub bailiff: Space,
    /// The last column of the favor table that markers may stand on.
    pub columns_available: u8,
    /// Who has favors to use, and how many.
    pub pending_favors: Option<(Seat, u8)>,
    /// The open decision; nothing: the game is over.
    pub decision: Option<Asked>,
    /// The result, once the game is over.
    pub result: Option<ResultView>,
}

/// What one player has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    /// Whose.
    pub seat: Seat,
    /// Deniers.
    pub deniers: u16,
    /// Resource cubes.
    pub cubes: Cubes,
    /// Prestige points.
    pub vp: u16,
    /// Workers that are not on the board.
    pub workers_available: u8,
    /// The column of the marker on each favor line, in table order; 0 in front of the table.
    pub favor_markers: [u8; 4],
    /// The favor lines used in this phase, in table order.
    pub favor_lines_used: Vec<FavorLine>,
    /// What his next worker costs, own buildings apart, in deniers; nothing once he has passed.
    pub placement_price: Option<u16>,
}

/// The workers on the special buildings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialView {
    /// On the gate.
    pub gate: Option<Seat>,
    /// On the trading post.
    pub trading_post: Option<Seat>,
    /// On the merchants' guild.
    pub merchants_guild: Option<Seat>,
    /// On the joust field.
    pub joust_field: Option<Seat>,
    /// In the stables, by circle.
    pub stables: Vec<Seat>,
    /// On the inn's left circle.
    pub inn_left: Option<Seat>,
    /// On the inn's right circle.
    pub inn_right: Option<Seat>,
}

/// The castle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastleView {
    /// The workers in the order of building.
    pub queue: Vec<Seat>,
    /// The parts built this turn, in seat order.
    pub batches_this_turn: Vec<u8>,
    /// The sections, in order of building.
    pub sections: Vec<SectionView>,
    /// The lowest section that is not scored.
    pub current_section: Option<Section>,
}

/// One section of the castle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionView {
    /// Which one.
    pub section: Section,
    /// The houses of each seat, in seat order.
    pub parts: Vec<u8>,
    /// Has it been scored?
    pub scored: bool,
}

/// One space of the road.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceView {
    /// Which one.
    pub space: Space,
    /// What stands there.
    pub tile: Option<Tile>,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// Whose worker stands there.
    pub worker: Option<Seat>,
    /// Who has paid to transform it once the worker has left.
    pub pending_transform: Option<Seat>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultView {
    /// The final score of each seat.
    pub scores: PerSeat<FinalScore>,
    /// The seats with the highest total.
    pub winners: SeatList,
}

/// What everybody may know.
pub(super) fn view(state: &State) -> View {
    let supply = |kind| state.supply.tiles(kind).collect();
    View {
        simplified_favors: state.simplified_favors,
        turn: state.turn,
        phase: state.phase,
        turn_order: state.turn_order.to_vec(),
        pass_order: state.pass_order.to_vec(),
        placement_cursor: state.placement_cursor,
        cursor: state.cursor,
        players: state
            .players
            .entries()
            .map(|(seat, player)| player_view(state, seat, player))
            .collect(),
        special: special_view(&state.special),
        castle: castle_view(&state.castle),
        road: state.road.lots().map(space_view).collect(),
        wood_supply: supply(Kind::Wood),
        stone_supply: supply(Kind::Stone),
        prestige_supply: supply(Kind::Prestige),
        removed_neutral: state.removed_neutral.to_vec(),
        residences_built: state.residences_built,
        provost: state.provost,
        bailiff: state.bailiff,
        columns_available: state.columns_available(),
        pending_favors: state
            .pending_favors
            .map(|favors| (favors.seat, favors.count)),
        decision: state.asked,
        result: score::result(state).map(|(scores, winners)| ResultView { scores, winners }),
    }
}

fn player_view(state: &State, seat: Seat, player: &Player) -> PlayerView {
    PlayerView {
        seat,
        deniers: player.deniers,
        cubes: player.cubes,
        vp: player.vp,
        workers_available: player.workers,
        favor_markers: player.markers,
        favor_lines_used: FavorLine::ALL
            .into_iter()
            .filter(|&line| player.lines_used.has(line))
            .collect(),
        placement_price: (!state.pass_order.contains(&seat))
            .then(|| placement::price(state, seat, Target::Castle)),
    }
}

fn special_view(special: &SpecialWorkers) -> SpecialView {
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

fn castle_view(castle: &Castle) -> CastleView {
    CastleView {
        queue: castle.queue.to_vec(),
        batches_this_turn: castle.batches.iter().copied().collect(),
        sections: Section::ALL
            .into_iter()
            .map(|section| SectionView {
                section,
                parts: castle.parts[section as usize].iter().copied().collect(),
                scored: castle.is_scored(section),
            })
            .collect(),
        current_section: castle.current(),
    }
}

fn space_view((space, lot): (Space, &Lot)) -> SpaceView {
    SpaceView {
        space,
        tile: lot.tile,
        owner: lot.owner,
        worker: lot.worker,
        pending_transform: lot.pending_transform,
    }
}
