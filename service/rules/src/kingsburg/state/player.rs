//! One player: goods, province, points.

use serde::{Deserialize, Serialize};

use super::super::data::{
    Building, COLUMNS, EnemyKind, Goods, ROWS, SOLDIER_PRICE, SOLDIER_PRICE_WITH_BARRACKS,
};
use super::Dice;

/// What lies before one player. All of it is public (KIN-4.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Player {
    pub(in super::super) goods: Goods,
    /// +2 tokens in hand.
    pub(in super::super) plus2: u8,
    /// Soldiers of this year.
    pub(in super::super) soldiers: u16,
    pub(in super::super) province: Province,
    pub(in super::super) dice: Dice,
    /// Was a die rolled again this season?
    pub(in super::super) reroll_used: bool,
    /// Was the Market used this season?
    pub(in super::super) market_used: bool,
    /// Has he passed, or placed all his own dice, this season?
    pub(in super::super) influence_done: bool,
    /// Victory points by source, buildings left out: those count while they stand.
    points: [i16; PointSource::COUNTED],
}

/// Where victory points come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum PointSource {
    /// Jester, Smuggler and Queen.
    Advisors,
    /// Most buildings in phase 3.
    KingsReward,
    /// Goods sold to the Town Hall.
    TownHall,
    /// The Embassy.
    Embassy,
    /// Gains and losses printed on enemy cards.
    Enemies,
    /// The Fortress.
    Fortress,
    /// The strongest who won.
    Strongest,
    /// Goods exchanged in the Cathedral.
    Cathedral,
    /// Standing buildings.
    Buildings,
}

impl PointSource {
    /// The number of sources that are counted; buildings, the last one, are looked up.
    const COUNTED: usize = 8;

    /// All sources.
    pub(in super::super) const ALL: [Self; Self::COUNTED + 1] = [
        Self::Advisors,
        Self::KingsReward,
        Self::TownHall,
        Self::Embassy,
        Self::Enemies,
        Self::Fortress,
        Self::Strongest,
        Self::Cathedral,
        Self::Buildings,
    ];

    /// The name in a breakdown of the score.
    pub(in super::super) const fn id(self) -> &'static str {
        match self {
            Self::Advisors => "advisors",
            Self::KingsReward => "kings_reward",
            Self::TownHall => "town_hall",
            Self::Embassy => "embassy",
            Self::Enemies => "enemies",
            Self::Fortress => "fortress",
            Self::Strongest => "strongest",
            Self::Cathedral => "cathedral",
            Self::Buildings => "buildings",
        }
    }
}

impl Player {
    /// A player at the beginning (KIN-5.3).
    pub(in super::super) fn new() -> Self {
        Self {
            goods: Goods::NONE,
            plus2: 0,
            soldiers: 0,
            province: Province::default(),
            dice: Dice::default(),
            reroll_used: false,
            market_used: false,
            influence_done: false,
            points: [0; PointSource::COUNTED],
        }
    }

    /// Does this building stand?
    pub(in super::super) const fn has(&self, building: Building) -> bool {
        self.province.has(building)
    }

    /// Victory points gained, or lost if negative. Buildings count by standing.
    pub(in super::super) fn score(&mut self, source: PointSource, vp: i16) {
        if let Some(points) = self.points.get_mut(source as usize) {
            *points += vp;
        }
    }

    /// Victory points from one source.
    pub(in super::super) fn points(&self, source: PointSource) -> i16 {
        let counted = self.points.get(source as usize).copied();
        counted.unwrap_or_else(|| self.province.vp())
    }

    /// All victory points. May be negative (KIN-ADJ-24).
    pub(in super::super) fn vp(&self) -> i16 {
        self.points.iter().sum::<i16>() + self.province.vp()
    }

    /// Goods for one soldier (KIN-6.90, KIN-7.11).
    pub(in super::super) const fn soldier_price(&self) -> u8 {
        if self.has(Building::Barracks) {
            SOLDIER_PRICE_WITH_BARRACKS
        } else {
            SOLDIER_PRICE
        }
    }
}

/// The buildings of one player. A row is always a prefix of its columns (KIN-4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Province {
    /// The number of buildings in each row.
    pub(in super::super) rows: [u8; ROWS],
}

impl Province {
    /// Does this building stand?
    pub(in super::super) const fn has(&self, building: Building) -> bool {
        self.rows[building.row_index()] >= building.column()
    }

    /// The building whose turn it is in this row (from 0), if the row is not complete.
    pub(in super::super) fn next_in_row(&self, row: usize) -> Option<Building> {
        let built = self.rows.get(row)?;
        Building::at(row, built + 1)
    }

    /// Marks a building as built. It is the next of its row.
    pub(in super::super) const fn add(&mut self, building: Building) {
        self.rows[building.row_index()] = building.column();
    }

    /// Removes a building. It is the last of its row.
    pub(in super::super) const fn remove(&mut self, building: Building) {
        self.rows[building.row_index()] = building.column() - 1;
    }

    /// The number of buildings.
    pub(in super::super) fn count(&self) -> u8 {
        self.rows.iter().sum()
    }

    /// The standing buildings, row by row.
    pub(in super::super) fn standing(&self) -> impl Iterator<Item = Building> + use<> {
        let rows = self.rows;
        (0..ROWS).flat_map(move |row| {
            let built = usize::from(rows[row]).min(COLUMNS);
            Building::ALL[row * COLUMNS..row * COLUMNS + built]
                .iter()
                .copied()
        })
    }

    /// The victory points of the standing buildings.
    pub(in super::super) fn vp(&self) -> i16 {
        self.standing()
            .map(|building| i16::from(building.vp()))
            .sum()
    }

    /// What the standing buildings add to the strength against this enemy (KIN-6.102).
    pub(in super::super) fn strength_against(&self, kind: EnemyKind) -> i16 {
        self.standing()
            .map(|building| i16::from(building.strength_against(kind)))
            .sum()
    }

    /// The buildings of which one is lost: the last of every longest row (KIN-6.105).
    pub(in super::super) fn rightmost(&self) -> impl Iterator<Item = Building> + use<> {
        let rows = self.rows;
        let longest = rows.iter().copied().max().unwrap_or(0);
        (0..ROWS)
            .filter(move |&row| rows[row] == longest)
            .filter_map(move |row| Building::at(row, longest))
    }
}
