//! The recommended first game (TM-9.2).

use super::cards::BonusCard::{self, Bon1, Bon2, Bon3, Bon4, Bon5, Bon6, Bon7, Bon8};
use super::cards::ScoringTile::{self, Score1, Score4, Score5, Score6, Score7, Score8};
use super::factions::Faction;
use super::map::{Land, land};

/// The scoring tiles of rounds 1 to 6.
pub const INTRODUCTION_SCORING: [ScoringTile; 6] = [Score5, Score7, Score1, Score6, Score4, Score8];

/// The prescribed first game for a number of players.
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
        cards: &[Bon1, Bon3, Bon4, Bon5, Bon6],
        factions: &[
            (Faction::Witches, &[land("C3"), land("F4")]),
            (Faction::Nomads, &[land("E8"), land("F3"), land("I7")]),
        ],
    },
    Introduction {
        cards: &[Bon1, Bon3, Bon4, Bon5, Bon6, Bon8],
        factions: &[
            (Faction::Witches, &[land("E9"), land("F4")]),
            (Faction::Nomads, &[land("F3"), land("G4"), land("I7")]),
            (Faction::Alchemists, &[land("E5"), land("G5")]),
        ],
    },
    Introduction {
        cards: &[Bon1, Bon2, Bon3, Bon4, Bon5, Bon6, Bon8],
        factions: &[
            (Faction::Witches, &[land("E9"), land("F4")]),
            (Faction::Nomads, &[land("D3"), land("E8"), land("I7")]),
            (Faction::Halflings, &[land("E6"), land("F5")]),
            (Faction::Mermaids, &[land("D5"), land("E4")]),
        ],
    },
    Introduction {
        cards: &[Bon1, Bon2, Bon3, Bon4, Bon5, Bon6, Bon7, Bon8],
        factions: &[
            (Faction::Witches, &[land("C3"), land("E9")]),
            (Faction::Nomads, &[land("A5"), land("D3"), land("I7")]),
            (Faction::Halflings, &[land("E6"), land("F5")]),
            (Faction::Mermaids, &[land("E4"), land("H4")]),
            (Faction::Giants, &[land("D4"), land("D7")]),
        ],
    },
];
