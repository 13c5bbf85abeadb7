//! Goods and colors.

use serde::{Deserialize, Serialize};

use crate::table::{JoinAnd, ids};

ids! {
    /// A kind of goods, in the order of the goods supply.
    Good {
        Gold "gold",
        Wood "wood",
        Stone "stone",
    }
}

/// An amount of each kind of goods.
///
/// The supply is unlimited (KIN-3.9), but a byte is enough: three groups bring at most twelve goods
/// a season, and a game has fifteen seasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Goods {
    pub gold: u8,
    pub wood: u8,
    pub stone: u8,
}

impl Goods {
    /// No goods.
    pub const NONE: Self = Self::new(0, 0, 0);

    /// This much gold, wood and stone.
    #[must_use]
    pub const fn new(gold: u8, wood: u8, stone: u8) -> Self {
        Self { gold, wood, stone }
    }

    /// Goods of one kind.
    #[must_use]
    pub const fn of(good: Good, amount: u8) -> Self {
        match good {
            Good::Gold => Self::new(amount, 0, 0),
            Good::Wood => Self::new(0, amount, 0),
            Good::Stone => Self::new(0, 0, amount),
        }
    }

    /// The amount of one kind.
    #[must_use]
    pub const fn amount(self, good: Good) -> u8 {
        match good {
            Good::Gold => self.gold,
            Good::Wood => self.wood,
            Good::Stone => self.stone,
        }
    }

    /// The number of all pieces together.
    #[must_use]
    pub const fn total(self) -> u16 {
        self.gold as u16 + self.wood as u16 + self.stone as u16
    }

    /// Returns whether there are no goods.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.total() == 0
    }

    /// Returns whether there is at least as much of every kind as in `other`.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        self.gold >= other.gold && self.wood >= other.wood && self.stone >= other.stone
    }

    /// Adds the amounts of each kind.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(
            self.gold + other.gold,
            self.wood + other.wood,
            self.stone + other.stone,
        )
    }

    /// The difference; no kind falls below 0.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self::new(
            self.gold.saturating_sub(other.gold),
            self.wood.saturating_sub(other.wood),
            self.stone.saturating_sub(other.stone),
        )
    }

    /// The smaller amount of each kind.
    #[must_use]
    pub fn at_most(self, other: Self) -> Self {
        Self::new(
            self.gold.min(other.gold),
            self.wood.min(other.wood),
            self.stone.min(other.stone),
        )
    }
}

impl std::fmt::Display for Goods {
    /// `2 gold, 1 wood and 1 stone`; `nothing`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_none() {
            return f.write_str("nothing");
        }
        let amounts = Good::ALL.into_iter().filter_map(|good| {
            let amount = self.amount(good);
            (amount > 0).then(|| format!("{amount} {good}"))
        });
        write!(f, "{}", JoinAnd(amounts))
    }
}

ids! {
    /// The color of a player's dice and markers, in the order in which free ones are assigned (KIN-5.1).
    Color {
        Yellow "yellow",
        Green "green",
        Blue "blue",
        Red "red",
        Black "black",
    }
}
