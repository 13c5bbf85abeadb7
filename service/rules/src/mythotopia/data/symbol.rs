//! The five symbols of the cards.

use crate::table::ids;

ids! {
    /// A symbol. Food, stone and gold are resources (MYT-6.3).
    Symbol {
        Army "army",
        Ship "ship",
        Food "food",
        Stone "stone",
        Gold "gold",
    }
}

impl Symbol {
    /// Returns whether Merchant and Water Mill can work on it (MYT-6.3.1).
    #[must_use]
    pub const fn is_resource(self) -> bool {
        matches!(self, Self::Food | Self::Stone | Self::Gold)
    }
}

/// The symbols printed on one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbols([u8; 5]);

impl Symbols {
    /// The symbols of a list.
    #[must_use]
    pub const fn of(list: &[Symbol]) -> Self {
        let mut counts = [0; 5];
        let mut at = 0;
        while at < list.len() {
            counts[list[at].index()] += 1;
            at += 1;
        }
        Self(counts)
    }

    /// The number of symbols of one kind.
    #[must_use]
    pub const fn count(self, symbol: Symbol) -> u8 {
        self.0[symbol.index()]
    }

    /// Returns whether there is any resource.
    #[must_use]
    pub const fn has_resource(self) -> bool {
        self.count(Symbol::Food) + self.count(Symbol::Stone) + self.count(Symbol::Gold) > 0
    }
}
