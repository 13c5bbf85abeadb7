//! The 40 provinces, the four seas and the 79 land borders (MYT-3.4, 3.5).

use enumset::{EnumSet, enum_set};

use super::symbol::Symbol;
use crate::table::ids;

ids! {
    /// A province of the board, in the order of the printed numbers 1 to 40.
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u64")]
    Province {
        Ambsace "ambsace" "Ambsace",
        Aporia "aporia" "Aporia",
        Blore "blore" "Blore",
        Camarine "camarine" "Camarine",
        Coryphee "coryphee" "Coryphee",
        Custus "custus" "Custus",
        Darb "darb" "Darb",
        Diclesium "diclesium" "Diclesium",
        Dragonate "dragonate" "Dragonate",
        Eagre "eagre" "Eagre",
        Empyrean "empyrean" "Empyrean",
        Eoan "eoan" "Eoan",
        Fadge "fadge" "Fadge",
        Frampold "frampold" "Frampold",
        Galingale "galingale" "Galingale",
        Grimp "grimp" "Grimp",
        Hatchel "hatchel" "Hatchel",
        Ictus "ictus" "Ictus",
        Iracund "iracund" "Iracund",
        Jeopigia "jeopigia" "Jeopigia",
        Kakopyge "kakopyge" "Kakopyge",
        Kinabra "kinabra" "Kinabra",
        Lea "lea" "Lea",
        Malebolge "malebolge" "Malebolge",
        Margent "margent" "Margent",
        Mome "mome" "Mome",
        Nesh "nesh" "Nesh",
        Nivus "nivus" "Nivus",
        Ogdoad "ogdoad" "Ogdoad",
        Oxter "oxter" "Oxter",
        Palmain "palmain" "Palmain",
        Peened "peened" "Peened",
        Quean "quean" "Quean",
        Remise "remise" "Remise",
        Scombroid "scombroid" "Scombroid",
        Shog "shog" "Shog",
        Sorner "sorner" "Sorner",
        Talion "talion" "Talion",
        Trogle "trogle" "Trogle",
        Welkin "welkin" "Welkin",
    }
}

/// A set of provinces.
pub type ProvinceSet = EnumSet<Province>;

ids! {
    /// A sea area. It has no owner and no limit of ships (MYT-3.5).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, repr = "u8", serialize_repr = "u8")]
    Sea {
        SerpentSea "serpent_sea" "Serpent Sea",
        BeastSea "beast_sea" "Beast Sea",
        InlandSeaWest "inland_sea_west" "Inland Sea West",
        InlandSeaEast "inland_sea_east" "Inland Sea East",
    }
}

/// A set of sea areas.
pub type SeaSet = EnumSet<Sea>;

ids! {
    /// An island: several provinces that no land border joins to the mainland.
    Island {
        Large "large" "large island",
        Small "small" "small island",
    }
}

/// The printed figures of a province.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvinceRow {
    /// The province; the table is in the order of the numbers.
    pub province: Province,
    /// The one symbol of the province card.
    pub symbol: Symbol,
    /// The strength of the neutral side, the rugged bonus included.
    pub strength: u8,
    /// Whether the terrain is rugged.
    pub rugged: bool,
    /// The seas on its coast.
    pub seas: SeaSet,
    /// The island of the province, if it is on one.
    pub island: Option<Island>,
}

const fn row(province: Province, symbol: Symbol, strength: u8, seas: &[Sea]) -> ProvinceRow {
    let mut coast = SeaSet::empty();
    let mut at = 0;
    while at < seas.len() {
        let sea = seas[at];
        coast = enum_set!(coast | sea);
        at += 1;
    }
    ProvinceRow {
        province,
        symbol,
        strength,
        rugged: false,
        seas: coast,
        island: None,
    }
}

const fn rugged(province: Province, symbol: Symbol, strength: u8, seas: &[Sea]) -> ProvinceRow {
    ProvinceRow {
        rugged: true,
        ..row(province, symbol, strength, seas)
    }
}

const fn on(island: Island, row: ProvinceRow) -> ProvinceRow {
    ProvinceRow {
        island: Some(island),
        ..row
    }
}

use Island::{Large, Small};
use Province as P;
use Sea::{BeastSea, InlandSeaEast, InlandSeaWest, SerpentSea};
use Symbol::{Army, Food, Gold, Stone};

#[rustfmt::skip]
const PROVINCES: [ProvinceRow; 40] = [
    row(P::Ambsace, Army, 3, &[BeastSea]),
    on(Small, row(P::Aporia, Food, 2, &[SerpentSea])),
    rugged(P::Blore, Army, 4, &[]),
    row(P::Camarine, Food, 2, &[SerpentSea, BeastSea]),
    row(P::Coryphee, Food, 2, &[InlandSeaEast]),
    row(P::Custus, Food, 2, &[BeastSea, InlandSeaWest]),
    rugged(P::Darb, Army, 4, &[InlandSeaEast]),
    row(P::Diclesium, Army, 3, &[]),
    rugged(P::Dragonate, Gold, 3, &[]),
    row(P::Eagre, Food, 2, &[SerpentSea]),
    rugged(P::Empyrean, Gold, 3, &[InlandSeaEast]),
    rugged(P::Eoan, Stone, 3, &[]),
    row(P::Fadge, Stone, 2, &[]),
    rugged(P::Frampold, Gold, 3, &[InlandSeaWest]),
    row(P::Galingale, Army, 3, &[InlandSeaEast]),
    rugged(P::Grimp, Stone, 3, &[]),
    row(P::Hatchel, Food, 2, &[InlandSeaWest]),
    on(Large, row(P::Ictus, Army, 3, &[SerpentSea, BeastSea])),
    row(P::Iracund, Food, 2, &[]),
    on(Large, row(P::Jeopigia, Food, 2, &[BeastSea])),
    rugged(P::Kakopyge, Gold, 3, &[InlandSeaEast]),
    on(Small, row(P::Kinabra, Stone, 2, &[SerpentSea])),
    rugged(P::Lea, Army, 4, &[]),
    row(P::Malebolge, Stone, 2, &[InlandSeaWest]),
    rugged(P::Margent, Stone, 3, &[]),
    row(P::Mome, Gold, 2, &[InlandSeaEast]),
    on(Large, row(P::Nesh, Gold, 2, &[SerpentSea, BeastSea])),
    row(P::Nivus, Food, 2, &[SerpentSea]),
    rugged(P::Ogdoad, Stone, 3, &[InlandSeaEast]),
    row(P::Oxter, Army, 3, &[SerpentSea]),
    row(P::Palmain, Food, 2, &[SerpentSea]),
    row(P::Peened, Army, 3, &[BeastSea, InlandSeaWest]),
    rugged(P::Quean, Stone, 3, &[]),
    row(P::Remise, Gold, 2, &[]),
    row(P::Scombroid, Army, 3, &[SerpentSea]),
    rugged(P::Shog, Stone, 3, &[InlandSeaWest]),
    row(P::Sorner, Food, 2, &[]),
    row(P::Talion, Army, 3, &[]),
    rugged(P::Trogle, Gold, 3, &[]),
    rugged(P::Welkin, Army, 4, &[]),
];

const _: () = {
    let mut at = 0;
    while at < PROVINCES.len() {
        assert!(PROVINCES[at].province as usize == at);
        at += 1;
    }
};

impl Province {
    /// Returns the printed figures of the province.
    #[must_use]
    pub const fn row(self) -> &'static ProvinceRow {
        &PROVINCES[self.index()]
    }

    /// The printed number, 1 to 40.
    #[must_use]
    pub const fn printed_number(self) -> u8 {
        self as u8 + 1
    }
}

impl Sea {
    /// The seas next to this one: only Serpent Sea and Beast Sea touch each other.
    #[must_use]
    pub const fn adjacent(self) -> SeaSet {
        match self {
            SerpentSea => enum_set!(BeastSea),
            BeastSea => enum_set!(SerpentSea),
            InlandSeaWest | InlandSeaEast => SeaSet::empty(),
        }
    }

    /// The provinces on the coast of this sea.
    #[must_use]
    pub const fn coast(self) -> ProvinceSet {
        const COASTS: [ProvinceSet; 4] = [
            coast_of(SerpentSea),
            coast_of(BeastSea),
            coast_of(InlandSeaWest),
            coast_of(InlandSeaEast),
        ];
        COASTS[self.index()]
    }
}

const fn coast_of(sea: Sea) -> ProvinceSet {
    let mut coast = ProvinceSet::empty();
    let mut at = 0;
    while at < PROVINCES.len() {
        if PROVINCES[at].seas.as_repr() & 1 << sea as u8 != 0 {
            let province = PROVINCES[at].province;
            coast = enum_set!(coast | province);
        }
        at += 1;
    }
    coast
}

impl Island {
    /// The provinces of the island.
    #[must_use]
    pub const fn provinces(self) -> ProvinceSet {
        match self {
            Large => enum_set!(P::Ictus | P::Jeopigia | P::Nesh),
            Small => enum_set!(P::Aporia | P::Kinabra),
        }
    }
}
