//! The table, with simple queries (CAY-4).

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use enumset::EnumSet;
use serde::{Deserialize, Serialize};

use super::action::{Action, Target};
use super::data::{
    Cubes, FavorLine, Goods, Kind, SPACES, STABLES_PLACES, Section, Space, Special, Tile,
    columns_available,
};
use super::event::Event;
use super::stage::{Decision, Phase, SeatList, Stage};
use crate::table::{self, ClosedSet, PerSeat, Seat, TextContext, invariant_violated};

/// The whole table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub simplified_favors: bool,
    /// The turn, from 1; 0 before the first turn.
    pub turn: u8,
    pub phase: Phase,
    pub turn_order: SeatList,
    pub pass_order: SeatList,
    /// The position in the turn order of the next player to act in placement.
    pub placement_cursor: u8,
    /// The position within the phase (CAY-14.5).
    pub cursor: u8,
    pub players: PerSeat<Player>,
    pub special: SpecialWorkers,
    pub castle: Castle,
    pub road: Road,
    pub supply: Supply,
    /// The neutral tiles that were transformed, in the order of their transformations.
    pub removed_neutral: ArrayVec<Tile, 6>,
    /// Transformations carried out.
    pub residences_built: u8,
    pub provost: Space,
    pub bailiff: Space,
    pub pending_favors: Option<PendingFavors>,
    /// The open decision.
    pub pending: Option<(Seat, Decision)>,
    pub stage: Stage,
}

/// The possessions of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    pub deniers: u16,
    pub cubes: Cubes,
    pub vp: u16,
    /// Workers that are not on the board.
    pub workers: u8,
    /// The column of each favor line's marker; 0 in front of the table.
    pub markers: [u8; 4],
    /// The favor lines used in this phase.
    pub lines_used: EnumSet<FavorLine>,
}

impl Player {
    pub fn can_pay(&self, price: Goods) -> bool {
        self.deniers >= price.deniers && self.cubes.cover(price.cubes)
    }

    /// Pays a price that `can_pay` has accepted.
    pub fn pay(&mut self, price: Goods) {
        self.deniers -= price.deniers;
        self.cubes = self.cubes.without(price.cubes);
    }

    pub fn gain(&mut self, goods: Goods) {
        self.deniers += goods.deniers;
        self.cubes += goods.cubes;
        self.vp += goods.vp;
    }

    /// Loses prestige points, never below 0 (CAY-6.1.4). Returns the number of points lost.
    pub fn lose_vp(&mut self, vp: u16) -> u16 {
        let lost = vp.min(self.vp);
        self.vp -= lost;
        lost
    }
}

/// The workers on the special buildings (CAY-3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecialWorkers {
    pub gate: Option<Seat>,
    pub trading_post: Option<Seat>,
    pub merchants_guild: Option<Seat>,
    pub joust_field: Option<Seat>,
    /// The workers in the stables, by circle.
    pub stables: ArrayVec<Seat, STABLES_PLACES>,
    pub inn_left: Option<Seat>,
    pub inn_right: Option<Seat>,
}

/// The castle (CAY-3.8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Castle {
    /// The workers, in the order of building.
    pub queue: SeatList,
    /// The parts that each seat has built this turn.
    pub batches: PerSeat<u8>,
    /// The number of houses of each seat in each section.
    pub parts: [PerSeat<u8>; 3],
    /// The number of sections scored; they are scored in order.
    pub scored: u8,
}

impl Castle {
    /// The lowest section that is not scored.
    pub fn current(&self) -> Option<Section> {
        ClosedSet::nth(usize::from(self.scored))
    }

    pub fn is_scored(&self, section: Section) -> bool {
        section.index() < usize::from(self.scored)
    }

    pub fn built(&self, section: Section) -> u8 {
        self.parts[section.index()].iter().sum()
    }

    pub fn is_full(&self, section: Section) -> bool {
        self.built(section) >= section.sheet().parts
    }

    /// The first section with room, from the current one upward (CAY-6.8.4).
    pub fn open(&self) -> Option<Section> {
        Section::ALL
            .into_iter()
            .skip(usize::from(self.scored))
            .find(|&section| !self.is_full(section))
    }
}

/// One space of the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot {
    pub tile: Option<Tile>,
    pub owner: Option<Seat>,
    pub worker: Option<Seat>,
    /// The seat that has paid to transform the building once its worker has left (CAY-7.5).
    pub pending_transform: Option<Seat>,
}

impl Lot {
    /// A building without a worker.
    pub fn of(tile: Tile, owner: Option<Seat>) -> Self {
        Self {
            tile: Some(tile),
            owner,
            ..Self::default()
        }
    }
}

/// The road (CAY-3.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Road([Lot; SPACES]);

impl Road {
    pub fn lots(&self) -> impl Iterator<Item = (Space, &Lot)> {
        Space::all().zip(&self.0)
    }

    /// The building on a space that has or had a worker.
    pub fn tile(&self, space: Space) -> Tile {
        let tile = self[space].tile;
        tile.unwrap_or_else(|| invariant_violated("CAY-11.5", space))
    }

    /// The lowest-numbered empty space (CAY-7.4).
    pub fn first_free(&self) -> Option<Space> {
        self.lots()
            .find(|(_, lot)| lot.tile.is_none())
            .map(|(space, _)| space)
    }
}

impl Index<Space> for Road {
    type Output = Lot;

    fn index(&self, space: Space) -> &Lot {
        &self.0[space.index()]
    }
}

impl IndexMut<Space> for Road {
    fn index_mut(&mut self, space: Space) -> &mut Lot {
        &mut self.0[space.index()]
    }
}

/// The wood, stone and prestige tiles that can be built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supply([u8; Supply::TILES]);

impl Supply {
    const FIRST: usize = Tile::WoodFarmFood.index();
    const TILES: usize = Tile::Residence.index() - Self::FIRST;

    /// The supply at the start, with all copies.
    pub fn full() -> Self {
        Self(std::array::from_fn(|row| {
            Tile::ALL[Self::FIRST + row].sheet().copies
        }))
    }

    /// The number of copies left; 0 for tiles that cannot be built.
    pub fn count(&self, tile: Tile) -> u8 {
        tile.index()
            .checked_sub(Self::FIRST)
            .and_then(|row| self.0.get(row))
            .copied()
            .unwrap_or(0)
    }

    /// Takes a copy; `count` must be above 0.
    pub fn take(&mut self, tile: Tile) {
        self.0[tile.index() - Self::FIRST] -= 1;
    }

    pub fn put_back(&mut self, tile: Tile) {
        self.0[tile.index() - Self::FIRST] += 1;
    }

    /// Every copy left of one kind, in the order of the data file.
    pub fn tiles(&self, kind: Kind) -> impl Iterator<Item = Tile> {
        Tile::of_kind(kind)
            .flat_map(|tile| std::iter::repeat_n(tile, usize::from(self.count(tile))))
    }
}

/// Favors that one player still has to use (CAY-6.10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingFavors {
    pub seat: Seat,
    pub count: u8,
}

impl State {
    /// The seat that has to decide, and its decision. Returns `None` when the game is over (CAY-6.1.1).
    pub const fn pending(&self) -> Option<(Seat, Decision)> {
        self.pending
    }

    /// Opens a decision.
    pub const fn ask(&mut self, seat: Seat, decision: Decision) {
        self.pending = Some((seat, decision));
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.players.count()
    }

    /// Returns whether the game is over (CAY-8.1).
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// The buildings on the road, for sentences.
    pub fn text_context(&self) -> TextContext {
        let mut scene = TextContext::default();
        for (space, lot) in self.road.lots() {
            if let Some(tile) = lot.tile {
                scene.set_object(space.index(), tile.name());
            }
        }
        scene
    }

    /// Begins a phase. Every line of the favor table can be used again (CAY-6.1.3).
    pub fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.cursor = 0;
        for player in self.players.iter_mut() {
            player.lines_used = EnumSet::empty();
        }
    }

    /// The last column that a marker may stand on (CAY-3.9).
    pub const fn columns_available(&self) -> u8 {
        columns_available(self.castle.scored)
    }

    /// The seat whose worker is on this place; at the inn, on the left circle. Returns `None` for castle and stables,
    /// which have room for several workers.
    pub fn worker_on(&self, target: Target) -> Option<Seat> {
        match target {
            Target::Castle | Target::Special(Special::Stables) => None,
            Target::Special(Special::Gate) => self.special.gate,
            Target::Special(Special::TradingPost) => self.special.trading_post,
            Target::Special(Special::MerchantsGuild) => self.special.merchants_guild,
            Target::Special(Special::JoustField) => self.special.joust_field,
            Target::Special(Special::Inn) => self.special.inn_left,
            Target::Road(space) => self.road[space].worker,
        }
    }

    /// Returns a worker to its owner.
    pub fn bring_home(&mut self, seat: Seat) {
        self.players[seat].workers += 1;
    }
}

/// The table while an action is carried out.
pub type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>;
