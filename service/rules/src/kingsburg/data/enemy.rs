//! The enemy: five cards for each of five years (KIN-3.5).

use super::calendar::YEARS;
use super::goods::Goods;
use crate::table::ids;

ids! {
    /// A kind of enemy.
    EnemyKind {
        Barbarians "barbarians" "Barbarians",
        Goblins "goblins" "Goblins",
        Orcs "orcs" "Orcs",
        Zombies "zombies" "Zombies",
        Demons "demons" "Demons",
        Dragons "dragons" "Dragons",
    }
}

ids! {
    /// An enemy card, named by year, kind and strength. Its English name is that of its kind.
    Enemy {
        Y1Barbarians2 "y1_barbarians_2" "Barbarians",
        Y1Goblins2 "y1_goblins_2" "Goblins",
        Y1Goblins3 "y1_goblins_3" "Goblins",
        Y1Orcs3 "y1_orcs_3" "Orcs",
        Y1Zombies4 "y1_zombies_4" "Zombies",
        Y2Goblins3 "y2_goblins_3" "Goblins",
        Y2Goblins4 "y2_goblins_4" "Goblins",
        Y2Orcs4 "y2_orcs_4" "Orcs",
        Y2Barbarians5 "y2_barbarians_5" "Barbarians",
        Y2Zombies5 "y2_zombies_5" "Zombies",
        Y3Goblins4 "y3_goblins_4" "Goblins",
        Y3Goblins5 "y3_goblins_5" "Goblins",
        Y3Orcs5 "y3_orcs_5" "Orcs",
        Y3Zombies6 "y3_zombies_6" "Zombies",
        Y3Demons6 "y3_demons_6" "Demons",
        Y4Goblins5 "y4_goblins_5" "Goblins",
        Y4Goblins6 "y4_goblins_6" "Goblins",
        Y4Demons6 "y4_demons_6" "Demons",
        Y4Orcs7 "y4_orcs_7" "Orcs",
        Y4Zombies7 "y4_zombies_7" "Zombies",
        Y5Barbarians7 "y5_barbarians_7" "Barbarians",
        Y5Barbarians8 "y5_barbarians_8" "Barbarians",
        Y5Demons8 "y5_demons_8" "Demons",
        Y5Demons9 "y5_demons_9" "Demons",
        Y5Dragons9 "y5_dragons_9" "Dragons",
    }
}

/// The losses of a defeated player, in the order of the fields (KIN-6.104).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Loss {
    /// Goods of named kinds: gold, then stone, then wood.
    pub goods: Goods,
    /// Goods that the player chooses.
    pub any_goods: u8,
    /// Buildings: none or one.
    pub buildings: u8,
    pub vp: u8,
}

/// The gains of a victorious player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Reward {
    /// Goods of named kinds.
    pub goods: Goods,
    /// Goods that the player chooses: none or one.
    pub any_goods: u8,
    pub vp: u8,
}

/// The printed figures of an enemy card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct EnemyCard {
    /// The year, 1 to 5.
    pub year: u8,
    pub kind: EnemyKind,
    pub strength: u8,
    pub loss: Loss,
    pub reward: Reward,
}

/// The printed figures on the back of a year's cards (KIN-3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct EnemyYear {
    /// The year, 1 to 5.
    pub year: u8,
    /// The year in Roman numerals.
    pub roman: &'static str,
    /// The least strength of its cards.
    pub min_strength: u8,
    /// The greatest strength of its cards.
    pub max_strength: u8,
}

/// Goods in the order gold, wood, stone; then goods of any kind, buildings and points lost.
const fn loss((gold, wood, stone): (u8, u8, u8), any_goods: u8, buildings: u8, vp: u8) -> Loss {
    Loss {
        goods: Goods::new(gold, wood, stone),
        any_goods,
        buildings,
        vp,
    }
}

/// Goods in the order gold, wood, stone; then goods of any kind and points gained.
const fn gain((gold, wood, stone): (u8, u8, u8), any_goods: u8, vp: u8) -> Reward {
    Reward {
        goods: Goods::new(gold, wood, stone),
        any_goods,
        vp,
    }
}

/// Year, kind and strength, as the card's id names them.
const fn card(year: u8, kind: EnemyKind, strength: u8, loss: Loss, reward: Reward) -> EnemyCard {
    EnemyCard {
        year,
        kind,
        strength,
        loss,
        reward,
    }
}

#[rustfmt::skip]
const BACKS: [EnemyYear; YEARS as usize] = [
    EnemyYear { year: 1, roman: "I", min_strength: 2, max_strength: 4 },
    EnemyYear { year: 2, roman: "II", min_strength: 3, max_strength: 5 },
    EnemyYear { year: 3, roman: "III", min_strength: 4, max_strength: 6 },
    EnemyYear { year: 4, roman: "IV", min_strength: 5, max_strength: 7 },
    EnemyYear { year: 5, roman: "V", min_strength: 7, max_strength: 9 },
];

const _: () = assert!(
    Enemy::COUNT == Enemy::PER_YEAR * YEARS as usize,
    "five cards a year"
);

impl Enemy {
    /// The number of cards of each year.
    pub const PER_YEAR: usize = 5;

    /// The cards of a year, 1 to 5.
    #[must_use]
    pub fn of_year(year: u8) -> &'static [Self] {
        let cards = usize::from(year)
            .checked_sub(1)
            .and_then(|before| Self::ALL.chunks(Self::PER_YEAR).nth(before));
        cards.unwrap_or_default()
    }

    /// The card with this number, if there is one.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// The number in the record of draws, 1 to 25.
    #[must_use]
    pub const fn number(self) -> u16 {
        self as u16 + 1
    }

    /// Returns the printed figures of the card.
    #[must_use]
    #[rustfmt::skip]
    pub const fn card(self) -> EnemyCard {
        use EnemyKind::{Barbarians, Demons, Dragons, Goblins, Orcs, Zombies};
        match self {
            Self::Y1Barbarians2 => card(1, Barbarians, 2, loss((0, 0, 0), 1, 1, 0), gain((1, 0, 0), 0, 0)),
            Self::Y1Goblins2 => card(1, Goblins, 2, loss((0, 1, 1), 0, 1, 1), gain((0, 1, 0), 0, 0)),
            Self::Y1Goblins3 => card(1, Goblins, 3, loss((1, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
            Self::Y1Orcs3 => card(1, Orcs, 3, loss((0, 0, 0), 2, 0, 1), gain((1, 0, 0), 0, 0)),
            Self::Y1Zombies4 => card(1, Zombies, 4, loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
            Self::Y2Goblins3 => card(2, Goblins, 3, loss((0, 2, 2), 0, 1, 1), gain((0, 1, 0), 0, 0)),
            Self::Y2Goblins4 => card(2, Goblins, 4, loss((2, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
            Self::Y2Orcs4 => card(2, Orcs, 4, loss((0, 0, 0), 2, 1, 0), gain((1, 0, 0), 0, 0)),
            Self::Y2Barbarians5 => card(2, Barbarians, 5, loss((0, 0, 0), 2, 0, 1), gain((1, 0, 0), 0, 0)),
            Self::Y2Zombies5 => card(2, Zombies, 5, loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
            Self::Y3Goblins4 => card(3, Goblins, 4, loss((0, 3, 3), 0, 1, 1), gain((0, 1, 0), 0, 0)),
            Self::Y3Goblins5 => card(3, Goblins, 5, loss((3, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
            Self::Y3Orcs5 => card(3, Orcs, 5, loss((0, 0, 0), 2, 1, 0), gain((1, 0, 0), 0, 0)),
            Self::Y3Zombies6 => card(3, Zombies, 6, loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
            Self::Y3Demons6 => card(3, Demons, 6, loss((2, 1, 1), 0, 0, 1), gain((0, 0, 0), 0, 1)),
            Self::Y4Goblins5 => card(4, Goblins, 5, loss((0, 4, 4), 0, 1, 1), gain((0, 1, 0), 0, 0)),
            Self::Y4Goblins6 => card(4, Goblins, 6, loss((4, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
            Self::Y4Demons6 => card(4, Demons, 6, loss((0, 0, 0), 4, 0, 1), gain((1, 0, 0), 0, 1)),
            Self::Y4Orcs7 => card(4, Orcs, 7, loss((0, 0, 0), 2, 1, 0), gain((0, 0, 0), 1, 0)),
            Self::Y4Zombies7 => card(4, Zombies, 7, loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
            Self::Y5Barbarians7 => card(5, Barbarians, 7, loss((0, 0, 0), 0, 0, 8), gain((0, 0, 0), 0, 1)),
            Self::Y5Barbarians8 => card(5, Barbarians, 8, loss((0, 0, 0), 0, 1, 0), gain((0, 0, 0), 0, 1)),
            Self::Y5Demons8 => card(5, Demons, 8, loss((0, 0, 0), 0, 1, 2), gain((0, 0, 0), 0, 2)),
            Self::Y5Demons9 => card(5, Demons, 9, loss((0, 0, 0), 0, 1, 0), gain((0, 0, 0), 0, 2)),
            Self::Y5Dragons9 => card(5, Dragons, 9, loss((0, 0, 0), 0, 0, 5), gain((0, 0, 0), 0, 3)),
        }
    }

    /// Returns the printed figures on the backs of the cards, for each year.
    #[must_use]
    pub const fn backs() -> &'static [EnemyYear; YEARS as usize] {
        &BACKS
    }
}
