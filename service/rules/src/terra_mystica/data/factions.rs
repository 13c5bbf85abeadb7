//! The faction boards (TM-3.5 to TM-3.9).

use super::goods::Goods;
use super::special::SpecialAction;
use super::structures::Structure;
use super::terrain::Terrain;
use crate::table::ids;

ids! {
    /// A faction (TM-7.1).
    Faction {
        Auren "auren" "Auren",
        Witches "witches" "Witches",
        Alchemists "alchemists" "Alchemists",
        Darklings "darklings" "Darklings",
        Halflings "halflings" "Halflings",
        Cultists "cultists" "Cultists",
        Engineers "engineers" "Engineers",
        Dwarves "dwarves" "Dwarves",
        Mermaids "mermaids" "Mermaids",
        Swarmlings "swarmlings" "Swarmlings",
        ChaosMagicians "chaos_magicians" "Chaos Magicians",
        Giants "giants" "Giants",
        Fakirs "fakirs" "Fakirs",
        Nomads "nomads" "Nomads",
    }
}

/// Income by the number of structures on the map (TM-3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackIncome {
    /// Workers for 0 to 8 dwellings.
    pub dwelling_workers: [u8; 9],
    /// Coins for 0 to 4 trading houses.
    pub trading_house_coins: [u8; 5],
    /// Power for 0 to 4 trading houses.
    pub trading_house_power: [u8; 5],
    /// Priests for 0 to 3 temples.
    pub temple_priests: [u8; 4],
    /// Power for 0 to 3 temples.
    pub temple_power: [u8; 4],
    /// The income of the stronghold.
    pub stronghold: Goods,
    /// The income of the sanctuary.
    pub sanctuary: Goods,
}

impl TrackIncome {
    const USUAL: Self = Self {
        dwelling_workers: [1, 2, 3, 4, 5, 6, 7, 8, 8],
        trading_house_coins: [0, 2, 4, 6, 8],
        trading_house_power: [0, 1, 2, 4, 6],
        temple_priests: [0, 1, 2, 3],
        temple_power: [0; 4],
        stronghold: Goods::power(2),
        sanctuary: Goods::priests(1),
    };

    /// The income of this many structures of a kind.
    #[must_use]
    pub fn of(&self, structure: Structure, count: u8) -> Goods {
        let place = usize::from(count);
        match structure {
            Structure::Dwelling => Goods::workers(self.dwelling_workers[place].into()),
            Structure::TradingHouse => Goods::coins(self.trading_house_coins[place].into())
                .and(Goods::power(self.trading_house_power[place].into())),
            Structure::Temple => Goods::priests(self.temple_priests[place].into())
                .and(Goods::power(self.temple_power[place].into())),
            Structure::Stronghold if count > 0 => self.stronghold,
            Structure::Sanctuary if count > 0 => self.sanctuary,
            Structure::Stronghold | Structure::Sanctuary => Goods::NONE,
        }
    }
}

/// The shipping track (TM-3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShippingTrack {
    /// The level at the start.
    pub start: u8,
    /// The highest level.
    pub max: u8,
    /// VP for the first step; each further step gives one more.
    pub first_vp: u8,
}

impl ShippingTrack {
    /// VP for reaching this level.
    #[must_use]
    pub const fn vp(self, level: u8) -> u16 {
        self.first_vp as u16 + level as u16 - self.start as u16 - 1
    }
}

/// The price of a spade (TM-3.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spades {
    /// 3, 2 or 1 workers, by the level of the exchange track.
    Workers {
        /// The highest level.
        max_level: u8,
        /// The price of a step on the track.
        step: Goods,
    },
    /// A priest; there is no exchange track.
    Priests,
}

/// A faction board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FactionSheet {
    pub faction: Faction,
    pub home: Terrain,
    /// Goods at the start.
    pub start: Goods,
    /// Power tokens in bowls I, II and III at the start.
    pub bowls: [u8; 3],
    /// Cult steps at the start: fire, water, earth, air.
    pub cults: [u8; 4],
    /// Dwellings at the start.
    pub dwellings: u8,
    /// Price of each structure; for a trading house, without a neighbor.
    pub costs: [Goods; 5],
    /// Price of a trading house next to another player (TM-6.31).
    pub trading_house_near_others: Goods,
    pub income: TrackIncome,
    pub shipping: Option<ShippingTrack>,
    pub spades: Spades,
    /// The special action of the stronghold, if there is one.
    pub stronghold_action: Option<SpecialAction>,
}

impl FactionSheet {
    /// The price of a structure without neighbors.
    #[must_use]
    pub const fn cost(&self, structure: Structure) -> Goods {
        self.costs[structure.index()]
    }
}

impl Faction {
    /// The initial leap range in hexes. Returns `None` for factions that do not leap (TM-6.14).
    #[must_use]
    pub const fn first_leap(self) -> Option<u8> {
        match self {
            Self::Dwarves | Self::Fakirs => Some(2),
            Self::Auren
            | Self::Witches
            | Self::Alchemists
            | Self::Darklings
            | Self::Halflings
            | Self::Cultists
            | Self::Engineers
            | Self::Mermaids
            | Self::Swarmlings
            | Self::ChaosMagicians
            | Self::Giants
            | Self::Nomads => None,
        }
    }

    /// The faction's board.
    #[must_use]
    pub fn sheet(self) -> &'static FactionSheet {
        &SHEETS[self.index()]
    }

    /// The home terrain of the faction, which is also its color.
    #[must_use]
    pub fn home(self) -> Terrain {
        self.sheet().home
    }
}

/// The price of each structure: workers and coins.
const fn costs(printed: [(u16, u16); 5]) -> [Goods; 5] {
    let mut costs = [Goods::NONE; 5];
    let mut row = 0;
    while row < costs.len() {
        costs[row] = Goods::of(printed[row].0, printed[row].1);
        row += 1;
    }
    costs
}

const fn shipping(start: u8, max: u8) -> ShippingTrack {
    ShippingTrack {
        start,
        max,
        first_vp: 2,
    }
}

/// An exchange track with steps at this price in coins.
const fn exchange(max_level: u8, coins: u16) -> Spades {
    let step = Goods::of(2, coins).and(Goods::priests(1));
    Spades::Workers { max_level, step }
}

/// The figures that most boards share.
const USUAL: FactionSheet = FactionSheet {
    faction: Faction::Auren,
    home: Terrain::Forest,
    start: Goods::of(3, 15),
    bowls: [5, 7, 0],
    cults: [0; 4],
    dwellings: 2,
    costs: costs([(1, 2), (2, 6), (2, 5), (4, 6), (4, 6)]),
    trading_house_near_others: Goods::of(2, 3),
    income: TrackIncome::USUAL,
    shipping: Some(shipping(0, 3)),
    spades: exchange(2, 5),
    stronghold_action: None,
};

static SHEETS: [FactionSheet; 14] = [
    FactionSheet {
        faction: Faction::Auren,
        home: Terrain::Forest,
        cults: [0, 1, 0, 1],
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 6), (4, 8)]),
        stronghold_action: Some(SpecialAction::ActA),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Witches,
        home: Terrain::Forest,
        cults: [0, 0, 0, 2],
        stronghold_action: Some(SpecialAction::ActW),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Alchemists,
        home: Terrain::Swamp,
        cults: [1, 1, 0, 0],
        income: TrackIncome {
            trading_house_coins: [0, 2, 4, 7, 11],
            trading_house_power: [0, 1, 2, 3, 4],
            stronghold: Goods::coins(6),
            ..TrackIncome::USUAL
        },
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Darklings,
        home: Terrain::Swamp,
        start: Goods::of(1, 15).and(Goods::priests(1)),
        cults: [0, 1, 1, 0],
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 6), (4, 10)]),
        income: TrackIncome {
            sanctuary: Goods::priests(2),
            ..TrackIncome::USUAL
        },
        spades: Spades::Priests,
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Halflings,
        home: Terrain::Plains,
        bowls: [3, 9, 0],
        cults: [0, 0, 1, 1],
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 8), (4, 6)]),
        spades: exchange(2, 1),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Cultists,
        home: Terrain::Plains,
        cults: [1, 0, 1, 0],
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 8), (4, 8)]),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Engineers,
        home: Terrain::Mountains,
        start: Goods::of(2, 10),
        bowls: [3, 9, 0],
        costs: costs([(1, 1), (1, 4), (1, 4), (3, 6), (3, 6)]),
        trading_house_near_others: Goods::of(1, 2),
        income: TrackIncome {
            dwelling_workers: [0, 1, 2, 2, 3, 4, 4, 5, 6],
            temple_priests: [0, 1, 1, 2],
            temple_power: [0, 0, 5, 5],
            ..TrackIncome::USUAL
        },
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Dwarves,
        home: Terrain::Mountains,
        cults: [0, 0, 2, 0],
        income: TrackIncome {
            trading_house_coins: [0, 3, 5, 7, 10],
            ..TrackIncome::USUAL
        },
        shipping: None,
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Mermaids,
        home: Terrain::Lakes,
        bowls: [3, 9, 0],
        cults: [0, 2, 0, 0],
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 6), (4, 8)]),
        income: TrackIncome {
            stronghold: Goods::power(4),
            ..TrackIncome::USUAL
        },
        shipping: Some(shipping(1, 5)),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Swarmlings,
        home: Terrain::Lakes,
        start: Goods::of(8, 20),
        bowls: [3, 9, 0],
        cults: [1, 1, 1, 1],
        costs: costs([(2, 3), (3, 8), (3, 6), (5, 8), (5, 8)]),
        trading_house_near_others: Goods::of(3, 4),
        income: TrackIncome {
            dwelling_workers: [2, 3, 4, 5, 6, 7, 8, 9, 9],
            trading_house_coins: [0, 2, 4, 6, 9],
            trading_house_power: [0, 2, 4, 6, 8],
            stronghold: Goods::power(4),
            sanctuary: Goods::priests(2),
            ..TrackIncome::USUAL
        },
        stronghold_action: Some(SpecialAction::ActS),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::ChaosMagicians,
        home: Terrain::Wasteland,
        start: Goods::of(4, 15),
        cults: [2, 0, 0, 0],
        dwellings: 1,
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 4), (4, 8)]),
        income: TrackIncome {
            stronghold: Goods::workers(2),
            ..TrackIncome::USUAL
        },
        stronghold_action: Some(SpecialAction::ActC),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Giants,
        home: Terrain::Wasteland,
        cults: [1, 0, 0, 1],
        income: TrackIncome {
            stronghold: Goods::power(4),
            ..TrackIncome::USUAL
        },
        stronghold_action: Some(SpecialAction::ActG),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Fakirs,
        home: Terrain::Desert,
        bowls: [7, 5, 0],
        cults: [1, 0, 0, 1],
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 10), (4, 6)]),
        income: TrackIncome {
            stronghold: Goods::priests(1),
            ..TrackIncome::USUAL
        },
        shipping: None,
        spades: exchange(1, 5),
        ..USUAL
    },
    FactionSheet {
        faction: Faction::Nomads,
        home: Terrain::Desert,
        start: Goods::of(2, 15),
        cults: [1, 0, 1, 0],
        dwellings: 3,
        costs: costs([(1, 2), (2, 6), (2, 5), (4, 8), (4, 6)]),
        income: TrackIncome {
            trading_house_coins: [0, 2, 4, 7, 11],
            trading_house_power: [0, 1, 2, 3, 4],
            ..TrackIncome::USUAL
        },
        stronghold_action: Some(SpecialAction::ActN),
        ..USUAL
    },
];

// The boards are in the order of the factions; checked at compile time.
const _: () = {
    let mut row = 0;
    while row < SHEETS.len() {
        assert!(SHEETS[row].faction as usize == row);
        row += 1;
    }
    assert!(SHEETS.len() == Faction::ALL.len());
};
