//! The printed figures of faction boards, tiles, cards and map (TM-3, TM-P.3).

pub mod abilities;
pub mod cards;
pub mod conversions;
pub mod cults;
pub mod draws;
pub mod factions;
pub mod geometry;
pub mod goods;
pub mod introduction;
pub mod land_set;
pub mod map;
pub mod printed;
pub mod special;
pub mod structures;
pub mod terrain;
pub mod tiles;

pub use cards::{BonusCard, PassBonus, ScoringReward, ScoringTile, ScoringTrigger};
pub use conversions::Conversion;
pub use cults::{
    CULT_TOP, Cult, PRIEST_SPACES, PRIEST_SPACES_PER_CULT, PriestSlot, cult_power_between,
};
pub use draws::draw_label;
pub use factions::{Faction, FactionSheet, ShippingTrack, Spades, TrackIncome};
pub use geometry::{
    bridge_sites_at, direct, hex_distance, lands_at_river, river_distance, rivers_at, site_between,
    within_leap, within_shipping,
};
pub use goods::Goods;
pub use introduction::{INTRODUCTION_SCORING, Introduction};
pub use land_set::LandSet;
pub use map::{
    BRIDGE_SITES, BridgeSite, HEXES, Hex, LANDS, Land, MAX_LEAP, MAX_SHIPPING, RIVERS, River,
    SITES, Space,
};
pub use special::{PowerAction, SpecialAction};
pub use structures::Structure;
pub use terrain::Terrain;
pub use tiles::{FavorTile, TownTile};

/// The fewest players (TM-5.1).
pub const MIN_PLAYERS: u8 = 2;
/// The most players (TM-5.1).
pub const MAX_PLAYERS: u8 = 5;
/// Structures of each player (TM-3.4).
pub const STRUCTURES: usize = 17;
/// Rounds of a game.
pub const ROUNDS: u8 = 6;
/// Priests of each player (TM-3.4).
pub const PRIESTS: u16 = 7;
/// Bridges of each player (TM-3.4).
pub const BRIDGES: u8 = 3;
/// Power tokens of each player (TM-3.4).
pub const POWER_TOKENS: u8 = 12;
/// VP at the start (TM-3.5).
pub const START_VP: u16 = 20;
/// Structures that a town needs (TM-6.50).
pub const TOWN_STRUCTURES: u8 = 4;
/// Structures that a town with the sanctuary needs.
pub const TOWN_STRUCTURES_WITH_SANCTUARY: u8 = 3;
/// Power value that a town needs; one less with FAV5.
pub const TOWN_POWER: u8 = 7;
/// VP of each leap (TM-6.14).
pub const LEAP_VP: u16 = 4;
/// Price of a step on the shipping track (TM-3.8).
pub const SHIPPING_STEP: Goods = Goods::coins(4).and(Goods::priests(1));
/// VP of a step on the exchange track (TM-3.9).
pub const TERRAFORMING_VP: u16 = 6;
/// Price of an Engineers' bridge (TM-3.11).
pub const ENGINEER_BRIDGE: Goods = Goods::workers(2);
/// The maximum number of priests that ordination makes (TM-6.56).
pub const ORDINATION: u16 = 3;
/// Spades of the Halflings' stronghold (TM-6.57).
pub const STRONGHOLD_SPADES: u8 = 3;
/// The number of cards that nobody holds between turns.
pub const SPARE_CARDS: usize = 3;
/// VP of the final cult scoring by rank (TM-8.2).
pub const CULT_VP: [u16; 3] = [8, 4, 2];
/// VP of the final area scoring by rank (TM-8.3).
pub const AREA_VP: [u16; 3] = [18, 12, 6];
