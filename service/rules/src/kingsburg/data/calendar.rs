//! The calendar: years, phases and their steps (KIN-3.7, KIN-6b).

use crate::table::ids;

/// The number of years of a game.
pub const YEARS: u8 = 5;

ids! {
    /// One of the eight phases of a year.
    Phase {
        KingsAid "kings_aid" "Aid from the King",
        Spring "spring" "Spring",
        KingsReward "kings_reward" "The King's Reward",
        Summer "summer" "Summer",
        KingsEnvoy "kings_envoy" "The King's Envoy",
        Autumn "autumn" "Autumn",
        Recruit "recruit" "Recruit soldiers",
        Winter "winter" "Winter",
    }
}

impl Phase {
    /// The number on the calendar, 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The phase after this one in the same year.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }
}

ids! {
    /// A step of a productive season or of winter, or the end of the game (KIN-16.2).
    Step {
        /// Autumn: the holder of the envoy declares its purpose.
        EnvoyDeclaration "ENVOY_DECLARATION",
        /// Two players: neutral dice block advisors.
        Neutral "NEUTRAL",
        /// Income before the roll.
        Income "INCOME",
        /// Everybody rolls.
        Roll "ROLL",
        /// One die may be rolled again.
        Reroll "REROLL",
        /// The new turn order.
        Order "ORDER",
        /// Two players: each sets a die aside.
        SetAside "SET_ASIDE",
        /// Dice are placed on advisors.
        Influence "INFLUENCE",
        /// The advisors help.
        Help "HELP",
        /// Buildings are built.
        Build "BUILD",
        /// The end of a season: Inn, Embassy, Town Hall, and what is returned.
        SeasonEnd "SEASON_END",
        /// The enemy card is revealed.
        Reveal "REVEAL",
        /// The King's reinforcement.
        KingDie "KING_DIE",
        /// Strengths and outcomes are fixed.
        Strength "STRENGTH",
        /// Gains and losses.
        Resolve "RESOLVE",
        /// The strongest winner.
        Strongest "STRONGEST",
        /// Card and soldiers leave.
        Cleanup "CLEANUP",
        /// The game is over.
        Over "OVER",
    }
}
