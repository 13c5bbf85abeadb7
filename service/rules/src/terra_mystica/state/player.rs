//! The possessions of one player.

use enumset::EnumSet;
use serde::{Deserialize, Serialize};

use crate::terra_mystica::data::{
    BonusCard, Faction, FactionSheet, FavorTile, Goods, START_VP, SpecialAction,
};

/// The possessions of one player (TM-4.1). Structures and bridges are on the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    pub faction: Faction,
    pub vp: u16,
    pub coins: u16,
    pub workers: u16,
    /// Priests in hand, without those on the cult board.
    pub priests: u16,
    /// Tokens in bowls I, II and III.
    pub bowls: [u8; 3],
    pub cults: [u8; 4],
    /// Level of the shipping track; 0 if there is none.
    pub shipping: u8,
    /// Level of the exchange track; 0 if there is none.
    pub terraforming: u8,
    /// Keys not yet used.
    pub keys: u8,
    pub card: Option<BonusCard>,
    pub favors: EnumSet<FavorTile>,
    /// Special actions used in this round.
    pub used: EnumSet<SpecialAction>,
}

impl Player {
    /// A player at the start (TM-5.6).
    pub fn new(faction: Faction) -> Self {
        let sheet = faction.sheet();
        Self {
            faction,
            vp: START_VP,
            coins: sheet.start.coins,
            workers: sheet.start.workers,
            priests: sheet.start.priests,
            bowls: sheet.bowls,
            cults: sheet.cults,
            shipping: sheet.shipping.map_or(0, |track| track.start),
            terraforming: 0,
            keys: 0,
            card: None,
            favors: EnumSet::empty(),
            used: EnumSet::empty(),
        }
    }

    pub fn sheet(&self) -> &'static FactionSheet {
        self.faction.sheet()
    }

    /// Returns whether coins, workers and priests suffice. Power is judged by TM-6.9.
    pub const fn can_pay(&self, price: Goods) -> bool {
        self.coins >= price.coins && self.workers >= price.workers && self.priests >= price.priests
    }

    /// The maximum power that can be gained (TM-6.8): two moves for each token in bowl I.
    pub const fn power_room(&self) -> u8 {
        2 * self.bowls[0] + self.bowls[1]
    }
}
