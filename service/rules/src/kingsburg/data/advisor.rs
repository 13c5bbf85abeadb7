//! The King's court: eighteen advisors and their help (KIN-3.3).

use super::goods::{Good, Goods};
use crate::table::{Count, ids};

ids! {
    /// A member of the court, from the Jester (1) to the King (18).
    Advisor {
        Jester "jester" "Jester",
        Squire "squire" "Squire",
        Architect "architect" "Architect",
        Merchant "merchant" "Merchant",
        Sergeant "sergeant" "Sergeant",
        Alchemist "alchemist" "Alchemist",
        Astronomer "astronomer" "Astronomer",
        Treasurer "treasurer" "Treasurer",
        MasterHunter "master_hunter" "Master Hunter",
        General "general" "General",
        Swordsmith "swordsmith" "Swordsmith",
        Duchess "duchess" "Duchess",
        Champion "champion" "Champion",
        Smuggler "smuggler" "Smuggler",
        Inventor "inventor" "Inventor",
        Wizard "wizard" "Wizard",
        Queen "queen" "Queen",
        King "king" "King",
    }
}

/// The help of an advisor, which must be taken in full (KIN-ADJ-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Help {
    pub goods: Goods,
    pub vp: u8,
    pub soldiers: u8,
    pub plus2: u8,
    /// Whether the owner of the group sees this year's enemy card.
    pub peek: bool,
    /// The decision of the owner of the group, if the advisor asks for one.
    pub choice: Option<Choice>,
}

/// A decision of the owner of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Several pieces of one of these kinds.
    #[allow(missing_docs, reason = "the names say it")]
    OneOf { amount: u8, goods: &'static [Good] },
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

impl Advisor {
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

    /// The help of the advisor.
    #[must_use]
    #[rustfmt::skip]
    pub const fn help(self) -> Help {
        match self {
            Self::Jester => Help { vp: 1, ..NOTHING },
            Self::Squire => goods(1, 0, 0),
            Self::Architect => goods(0, 1, 0),
            Self::Merchant => Help { choice: one_of(1, GOLD_OR_WOOD), ..NOTHING },
            Self::Sergeant => Help { soldiers: 1, ..NOTHING },
            Self::Alchemist => Help { choice: Some(Choice::Exchange), ..NOTHING },
            Self::Astronomer => Help { plus2: 1, choice: one_of(1, &Good::ALL), ..NOTHING },
            Self::Treasurer => goods(2, 0, 0),
            Self::MasterHunter => Help { choice: one_of(1, GOLD_OR_STONE), ..goods(0, 1, 0) },
            Self::General => Help { soldiers: 2, peek: true, ..NOTHING },
            Self::Swordsmith => Help { choice: one_of(1, GOLD_OR_WOOD), ..goods(0, 0, 1) },
            Self::Duchess => Help { plus2: 1, choice: one_of(2, &Good::ALL), ..NOTHING },
            Self::Champion => goods(0, 0, 3),
            Self::Smuggler => Help { vp: 1, choice: one_of(3, &Good::ALL), ..NOTHING },
            Self::Inventor => goods(1, 1, 1),
            Self::Wizard => goods(4, 0, 0),
            Self::Queen => Help { vp: 3, peek: true, choice: one_of(2, &Good::ALL), ..NOTHING },
            Self::King => Help { soldiers: 1, ..goods(1, 1, 1) },
        }
    }

    /// The help of the advisor, in plain English.
    #[must_use]
    pub fn text(self) -> String {
        let help = self.help();
        let goods = Good::ALL.map(|good| (help.goods.amount(good), good));
        let goods = goods.into_iter().filter(|(amount, _)| *amount > 0);
        let mut given: Vec<String> = goods
            .map(|(amount, good)| format!("{amount} {good}"))
            .collect();
        let counted = [
            (help.vp, "victory point"),
            (help.soldiers, "soldier"),
            (help.plus2, "+2 token"),
        ];
        let counted = counted.into_iter().filter(|(amount, _)| *amount > 0);
        given.extend(counted.map(|(amount, what)| Count(amount, what).to_string()));
        if let Some(Choice::OneOf { amount, goods }) = help.choice {
            let names: Vec<&str> = goods.iter().map(|good| good.name()).collect();
            let names = names.join(" or ");
            given.push(match amount {
                1 => format!("1 {names}"),
                _ => format!("{amount} goods of one kind: {names}"),
            });
        }
        let sentences = [
            (!given.is_empty()).then(|| format!("Gives {}.", given.join(", "))),
            (help.choice == Some(Choice::Exchange))
                .then(|| String::from("Exchanges 1 good for 1 of each other kind, if wanted.")),
            help.peek
                .then(|| String::from("Shows the enemy of the year.")),
        ];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        sentences.join(" ")
    }
}
