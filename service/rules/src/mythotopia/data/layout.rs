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
            Self::Upright => (378, 640),
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
    (341, 259), // Galingale
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
    (62, 126), // BeastSea
    (201, 321), // InlandSeaWest
    (446, 255), // InlandSeaEast
];

/// The middle of each province of the upright map.
#[rustfmt::skip]
const UPRIGHT_PROVINCES: [(i32, i32); Province::COUNT] = [
    (32, 289), // Ambsace
    (236, 604), // Aporia
    (281, 147), // Blore
    (158, 552), // Camarine
    (214, 321), // Coryphee
    (46, 395), // Custus
    (119, 164), // Darb
    (338, 308), // Diclesium
    (185, 95), // Dragonate
    (212, 500), // Eagre
    (56, 138), // Empyrean
    (219, 42), // Eoan
    (278, 308), // Fadge
    (70, 342), // Frampold
    (151, 340), // Galingale
    (122, 102), // Grimp
    (99, 287), // Hatchel
    (64, 602), // Ictus
    (309, 255), // Iracund
    (97, 549), // Jeopigia
    (119, 225), // Kakopyge
    (299, 609), // Kinabra
    (213, 148), // Lea
    (133, 394), // Malebolge
    (346, 94), // Margent
    (199, 393), // Mome
    (127, 602), // Nesh
    (344, 361), // Nivus
    (186, 201), // Ogdoad
    (275, 429), // Oxter
    (344, 202), // Palmain
    (85, 491), // Peened
    (261, 201), // Quean
    (212, 446), // Remise
    (344, 147), // Scombroid
    (148, 491), // Shog
    (234, 254), // Sorner
    (274, 375), // Talion
    (282, 94), // Trogle
    (56, 234), // Welkin
];

/// The middle of each sea of the upright map.
#[rustfmt::skip]
const UPRIGHT_SEAS: [(i32, i32); Sea::COUNT] = [
    (289, 548), // SerpentSea
    (34, 545), // BeastSea
    (102, 443), // InlandSeaWest
    (169, 273), // InlandSeaEast
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
