//! The recommended first game (TM-9.2).

use super::cards::{BonusCard, ScoringTile};
use super::factions::Faction;
use super::map::{Land, land};

/// The scoring tiles of rounds 1 to 6.
pub const INTRODUCTION_SCORING: [ScoringTile; 6] = [
    ScoringTile::Score5,
    ScoringTile::Score7,
    ScoringTile::Score1,
    ScoringTile::Score6,
    ScoringTile::Score4,
    ScoringTile::Score8,
];

/// What the first game prescribes for a number of players.
#[derive(Clone, Copy, Debug)]
pub struct Introduction {
    /// The bonus cards in play.
    pub cards: &'static [BonusCard],
    /// The factions with their dwellings.
    pub factions: &'static [(Faction, &'static [Land])],
}

impl Introduction {
    /// The first game for 2, 3, 4 or 5 players.
    ///
    /// # Panics
    /// For other numbers, which no table has.
    #[must_use]
    pub fn of(players: usize) -> &'static Self {
        &TABLE[players - 2]
    }
}

static TABLE: [Introduction; 4] = [
    Introduction {
        cards: &[
            BonusCard::Bon1,
            BonusCard::Bon3,
            BonusCard::Bon4,
            BonusCard::Bon5,
            BonusCard::Bon6,
        ],
        factions: &[
            (Faction::Witches, &[land("C3"), land("F4")]),
            (Faction::Nomads, &[land("E8"), land("F3"), land("I7")]),
        ],
    },
    Introduction {
        cards: &[
            BonusCard::Bon1,
            BonusCard::Bon3,
            BonusCard::Bon4,
            BonusCard::Bon5,
            BonusCard::Bon6,
            BonusCard::Bon8,
        ],
        factions: &[
            (Faction::Witches, &[land("E9"), land("F4")]),
            (Faction::Nomads, &[land("F3"), land("G4"), land("I7")]),
            (Faction::Alchemists, &[land("E5"), land("G5")]),
        ],
    },
    Introduction {
        cards: &[
            BonusCard::Bon1,
            BonusCard::Bon2,
            BonusCard::Bon3,
            BonusCard::Bon4,
            BonusCard::Bon5,
            BonusCard::Bon6,
            BonusCard::Bon8,
        ],
        factions: &[
            (Faction::Witches, &[land("E9"), land("F4")]),
            (Faction::Nomads, &[land("D3"), land("E8"), land("I7")]),
            (Faction::Halflings, &[land("E6"), land("F5")]),
            (Faction::Mermaids, &[land("D5"), land("E4")]),
        ],
    },
    Introduction {
        cards: &[
            BonusCard::Bon1,
            BonusCard::Bon2,
            BonusCard::Bon3,
            BonusCard::Bon4,
            BonusCard::Bon5,
            BonusCard::Bon6,
            BonusCard::Bon7,
            BonusCard::Bon8,
        ],
        factions: &[
            (Faction::Witches, &[land("C3"), land("E9")]),
            (Faction::Nomads, &[land("A5"), land("D3"), land("I7")]),
            (Faction::Halflings, &[land("E6"), land("F5")]),
            (Faction::Mermaids, &[land("E4"), land("H4")]),
            (Faction::Giants, &[land("D4"), land("D7")]),
        ],
    },
];
