//! The King's court: eighteen advisors and their help (KIN-3.3).

use serde::{Deserialize, Serialize};

use super::goods::{Good, Goods};

/// A member of the court, from the Jester (1) to the King (18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Advisor {
    /// 1.
    Jester,
    /// 2.
    Squire,
    /// 3.
    Architect,
    /// 4.
    Merchant,
    /// 5.
    Sergeant,
    /// 6.
    Alchemist,
    /// 7.
    Astronomer,
    /// 8.
    Treasurer,
    /// 9.
    MasterHunter,
    /// 10.
    General,
    /// 11.
    Swordsmith,
    /// 12.
    Duchess,
    /// 13.
    Champion,
    /// 14.
    Smuggler,
    /// 15.
    Inventor,
    /// 16.
    Wizard,
    /// 17.
    Queen,
    /// 18.
    King,
}

/// What an advisor gives, in full and without refusal (KIN-ADJ-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help {
    /// Goods without a choice.
    pub goods: Goods,
    /// Victory points.
    pub vp: u8,
    /// Soldiers.
    pub soldiers: u8,
    /// +2 tokens.
    pub plus2: u8,
    /// The owner sees this year's enemy card.
    pub peek: bool,
    /// What the owner decides.
    pub choice: Option<Choice>,
}

/// What the owner of a group decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Several pieces of one of these kinds.
    OneOf {
        /// How many pieces.
        amount: u8,
        /// The kinds offered.
        goods: &'static [Good],
    },
    /// One good against one of each other kind, or nothing.
    Exchange,
}

const NOTHING: Help = Help {
    goods: Goods::NONE,
    vp: 0,
    soldiers: 0,
    plus2: 0,
    peek: false,
    choice: None,
};

const fn goods(gold: u8, wood: u8, stone: u8) -> Help {
    Help {
        goods: Goods::new(gold, wood, stone),
        ..NOTHING
    }
}

const fn one_of(amount: u8, goods: &'static [Good]) -> Option<Choice> {
    Some(Choice::OneOf { amount, goods })
}

const GOLD_OR_WOOD: &[Good] = &[Good::Gold, Good::Wood];
const GOLD_OR_STONE: &[Good] = &[Good::Gold, Good::Stone];

struct Row(Advisor, &'static str, &'static str, Help);

#[rustfmt::skip]
const ADVISORS: [Row; Advisor::COUNT] = [
    Row(Advisor::Jester, "jester", "Jester", Help { vp: 1, ..NOTHING }),
    Row(Advisor::Squire, "squire", "Squire", goods(1, 0, 0)),
    Row(Advisor::Architect, "architect", "Architect", goods(0, 1, 0)),
    Row(Advisor::Merchant, "merchant", "Merchant", Help { choice: one_of(1, GOLD_OR_WOOD), ..NOTHING }),
    Row(Advisor::Sergeant, "sergeant", "Sergeant", Help { soldiers: 1, ..NOTHING }),
    Row(Advisor::Alchemist, "alchemist", "Alchemist", Help { choice: Some(Choice::Exchange), ..NOTHING }),
    Row(Advisor::Astronomer, "astronomer", "Astronomer", Help { plus2: 1, choice: one_of(1, &Good::ALL), ..NOTHING }),
    Row(Advisor::Treasurer, "treasurer", "Treasurer", goods(2, 0, 0)),
    Row(Advisor::MasterHunter, "master_hunter", "Master Hunter", Help { choice: one_of(1, GOLD_OR_STONE), ..goods(0, 1, 0) }),
    Row(Advisor::General, "general", "General", Help { soldiers: 2, peek: true, ..NOTHING }),
    Row(Advisor::Swordsmith, "swordsmith", "Swordsmith", Help { choice: one_of(1, GOLD_OR_WOOD), ..goods(0, 0, 1) }),
    Row(Advisor::Duchess, "duchess", "Duchess", Help { plus2: 1, choice: one_of(2, &Good::ALL), ..NOTHING }),
    Row(Advisor::Champion, "champion", "Champion", goods(0, 0, 3)),
    Row(Advisor::Smuggler, "smuggler", "Smuggler", Help { vp: 1, choice: one_of(3, &Good::ALL), ..NOTHING }),
    Row(Advisor::Inventor, "inventor", "Inventor", goods(1, 1, 1)),
    Row(Advisor::Wizard, "wizard", "Wizard", goods(4, 0, 0)),
    Row(Advisor::Queen, "queen", "Queen", Help { vp: 3, peek: true, choice: one_of(2, &Good::ALL), ..NOTHING }),
    Row(Advisor::King, "king", "King", Help { soldiers: 1, ..goods(1, 1, 1) }),
];

const _: () = {
    let mut at = 0;
    while at < Advisor::COUNT {
        assert!(
            ADVISORS[at].0 as usize == at,
            "rows in the order of the enum"
        );
        assert!(
            Advisor::ALL[at] as usize == at,
            "all in the order of the enum"
        );
        at += 1;
    }
};

impl Advisor {
    /// The number of advisors.
    pub const COUNT: usize = 18;

    /// All advisors, 1 to 18.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Jester,
        Self::Squire,
        Self::Architect,
        Self::Merchant,
        Self::Sergeant,
        Self::Alchemist,
        Self::Astronomer,
        Self::Treasurer,
        Self::MasterHunter,
        Self::General,
        Self::Swordsmith,
        Self::Duchess,
        Self::Champion,
        Self::Smuggler,
        Self::Inventor,
        Self::Wizard,
        Self::Queen,
        Self::King,
    ];

    /// The advisor with this number, if there is one.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// The number on the board, 1 to 18.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The advisor after this one.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        ADVISORS[self as usize].1
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ADVISORS[self as usize].2
    }

    /// What the advisor gives.
    #[must_use]
    pub const fn help(self) -> &'static Help {
        &ADVISORS[self as usize].3
    }
}
