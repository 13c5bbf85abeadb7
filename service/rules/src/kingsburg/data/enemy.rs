//! The enemy: five cards for each of five years (KIN-3.5).

use serde::{Deserialize, Serialize};

use super::calendar::YEARS;
use super::goods::Goods;
use crate::table::DrawValue;

/// A kind of enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EnemyKind {
    /// Barbarians.
    Barbarians,
    /// Goblins; the Barricade helps against them.
    Goblins,
    /// Orcs.
    Orcs,
    /// Zombies; the Palisade helps against them.
    Zombies,
    /// Demons; the Church helps against them.
    Demons,
    /// Dragons.
    Dragons,
}

impl EnemyKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Barbarians,
        Self::Goblins,
        Self::Orcs,
        Self::Zombies,
        Self::Demons,
        Self::Dragons,
    ];

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Barbarians => "barbarians",
            Self::Goblins => "goblins",
            Self::Orcs => "orcs",
            Self::Zombies => "zombies",
            Self::Demons => "demons",
            Self::Dragons => "dragons",
        }
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Barbarians => "Barbarians",
            Self::Goblins => "Goblins",
            Self::Orcs => "Orcs",
            Self::Zombies => "Zombies",
            Self::Demons => "Demons",
            Self::Dragons => "Dragons",
        }
    }
}

/// An enemy card, named by year, kind and strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Enemy {
    /// Year 1, Barbarians of strength 2.
    Y1Barbarians2,
    /// Year 1, Goblins of strength 2.
    Y1Goblins2,
    /// Year 1, Goblins of strength 3.
    Y1Goblins3,
    /// Year 1, Orcs of strength 3.
    Y1Orcs3,
    /// Year 1, Zombies of strength 4.
    Y1Zombies4,
    /// Year 2, Goblins of strength 3.
    Y2Goblins3,
    /// Year 2, Goblins of strength 4.
    Y2Goblins4,
    /// Year 2, Orcs of strength 4.
    Y2Orcs4,
    /// Year 2, Barbarians of strength 5.
    Y2Barbarians5,
    /// Year 2, Zombies of strength 5.
    Y2Zombies5,
    /// Year 3, Goblins of strength 4.
    Y3Goblins4,
    /// Year 3, Goblins of strength 5.
    Y3Goblins5,
    /// Year 3, Orcs of strength 5.
    Y3Orcs5,
    /// Year 3, Zombies of strength 6.
    Y3Zombies6,
    /// Year 3, Demons of strength 6.
    Y3Demons6,
    /// Year 4, Goblins of strength 5.
    Y4Goblins5,
    /// Year 4, Goblins of strength 6.
    Y4Goblins6,
    /// Year 4, Demons of strength 6.
    Y4Demons6,
    /// Year 4, Orcs of strength 7.
    Y4Orcs7,
    /// Year 4, Zombies of strength 7.
    Y4Zombies7,
    /// Year 5, Barbarians of strength 7.
    Y5Barbarians7,
    /// Year 5, Barbarians of strength 8.
    Y5Barbarians8,
    /// Year 5, Demons of strength 8.
    Y5Demons8,
    /// Year 5, Demons of strength 9.
    Y5Demons9,
    /// Year 5, Dragons of strength 9.
    Y5Dragons9,
}

/// What a defeated player loses, in the order of the fields (KIN-6.104).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Goods of named kinds: gold, then stone, then wood.
    pub goods: Goods,
    /// Goods that the player chooses.
    pub any_goods: u8,
    /// Buildings: none or one.
    pub buildings: u8,
    /// Victory points.
    pub vp: u8,
}

/// What a victorious player gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reward {
    /// Goods of named kinds.
    pub goods: Goods,
    /// Goods that the player chooses: none or one.
    pub any_goods: u8,
    /// Victory points.
    pub vp: u8,
}

/// What is printed on an enemy card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnemyCard {
    /// The year, 1 to 5.
    pub year: u8,
    /// The kind of enemy.
    pub kind: EnemyKind,
    /// The strength.
    pub strength: u8,
    /// What a defeat costs.
    pub loss: Loss,
    /// What a victory brings.
    pub reward: Reward,
}

/// What is printed on the back of a year's cards (KIN-3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnemyYear {
    /// The year, 1 to 5.
    pub year: u8,
    /// The year in Roman numerals.
    pub roman: &'static str,
    /// The least strength of its cards.
    pub least: u8,
    /// The greatest strength of its cards.
    pub greatest: u8,
}

struct Row(Enemy, &'static str, EnemyCard);

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

const fn row(
    enemy: Enemy,
    id: &'static str,
    (year, kind, strength): (u8, EnemyKind, u8),
    loss: Loss,
    reward: Reward,
) -> Row {
    Row(
        enemy,
        id,
        EnemyCard {
            year,
            kind,
            strength,
            loss,
            reward,
        },
    )
}

#[rustfmt::skip]
const ENEMIES: [Row; Enemy::COUNT] = [
    row(Enemy::Y1Barbarians2, "y1_barbarians_2", (1, EnemyKind::Barbarians, 2), loss((0, 0, 0), 1, 1, 0), gain((1, 0, 0), 0, 0)),
    row(Enemy::Y1Goblins2, "y1_goblins_2", (1, EnemyKind::Goblins, 2), loss((0, 1, 1), 0, 1, 1), gain((0, 1, 0), 0, 0)),
    row(Enemy::Y1Goblins3, "y1_goblins_3", (1, EnemyKind::Goblins, 3), loss((1, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
    row(Enemy::Y1Orcs3, "y1_orcs_3", (1, EnemyKind::Orcs, 3), loss((0, 0, 0), 2, 0, 1), gain((1, 0, 0), 0, 0)),
    row(Enemy::Y1Zombies4, "y1_zombies_4", (1, EnemyKind::Zombies, 4), loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
    row(Enemy::Y2Goblins3, "y2_goblins_3", (2, EnemyKind::Goblins, 3), loss((0, 2, 2), 0, 1, 1), gain((0, 1, 0), 0, 0)),
    row(Enemy::Y2Goblins4, "y2_goblins_4", (2, EnemyKind::Goblins, 4), loss((2, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
    row(Enemy::Y2Orcs4, "y2_orcs_4", (2, EnemyKind::Orcs, 4), loss((0, 0, 0), 2, 1, 0), gain((1, 0, 0), 0, 0)),
    row(Enemy::Y2Barbarians5, "y2_barbarians_5", (2, EnemyKind::Barbarians, 5), loss((0, 0, 0), 2, 0, 1), gain((1, 0, 0), 0, 0)),
    row(Enemy::Y2Zombies5, "y2_zombies_5", (2, EnemyKind::Zombies, 5), loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
    row(Enemy::Y3Goblins4, "y3_goblins_4", (3, EnemyKind::Goblins, 4), loss((0, 3, 3), 0, 1, 1), gain((0, 1, 0), 0, 0)),
    row(Enemy::Y3Goblins5, "y3_goblins_5", (3, EnemyKind::Goblins, 5), loss((3, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
    row(Enemy::Y3Orcs5, "y3_orcs_5", (3, EnemyKind::Orcs, 5), loss((0, 0, 0), 2, 1, 0), gain((1, 0, 0), 0, 0)),
    row(Enemy::Y3Zombies6, "y3_zombies_6", (3, EnemyKind::Zombies, 6), loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
    row(Enemy::Y3Demons6, "y3_demons_6", (3, EnemyKind::Demons, 6), loss((2, 1, 1), 0, 0, 1), gain((0, 0, 0), 0, 1)),
    row(Enemy::Y4Goblins5, "y4_goblins_5", (4, EnemyKind::Goblins, 5), loss((0, 4, 4), 0, 1, 1), gain((0, 1, 0), 0, 0)),
    row(Enemy::Y4Goblins6, "y4_goblins_6", (4, EnemyKind::Goblins, 6), loss((4, 0, 0), 0, 1, 0), gain((0, 0, 1), 0, 0)),
    row(Enemy::Y4Demons6, "y4_demons_6", (4, EnemyKind::Demons, 6), loss((0, 0, 0), 4, 0, 1), gain((1, 0, 0), 0, 1)),
    row(Enemy::Y4Orcs7, "y4_orcs_7", (4, EnemyKind::Orcs, 7), loss((0, 0, 0), 2, 1, 0), gain((0, 0, 0), 1, 0)),
    row(Enemy::Y4Zombies7, "y4_zombies_7", (4, EnemyKind::Zombies, 7), loss((0, 0, 0), 0, 0, 2), gain((0, 0, 0), 0, 1)),
    row(Enemy::Y5Barbarians7, "y5_barbarians_7", (5, EnemyKind::Barbarians, 7), loss((0, 0, 0), 0, 0, 8), gain((0, 0, 0), 0, 1)),
    row(Enemy::Y5Barbarians8, "y5_barbarians_8", (5, EnemyKind::Barbarians, 8), loss((0, 0, 0), 0, 1, 0), gain((0, 0, 0), 0, 1)),
    row(Enemy::Y5Demons8, "y5_demons_8", (5, EnemyKind::Demons, 8), loss((0, 0, 0), 0, 1, 2), gain((0, 0, 0), 0, 2)),
    row(Enemy::Y5Demons9, "y5_demons_9", (5, EnemyKind::Demons, 9), loss((0, 0, 0), 0, 1, 0), gain((0, 0, 0), 0, 2)),
    row(Enemy::Y5Dragons9, "y5_dragons_9", (5, EnemyKind::Dragons, 9), loss((0, 0, 0), 0, 0, 5), gain((0, 0, 0), 0, 3)),
];

#[rustfmt::skip]
const BACKS: [EnemyYear; YEARS as usize] = [
    EnemyYear { year: 1, roman: "I", least: 2, greatest: 4 },
    EnemyYear { year: 2, roman: "II", least: 3, greatest: 5 },
    EnemyYear { year: 3, roman: "III", least: 4, greatest: 6 },
    EnemyYear { year: 4, roman: "IV", least: 5, greatest: 7 },
    EnemyYear { year: 5, roman: "V", least: 7, greatest: 9 },
];

const _: () = {
    let mut at = 0;
    while at < Enemy::COUNT {
        assert!(
            ENEMIES[at].0 as usize == at,
            "rows in the order of the enum"
        );
        assert!(
            Enemy::ALL[at] as usize == at,
            "all in the order of the enum"
        );
        assert!(
            ENEMIES[at].2.year as usize == at / Enemy::PER_YEAR + 1,
            "five cards a year"
        );
        at += 1;
    }
};

impl Enemy {
    /// The number of enemy cards.
    pub const COUNT: usize = 25;
    /// The number of cards of each year.
    pub const PER_YEAR: usize = 5;

    /// All cards, year by year.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Y1Barbarians2,
        Self::Y1Goblins2,
        Self::Y1Goblins3,
        Self::Y1Orcs3,
        Self::Y1Zombies4,
        Self::Y2Goblins3,
        Self::Y2Goblins4,
        Self::Y2Orcs4,
        Self::Y2Barbarians5,
        Self::Y2Zombies5,
        Self::Y3Goblins4,
        Self::Y3Goblins5,
        Self::Y3Orcs5,
        Self::Y3Zombies6,
        Self::Y3Demons6,
        Self::Y4Goblins5,
        Self::Y4Goblins6,
        Self::Y4Demons6,
        Self::Y4Orcs7,
        Self::Y4Zombies7,
        Self::Y5Barbarians7,
        Self::Y5Barbarians8,
        Self::Y5Demons8,
        Self::Y5Demons9,
        Self::Y5Dragons9,
    ];

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

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        ENEMIES[self as usize].1
    }

    /// The English name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.card().kind.name()
    }

    /// What is printed on the card.
    #[must_use]
    pub const fn card(self) -> &'static EnemyCard {
        &ENEMIES[self as usize].2
    }

    /// What is printed on the backs of the cards, for each year.
    #[must_use]
    pub const fn backs() -> &'static [EnemyYear; YEARS as usize] {
        &BACKS
    }
}

impl DrawValue for Enemy {
    fn draw_value(self) -> u16 {
        self.number()
    }
}
