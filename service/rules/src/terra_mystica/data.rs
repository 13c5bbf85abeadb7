//! Printed facts: ids, faction boards, tiles, the map. Nothing here changes during a game.
//!
//! Ids are those of the data file; figures are TM-3.1 to TM-3.16 and TM-P.3.

mod abilities;
mod cards;
mod cults;
mod factions;
mod goods;
mod ids;
mod introduction;
mod land_set;
mod map;
mod special;
mod tiles;

pub use cards::{BonusCard, PassBonus, ScoringReward, ScoringTile, ScoringTrigger};
pub use cults::{
    CULT_TOP, Cult, PRIEST_SPACES, PRIEST_SPACES_PER_CULT, PriestSlot, cult_power_between,
};
pub use factions::{Faction, FactionSheet, ShippingTrack, Spades, TrackIncome};
pub use goods::Goods;
pub use introduction::{INTRODUCTION_SCORING, Introduction};
pub use land_set::LandSet;
pub use map::{
    BRIDGE_SITES, BridgeSite, HEXES, Hex, LANDS, Land, MAX_LEAP, MAX_SHIPPING, RIVERS, River,
    SITES, Space, bridge_sites_at, direct, hex_distance, lands_at_river, river_distance, rivers_at,
    site_between, within_leap, within_shipping,
};
pub use special::{PowerAction, SpecialAction};
pub use tiles::{FavorTile, TownTile};

use ids::closed_ids;

closed_ids! {
    /// A terrain, in the order of the transformation cycle (TM-3.1).
    pub enum Terrain {
        /// Yellow.
        Desert = "desert", "desert";
        /// Brown.
        Plains = "plains", "plains";
        /// Black.
        Swamp = "swamp", "swamp";
        /// Blue.
        Lakes = "lakes", "lakes";
        /// Green.
        Forest = "forest", "forest";
        /// Gray.
        Mountains = "mountains", "mountains";
        /// Red.
        Wasteland = "wasteland", "wasteland";
    }
}

impl Terrain {
    /// The number of spades from this terrain to another on the short way, 0 to 3 (J7).
    #[must_use]
    pub const fn spades_to(self, target: Self) -> u8 {
        let apart = (self as u8).abs_diff(target as u8);
        if apart <= 3 { apart } else { 7 - apart }
    }
}

closed_ids! {
    /// A kind of structure (TM-3.4), in the order of the board.
    pub enum Structure {
        /// Where everything begins.
        Dwelling = "dwelling", "dwelling";
        /// Upgraded from a dwelling.
        TradingHouse = "trading_house", "trading house";
        /// Upgraded from a trading house.
        Temple = "temple", "temple";
        /// Upgraded from a trading house; unlocks the faction's ability.
        Stronghold = "stronghold", "stronghold";
        /// Upgraded from a temple.
        Sanctuary = "sanctuary", "sanctuary";
    }
}

impl Structure {
    /// How many each player has (TM-3.4).
    #[must_use]
    pub const fn stock(self) -> u8 {
        match self {
            Self::Dwelling => 8,
            Self::TradingHouse => 4,
            Self::Temple => 3,
            Self::Stronghold | Self::Sanctuary => 1,
        }
    }

    /// Its power value (TM-3.4).
    #[must_use]
    pub const fn power(self) -> u8 {
        match self {
            Self::Dwelling => 1,
            Self::TradingHouse | Self::Temple => 2,
            Self::Stronghold | Self::Sanctuary => 3,
        }
    }

    /// May it be upgraded to that one? (TM-6.30)
    #[must_use]
    pub const fn upgrades_to(self, to: Self) -> bool {
        matches!(
            (self, to),
            (Self::Dwelling, Self::TradingHouse)
                | (Self::TradingHouse, Self::Temple | Self::Stronghold)
                | (Self::Temple, Self::Sanctuary)
        )
    }
}

/// Structures of each player (TM-3.4).
pub const STRUCTURES: usize = 17;
/// Rounds of a game.
pub const ROUNDS: u8 = 6;
/// Priests of each player (TM-3.4).
pub const PRIESTS: u8 = 7;
/// Bridges of each player (TM-3.4).
pub const BRIDGES: u8 = 3;
/// Power tokens of each player (TM-3.4).
pub const POWER_TOKENS: u8 = 12;
/// VP at the start (TM-3.5).
pub const START_VP: u16 = 20;
/// Structures that a town needs (TM-6.50).
pub const TOWN_STRUCTURES: u32 = 4;
/// Structures that a town with the sanctuary needs.
pub const TOWN_STRUCTURES_WITH_SANCTUARY: u32 = 3;
/// Power value that a town needs; one less with FAV5.
pub const TOWN_POWER: u8 = 7;
/// VP of each leap (TM-6.14).
pub const LEAP_VP: u16 = 4;
/// Price of a step on the shipping track (TM-3.8).
pub const SHIPPING_STEP: Goods = Goods {
    coins: 4,
    workers: 0,
    priests: 1,
    power: 0,
};
/// VP of a step on the exchange track (TM-3.9).
pub const TERRAFORMING_VP: u16 = 6;
/// Price of an Engineers' bridge (TM-3.11).
pub const ENGINEER_BRIDGE: Goods = Goods {
    coins: 0,
    workers: 2,
    priests: 0,
    power: 0,
};
/// Most priests that ordination makes (TM-6.56).
pub const ORDINATION: u8 = 3;
/// Spades of the Halflings' stronghold (TM-6.57).
pub const STRONGHOLD_SPADES: u8 = 3;
/// Cards that nobody holds between turns.
pub const SPARE_CARDS: usize = 3;
/// VP of the final cult scoring by rank (TM-8.2).
pub const CULT_VP: [u16; 3] = [8, 4, 2];
/// VP of the final area scoring by rank (TM-8.3).
pub const AREA_VP: [u16; 3] = [18, 12, 6];
