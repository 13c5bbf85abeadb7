//! Structures (TM-3.4).

use crate::table::ids;

ids! {
    /// A kind of structure (TM-3.4), in the order of the board.
    Structure {
        Dwelling "dwelling",
        TradingHouse "trading_house" "trading house",
        Temple "temple",
        Stronghold "stronghold",
        Sanctuary "sanctuary",
    }
}

impl Structure {
    /// The number that each player has (TM-3.4).
    #[must_use]
    pub const fn stock(self) -> u8 {
        match self {
            Self::Dwelling => 8,
            Self::TradingHouse => 4,
            Self::Temple => 3,
            Self::Stronghold | Self::Sanctuary => 1,
        }
    }

    /// Two letters for the map.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Dwelling => "DW",
            Self::TradingHouse => "TH",
            Self::Temple => "TE",
            Self::Stronghold => "ST",
            Self::Sanctuary => "SA",
        }
    }

    /// The power value of the structure (TM-3.4).
    #[must_use]
    pub const fn power(self) -> u8 {
        match self {
            Self::Dwelling => 1,
            Self::TradingHouse | Self::Temple => 2,
            Self::Stronghold | Self::Sanctuary => 3,
        }
    }

    /// Returns whether the structure may be upgraded to that one (TM-6.30).
    #[must_use]
    pub const fn upgrades_to(self, to: Self) -> bool {
        matches!(
            (self, to),
            (Self::Dwelling, Self::TradingHouse)
                | (Self::TradingHouse, Self::Temple | Self::Stronghold)
                | (Self::Temple, Self::Sanctuary)
        )
    }
}
