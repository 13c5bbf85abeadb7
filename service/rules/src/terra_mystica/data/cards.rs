//! Bonus cards and scoring tiles (TM-3.15, TM-3.16, TM-P.3).

use super::cults::Cult;
use super::goods::Goods;
use crate::table::ids;

ids! {
    /// A bonus card (TM-3.15, TM-P.3).
    BonusCard {
        Bon1 "BON1" "2 coins, spade action",
        Bon2 "BON2" "4 coins, cult step action",
        Bon3 "BON3" "6 coins",
        Bon4 "BON4" "3 power, shipping +1",
        Bon5 "BON5" "3 power, 1 worker",
        Bon6 "BON6" "2 workers, VP for stronghold and sanctuary",
        Bon7 "BON7" "1 worker, VP for trading houses",
        Bon8 "BON8" "1 priest",
        Bon9 "BON9" "2 coins, VP for dwellings",
        Bon10 "BON10" "3 power, VP for shipping",
    }
}

/// The VP of a bonus card on passing (TM-6.45).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassBonus {
    /// No VP.
    None,
    /// This many VP for the stronghold and for the sanctuary.
    GreatStructures(u16),
    /// This many VP per trading house.
    TradingHouses(u16),
    /// This many VP per dwelling.
    Dwellings(u16),
    /// This many VP per level of the shipping track (TM-P.21).
    Shipping(u16),
}

impl BonusCard {
    /// The income of the card.
    #[must_use]
    pub const fn income(self) -> Goods {
        match self {
            Self::Bon1 | Self::Bon9 => Goods::coins(2),
            Self::Bon2 => Goods::coins(4),
            Self::Bon3 => Goods::coins(6),
            Self::Bon4 | Self::Bon10 => Goods::power(3),
            Self::Bon5 => Goods {
                workers: 1,
                power: 3,
                ..Goods::NONE
            },
            Self::Bon6 => Goods::workers(2),
            Self::Bon7 => Goods::workers(1),
            Self::Bon8 => Goods::priests(1),
        }
    }

    /// The VP of the card on passing.
    #[must_use]
    pub const fn pass_bonus(self) -> PassBonus {
        match self {
            Self::Bon6 => PassBonus::GreatStructures(4),
            Self::Bon7 => PassBonus::TradingHouses(2),
            Self::Bon9 => PassBonus::Dwellings(1),
            Self::Bon10 => PassBonus::Shipping(3),
            Self::Bon1 | Self::Bon2 | Self::Bon3 | Self::Bon4 | Self::Bon5 | Self::Bon8 => {
                PassBonus::None
            }
        }
    }
}

ids! {
    /// A scoring tile (TM-3.16, TM-P.3).
    ScoringTile {
        Score1 "SCORE1" "2 VP per spade, earth 1 for 1 coin",
        Score2 "SCORE2" "5 VP per town, earth 4 for 1 spade",
        Score3 "SCORE3" "2 VP per dwelling, water 4 for 1 priest",
        Score4 "SCORE4" "5 VP per stronghold or sanctuary, fire 2 for 1 worker",
        Score5 "SCORE5" "2 VP per dwelling, fire 4 for 4 power",
        Score6 "SCORE6" "3 VP per trading house, water 4 for 1 spade",
        Score7 "SCORE7" "5 VP per stronghold or sanctuary, air 2 for 1 worker",
        Score8 "SCORE8" "3 VP per trading house, air 4 for 1 spade",
        Score9 "SCORE9" "4 VP per temple, 2 coins per priest on the cult board",
    }
}

/// An event that scores VP during the round of a scoring tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ScoringTrigger {
    Spade,
    Town,
    Dwelling,
    TradingHouse,
    /// A temple is built (TM-P.31).
    Temple,
    /// A stronghold or sanctuary is built.
    GreatStructure,
}

/// The reward of a scoring tile at the end of its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoringReward {
    /// Goods for each multiple of these steps on a cult.
    Goods(Cult, u8, Goods),
    /// A spade for each multiple of these steps on a cult.
    Spade(Cult, u8),
    /// Goods for every own priest on the cult board (TM-P.32).
    PerPriest(Goods),
}

impl ScoringTile {
    /// The event that scores VP during the round.
    #[must_use]
    pub const fn trigger(self) -> ScoringTrigger {
        match self {
            Self::Score1 => ScoringTrigger::Spade,
            Self::Score2 => ScoringTrigger::Town,
            Self::Score3 | Self::Score5 => ScoringTrigger::Dwelling,
            Self::Score4 | Self::Score7 => ScoringTrigger::GreatStructure,
            Self::Score6 | Self::Score8 => ScoringTrigger::TradingHouse,
            Self::Score9 => ScoringTrigger::Temple,
        }
    }

    /// The VP for each such event.
    #[must_use]
    pub const fn vp(self) -> u16 {
        match self.trigger() {
            ScoringTrigger::Spade | ScoringTrigger::Dwelling => 2,
            ScoringTrigger::TradingHouse => 3,
            ScoringTrigger::Temple => 4,
            ScoringTrigger::Town | ScoringTrigger::GreatStructure => 5,
        }
    }

    /// The scoring during the round, in words: `3 VP per trading house`.
    pub fn during(self) -> &'static str {
        let name = self.name();
        name.split_once(", ").map_or(name, |(during, _)| during)
    }

    /// The reward at the end of the round.
    #[must_use]
    pub const fn reward(self) -> ScoringReward {
        match self {
            Self::Score1 => ScoringReward::Goods(Cult::Earth, 1, Goods::coins(1)),
            Self::Score2 => ScoringReward::Spade(Cult::Earth, 4),
            Self::Score3 => ScoringReward::Goods(Cult::Water, 4, Goods::priests(1)),
            Self::Score4 => ScoringReward::Goods(Cult::Fire, 2, Goods::workers(1)),
            Self::Score5 => ScoringReward::Goods(Cult::Fire, 4, Goods::power(4)),
            Self::Score6 => ScoringReward::Spade(Cult::Water, 4),
            Self::Score7 => ScoringReward::Goods(Cult::Air, 2, Goods::workers(1)),
            Self::Score8 => ScoringReward::Spade(Cult::Air, 4),
            Self::Score9 => ScoringReward::PerPriest(Goods::coins(2)),
        }
    }
}
