//! Everything a player can send (KIN-6.9).
//!
//! Names that a client may misspell are `Option`s: a missing one is an id that does not exist.
//! Numbers are as sent. The rules refuse both in the order of the rule document.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::data::{Building, DiceSet, DieId, Good};

/// One action of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// `choose_aid_good`: takes a good from the Aid from the King (KIN-6.12).
    ChooseAidGood {
        /// The kind of goods.
        good: Option<Good>,
    },
    /// `declare_envoy`: says what the envoy is for this autumn (KIN-6.20).
    DeclareEnvoy {
        /// The purpose.
        purpose: Option<EnvoyUse>,
    },
    /// `reroll_die`: rolls one die again (KIN-6.33).
    RerollDie {
        /// The number of the die, 0 to 4.
        die: u32,
    },
    /// `keep_roll`: rolls no die again (KIN-6.33).
    KeepRoll,
    /// `set_aside_die`: does without a die this season (KIN-6.37).
    SetAsideDie {
        /// The number of the die, 0 to 4.
        die: u32,
    },
    /// `influence`: places dice on an advisor (KIN-6.41).
    Influence(Influence),
    /// `pass_influence`: places no more dice this season (KIN-6.45).
    PassInfluence,
    /// `choose_help_good`: takes what an advisor lets him choose (KIN-6.51).
    ChooseHelpGood {
        /// The kind of goods.
        good: Option<Good>,
    },
    /// `alchemist_exchange`: gives one good for one of each other kind (KIN-6.51).
    AlchemistExchange {
        /// The kind given.
        give: Option<Good>,
    },
    /// `decline_exchange`: leaves the Alchemist alone (KIN-6.51).
    DeclineExchange,
    /// `build`: builds a building (KIN-6.61).
    Build {
        /// The building.
        building: Option<Building>,
    },
    /// `pass_build`: builds no more this season (KIN-6.61).
    PassBuild,
    /// `town_hall_take_token`: takes a +2 token from the Town Hall (KIN-6.70).
    TownHallTakeToken,
    /// `town_hall_sell_good`: sells one good to the Town Hall for a victory point (KIN-6.70).
    TownHallSellGood {
        /// The kind of goods.
        good: Option<Good>,
    },
    /// `recruit_soldier`: pays goods for one soldier (KIN-6.90).
    RecruitSoldier(Payment),
    /// `pass_recruit`: recruits no more soldiers this year (KIN-6.90).
    PassRecruit,
    /// `choose_reward_good`: takes the good of his choice after a victory (KIN-6.104).
    ChooseRewardGood {
        /// The kind of goods.
        good: Option<Good>,
    },
    /// `pay_lost_goods`: chooses the goods that he loses after a defeat (KIN-6.104).
    PayLostGoods(Payment),
    /// `lose_building`: chooses the building that he loses after a defeat (KIN-6.105).
    LoseBuilding {
        /// The building.
        building: Option<Building>,
    },
}

/// What the King's Envoy is used for in autumn (KIN-6.20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EnvoyUse {
    /// Once, an occupied advisor may be influenced.
    Advisor,
    /// Two buildings may be built.
    SecondBuilding,
    /// Nothing; the envoy goes back.
    Nothing,
}

impl EnvoyUse {
    /// All purposes.
    pub const ALL: [Self; 3] = [Self::Advisor, Self::SecondBuilding, Self::Nothing];

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Advisor => "advisor",
            Self::SecondBuilding => "second_building",
            Self::Nothing => "none",
        }
    }
}

/// Dice placed on an advisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Influence {
    /// The number of the advisor, 1 to 18.
    pub advisor: i32,
    /// The dice.
    pub dice: NamedDice,
    /// The number of +2 tokens.
    pub plus2: u32,
    /// What the Market adds: -1, 0 or +1.
    pub market_offset: i32,
    /// Is the envoy sent along, to an advisor who is occupied?
    pub use_envoy: bool,
}

/// The dice that a client names: all that the rules ask of a list of numbers in any order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedDice {
    /// Dice named at least once.
    pub named: DiceSet,
    /// Dice named more than once.
    pub repeated: DiceSet,
    /// The lowest number that no player's die can have.
    pub unknown: Option<u32>,
}

impl NamedDice {
    /// The dice with these numbers.
    pub fn from_numbers(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut dice = Self::default();
        for number in numbers {
            match DieId::from_number(number) {
                Some(die) => {
                    let only = DiceSet::only(die);
                    dice.repeated = dice.repeated.with(dice.named.common(only));
                    dice.named = dice.named.with(only);
                }
                None => {
                    dice.unknown = Some(dice.unknown.map_or(number, |lowest| lowest.min(number)));
                }
            }
        }
        dice
    }

    /// The numbers, in ascending order; repeated ones twice.
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        let times = move |die: DieId| 1 + usize::from(self.repeated.contains(die));
        self.named
            .dice()
            .flat_map(move |die| std::iter::repeat_n(u32::from(die.number()), times(die)))
            .chain(self.unknown)
    }

    /// Is no die named at all?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.named.is_empty() && self.unknown.is_none()
    }
}

impl From<DiceSet> for NamedDice {
    fn from(named: DiceSet) -> Self {
        Self {
            named,
            repeated: DiceSet::EMPTY,
            unknown: None,
        }
    }
}

impl fmt::Debug for NamedDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.numbers()).finish()
    }
}

/// Goods that a player says he pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// Pieces of gold.
    pub gold: u32,
    /// Pieces of wood.
    pub wood: u32,
    /// Pieces of stone.
    pub stone: u32,
}

impl Payment {
    /// All pieces together.
    #[must_use]
    pub fn total(self) -> u64 {
        u64::from(self.gold) + u64::from(self.wood) + u64::from(self.stone)
    }
}

impl fmt::Display for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gold, wood, stone } = self;
        write!(f, "{gold} gold, {wood} wood and {stone} stone")
    }
}

/// The name of the action's kind, as the rule document spells it.
pub(super) const fn kind(action: &Action) -> &'static str {
    match action {
        Action::ChooseAidGood { .. } => "choose_aid_good",
        Action::DeclareEnvoy { .. } => "declare_envoy",
        Action::RerollDie { .. } => "reroll_die",
        Action::KeepRoll => "keep_roll",
        Action::SetAsideDie { .. } => "set_aside_die",
        Action::Influence(_) => "influence",
        Action::PassInfluence => "pass_influence",
        Action::ChooseHelpGood { .. } => "choose_help_good",
        Action::AlchemistExchange { .. } => "alchemist_exchange",
        Action::DeclineExchange => "decline_exchange",
        Action::Build { .. } => "build",
        Action::PassBuild => "pass_build",
        Action::TownHallTakeToken => "town_hall_take_token",
        Action::TownHallSellGood { .. } => "town_hall_sell_good",
        Action::RecruitSoldier(_) => "recruit_soldier",
        Action::PassRecruit => "pass_recruit",
        Action::ChooseRewardGood { .. } => "choose_reward_good",
        Action::PayLostGoods(_) => "pay_lost_goods",
        Action::LoseBuilding { .. } => "lose_building",
    }
}
