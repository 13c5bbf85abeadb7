//! The calendar: years, phases and their steps (KIN-3.7, KIN-6.2).

use serde::{Deserialize, Serialize};

/// The number of years of a game.
pub const YEARS: u8 = 5;

/// One of the eight phases of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// Phase 1, the Aid from the King.
    KingsAid,
    /// Phase 2, productive season.
    Spring,
    /// Phase 3, the King's Reward.
    KingsReward,
    /// Phase 4, productive season.
    Summer,
    /// Phase 5, the King's Envoy.
    KingsEnvoy,
    /// Phase 6, productive season.
    Autumn,
    /// Phase 7, soldiers are recruited.
    Recruit,
    /// Phase 8, the battle.
    Winter,
}

impl Phase {
    /// All phases of a year, in order.
    pub const ALL: [Self; 8] = [
        Self::KingsAid,
        Self::Spring,
        Self::KingsReward,
        Self::Summer,
        Self::KingsEnvoy,
        Self::Autumn,
        Self::Recruit,
        Self::Winter,
    ];

    /// The number on the calendar, 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::KingsAid => "kings_aid",
            Self::Spring => "spring",
            Self::KingsReward => "kings_reward",
            Self::Summer => "summer",
            Self::KingsEnvoy => "kings_envoy",
            Self::Autumn => "autumn",
            Self::Recruit => "recruit",
            Self::Winter => "winter",
        }
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KingsAid => "Aid from the King",
            Self::Spring => "Spring",
            Self::KingsReward => "The King's Reward",
            Self::Summer => "Summer",
            Self::KingsEnvoy => "The King's Envoy",
            Self::Autumn => "Autumn",
            Self::Recruit => "Recruit soldiers",
            Self::Winter => "Winter",
        }
    }

    /// The phase after this one in the same year.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }

    /// The productive season of this phase, if it is one.
    #[must_use]
    pub const fn season(self) -> Option<Season> {
        match self {
            Self::Spring => Some(Season::Spring),
            Self::Summer => Some(Season::Summer),
            Self::Autumn => Some(Season::Autumn),
            Self::KingsAid
            | Self::KingsReward
            | Self::KingsEnvoy
            | Self::Recruit
            | Self::Winter => None,
        }
    }
}

/// A productive season.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Season {
    /// Phase 2.
    Spring,
    /// Phase 4.
    Summer,
    /// Phase 6.
    Autumn,
}

/// A step of a productive season or of winter, or the end of the game (KIN-16.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Step {
    /// Autumn: the holder of the envoy says what he will use it for.
    EnvoyDeclaration,
    /// Two players: neutral dice block advisors.
    Neutral,
    /// Income before the roll.
    Income,
    /// Everybody rolls.
    Roll,
    /// One die may be rolled again.
    Reroll,
    /// The new turn order.
    Order,
    /// Two players: each sets a die aside.
    SetAside,
    /// Dice are placed on advisors.
    Influence,
    /// The advisors help.
    Help,
    /// Buildings are built.
    Build,
    /// What happens at the end of a season.
    SeasonEnd,
    /// The enemy card is revealed.
    Reveal,
    /// The King's reinforcement.
    KingDie,
    /// Strengths and outcomes are fixed.
    Strength,
    /// Gains and losses.
    Resolve,
    /// The strongest winner.
    Strongest,
    /// Card and soldiers leave.
    Cleanup,
    /// The game is over.
    Final,
}

impl Step {
    /// All steps, in order.
    pub const ALL: [Self; 18] = [
        Self::EnvoyDeclaration,
        Self::Neutral,
        Self::Income,
        Self::Roll,
        Self::Reroll,
        Self::Order,
        Self::SetAside,
        Self::Influence,
        Self::Help,
        Self::Build,
        Self::SeasonEnd,
        Self::Reveal,
        Self::KingDie,
        Self::Strength,
        Self::Resolve,
        Self::Strongest,
        Self::Cleanup,
        Self::Final,
    ];

    /// The id, as the rule document spells it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::EnvoyDeclaration => "ENVOY_DECLARATION",
            Self::Neutral => "NEUTRAL",
            Self::Income => "INCOME",
            Self::Roll => "ROLL",
            Self::Reroll => "REROLL",
            Self::Order => "ORDER",
            Self::SetAside => "SET_ASIDE",
            Self::Influence => "INFLUENCE",
            Self::Help => "HELP",
            Self::Build => "BUILD",
            Self::SeasonEnd => "SEASON_END",
            Self::Reveal => "REVEAL",
            Self::KingDie => "KING_DIE",
            Self::Strength => "STRENGTH",
            Self::Resolve => "RESOLVE",
            Self::Strongest => "STRONGEST",
            Self::Cleanup => "CLEANUP",
            Self::Final => "FINAL",
        }
    }
}
