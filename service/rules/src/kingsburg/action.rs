//! The actions that a player can send (KIN-6i). Numbers are as sent; the rules refuse those that do not exist.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::data::{Building, DiceSet, DieId, Good, Goods};
use crate::table::{MaybeKnown, actions, ids};

actions! {
    /// An action of a player.
    #[derive(Copy)]
    Action {
        /// Takes a good from the Aid from the King (KIN-6.12).
        ChooseAidGood { good: MaybeKnown<Good> } "Take a good from the King",
        /// Declares the purpose of the envoy for this autumn (KIN-6.20).
        DeclareEnvoy { purpose: MaybeKnown<EnvoyUse> } "Declare the King's Envoy",
        /// Rolls one die again (KIN-6.33).
        RerollDie { die: u32 } "Re-roll a die",
        /// Rolls no die again (KIN-6.33).
        KeepRoll "Keep the roll",
        /// Sets a die aside for this season (KIN-6.37).
        SetAsideDie { die: u32 } "Set a die aside",
        /// Places dice on an advisor (KIN-6.41).
        Influence(Influence) "Influence an advisor",
        /// Places no more dice this season (KIN-6.45).
        PassInfluence "Place no more dice",
        /// Chooses the good that an advisor gives (KIN-6.51).
        ChooseHelpGood { good: MaybeKnown<Good> } "Take a good from the advisor",
        /// Gives one good for one of each other kind (KIN-6.51).
        AlchemistExchange { give: MaybeKnown<Good> } "Exchange a good with the Alchemist",
        /// Declines the Alchemist's exchange (KIN-6.51).
        DeclineExchange "Exchange nothing",
        /// Builds a building (KIN-6.61).
        Build { building: MaybeKnown<Building> } "Build a building",
        /// Builds no more this season (KIN-6.61).
        PassBuild "Build nothing more",
        /// Takes a +2 token from the Town Hall (KIN-6.70).
        TownHallTakeToken "Take a +2 token",
        /// Sells one good to the Town Hall for a victory point (KIN-6.70).
        TownHallSellGood { good: MaybeKnown<Good> } "Sell a good to the Town Hall",
        /// Pays goods for one soldier (KIN-6.90).
        RecruitSoldier(Payment) "Recruit a soldier",
        /// Recruits no more soldiers this year (KIN-6.90).
        PassRecruit "Recruit no more soldiers",
        /// Chooses a good as the reward for a victory (KIN-6.104).
        ChooseRewardGood { good: MaybeKnown<Good> } "Take a good for the victory",
        /// Chooses the goods that are lost after a defeat (KIN-6.104).
        PayLostGoods(Payment) "Give up goods",
        /// Chooses the building that is lost after a defeat (KIN-6.105).
        LoseBuilding { building: MaybeKnown<Building> } "Lose a building",
    }
}

ids! {
    /// The purpose of the King's Envoy in autumn (KIN-6.20).
    EnvoyUse {
        /// Once, an occupied advisor may be influenced.
        Advisor "advisor",
        /// Two buildings may be built.
        SecondBuilding "second_building",
        /// `none` in the rule document; the envoy goes back.
        Nothing "nothing",
    }
}

/// Dice placed on an advisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Influence {
    /// The number of the advisor, 1 to 18.
    pub advisor: i32,
    pub dice: NamedDice,
    /// The number of +2 tokens.
    pub plus2: u32,
    /// The offset by the Market: -1, 0 or +1.
    pub market_offset: i32,
    /// Whether the envoy is sent along, to an advisor who is occupied.
    pub use_envoy: bool,
}

/// The dice that a client names: the facts that the rules check in an unordered list of numbers.
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
                    if !dice.named.insert(die) {
                        dice.repeated.insert(die);
                    }
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
            .iter()
            .flat_map(move |die| std::iter::repeat_n(u32::from(die.number()), times(die)))
            .chain(self.unknown)
    }

    /// Returns whether no die is named at all.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.named.is_empty() && self.unknown.is_none()
    }
}

impl From<DiceSet> for NamedDice {
    fn from(named: DiceSet) -> Self {
        Self {
            named,
            repeated: DiceSet::empty(),
            unknown: None,
        }
    }
}

impl fmt::Debug for NamedDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.numbers()).finish()
    }
}

/// Goods that a player offers to pay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    pub gold: u32,
    pub wood: u32,
    pub stone: u32,
}

impl Payment {
    /// The number of all pieces together.
    pub fn total(self) -> u64 {
        u64::from(self.gold) + u64::from(self.wood) + u64::from(self.stone)
    }

    /// Converts the payment to goods that a player can have. Returns `None` if no player can have that many.
    pub fn goods(self) -> Option<Goods> {
        let piece = |amount| u8::try_from(amount).ok();
        Some(Goods::new(
            piece(self.gold)?,
            piece(self.wood)?,
            piece(self.stone)?,
        ))
    }
}

impl From<Goods> for Payment {
    fn from(Goods { gold, wood, stone }: Goods) -> Self {
        Self {
            gold: gold.into(),
            wood: wood.into(),
            stone: stone.into(),
        }
    }
}
