//! The favor table (CAY-3.9).

use super::goods::Resource;
use super::tiles::Kind;
use crate::table::ids;

/// The last column of the favor table.
pub const MAX_MARKER: u8 = 5;

ids! {
    /// A line of the favor table (CAY-3.9).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
    FavorLine {
        Prestige "prestige" "Prestige",
        Deniers "deniers" "Deniers",
        Resources "resources" "Resources",
        Buildings "buildings" "Buildings",
    }
}

impl FavorLine {
    /// Returns the effect of a column of this line; column 0 and columns beyond the table have none.
    #[must_use]
    pub const fn column(self, column: u8) -> Column {
        if column == 0 || column > MAX_MARKER {
            Column::Nothing
        } else {
            FAVORS[self.index()][column as usize - 1]
        }
    }
}

/// The effect of one column of one line.
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
pub const fn columns_available(sections_scored: u8) -> u8 {
    match sections_scored {
        0 => 2,
        1 => 4,
        _ => MAX_MARKER,
    }
}
