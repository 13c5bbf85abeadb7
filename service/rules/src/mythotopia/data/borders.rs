//! The 79 land borders (MYT-3.4). Each is written once, with its provinces in alphabetical order.

use std::fmt;

use enumset::enum_set;
use serde::{Deserialize, Serialize};

use super::map::{Province, ProvinceSet};
use super::set::{Bits, Numbered};
use crate::table::ids;

ids! {
    /// The kind of a border between two provinces; rangers shift it (MYT-6.4.1).
    BorderKind {
        /// Open land.
        Normal "normal",
        /// One more food for an invasion, one more stone for a road.
        Hills "hills",
        /// No way through.
        Mountains "mountains",
    }
}

/// One land border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BorderRow {
    /// The province that comes first in the alphabet.
    pub a: Province,
    /// The other province.
    pub b: Province,
    /// The kind of the border.
    pub kind: BorderKind,
}

const fn plain(a: Province, b: Province) -> BorderRow {
    BorderRow {
        a,
        b,
        kind: BorderKind::Normal,
    }
}

const fn hills(a: Province, b: Province) -> BorderRow {
    BorderRow {
        a,
        b,
        kind: BorderKind::Hills,
    }
}

const fn mountains(a: Province, b: Province) -> BorderRow {
    BorderRow {
        a,
        b,
        kind: BorderKind::Mountains,
    }
}

use Province as P;

const COUNT: usize = 79;

#[rustfmt::skip]
const BORDERS: [BorderRow; COUNT] = [
    plain(P::Ambsace, P::Custus),
    plain(P::Ambsace, P::Frampold),
    plain(P::Aporia, P::Kinabra),
    plain(P::Blore, P::Iracund),
    plain(P::Blore, P::Margent),
    plain(P::Blore, P::Palmain),
    hills(P::Blore, P::Quean),
    plain(P::Blore, P::Scombroid),
    plain(P::Blore, P::Trogle),
    plain(P::Camarine, P::Eagre),
    plain(P::Camarine, P::Peened),
    plain(P::Camarine, P::Shog),
    mountains(P::Coryphee, P::Fadge),
    plain(P::Coryphee, P::Mome),
    plain(P::Coryphee, P::Ogdoad),
    plain(P::Coryphee, P::Sorner),
    plain(P::Custus, P::Frampold),
    plain(P::Custus, P::Peened),
    plain(P::Darb, P::Empyrean),
    plain(P::Darb, P::Grimp),
    plain(P::Darb, P::Ogdoad),
    mountains(P::Diclesium, P::Fadge),
    mountains(P::Diclesium, P::Iracund),
    plain(P::Diclesium, P::Nivus),
    plain(P::Diclesium, P::Palmain),
    plain(P::Diclesium, P::Talion),
    hills(P::Dragonate, P::Eoan),
    mountains(P::Dragonate, P::Grimp),
    hills(P::Dragonate, P::Lea),
    hills(P::Dragonate, P::Ogdoad),
    plain(P::Eagre, P::Oxter),
    plain(P::Eagre, P::Remise),
    plain(P::Eagre, P::Shog),
    mountains(P::Empyrean, P::Grimp),
    hills(P::Empyrean, P::Kakopyge),
    mountains(P::Eoan, P::Lea),
    plain(P::Eoan, P::Quean),
    plain(P::Fadge, P::Iracund),
    plain(P::Fadge, P::Mome),
    plain(P::Fadge, P::Quean),
    plain(P::Fadge, P::Sorner),
    plain(P::Fadge, P::Talion),
    plain(P::Frampold, P::Hatchel),
    mountains(P::Frampold, P::Welkin),
    hills(P::Galingale, P::Hatchel),
    plain(P::Galingale, P::Kakopyge),
    plain(P::Galingale, P::Malebolge),
    plain(P::Galingale, P::Mome),
    plain(P::Grimp, P::Ogdoad),
    plain(P::Hatchel, P::Kakopyge),
    plain(P::Hatchel, P::Malebolge),
    plain(P::Hatchel, P::Welkin),
    plain(P::Ictus, P::Jeopigia),
    hills(P::Ictus, P::Nesh),
    plain(P::Iracund, P::Palmain),
    plain(P::Iracund, P::Quean),
    plain(P::Jeopigia, P::Nesh),
    mountains(P::Kakopyge, P::Welkin),
    plain(P::Lea, P::Ogdoad),
    plain(P::Lea, P::Quean),
    hills(P::Lea, P::Sorner),
    plain(P::Malebolge, P::Mome),
    plain(P::Malebolge, P::Remise),
    hills(P::Malebolge, P::Shog),
    plain(P::Margent, P::Scombroid),
    mountains(P::Margent, P::Trogle),
    hills(P::Mome, P::Remise),
    plain(P::Mome, P::Talion),
    plain(P::Nivus, P::Oxter),
    plain(P::Nivus, P::Palmain),
    plain(P::Nivus, P::Talion),
    plain(P::Ogdoad, P::Sorner),
    plain(P::Oxter, P::Remise),
    plain(P::Oxter, P::Talion),
    plain(P::Palmain, P::Scombroid),
    plain(P::Peened, P::Shog),
    plain(P::Quean, P::Sorner),
    plain(P::Remise, P::Shog),
    plain(P::Remise, P::Talion),
];

/// The entry for two provinces without a land border.
const NO_BORDER: u8 = u8::MAX;

/// The border between two provinces, by their indexes.
const BETWEEN: [[u8; 40]; 40] = {
    let mut between = [[NO_BORDER; 40]; 40];
    let mut at = 0;
    while at < COUNT {
        let (a, b) = (BORDERS[at].a.index(), BORDERS[at].b.index());
        assert!(a < b && between[a][b] == NO_BORDER);
        #[expect(clippy::cast_possible_truncation, reason = "at is below 79")]
        let number = at as u8;
        between[a][b] = number;
        between[b][a] = number;
        at += 1;
    }
    between
};

const NEIGHBORS: [ProvinceSet; 40] = {
    let mut neighbors = [ProvinceSet::empty(); 40];
    let mut at = 0;
    while at < COUNT {
        let BorderRow { a, b, .. } = BORDERS[at];
        let (of_a, of_b) = (neighbors[a.index()], neighbors[b.index()]);
        neighbors[a.index()] = enum_set!(of_a | b);
        neighbors[b.index()] = enum_set!(of_b | a);
        at += 1;
    }
    neighbors
};

/// A land border, by its index in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Border(u8);

/// A set of land borders.
pub type BorderSet = Bits<Border>;

impl Border {
    /// The border between two provinces, in either order.
    #[must_use]
    pub fn between(a: Province, b: Province) -> Option<Self> {
        let number = BETWEEN[a.index()][b.index()];
        (number != NO_BORDER).then_some(Self(number))
    }

    /// All borders, in alphabetical order of their provinces.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).take(COUNT).map(Self)
    }

    /// The provinces and the kind of the border.
    #[must_use]
    pub const fn row(self) -> &'static BorderRow {
        &BORDERS[self.0 as usize]
    }

    /// The id: both province ids in alphabetical order (MYT-3.9).
    #[must_use]
    pub fn id(self) -> String {
        format!("{}-{}", self.row().a.id(), self.row().b.id())
    }
}

impl Numbered for Border {
    fn index(self) -> usize {
        usize::from(self.0)
    }

    fn nth(index: usize) -> Option<Self> {
        let number = u8::try_from(index).ok().filter(|_| index < COUNT)?;
        Some(Self(number))
    }
}

impl TryFrom<u8> for Border {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        if usize::from(number) < COUNT {
            Ok(Self(number))
        } else {
            Err(format!("there is no border {number}"))
        }
    }
}

impl From<Border> for u8 {
    fn from(border: Border) -> Self {
        border.0
    }
}

impl fmt::Display for Border {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.row().a, self.row().b)
    }
}

impl fmt::Debug for Border {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

impl Province {
    /// The provinces that share a land border with this one, mountains included.
    #[must_use]
    pub const fn neighbors(self) -> ProvinceSet {
        NEIGHBORS[self.index()]
    }
}

/// The number of a border in the alphabetical order of its provinces, from 0.
pub fn by_number(border: Border) -> u16 {
    border.0.into()
}
