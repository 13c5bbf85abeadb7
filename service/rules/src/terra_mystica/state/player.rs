//! What lies before one player.

use serde::{Deserialize, Serialize};

use super::super::data::{
    BonusCard, Faction, FactionSheet, FavorTile, Goods, START_VP, SpecialAction,
};

/// A set of favor tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct FavorSet(u16);

impl FavorSet {
    pub(in super::super) const fn has(self, tile: FavorTile) -> bool {
        self.0 & (1 << tile.index()) != 0
    }

    pub(in super::super) const fn add(&mut self, tile: FavorTile) {
        self.0 |= 1 << tile.index();
    }

    pub(in super::super) fn iter(self) -> impl Iterator<Item = FavorTile> {
        let all = FavorTile::ALL.iter().copied();
        all.filter(move |&tile| self.has(tile))
    }
}

/// A set of special actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct SpecialSet(u16);

impl SpecialSet {
    pub(in super::super) const EMPTY: Self = Self(0);

    pub(in super::super) const fn has(self, action: SpecialAction) -> bool {
        self.0 & (1 << action.index()) != 0
    }

    pub(in super::super) const fn add(&mut self, action: SpecialAction) {
        self.0 |= 1 << action.index();
    }

    pub(in super::super) fn iter(self) -> impl Iterator<Item = SpecialAction> {
        let all = SpecialAction::ALL.iter().copied();
        all.filter(move |&action| self.has(action))
    }
}

/// What lies before one player (TM-4.1). Structures and bridges are on the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Player {
    pub(in super::super) faction: Faction,
    pub(in super::super) vp: u16,
    pub(in super::super) coins: u16,
    pub(in super::super) workers: u16,
    /// In hand; those on the cult board are there.
    pub(in super::super) priests: u8,
    /// Tokens in bowls I, II and III.
    pub(in super::super) bowls: [u8; 3],
    pub(in super::super) cults: [u8; 4],
    /// Level of the shipping track; 0 where there is none.
    pub(in super::super) shipping: u8,
    /// Level of the exchange track; 0 where there is none.
    pub(in super::super) terraforming: u8,
    /// Keys not yet used.
    pub(in super::super) keys: u8,
    pub(in super::super) card: Option<BonusCard>,
    pub(in super::super) favors: FavorSet,
    /// Special actions used in this round.
    pub(in super::super) used: SpecialSet,
}

impl Player {
    /// A player at the start (TM-5.6).
    pub(in super::super) fn new(faction: Faction) -> Self {
        let sheet = faction.sheet();
        Self {
            faction,
            vp: START_VP,
            coins: sheet.start.coins,
            workers: sheet.start.workers,
            priests: u8::try_from(sheet.start.priests).unwrap_or(0),
            bowls: sheet.bowls,
            cults: sheet.cults,
            shipping: sheet.shipping.map_or(0, |track| track.start),
            terraforming: 0,
            keys: 0,
            card: None,
            favors: FavorSet::default(),
            used: SpecialSet::EMPTY,
        }
    }

    pub(in super::super) fn sheet(&self) -> &'static FactionSheet {
        self.faction.sheet()
    }

    /// Coins, workers and priests suffice. Power is judged by TM-6.9.
    pub(in super::super) fn can_pay(&self, price: Goods) -> bool {
        self.coins >= price.coins
            && self.workers >= price.workers
            && u16::from(self.priests) >= price.priests
    }

    /// The most power that can be gained (TM-6.8): two moves for each token in bowl I.
    pub(in super::super) const fn power_room(&self) -> u8 {
        2 * self.bowls[0] + self.bowls[1]
    }
}
