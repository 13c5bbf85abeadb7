//! What is on the table (CAY-4), and small questions about it. Everything is public.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::{Action, Target};
use super::data::{
    Cubes, FavorLine, Goods, Kind, SPACES, STABLES_PLACES, Section, Space, Special, Tile,
    columns_available,
};
use super::event::Event;
use super::options::SeatList;
use super::pending::Asked;
use crate::table::{Journal, PerSeat, Seat};

/// What the rules write down while they carry out an action.
pub(super) type Log = Journal<Action, Event>;

/// A phase of a turn (CAY-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Phase 1: everybody gains deniers.
    Income,
    /// Phase 2: workers are placed.
    Placement,
    /// Phase 3: special buildings.
    Special,
    /// Phase 4: the provost is bribed.
    Provost,
    /// Phase 5: the buildings of the road.
    Activation,
    /// Phase 6: the castle.
    Castle,
    /// Phase 7: the bailiff goes on, sections are scored.
    EndOfTurn,
    /// The game is over.
    Finished,
}

impl Phase {
    /// All phases in the order of a turn.
    pub const ALL: [Self; 8] = [
        Self::Income,
        Self::Placement,
        Self::Special,
        Self::Provost,
        Self::Activation,
        Self::Castle,
        Self::EndOfTurn,
        Self::Finished,
    ];

    /// The id in the rule document.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Income => "income",
            Self::Placement => "placement",
            Self::Special => "special",
            Self::Provost => "provost",
            Self::Activation => "activation",
            Self::Castle => "castle",
            Self::EndOfTurn => "end_of_turn",
            Self::Finished => "finished",
        }
    }
}

/// What the rules do next, once nothing is asked and no favor waits (CAY-6.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Step {
    /// Begin a turn, with its income.
    StartTurn,
    /// Ask the player at the placement cursor, unless all have passed.
    Place,
    /// Activate the special building at the cursor.
    Special,
    /// Go on behind the special building at the cursor.
    AfterSpecial,
    /// Ask the player at the cursor of the pass order to bribe the provost.
    Bribe,
    /// Go on behind that player.
    AfterBribe,
    /// Activate the road from the space at the cursor on.
    Road,
    /// The effect at the cursor is done: the owner's bonus.
    OwnerBonus,
    /// The worker at the cursor leaves, and a transformation that waits for it is carried out.
    LeaveBuilding,
    /// Ask the castle builder at the cursor.
    Castle,
    /// All have built: a favor for the most batches.
    MostBatches,
    /// The castle workers leave.
    LeaveCastle,
    /// Move the bailiff.
    Bailiff,
    /// Score the current section, if it is due.
    SectionDue,
    /// Score it for the seat at the cursor of the turn order.
    ScoreSeat,
    /// Go on behind that seat.
    AfterSeat,
    /// Nothing: the game is over.
    Over,
}

/// The favor lines that a player has used in this phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LineSet(u8);

impl LineSet {
    pub(super) const fn has(self, line: FavorLine) -> bool {
        self.0 & (1 << line as u8) != 0
    }

    pub(super) const fn insert(&mut self, line: FavorLine) {
        self.0 |= 1 << line as u8;
    }

    pub(super) fn is_full(self) -> bool {
        FavorLine::ALL.into_iter().all(|line| self.has(line))
    }
}

/// What one player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Player {
    pub(super) deniers: u16,
    pub(super) cubes: Cubes,
    pub(super) vp: u16,
    /// Workers that are not on the board.
    pub(super) workers: u8,
    /// The column of each favor line's marker; 0 in front of the table.
    pub(super) markers: [u8; 4],
    pub(super) lines_used: LineSet,
}

impl Player {
    pub(super) fn can_pay(&self, price: Goods) -> bool {
        self.deniers >= price.deniers && self.cubes.cover(price.cubes)
    }

    /// Pays a price that `can_pay` has accepted.
    pub(super) fn pay(&mut self, price: Goods) {
        self.deniers -= price.deniers;
        self.cubes = self.cubes.without(price.cubes);
    }

    pub(super) fn gain(&mut self, goods: Goods) {
        self.deniers += goods.deniers;
        self.cubes += goods.cubes;
        self.vp += goods.vp;
    }

    /// Loses prestige points, never below 0 (CAY-6.1.4). Returns how many.
    pub(super) fn lose_vp(&mut self, vp: u16) -> u16 {
        let lost = vp.min(self.vp);
        self.vp -= lost;
        lost
    }
}

/// The workers on the special buildings (CAY-3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SpecialWorkers {
    pub(super) gate: Option<Seat>,
    pub(super) trading_post: Option<Seat>,
    pub(super) merchants_guild: Option<Seat>,
    pub(super) joust_field: Option<Seat>,
    /// By circle.
    pub(super) stables: ArrayVec<Seat, STABLES_PLACES>,
    pub(super) inn_left: Option<Seat>,
    pub(super) inn_right: Option<Seat>,
}

/// The castle (CAY-3.8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Castle {
    /// The workers, in the order of building.
    pub(super) queue: SeatList,
    /// The parts that each seat has built this turn.
    pub(super) batches: PerSeat<u8>,
    /// The houses of each seat in each section.
    pub(super) parts: [PerSeat<u8>; 3],
    /// Sections are scored in order: the number of those scored.
    pub(super) scored: u8,
}

impl Castle {
    /// The lowest section that is not scored.
    pub(super) fn current(&self) -> Option<Section> {
        Section::ALL.get(usize::from(self.scored)).copied()
    }

    pub(super) fn is_scored(&self, section: Section) -> bool {
        (section as u8) < self.scored
    }

    pub(super) fn built(&self, section: Section) -> u8 {
        self.parts[section as usize].iter().sum()
    }

    pub(super) fn is_full(&self, section: Section) -> bool {
        self.built(section) >= section.sheet().parts
    }

    /// The first section with room, from the current one upward (CAY-6.8.4).
    pub(super) fn open(&self) -> Option<Section> {
        Section::ALL
            .into_iter()
            .skip(usize::from(self.scored))
            .find(|&section| !self.is_full(section))
    }
}

/// One space of the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lot {
    pub(super) tile: Option<Tile>,
    pub(super) owner: Option<Seat>,
    pub(super) worker: Option<Seat>,
    /// Who has paid to transform the building once its worker has left (CAY-7.5).
    pub(super) pending_transform: Option<Seat>,
}

/// The road (CAY-3.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Road([Lot; SPACES]);

impl Road {
    pub(super) fn lots(&self) -> impl Iterator<Item = (Space, &Lot)> {
        Space::all().zip(&self.0)
    }

    /// The lowest-numbered empty space (CAY-7.4).
    pub(super) fn first_free(&self) -> Option<Space> {
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
pub(super) struct Supply([u8; Supply::TILES]);

impl Supply {
    const FIRST: usize = Tile::WoodFarmFood as usize;
    const TILES: usize = Tile::Residence as usize - Self::FIRST;

    /// All copies.
    pub(super) fn full() -> Self {
        Self(std::array::from_fn(|row| {
            Tile::ALL[Self::FIRST + row].sheet().copies
        }))
    }

    /// Copies left; of tiles that cannot be built, none.
    pub(super) fn count(&self, tile: Tile) -> u8 {
        (tile as usize)
            .checked_sub(Self::FIRST)
            .and_then(|row| self.0.get(row))
            .copied()
            .unwrap_or(0)
    }

    /// Takes a copy that `count` has shown.
    pub(super) fn take(&mut self, tile: Tile) {
        self.0[tile as usize - Self::FIRST] -= 1;
    }

    pub(super) fn put_back(&mut self, tile: Tile) {
        self.0[tile as usize - Self::FIRST] += 1;
    }

    /// Every copy left of one kind, in the order of the data file.
    pub(super) fn tiles(&self, kind: Kind) -> impl Iterator<Item = Tile> {
        Tile::of_kind(kind)
            .flat_map(|tile| std::iter::repeat_n(tile, usize::from(self.count(tile))))
    }
}

/// Favors that one player has still to use (CAY-6.10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingFavors {
    pub(super) seat: Seat,
    pub(super) count: u8,
}

/// The whole table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub(super) simplified_favors: bool,
    /// From 1; 0 before the first turn.
    pub(super) turn: u8,
    pub(super) phase: Phase,
    pub(super) turn_order: SeatList,
    pub(super) pass_order: SeatList,
    /// The place in the turn order of the next player to act in placement.
    pub(super) placement_cursor: u8,
    /// The place inside the phase (CAY-14.5).
    pub(super) cursor: u8,
    pub(super) players: PerSeat<Player>,
    pub(super) special: SpecialWorkers,
    pub(super) castle: Castle,
    pub(super) road: Road,
    pub(super) supply: Supply,
    /// Neutral tiles that were transformed, in that order.
    pub(super) removed_neutral: ArrayVec<Tile, 6>,
    /// Transformations carried out.
    pub(super) residences_built: u8,
    pub(super) provost: Space,
    pub(super) bailiff: Space,
    pub(super) pending_favors: Option<PendingFavors>,
    /// The open decision.
    pub(super) asked: Option<Asked>,
    pub(super) step: Step,
}

impl State {
    /// The number of seats.
    pub(super) fn seats(&self) -> usize {
        self.players.count()
    }

    /// Begins a phase. Every line of the favor table can be used again (CAY-6.1.3).
    pub(super) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.cursor = 0;
        for player in self.players.iter_mut() {
            player.lines_used = LineSet::default();
        }
    }

    /// The last column that a marker may stand on (CAY-3.9).
    pub(super) const fn columns_available(&self) -> u8 {
        columns_available(self.castle.scored)
    }

    /// The seat that stands on this place; of the inn, on the left circle. Nobody counts as
    /// standing in castle and stables, where there is room for several.
    pub(super) fn worker_on(&self, target: Target) -> Option<Seat> {
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

    /// A worker comes home.
    pub(super) fn bring_home(&mut self, seat: Seat) {
        self.players[seat].workers += 1;
    }
}
