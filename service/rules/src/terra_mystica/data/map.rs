//! The map (TM-3.2, TM-3.3): its hexes and their names.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::terrain::Terrain;

/// Land hexes.
pub const LANDS: usize = 77;
/// River hexes.
pub const RIVERS: usize = 36;
/// Bridge sites.
pub const SITES: usize = 29;
/// The maximum shipping range: the Mermaids' five and one from BON4.
pub const MAX_SHIPPING: usize = 6;
/// The maximum leap range (TM-P.14).
pub const MAX_LEAP: usize = 5;

/// A hex of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hex {
    /// Land, with the terrain that is printed there.
    Land(Terrain),
    /// River.
    River,
}

/// A space as a player names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Space {
    /// A land hex.
    Land(Land),
    /// A river hex.
    River(River),
    /// No hex has this name.
    Unknown,
}

/// A place for a bridge: its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BridgeSite {
    /// The end that the data file names first.
    pub a: Land,
    /// The other end.
    pub b: Land,
}

const DE: Hex = Hex::Land(Terrain::Desert);
const PL: Hex = Hex::Land(Terrain::Plains);
const SW: Hex = Hex::Land(Terrain::Swamp);
const LA: Hex = Hex::Land(Terrain::Lakes);
const FO: Hex = Hex::Land(Terrain::Forest);
const MO: Hex = Hex::Land(Terrain::Mountains);
const WA: Hex = Hex::Land(Terrain::Wasteland);
const RI: Hex = Hex::River;

/// The map in reading order: rows of 13 and 12 hexes in turn, the rows of 12 half a hex to the right.
#[rustfmt::skip]
pub const HEXES: [Hex; LANDS + RIVERS] = [
    PL, MO, FO, LA, DE, WA, PL, SW, WA, FO, LA, WA, SW, // A
    DE, RI, RI, PL, SW, RI, RI, DE, SW, RI, RI, DE, // B
    RI, RI, SW, RI, MO, RI, FO, RI, FO, RI, MO, RI, RI, // C
    FO, LA, DE, RI, RI, WA, LA, RI, WA, RI, WA, PL, // D
    SW, PL, WA, LA, SW, PL, MO, DE, RI, RI, FO, SW, LA, // E
    MO, FO, RI, RI, DE, FO, RI, RI, RI, PL, MO, PL, // F
    RI, RI, RI, MO, RI, WA, RI, FO, RI, DE, SW, LA, DE, // G
    DE, LA, PL, RI, RI, RI, LA, SW, RI, MO, PL, MO, // H
    WA, SW, MO, LA, WA, FO, DE, PL, MO, RI, LA, FO, WA, // I
];

#[rustfmt::skip]
const LAND_IDS: [&str; LANDS] = [
    "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "A13",
    "B1", "B2", "B3", "B4", "B5", "B6",
    "C1", "C2", "C3", "C4", "C5",
    "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8",
    "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E11",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7",
    "G1", "G2", "G3", "G4", "G5", "G6", "G7",
    "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8",
    "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I12",
];

#[rustfmt::skip]
const RIVER_IDS: [&str; RIVERS] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11",
    "r12", "r13", "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23",
    "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31", "r32", "r33", "r34", "r35",
];

/// The bridge sites (TM-3.3).
#[rustfmt::skip]
pub const BRIDGE_SITES: [BridgeSite; SITES] = [
    site("A11", "C5"), site("A3", "C1"), site("A7", "C3"), site("B1", "C1"), site("B1", "D1"),
    site("B2", "C1"), site("B3", "C3"), site("B4", "C3"), site("B5", "C5"), site("B6", "C5"),
    site("B6", "D8"), site("C2", "D3"), site("C2", "D4"), site("C2", "E5"), site("C4", "D5"),
    site("C5", "D6"), site("D6", "E8"), site("D6", "E9"), site("E4", "G1"), site("E8", "G3"),
    site("F1", "H1"), site("F2", "G1"), site("F2", "H2"), site("F3", "G1"), site("F4", "G3"),
    site("G2", "H4"), site("G2", "I6"), site("G4", "H5"), site("H6", "I9"),
];

/// A site by the ids of its ends. Evaluated at compile time: a wrong id does not compile.
const fn site(a: &str, b: &str) -> BridgeSite {
    BridgeSite {
        a: land(a),
        b: land(b),
    }
}

/// The land with this id. Evaluated at compile time: a wrong id does not compile.
pub(crate) const fn land(id: &str) -> Land {
    let mut land = 0;
    while land < LANDS {
        if same(LAND_IDS[land].as_bytes(), id.as_bytes()) {
            return Land::at(land);
        }
        land += 1;
    }
    panic!("no such land")
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Hexes of one kind, numbered in reading order: the number is what is stored.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident, $count:ident, $ids:ident, $places:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "u8", into = "u8")]
        pub struct $name(u8);

        impl $name {
            /// The hex at this index in reading order.
            ///
            /// # Panics
            /// Beyond the last one.
            #[must_use]
            #[expect(clippy::cast_possible_truncation, reason = "there are 113 hexes")]
            pub const fn at(index: usize) -> Self {
                assert!(index < $count, "no such hex");
                Self(index as u8)
            }

            /// All in reading order.
            pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
                (0..$count).map(Self::at)
            }

            /// The hex with this id.
            #[must_use]
            pub fn by_id(id: &str) -> Option<Self> {
                $ids.iter().position(|&one| one == id).map(Self::at)
            }

            /// The index in reading order.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the data file.
            #[must_use]
            pub const fn id(self) -> &'static str {
                $ids[self.index()]
            }

            /// The row from 0, and the position in half hexes from the left.
            #[must_use]
            pub const fn place(self) -> (u8, u8) {
                let place = GEOMETRY.$places[self.index()];
                (place.row, place.x)
            }
        }

        impl TryFrom<u8> for $name {
            type Error = String;

            fn try_from(index: u8) -> Result<Self, Self::Error> {
                if usize::from(index) < $count {
                    Ok(Self(index))
                } else {
                    Err(format!(concat!("there is no ", $what, " {}"), index))
                }
            }
        }

        impl From<$name> for u8 {
            fn from(hex: $name) -> Self {
                hex.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.id())
            }
        }
    };
}

numbered! {
    /// A land hex: the letter of its row and a number from 1.
    Land, LANDS, LAND_IDS, land, "land"
}

numbered! {
    /// A river hex: `r` and a number from 0.
    River, RIVERS, RIVER_IDS, river, "river hex"
}

impl Land {
    /// The terrain that is printed on the hex.
    #[must_use]
    pub const fn printed(self) -> Terrain {
        GEOMETRY.terrain[self.index()]
    }
}

impl Space {
    /// The space with this id; ids are those of the data file.
    #[must_use]
    pub fn by_id(id: &str) -> Self {
        Land::by_id(id)
            .map(Self::Land)
            .or_else(|| River::by_id(id).map(Self::River))
            .unwrap_or(Self::Unknown)
    }

    /// The id of the data file; empty if there is no such space.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Land(land) => land.id(),
            Self::River(river) => river.id(),
            Self::Unknown => "",
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Land(land) => land.id(),
            Self::River(river) => river.id(),
            Self::Unknown => "an unknown space",
        })
    }
}

impl From<Land> for Space {
    fn from(land: Land) -> Self {
        Self::Land(land)
    }
}

/// The positions of all hexes.
pub(crate) struct Geometry {
    pub(crate) land: [Place; LANDS],
    pub(crate) terrain: [Terrain; LANDS],
    pub(crate) river: [Place; RIVERS],
}

pub(crate) const GEOMETRY: Geometry = {
    let nowhere = Place { row: 0, x: 0 };
    let mut all = Geometry {
        land: [nowhere; LANDS],
        terrain: [Terrain::Desert; LANDS],
        river: [nowhere; RIVERS],
    };
    let (mut hex, mut land, mut river) = (0, 0, 0);
    while hex < HEXES.len() {
        match HEXES[hex] {
            Hex::Land(terrain) => {
                all.land[land] = place_of(hex);
                all.terrain[land] = terrain;
                land += 1;
            }
            Hex::River => {
                all.river[river] = place_of(hex);
                river += 1;
            }
        }
        hex += 1;
    }
    assert!(land == LANDS && river == RIVERS);
    all
};

/// The position of a hex: its row, and its offset in half hexes.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) row: u8,
    pub(crate) x: u8,
}

const fn place_of(hex: usize) -> Place {
    let pair = hex / 25;
    let rest = hex % 25;
    #[expect(clippy::cast_possible_truncation, reason = "113 hexes")]
    if rest < 13 {
        Place {
            row: 2 * pair as u8,
            x: 2 * rest as u8,
        }
    } else {
        Place {
            row: 2 * pair as u8 + 1,
            x: 2 * (rest - 13) as u8 + 1,
        }
    }
}

impl BridgeSite {
    /// The end of the site opposite to this one.
    #[must_use]
    pub const fn across(self, end: Land) -> Land {
        if end.index() == self.a.index() {
            self.b
        } else {
            self.a
        }
    }
}
