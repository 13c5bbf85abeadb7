//! The board: road, special buildings, castle, price scale (CAY-3.2, CAY-3.3, CAY-3.8, CAY-3.10).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::goods::{Cubes, Goods, Resource};
use super::tiles::Tile;
use crate::table::ids;

/// The fewest players (CAY-5.1).
pub const MIN_PLAYERS: u8 = 2;

/// The most players (CAY-5.1).
pub const MAX_PLAYERS: u8 = 5;

/// Workers of each player (CAY-3.1).
pub const WORKERS: u8 = 6;

/// Spaces of the road (CAY-3.2).
pub const SPACES: usize = 28;

/// Circles in the stables (CAY-3.3).
pub const STABLES_PLACES: usize = 3;

/// The maximum distance of one move of the provost (CAY-6.5.3, CAY-6.6.1).
pub const PROVOST_MOST_SPACES: u16 = 3;

/// A space of the road, 1 to 28; 1 is next to the bridge (CAY-3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Space(u8);

impl Space {
    /// The space next to the bridge.
    pub const FIRST: Self = Self(1);

    /// The last space of the road.
    pub const LAST: Self = Self(28);

    /// The space with this number, 1 to 28.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::LAST.0 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number printed on the board, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The index in a list of spaces.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// All spaces, from the bridge on.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (1..=Self::LAST.0).map(Self)
    }

    /// The space this many further along the road; `None` beyond its ends.
    #[must_use]
    pub fn moved(self, delta: i32) -> Option<Self> {
        i32::from(self.0)
            .checked_add(delta)
            .and_then(|number| u8::try_from(number).ok())
            .and_then(Self::new)
    }
}

impl TryFrom<u8> for Space {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::new(number).ok_or_else(|| format!("there is no space {number}"))
    }
}

impl From<Space> for u8 {
    fn from(space: Space) -> Self {
        space.0
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "space {}", self.0)
    }
}

/// Where bailiff and provost start (CAY-3.2).
pub const BAILIFF_START: Space = Space(6);

/// The buildings printed on the board (CAY-3.2).
pub const FIXED_BUILDINGS: [(Space, Tile); 3] = [
    (Space(7), Tile::FixedPeddler),
    (Space(8), Tile::FixedCarpenter),
    (Space(16), Tile::GoldMine),
];

ids! {
    /// A special building before the bridge, in the order of activation (CAY-3.3).
    Special {
        Gate "gate" "Gate",
        TradingPost "trading_post" "Trading post",
        MerchantsGuild "merchants_guild" "Merchants' guild",
        JoustField "joust_field" "Joust field",
        Stables "stables" "Stables",
        Inn "inn" "Inn",
    }
}

impl Special {
    /// The effect of its workers (CAY-6.5), in plain English.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Gate => {
                "The worker moves, free of charge, to any other place that its owner could use \
                 now, or returns."
            }
            Self::TradingPost => "The owner of the worker gains 3 deniers.",
            Self::MerchantsGuild => {
                "The owner of the worker moves the provost by up to 3 spaces, free of charge."
            }
            Self::JoustField => "The owner of the worker may pay 1 denier and 1 cloth for 1 favor.",
            Self::Stables => {
                "Up to 3 workers, one of each player: their owners come first in the turn order, \
                 in the order of their workers. Not used by 2 players."
            }
            Self::Inn => {
                "The worker moves to the right circle, and a worker there returns. While it stays, \
                 each placement costs its owner 1 denier."
            }
        }
    }
}

ids! {
    /// A section of the castle, in the order of building (CAY-3.8).
    Section {
        Dungeon "dungeon" "Dungeon",
        Walls "walls" "Walls",
        Towers "towers" "Towers",
    }
}

impl Section {
    /// Returns the printed figures of the section.
    #[must_use]
    pub const fn sheet(self) -> &'static SectionSheet {
        &SECTIONS[self.index()]
    }
}

/// The printed figures of a castle section (CAY-3.8).
#[derive(Debug)]
pub struct SectionSheet {
    /// The section that the figures belong to.
    pub section: Section,
    /// How many parts it has.
    pub parts: u8,
    /// Prestige points for each part, at once.
    pub vp: u16,
    /// The section is scored when the bailiff stands here or beyond.
    pub trigger: Space,
    /// Prestige points lost by a player without a part when the section is scored.
    pub penalty: u16,
    /// Favors when the section is scored: (at least this many own parts, this many favors).
    favors: &'static [(u8, u8)],
}

impl SectionSheet {
    /// The favors for this many own parts when the section is scored.
    #[must_use]
    pub fn favors(&self, parts: u8) -> u8 {
        self.favors
            .iter()
            .rev()
            .find(|(from, _)| parts >= *from)
            .map_or(0, |&(_, favors)| favors)
    }
}

const SECTIONS: [SectionSheet; 3] = [
    SectionSheet {
        section: Section::Dungeon,
        parts: 6,
        vp: 5,
        trigger: Space(12),
        penalty: 2,
        favors: &[(2, 1)],
    },
    SectionSheet {
        section: Section::Walls,
        parts: 10,
        vp: 4,
        trigger: Space(18),
        penalty: 3,
        favors: &[(2, 1), (3, 2), (5, 3)],
    },
    SectionSheet {
        section: Section::Towers,
        parts: 14,
        vp: 3,
        trigger: Space(24),
        penalty: 4,
        favors: &[(2, 1), (4, 2), (6, 3)],
    },
];

const _: () = {
    let mut row = 0;
    while row < SECTIONS.len() {
        assert!(SECTIONS[row].section.index() == row);
        row += 1;
    }
};

/// The price of a placement by the number of players who have passed (CAY-3.10).
pub const fn placement_price(seats: usize, passed: usize) -> u16 {
    const MANY: [u16; 5] = [1, 2, 3, 4, 5];
    const TWO: [u16; 2] = [1, 3];
    if seats == 2 {
        TWO[passed]
    } else {
        MANY[passed]
    }
}

/// The deniers at the start by position in the turn order, from 0 (CAY-5.4).
pub const fn start_deniers(seats: usize, position: usize) -> u16 {
    const MANY: [u16; 5] = [5, 6, 6, 7, 7];
    if seats == 2 { 5 } else { MANY[position] }
}

/// The deniers that the trading post gives (CAY-6.5.2).
pub const TRADING_POST_DENIERS: u16 = 3;

/// The price of a favor at the joust field (CAY-6.5.4).
pub const JOUST_PRICE: Goods = Goods {
    deniers: 1,
    cubes: Cubes::of(1, Resource::Cloth),
    vp: 0,
};

/// The price of a transformation at the lawyer (CAY-7.5).
pub const LAWYER_PRICE: Goods = Goods {
    deniers: 1,
    cubes: Cubes::of(1, Resource::Cloth),
    vp: 0,
};

/// The price of a transformation by favor (CAY-3.9).
pub const FAVOR_TRANSFORM_PRICE: Goods = Goods::cubes(Cubes::of(1, Resource::Cloth));

/// The deniers that every player gains in each income phase, without residences and prestige tiles (CAY-6.3.2).
pub const BASE_INCOME: u16 = 2;

/// The deniers that the first player to pass in a turn gains (CAY-6.4.6).
pub const FIRST_PASS_DENIERS: u16 = 1;

/// The prestige points that a castle builder without a batch loses (CAY-6.8.6).
pub const CASTLE_PENALTY: u16 = 2;

/// The prestige points that a favor gives in the game with simplified favors (CAY-9.3).
pub const SIMPLIFIED_FAVOR_VP: u16 = 3;

/// The prestige points that the owner gains when another player places a worker on their building (CAY-6.4.4).
pub const OWNER_VP: u16 = 1;
