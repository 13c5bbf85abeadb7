//! The favor table (CAY-3.9).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::goods::Resource;
use super::tiles::Kind;

/// The last column of the favor table.
pub const MAX_MARKER: u8 = 5;

/// A line of the favor table (CAY-3.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FavorLine {
    /// Prestige points.
    Prestige,
    /// Deniers.
    Deniers,
    /// Resource cubes.
    Resources,
    /// The use of buildings.
    Buildings,
}

impl FavorLine {
    /// All lines in table order.
    pub const ALL: [Self; 4] = [
        Self::Prestige,
        Self::Deniers,
        Self::Resources,
        Self::Buildings,
    ];

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Prestige => "prestige",
            Self::Deniers => "deniers",
            Self::Resources => "resources",
            Self::Buildings => "buildings",
        }
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prestige => "Prestige",
            Self::Deniers => "Deniers",
            Self::Resources => "Resources",
            Self::Buildings => "Buildings",
        }
    }

    /// What a column of this line gives; column 0 and columns beyond the table give nothing.
    #[must_use]
    pub const fn column(self, column: u8) -> Column {
        if column == 0 || column > MAX_MARKER {
            Column::Nothing
        } else {
            FAVORS[self as usize][column as usize - 1]
        }
    }
}

impl fmt::Display for FavorLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one column of one line gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// No effect.
    Nothing,
    /// Prestige points.
    Vp(u16),
    /// Deniers.
    Deniers(u16),
    /// One cube of one of these kinds.
    OneOf(&'static [Resource]),
    /// Give one cube of any kind, take two that are not gold.
    Exchange,
    /// Build a craft tile of this kind, one cube of this resource cheaper.
    Craft(Kind, Resource),
    /// Transform a building for one cloth.
    Transform,
    /// Build a prestige tile at full price.
    Prestige,
}

const FAVORS: [[Column; MAX_MARKER as usize]; 4] = [
    [
        Column::Vp(1),
        Column::Vp(2),
        Column::Vp(3),
        Column::Vp(4),
        Column::Vp(5),
    ],
    [
        Column::Deniers(3),
        Column::Deniers(4),
        Column::Deniers(5),
        Column::Deniers(6),
        Column::Deniers(7),
    ],
    [
        Column::OneOf(&[Resource::Food]),
        Column::OneOf(&[Resource::Wood, Resource::Stone]),
        Column::OneOf(&[Resource::Cloth]),
        Column::Exchange,
        Column::OneOf(&[Resource::Gold]),
    ],
    [
        Column::Nothing,
        Column::Craft(Kind::Wood, Resource::Wood),
        Column::Craft(Kind::Stone, Resource::Stone),
        Column::Transform,
        Column::Prestige,
    ],
];

/// The last column that a marker may stand on, by the number of sections scored (CAY-3.9).
pub(in crate::caylus) const fn columns_available(sections_scored: u8) -> u8 {
    match sections_scored {
        0 => 2,
        1 => 4,
        _ => MAX_MARKER,
    }
}
