//! The recommended kingdoms (DOM-3.3).

use serde::{Deserialize, Serialize};

use super::KINGDOM_SIZE;
use super::card::Card;

/// A recommended kingdom.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[repr(u8)]
pub enum KingdomSet {
    /// First Game, the default (DOM-5.2).
    #[default]
    FirstGame,
    /// Big Money.
    BigMoney,
    /// Interaction.
    Interaction,
    /// Size Distortion.
    SizeDistortion,
    /// Village Square.
    VillageSquare,
}

struct KingdomSheet {
    set: KingdomSet,
    id: &'static str,
    name: &'static str,
    cards: [Card; KINGDOM_SIZE],
}

const SHEETS: [KingdomSheet; 5] = [
    KingdomSheet {
        set: KingdomSet::FirstGame,
        id: "first_game",
        name: "First Game",
        cards: [
            Card::Cellar,
            Card::Market,
            Card::Militia,
            Card::Mine,
            Card::Moat,
            Card::Remodel,
            Card::Smithy,
            Card::Village,
            Card::Woodcutter,
            Card::Workshop,
        ],
    },
    KingdomSheet {
        set: KingdomSet::BigMoney,
        id: "big_money",
        name: "Big Money",
        cards: [
            Card::Adventurer,
            Card::Bureaucrat,
            Card::Chancellor,
            Card::Chapel,
            Card::Feast,
            Card::Laboratory,
            Card::Market,
            Card::Mine,
            Card::Moneylender,
            Card::ThroneRoom,
        ],
    },
    KingdomSheet {
        set: KingdomSet::Interaction,
        id: "interaction",
        name: "Interaction",
        cards: [
            Card::Bureaucrat,
            Card::Chancellor,
            Card::CouncilRoom,
            Card::Festival,
            Card::Library,
            Card::Militia,
            Card::Moat,
            Card::Spy,
            Card::Thief,
            Card::Village,
        ],
    },
    KingdomSheet {
        set: KingdomSet::SizeDistortion,
        id: "size_distortion",
        name: "Size Distortion",
        cards: [
            Card::Cellar,
            Card::Chapel,
            Card::Feast,
            Card::Gardens,
            Card::Laboratory,
            Card::Thief,
            Card::Village,
            Card::Witch,
            Card::Woodcutter,
            Card::Workshop,
        ],
    },
    KingdomSheet {
        set: KingdomSet::VillageSquare,
        id: "village_square",
        name: "Village Square",
        cards: [
            Card::Bureaucrat,
            Card::Cellar,
            Card::Festival,
            Card::Library,
            Card::Market,
            Card::Remodel,
            Card::Smithy,
            Card::ThroneRoom,
            Card::Village,
            Card::Woodcutter,
        ],
    },
];

/// The rows are in the order of the enum, the cards in canonical order; checked while compiling.
const _: () = {
    let mut row = 0;
    while row < SHEETS.len() {
        assert!(SHEETS[row].set as usize == row && KingdomSet::ALL[row] as usize == row);
        let mut at = 1;
        while at < KINGDOM_SIZE {
            assert!(SHEETS[row].cards[at - 1].index() < SHEETS[row].cards[at].index());
            at += 1;
        }
        row += 1;
    }
};

impl KingdomSet {
    /// All recommended kingdoms, in the order of the rulebook.
    pub const ALL: [Self; 5] = [
        Self::FirstGame,
        Self::BigMoney,
        Self::Interaction,
        Self::SizeDistortion,
        Self::VillageSquare,
    ];

    /// The id of the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        SHEETS[self as usize].id
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        SHEETS[self as usize].name
    }

    /// Its ten cards, in canonical order.
    #[must_use]
    pub const fn cards(self) -> [Card; KINGDOM_SIZE] {
        SHEETS[self as usize].cards
    }
}
