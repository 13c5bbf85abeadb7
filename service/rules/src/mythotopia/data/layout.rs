//! The positions of provinces and seas on a drawn map. The layout of the board belongs to its publisher: these
//! positions keep borders short and let none cross another.

use super::map::{Province, Sea};

/// The size of the map.
pub const MAP_SIZE: (i32, i32) = (838, 510);

/// The middle of each province, from the upper left corner of the map.
#[rustfmt::skip]
const PROVINCES: [(i32, i32); Province::COUNT] = [
    (50, 265), // Ambsace
    (650, 482), // Aporia
    (588, 70), // Blore
    (243, 451), // Camarine
    (551, 286), // Coryphee
    (83, 326), // Custus
    (378, 179), // Darb
    (749, 298), // Diclesium
    (416, 116), // Dragonate
    (362, 456), // Eagre
    (208, 121), // Empyrean
    (487, 56), // Eoan
    (649, 300), // Fadge
    (148, 255), // Frampold
    (345, 259), // Galingale
    (316, 113), // Grimp
    (246, 260), // Hatchel
    (50, 480), // Ictus
    (684, 222), // Iracund
    (50, 422), // Jeopigia
    (258, 195), // Kakopyge
    (748, 482), // Kinabra
    (514, 133), // Lea
    (319, 326), // Malebolge
    (725, 132), // Margent
    (452, 332), // Mome
    (146, 480), // Nesh
    (786, 358), // Nivus
    (480, 193), // Ogdoad
    (526, 423), // Oxter
    (784, 233), // Palmain
    (174, 386), // Peened
    (613, 161), // Quean
    (413, 393), // Remise
    (788, 43), // Scombroid
    (274, 389), // Shog
    (577, 224), // Sorner
    (587, 361), // Talion
    (689, 71), // Trogle
    (139, 182), // Welkin
];

/// The middle of each sea, from the upper left corner of the map.
#[rustfmt::skip]
const SEAS: [(i32, i32); Sea::COUNT] = [
    (668, 424), // SerpentSea
    (62, 176), // BeastSea
    (201, 321), // InlandSeaWest
    (443, 255), // InlandSeaEast
];

impl Province {
    /// The middle of the province on a map of [`MAP_SIZE`].
    #[must_use]
    pub const fn middle(self) -> (i32, i32) {
        PROVINCES[self.index()]
    }
}

impl Sea {
    /// The middle of the sea on a map of [`MAP_SIZE`].
    #[must_use]
    pub const fn middle(self) -> (i32, i32) {
        SEAS[self.index()]
    }
}
