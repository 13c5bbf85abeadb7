//! Pieces of wood and cardboard, and prices (MYT-3.1, 3.2, 3.8).

use super::figures::{
    ABILITY_GOLD, ARMIES, ARMY_GOLD, BONUS_GOLD, CASTLE_STONE, CASTLES, CITIES, CITY_STONE,
    DRAFT_GOLD, DRAGONS, HILLS_FOOD, HILLS_STONE, INVADE_FOOD, MERCENARIES, PATRONAGE_GOLD,
    PLACE_FOOD, ROAD_STONE, ROADS, RUNESTONES, SHIP_GOLD, SHIPS, TOWNS, TOWNS_OF_TWO,
};
use super::symbol::Symbol;
use crate::table::ids;

ids! {
    /// A kind of piece on the board.
    Piece {
        Town "town" "Town",
        City "city" "City",
        Citadel "citadel" "Citadel",
        Castle "castle" "Castle",
        Road "road" "Road",
        Army "army" "Army",
        Ship "ship" "Ship",
        Mercenary "mercenary" "Mercenary",
        Dragon "dragon" "Dragon",
        Runestone "runestone" "Runestone",
    }
}

/// The number of pieces of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// Each of two, three or four players has this many.
    Each([u8; 3]),
    /// All players together have this many.
    Shared(usize),
}

impl Piece {
    /// The number of pieces.
    #[must_use]
    pub const fn supply(self) -> Supply {
        match self {
            Self::Town => Supply::Each([TOWNS_OF_TWO, TOWNS, TOWNS]),
            Self::City => Supply::Each([CITIES; 3]),
            Self::Citadel => Supply::Each([1; 3]),
            Self::Army => Supply::Each([ARMIES; 3]),
            Self::Ship => Supply::Each([SHIPS; 3]),
            Self::Castle => Supply::Shared(CASTLES as usize),
            Self::Road => Supply::Shared(ROADS as usize),
            Self::Mercenary => Supply::Shared(MERCENARIES as usize),
            Self::Dragon => Supply::Shared(DRAGONS),
            Self::Runestone => Supply::Shared(RUNESTONES),
        }
    }

    /// The purpose of the piece, in plain English.
    #[rustfmt::skip]
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Town => "Shows who controls a province: 3 victory points.",
            Self::City => "Takes the place of a town. Its owner's reserve holds 1 card more while it stands.",
            Self::Citadel => "Takes the place of a town before the first turn, if its point card is in play. Its owner's reserve holds 1 card more, and they defend the province with 2 more strength. Nothing is built beside it; once captured it does not come back.",
            Self::Castle => "Whoever controls the province defends it with 2 more strength. It stays when the province changes hands.",
            Self::Road => "Joins two provinces over a land border, for whoever controls both: the card of one serves for the other, and armies move along their roads once per turn.",
            Self::Army => "1 strength in a war in its province.",
            Self::Ship => "1 strength for its owner in every war in a province on its sea area.",
            Self::Mercenary => "1 strength in a war in its province, for whoever hired it.",
            Self::Dragon => "The neutral side of its province is 4 stronger. It leaves when the province is captured.",
            Self::Runestone => "Whoever captures its province may take a token of Runestones. It leaves then.",
        }
    }

    /// The rule of the piece.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Town => "MYT-7.53",
            Self::City => "MYT-7.54",
            Self::Citadel => "MYT-7.56",
            Self::Castle => "MYT-7.55",
            Self::Road => "MYT-7.32",
            Self::Army => "MYT-7.57",
            Self::Ship => "MYT-7.58",
            Self::Mercenary => "MYT-7.15",
            Self::Dragon => "MYT-7.59",
            Self::Runestone => "MYT-7.60",
        }
    }
}

/// A printed price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceRow {
    /// The stable id of the purchase.
    pub id: &'static str,
    /// The purchase.
    pub name: &'static str,
    /// The symbol to pay.
    pub symbol: Symbol,
    /// The amount.
    pub amount: u8,
    /// The rule of the price.
    pub rule: &'static str,
}

const fn price(
    id: &'static str,
    name: &'static str,
    symbol: Symbol,
    amount: u8,
    rule: &'static str,
) -> PriceRow {
    PriceRow {
        id,
        name,
        symbol,
        amount,
        rule,
    }
}

/// All prices (MYT-3.8).
#[rustfmt::skip]
pub const PRICES: [PriceRow; 16] = [
    price("city", "City", Symbol::Stone, CITY_STONE, "MYT-6.5.12"),
    price("castle", "Castle", Symbol::Stone, CASTLE_STONE, "MYT-6.5.12"),
    price("road", "Road", Symbol::Stone, ROAD_STONE, "MYT-6.5.12"),
    price("road_over_hills", "Road over hills", Symbol::Stone, ROAD_STONE + HILLS_STONE, "MYT-6.5.12"),
    price("invade", "Invasion", Symbol::Food, INVADE_FOOD, "MYT-6.5.1"),
    price("invade_over_hills", "Invasion over hills", Symbol::Food, INVADE_FOOD + HILLS_FOOD, "MYT-6.5.1"),
    price("place_armies", "Armies into a province that one does not control", Symbol::Food, PLACE_FOOD, "MYT-6.5.2"),
    price("army", "Army", Symbol::Gold, ARMY_GOLD, "MYT-6.5.7"),
    price("ship", "Ship", Symbol::Gold, SHIP_GOLD, "MYT-6.5.7"),
    price("draft_card", "Draft of a card", Symbol::Gold, DRAFT_GOLD, "MYT-6.5.8"),
    price("patronage", "Patronage", Symbol::Gold, PATRONAGE_GOLD, "MYT-6.5.14"),
    price("guild_city", "Bonus of Guild City", Symbol::Gold, BONUS_GOLD, "MYT-6.5.12"),
    price("roadside_inns", "Bonus of Roadside Inns", Symbol::Gold, BONUS_GOLD, "MYT-6.5.12"),
    price("diplomat", "Diplomat", Symbol::Gold, ABILITY_GOLD, "MYT-7.6"),
    price("mercenary", "Mercenary", Symbol::Gold, ABILITY_GOLD, "MYT-7.15"),
    price("mystic", "Mystic", Symbol::Gold, ABILITY_GOLD, "MYT-7.18"),
];
