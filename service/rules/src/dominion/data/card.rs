//! The 32 kinds of cards (DOM-3.1, DOM-3.2).

use serde::{Deserialize, Serialize};

use super::sheets::{CardSheet, SHEETS, WITH_TYPE};
use crate::table::DrawValue;

/// A kind of card, in canonical order (DOM-3.1): basic cards first, then the kingdom by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Card {
    /// Copper.
    Copper,
    /// Silver.
    Silver,
    /// Gold.
    Gold,
    /// Estate.
    Estate,
    /// Duchy.
    Duchy,
    /// Province.
    Province,
    /// Curse.
    Curse,
    /// Adventurer.
    Adventurer,
    /// Bureaucrat.
    Bureaucrat,
    /// Cellar.
    Cellar,
    /// Chancellor.
    Chancellor,
    /// Chapel.
    Chapel,
    /// Council Room.
    CouncilRoom,
    /// Feast.
    Feast,
    /// Festival.
    Festival,
    /// Gardens.
    Gardens,
    /// Laboratory.
    Laboratory,
    /// Library.
    Library,
    /// Market.
    Market,
    /// Militia.
    Militia,
    /// Mine.
    Mine,
    /// Moat.
    Moat,
    /// Moneylender.
    Moneylender,
    /// Remodel.
    Remodel,
    /// Smithy.
    Smithy,
    /// Spy.
    Spy,
    /// Thief.
    Thief,
    /// Throne Room.
    ThroneRoom,
    /// Village.
    Village,
    /// Witch.
    Witch,
    /// Woodcutter.
    Woodcutter,
    /// Workshop.
    Workshop,
}

/// What is printed at the foot of a card (DOM-3.1, DOM-3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CardType {
    /// Played for coins in the Buy phase.
    Treasure,
    /// Worth points at the end.
    Victory,
    /// Costs points at the end.
    Curse,
    /// Played in the Action phase.
    Action,
    /// Opponents may react to it.
    Attack,
    /// May be shown when an opponent plays an Attack.
    Reaction,
}

impl CardType {
    /// All types, in the order of this enum.
    pub const ALL: [Self; 6] = [
        Self::Treasure,
        Self::Victory,
        Self::Curse,
        Self::Action,
        Self::Attack,
        Self::Reaction,
    ];

    /// The id of the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Treasure => "treasure",
            Self::Victory => "victory",
            Self::Curse => "curse",
            Self::Action => "action",
            Self::Attack => "attack",
            Self::Reaction => "reaction",
        }
    }

    /// The set of cards of this type, one bit for each card.
    pub(in crate::dominion) const fn cards(self) -> u32 {
        WITH_TYPE[self as usize]
    }
}

/// Whether a card lies in every Supply or only in some kingdoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// In every Supply (DOM-3.1).
    Basic,
    /// One of the 25 kinds of which a kingdom has ten (DOM-3.2).
    Kingdom,
}

impl Card {
    /// All cards in canonical order.
    pub const ALL: [Self; 32] = [
        Self::Copper,
        Self::Silver,
        Self::Gold,
        Self::Estate,
        Self::Duchy,
        Self::Province,
        Self::Curse,
        Self::Adventurer,
        Self::Bureaucrat,
        Self::Cellar,
        Self::Chancellor,
        Self::Chapel,
        Self::CouncilRoom,
        Self::Feast,
        Self::Festival,
        Self::Gardens,
        Self::Laboratory,
        Self::Library,
        Self::Market,
        Self::Militia,
        Self::Mine,
        Self::Moat,
        Self::Moneylender,
        Self::Remodel,
        Self::Smithy,
        Self::Spy,
        Self::Thief,
        Self::ThroneRoom,
        Self::Village,
        Self::Witch,
        Self::Woodcutter,
        Self::Workshop,
    ];

    /// Everything printed on the card.
    #[must_use]
    pub const fn sheet(self) -> &'static CardSheet {
        &SHEETS[self as usize]
    }

    /// The id of the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.sheet().id
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.sheet().name
    }

    /// The printed cost in coins. It never changes (DOM-10.26).
    #[must_use]
    pub const fn cost(self) -> u8 {
        self.sheet().cost
    }

    /// Is this type printed on the card?
    #[must_use]
    pub const fn is(self, card_type: CardType) -> bool {
        self.bit() & card_type.cards() != 0
    }

    /// The place in canonical order, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The bit of this card in a set of cards.
    pub(in crate::dominion) const fn bit(self) -> u32 {
        1 << self as u8
    }
}

impl DrawValue for Card {
    fn draw_value(self) -> u16 {
        u16::from(self as u8)
    }
}

impl std::fmt::Display for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
