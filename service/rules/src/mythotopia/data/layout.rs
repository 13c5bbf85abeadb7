//! The positions of provinces and seas on a drawn map. The layout of the board belongs to its publisher: these
//! positions keep borders short and let none cross another.

use super::map::{Province, Sea};

/// A form of the drawn map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapLayout {
    /// Broader than high, for a sheet with room beside it.
    Broad,
    /// Higher than broad, for a phone held upright: provinces have moved so that their names have room.
    Upright,
}

impl MapLayout {
    /// The width and the height of the map.
    #[must_use]
    pub const fn size(self) -> (i32, i32) {
        match self {
            Self::Broad => (838, 510),
            Self::Upright => (378, 630),
        }
    }
}

/// The middle of each province of the broad map, from the upper left corner of the map.
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

/// The middle of each sea of the broad map, from the upper left corner of the map.
#[rustfmt::skip]
const SEAS: [(i32, i32); Sea::COUNT] = [
    (668, 424), // SerpentSea
    (62, 176), // BeastSea
    (201, 321), // InlandSeaWest
    (443, 255), // InlandSeaEast
];

/// The middle of each province of the upright map.
#[rustfmt::skip]
const UPRIGHT_PROVINCES: [(i32, i32); Province::COUNT] = [
    (41, 267), // Ambsace
    (283, 597), // Aporia
    (282, 153), // Blore
    (103, 550), // Camarine
    (209, 339), // Coryphee
    (55, 390), // Custus
    (127, 174), // Darb
    (335, 382), // Diclesium
    (184, 120), // Dragonate
    (198, 583), // Eagre
    (57, 109), // Empyrean
    (248, 99), // Eoan
    (272, 382), // Fadge
    (49, 327), // Frampold
    (149, 283), // Galingale
    (121, 117), // Grimp
    (112, 336), // Hatchel
    (32, 604), // Ictus
    (310, 328), // Iracund
    (37, 550), // Jeopigia
    (115, 227), // Kakopyge
    (346, 598), // Kinabra
    (219, 173), // Lea
    (135, 394), // Malebolge
    (346, 155), // Margent
    (200, 392), // Mome
    (95, 604), // Nesh
    (331, 442), // Nivus
    (192, 227), // Ogdoad
    (251, 494), // Oxter
    (343, 274), // Palmain
    (89, 492), // Peened
    (270, 231), // Quean
    (186, 477), // Remise
    (342, 209), // Scombroid
    (167, 530), // Shog
    (243, 284), // Sorner
    (265, 440), // Talion
    (313, 100), // Trogle
    (51, 208), // Welkin
];

/// The middle of each sea of the upright map.
#[rustfmt::skip]
const UPRIGHT_SEAS: [(i32, i32); Sea::COUNT] = [
    (278, 543), // SerpentSea
    (34, 160), // BeastSea
    (45, 440), // InlandSeaWest
    (120, 442), // InlandSeaEast
];

impl Province {
    /// The middle of the province on a map of this form.
    #[must_use]
    pub const fn middle(self, layout: MapLayout) -> (i32, i32) {
        match layout {
            MapLayout::Broad => PROVINCES[self.index()],
            MapLayout::Upright => UPRIGHT_PROVINCES[self.index()],
        }
    }
}

impl Sea {
    /// The middle of the sea on a map of this form.
    #[must_use]
    pub const fn middle(self, layout: MapLayout) -> (i32, i32) {
        match layout {
            MapLayout::Broad => SEAS[self.index()],
            MapLayout::Upright => UPRIGHT_SEAS[self.index()],
        }
    }
}
