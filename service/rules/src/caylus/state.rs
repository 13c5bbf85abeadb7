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
use crate::table::{self, Id, PerSeat, Scene, Seat, broken};

/// The whole table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub(crate) simplified_favors: bool,
    /// From 1; 0 before the first turn.
    pub(crate) turn: u8,
    pub(crate) phase: Phase,
    pub(crate) turn_order: SeatList,
    pub(crate) pass_order: SeatList,
    /// The position in the turn order of the next player to act in placement.
    pub(crate) placement_cursor: u8,
    /// The position within the phase (CAY-14.5).
    pub(crate) cursor: u8,
    pub(crate) players: PerSeat<Player>,
    pub(crate) special: SpecialWorkers,
    pub(crate) castle: Castle,
    pub(crate) road: Road,
    pub(crate) supply: Supply,
    /// Neutral tiles that were transformed, in that order.
    pub(crate) removed_neutral: ArrayVec<Tile, 6>,
    /// Transformations carried out.
    pub(crate) residences_built: u8,
    pub(crate) provost: Space,
    pub(crate) bailiff: Space,
    pub(crate) pending_favors: Option<PendingFavors>,
    /// The open decision.
    pub(crate) asked: Option<(Seat, Decision)>,
    pub(crate) stage: Stage,
}

/// What one player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Player {
    pub(crate) deniers: u16,
    pub(crate) cubes: Cubes,
    pub(crate) vp: u16,
    /// Workers that are not on the board.
    pub(crate) workers: u8,
    /// The column of each favor line's marker; 0 in front of the table.
    pub(crate) markers: [u8; 4],
    /// The favor lines used in this phase.
    pub(crate) lines_used: EnumSet<FavorLine>,
}

impl Player {
    pub(crate) fn can_pay(&self, price: Goods) -> bool {
        self.deniers >= price.deniers && self.cubes.cover(price.cubes)
    }

    /// Pays a price that `can_pay` has accepted.
    pub(crate) fn pay(&mut self, price: Goods) {
        self.deniers -= price.deniers;
        self.cubes = self.cubes.without(price.cubes);
    }

    pub(crate) fn gain(&mut self, goods: Goods) {
        self.deniers += goods.deniers;
        self.cubes += goods.cubes;
        self.vp += goods.vp;
    }

    /// Loses prestige points, never below 0 (CAY-6.1.4). Returns how many.
    pub(crate) fn lose_vp(&mut self, vp: u16) -> u16 {
        let lost = vp.min(self.vp);
        self.vp -= lost;
        lost
    }
}

/// The workers on the special buildings (CAY-3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SpecialWorkers {
    pub(crate) gate: Option<Seat>,
    pub(crate) trading_post: Option<Seat>,
    pub(crate) merchants_guild: Option<Seat>,
    pub(crate) joust_field: Option<Seat>,
    /// By circle.
    pub(crate) stables: ArrayVec<Seat, STABLES_PLACES>,
    pub(crate) inn_left: Option<Seat>,
    pub(crate) inn_right: Option<Seat>,
}

/// The castle (CAY-3.8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Castle {
    /// The workers, in the order of building.
    pub(crate) queue: SeatList,
    /// The parts that each seat has built this turn.
    pub(crate) batches: PerSeat<u8>,
    /// The number of houses of each seat in each section.
    pub(crate) parts: [PerSeat<u8>; 3],
    /// The number of sections scored; they are scored in order.
    pub(crate) scored: u8,
}

impl Castle {
    /// The lowest section that is not scored.
    pub(crate) fn current(&self) -> Option<Section> {
        Id::nth(usize::from(self.scored))
    }

    pub(crate) fn is_scored(&self, section: Section) -> bool {
        section.index() < usize::from(self.scored)
    }

    pub(crate) fn built(&self, section: Section) -> u8 {
        self.parts[section.index()].iter().sum()
    }

    pub(crate) fn is_full(&self, section: Section) -> bool {
        self.built(section) >= section.sheet().parts
    }

    /// The first section with room, from the current one upward (CAY-6.8.4).
    pub(crate) fn open(&self) -> Option<Section> {
        Section::ALL
            .into_iter()
            .skip(usize::from(self.scored))
            .find(|&section| !self.is_full(section))
    }
}

/// One space of the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lot {
    pub(crate) tile: Option<Tile>,
    pub(crate) owner: Option<Seat>,
    pub(crate) worker: Option<Seat>,
    /// The seat that has paid to transform the building once its worker has left (CAY-7.5).
    pub(crate) pending_transform: Option<Seat>,
}

impl Lot {
    /// A building without a worker.
    pub(crate) fn of(tile: Tile, owner: Option<Seat>) -> Self {
        Self {
            tile: Some(tile),
            owner,
            ..Self::default()
        }
    }
}

/// The road (CAY-3.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Road([Lot; SPACES]);

impl Road {
    pub(crate) fn lots(&self) -> impl Iterator<Item = (Space, &Lot)> {
        Space::all().zip(&self.0)
    }

    /// The building on a space that has or had a worker.
    pub(crate) fn tile(&self, space: Space) -> Tile {
        let tile = self[space].tile;
        tile.unwrap_or_else(|| broken("CAY-11.5", space))
    }

    /// The lowest-numbered empty space (CAY-7.4).
    pub(crate) fn first_free(&self) -> Option<Space> {
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
pub(crate) struct Supply([u8; Supply::TILES]);

impl Supply {
    const FIRST: usize = Tile::WoodFarmFood.index();
    const TILES: usize = Tile::Residence.index() - Self::FIRST;

    /// All copies.
    pub(crate) fn full() -> Self {
        Self(std::array::from_fn(|row| {
            Tile::ALL[Self::FIRST + row].sheet().copies
        }))
    }

    /// Copies left; 0 for tiles that cannot be built.
    pub(crate) fn count(&self, tile: Tile) -> u8 {
        tile.index()
            .checked_sub(Self::FIRST)
            .and_then(|row| self.0.get(row))
            .copied()
            .unwrap_or(0)
    }

    /// Takes a copy; `count` must be above 0.
    pub(crate) fn take(&mut self, tile: Tile) {
        self.0[tile.index() - Self::FIRST] -= 1;
    }

    pub(crate) fn put_back(&mut self, tile: Tile) {
        self.0[tile.index() - Self::FIRST] += 1;
    }

    /// Every copy left of one kind, in the order of the data file.
    pub(crate) fn tiles(&self, kind: Kind) -> impl Iterator<Item = Tile> {
        Tile::of_kind(kind)
            .flat_map(|tile| std::iter::repeat_n(tile, usize::from(self.count(tile))))
    }
}

/// Favors that one player still has to use (CAY-6.10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PendingFavors {
    pub seat: Seat,
    pub count: u8,
}

impl State {
    /// The seat that has to decide, and its decision; `None` when the game is over (CAY-6.1.1).
    pub(crate) const fn asked(&self) -> Option<(Seat, Decision)> {
        self.asked
    }

    /// Opens a decision.
    pub(crate) const fn ask(&mut self, seat: Seat, decision: Decision) {
        self.asked = Some((seat, decision));
    }

    /// The number of seats.
    pub(crate) fn seats(&self) -> usize {
        self.players.count()
    }

    /// The buildings on the road, for sentences.
    pub(crate) fn scene(&self) -> Scene {
        let mut scene = Scene::default();
        for (space, lot) in self.road.lots() {
            if let Some(tile) = lot.tile {
                scene.put(space.index(), tile.name());
            }
        }
        scene
    }

    /// Begins a phase. Every line of the favor table can be used again (CAY-6.1.3).
    pub(crate) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.cursor = 0;
        for player in self.players.iter_mut() {
            player.lines_used = EnumSet::empty();
        }
    }

    /// The last column that a marker may stand on (CAY-3.9).
    pub(crate) const fn columns_available(&self) -> u8 {
        columns_available(self.castle.scored)
    }

    /// The seat whose worker is on this place; at the inn, on the left circle. `None` for castle
    /// and stables, which have room for several.
    pub(crate) fn worker_on(&self, target: Target) -> Option<Seat> {
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
    pub(crate) fn bring_home(&mut self, seat: Seat) {
        self.players[seat].workers += 1;
    }
}

/// The table while an action is carried out.
pub(crate) type Play<'a> = table::Play<'a, State, Action, Event>;
