//! One player: goods, province, points.

use serde::{Deserialize, Serialize};

use super::Dice;
use crate::kingsburg::data::{
    Building, COLUMNS, EnemyKind, Goods, ROWS, SOLDIER_PRICE, SOLDIER_PRICE_WITH_BARRACKS,
};
use crate::table::ids;

/// The possessions of one player. All of them are public (KIN-4.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    pub goods: Goods,
    /// +2 tokens in hand.
    pub plus2: u8,
    /// Soldiers of this year.
    pub soldiers: u16,
    pub province: Province,
    pub dice: Dice,
    /// Whether a die was rolled again this season.
    pub reroll_used: bool,
    /// Whether the Market was used this season.
    pub market_used: bool,
    /// Whether the player has passed, or placed all own dice, this season.
    pub influence_done: bool,
    /// Victory points by source, without those of standing buildings.
    points: [i16; PointSource::COUNT],
}

ids! {
    /// The sources of victory points, except buildings: those count while they stand.
    #[allow(unreachable_pub, reason = "its id and title alone leave the ruleset")]
    PointSource {
        /// Jester, Smuggler and Queen.
        Advisors "advisors" "Advisors",
        /// Most buildings in phase 3.
        KingsReward "kings_reward" "King's Reward",
        /// Goods sold to the Town Hall.
        TownHall "town_hall" "Town Hall",
        Embassy "embassy" "Embassy",
        /// Gains and losses printed on enemy cards.
        Enemies "enemies" "Enemies",
        Fortress "fortress" "Fortress",
        /// The greatest strength among the winners of a battle.
        Strongest "strongest" "Strongest",
        /// Goods exchanged in the Cathedral.
        Cathedral "cathedral" "Cathedral",
    }
}

impl Player {
    /// A player at the start (KIN-5.3).
    pub fn at_start() -> Self {
        Self {
            goods: Goods::NONE,
            plus2: 0,
            soldiers: 0,
            province: Province::default(),
            dice: Dice::default(),
            reroll_used: false,
            market_used: false,
            influence_done: false,
            points: [0; PointSource::COUNT],
        }
    }

    /// Returns whether this building stands.
    pub const fn has(&self, building: Building) -> bool {
        self.province.has(building)
    }

    /// Books victory points gained, or lost if negative.
    pub fn score(&mut self, source: PointSource, vp: i16) {
        self.points[source.index()] += vp;
    }

    /// Victory points from one source.
    pub const fn points(&self, source: PointSource) -> i16 {
        self.points[source.index()]
    }

    /// All victory points. May be negative (KIN-ADJ-24).
    pub fn vp(&self) -> i16 {
        self.points.iter().sum::<i16>() + self.province.vp()
    }

    /// The price of a building (KIN-6.63).
    pub const fn price(&self, building: Building) -> Goods {
        building.price(self.has(Building::Crane))
    }

    /// The strength of soldiers and buildings against this kind of enemy (KIN-6.102).
    pub fn strength_against(&self, kind: EnemyKind) -> i16 {
        let soldiers = i16::try_from(self.soldiers).unwrap_or(i16::MAX);
        soldiers.saturating_add(self.province.strength_against(kind))
    }

    /// Goods for one soldier (KIN-6.90, KIN-7.11).
    pub const fn soldier_price(&self) -> u8 {
        if self.has(Building::Barracks) {
            SOLDIER_PRICE_WITH_BARRACKS
        } else {
            SOLDIER_PRICE
        }
    }
}

/// The buildings of one player. A row is always a prefix of its columns (KIN-4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Province {
    /// The number of buildings in each row.
    pub rows: [u8; ROWS],
}

impl Province {
    /// Returns whether this building stands.
    pub const fn has(&self, building: Building) -> bool {
        self.rows[building.row_index()] >= building.column()
    }

    /// The next building of this row (from 0), if the row is not complete.
    pub fn next_in_row(&self, row: usize) -> Option<Building> {
        let built = self.rows.get(row)?;
        Building::at(row, built + 1)
    }

    /// Marks a building as built. It is the next of its row.
    pub const fn add(&mut self, building: Building) {
        self.rows[building.row_index()] = building.column();
    }

    /// Removes a building. It is the last of its row.
    pub const fn remove(&mut self, building: Building) {
        self.rows[building.row_index()] = building.column() - 1;
    }

    /// The number of buildings.
    pub fn count(&self) -> u8 {
        self.rows.iter().sum()
    }

    /// The standing buildings, row by row.
    pub fn standing(&self) -> impl Iterator<Item = Building> + use<> {
        let rows = self.rows;
        (0..ROWS).flat_map(move |row| {
            let built = usize::from(rows[row]).min(COLUMNS);
            Building::ALL[row * COLUMNS..row * COLUMNS + built]
                .iter()
                .copied()
        })
    }

    /// The victory points of the standing buildings.
    pub fn vp(&self) -> i16 {
        self.standing()
            .map(|building| i16::from(building.vp()))
            .sum()
    }

    /// The strength that the standing buildings add against this enemy (KIN-6.102).
    pub fn strength_against(&self, kind: EnemyKind) -> i16 {
        self.standing()
            .map(|building| i16::from(building.strength_against(kind)))
            .sum()
    }

    /// The candidates for a lost building: the last of every longest row (KIN-6.105).
    pub fn rightmost(&self) -> impl Iterator<Item = Building> + use<> {
        let rows = self.rows;
        let longest = rows.iter().copied().max().unwrap_or(0);
        (0..ROWS)
            .filter(move |&row| rows[row] == longest)
            .filter_map(move |row| Building::at(row, longest))
    }
}
