//! The building tiles (CAY-3.3 to CAY-3.7).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::goods::{Cubes, Goods, Resource};
use crate::table::DrawValue;

/// A kind of building.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Laid out at the start; nobody owns it.
    Neutral,
    /// Printed on the board; nobody owns it and it stays for ever.
    Fixed,
    /// Built by carpenters.
    Wood,
    /// Built by masons.
    Stone,
    /// Built by architects on a residence.
    Prestige,
    /// What a transformation leaves.
    Residence,
}

impl Kind {
    /// The id in the data file. Also the English word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Fixed => "fixed",
            Self::Wood => "wood",
            Self::Stone => "stone",
            Self::Prestige => "prestige",
            Self::Residence => "residence",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A building that can stand on the road, in the order of all lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the sheet of each tile says what it is")]
pub enum Tile {
    NeutralFarm,
    NeutralForest,
    NeutralSawmill,
    NeutralQuarry,
    NeutralMarket,
    NeutralCarpenter,
    FixedPeddler,
    FixedCarpenter,
    GoldMine,
    WoodFarmFood,
    WoodFarmCloth,
    WoodQuarry,
    WoodSawmill,
    WoodMarket,
    WoodPeddler,
    Lawyer,
    Mason,
    StoneFarm,
    Park,
    Workshop,
    Architect,
    Church,
    Tailor,
    Bank,
    Alchemist,
    Statue,
    Granary,
    Library,
    Weaver,
    Theater,
    College,
    Monument,
    Hotel,
    Cathedral,
    Residence,
}

/// The neutral tiles, in the order of the data file.
pub const NEUTRAL_TILES: [Tile; 6] = [
    Tile::NeutralFarm,
    Tile::NeutralForest,
    Tile::NeutralSawmill,
    Tile::NeutralQuarry,
    Tile::NeutralMarket,
    Tile::NeutralCarpenter,
];

impl Tile {
    /// The number of different tiles.
    pub const COUNT: usize = 35;

    /// All tiles in the order of the data file.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::NeutralFarm; Self::COUNT];
        let mut row = 0;
        while row < Self::COUNT {
            all[row] = TILES[row].tile;
            row += 1;
        }
        all
    };

    /// What is printed on the tile.
    #[must_use]
    pub const fn sheet(self) -> &'static TileSheet {
        &TILES[self as usize]
    }

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.sheet().id
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.sheet().name
    }

    /// The kind of building.
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.sheet().kind
    }

    /// May workers stand on it? (CAY-3.6, CAY-3.7)
    #[must_use]
    pub const fn takes_workers(self) -> bool {
        match self.kind() {
            Kind::Neutral | Kind::Fixed | Kind::Wood | Kind::Stone => true,
            Kind::Prestige | Kind::Residence => false,
        }
    }

    /// The tiles of one kind, in the order of the data file.
    pub fn of_kind(kind: Kind) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |tile| tile.kind() == kind)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl DrawValue for Tile {
    fn draw_value(self) -> u16 {
        self as u16
    }
}

/// One line of a trade: pay this, gain that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trade {
    /// What is paid.
    pub pay: Goods,
    /// What is gained.
    pub gain: Goods,
}

/// What a worker does in a building (CAY-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: no worker ever stands here.
    None,
    /// Gain the cubes of one of these options. Compulsory.
    Produce(&'static [Cubes]),
    /// Sell one cube of any kind for so many deniers.
    SellCube(u16),
    /// Buy cubes that are not gold.
    BuyCubes {
        /// The price of each cube in deniers.
        price: u16,
        /// The most cubes bought at once; the fewest is 1.
        most: u8,
    },
    /// Build one craft tile of this kind.
    BuildCraft(Kind),
    /// Build one prestige tile on an own residence.
    BuildPrestige,
    /// Transform one building into a residence for 1 denier and 1 cloth.
    Transform,
    /// Choose at most one of these trades.
    Trade(&'static [Trade]),
    /// Pay 2 cubes for 1 gold, or 4 for 2; no gold is paid.
    Alchemy,
}

/// What is printed on a tile.
#[derive(Debug)]
pub struct TileSheet {
    /// Which tile.
    pub tile: Tile,
    /// The id in the data file.
    pub id: &'static str,
    /// The English name.
    pub name: &'static str,
    /// The kind of building.
    pub kind: Kind,
    /// How many there are; of residences there is no end (CAY-3.1).
    pub copies: u8,
    /// The price in cubes of named kinds.
    pub cost: Cubes,
    /// Does the price hold one more cube of any kind?
    pub any_cube: bool,
    /// Prestige points for the builder.
    pub vp: u16,
    /// Favors for the builder.
    pub favors: u8,
    /// Deniers for the owner in each income phase.
    pub income: u16,
    /// What a worker does here.
    pub effect: Effect,
    /// The kinds of which the owner takes one when another player's worker is activated.
    pub owner_bonus: &'static [Resource],
}

use Resource::{Cloth, Food, Gold, Stone, Wood};

const fn tile(tile: Tile, id: &'static str, name: &'static str, kind: Kind) -> TileSheet {
    TileSheet {
        tile,
        id,
        name,
        kind,
        copies: 1,
        cost: Cubes::NONE,
        any_cube: false,
        vp: 0,
        favors: 0,
        income: 0,
        effect: Effect::None,
        owner_bonus: &[],
    }
}

const fn one(resource: Resource) -> Cubes {
    Cubes::of(1, resource)
}

const fn trade(pay: Goods, gain: Goods) -> Trade {
    Trade { pay, gain }
}

impl TileSheet {
    const fn cost(mut self, cost: Cubes) -> Self {
        self.cost = cost;
        self
    }

    const fn any_cube(mut self) -> Self {
        self.any_cube = true;
        self
    }

    const fn vp(mut self, vp: u16) -> Self {
        self.vp = vp;
        self
    }

    const fn favors(mut self, favors: u8) -> Self {
        self.favors = favors;
        self
    }

    const fn income(mut self, income: u16) -> Self {
        self.income = income;
        self
    }

    const fn copies(mut self, copies: u8) -> Self {
        self.copies = copies;
        self
    }

    const fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    const fn produce(self, options: &'static [Cubes]) -> Self {
        self.effect(Effect::Produce(options))
    }

    const fn owner_bonus(mut self, kinds: &'static [Resource]) -> Self {
        self.owner_bonus = kinds;
        self
    }
}

#[rustfmt::skip]
const TILES: [TileSheet; Tile::COUNT] = [
    tile(Tile::NeutralFarm, "neutral_farm", "Farm", Kind::Neutral)
        .produce(&[one(Food), one(Cloth)]),
    tile(Tile::NeutralForest, "neutral_forest", "Forest", Kind::Neutral)
        .produce(&[one(Wood), one(Food)]),
    tile(Tile::NeutralSawmill, "neutral_sawmill", "Sawmill", Kind::Neutral)
        .produce(&[one(Wood)]),
    tile(Tile::NeutralQuarry, "neutral_quarry", "Quarry", Kind::Neutral)
        .produce(&[one(Stone)]),
    tile(Tile::NeutralMarket, "neutral_market", "Marketplace", Kind::Neutral)
        .effect(Effect::SellCube(4)),
    tile(Tile::NeutralCarpenter, "neutral_carpenter", "Carpenter", Kind::Neutral)
        .effect(Effect::BuildCraft(Kind::Wood)),

    tile(Tile::FixedPeddler, "fixed_peddler", "Peddler", Kind::Fixed)
        .effect(Effect::BuyCubes { price: 2, most: 1 }),
    tile(Tile::FixedCarpenter, "fixed_carpenter", "Carpenter", Kind::Fixed)
        .effect(Effect::BuildCraft(Kind::Wood)),
    tile(Tile::GoldMine, "gold_mine", "Gold mine", Kind::Fixed)
        .produce(&[one(Gold)]),

    tile(Tile::WoodFarmFood, "wood_farm_food", "Farm (food)", Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Food), one(Cloth)]),
    tile(Tile::WoodFarmCloth, "wood_farm_cloth", "Farm (cloth)", Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Cloth), one(Food)]),
    tile(Tile::WoodQuarry, "wood_quarry", "Quarry", Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Stone)]),
    tile(Tile::WoodSawmill, "wood_sawmill", "Sawmill", Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Wood)]),
    tile(Tile::WoodMarket, "wood_market", "Marketplace", Kind::Wood)
        .cost(one(Wood)).any_cube().vp(4)
        .effect(Effect::SellCube(6)),
    tile(Tile::WoodPeddler, "wood_peddler", "Peddler", Kind::Wood)
        .cost(one(Wood)).any_cube().vp(4)
        .effect(Effect::BuyCubes { price: 1, most: 2 }),
    tile(Tile::Lawyer, "lawyer", "Lawyer", Kind::Wood)
        .cost(one(Wood).and(1, Cloth)).vp(4)
        .effect(Effect::Transform),
    tile(Tile::Mason, "mason", "Mason", Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(4)
        .effect(Effect::BuildCraft(Kind::Stone)),

    tile(Tile::StoneFarm, "stone_farm", "Farm", Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(3)
        .produce(&[Cubes::of(2, Food).and(1, Cloth)]).owner_bonus(&[Food, Cloth]),
    tile(Tile::Park, "park", "Park", Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(3)
        .produce(&[Cubes::of(2, Wood).and(1, Food)]).owner_bonus(&[Wood, Food]),
    tile(Tile::Workshop, "workshop", "Workshop", Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(3)
        .produce(&[Cubes::of(2, Stone).and(1, Cloth)]).owner_bonus(&[Stone, Cloth]),
    tile(Tile::Architect, "architect", "Architect", Kind::Stone).copies(2)
        .cost(one(Stone).and(1, Food)).vp(6)
        .effect(Effect::BuildPrestige),
    tile(Tile::Church, "church", "Church", Kind::Stone)
        .cost(one(Stone).and(1, Cloth)).vp(3).favors(1)
        .effect(Effect::Trade(&[
            trade(Goods::deniers(2), Goods::vp(3)),
            trade(Goods::deniers(4), Goods::vp(5)),
        ])),
    tile(Tile::Tailor, "tailor", "Tailor", Kind::Stone)
        .cost(one(Stone).and(1, Wood)).vp(6)
        .effect(Effect::Trade(&[
            trade(Goods::cubes(Cubes::of(2, Cloth)), Goods::vp(4)),
            trade(Goods::cubes(Cubes::of(3, Cloth)), Goods::vp(6)),
        ])),
    tile(Tile::Bank, "bank", "Bank", Kind::Stone)
        .cost(one(Stone).and(1, Wood)).vp(6)
        .effect(Effect::Trade(&[
            trade(Goods::deniers(2), Goods::cubes(Cubes::of(1, Gold))),
            trade(Goods::deniers(5), Goods::cubes(Cubes::of(2, Gold))),
        ])),
    tile(Tile::Alchemist, "alchemist", "Alchemist", Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(6)
        .effect(Effect::Alchemy),

    tile(Tile::Statue, "statue", "Statue", Kind::Prestige)
        .cost(Cubes::of(2, Stone).and(1, Gold)).vp(7).favors(1),
    tile(Tile::Granary, "granary", "Granary", Kind::Prestige)
        .cost(Cubes::of(3, Food).and(1, Gold)).vp(10),
    tile(Tile::Library, "library", "Library", Kind::Prestige)
        .cost(Cubes::of(3, Wood).and(1, Gold)).vp(10).income(1),
    tile(Tile::Weaver, "weaver", "Weaver", Kind::Prestige)
        .cost(Cubes::of(3, Cloth).and(1, Gold)).vp(12),
    tile(Tile::Theater, "theater", "Theater", Kind::Prestige)
        .cost(Cubes::of(3, Wood).and(2, Gold)).vp(14).favors(1),
    tile(Tile::College, "college", "College", Kind::Prestige)
        .cost(Cubes::of(3, Stone).and(2, Gold)).vp(14).favors(1),
    tile(Tile::Monument, "monument", "Monument", Kind::Prestige)
        .cost(Cubes::of(4, Stone).and(2, Gold)).vp(14).favors(2),
    tile(Tile::Hotel, "hotel", "Hotel", Kind::Prestige)
        .cost(Cubes::of(3, Stone).and(2, Gold)).vp(16).income(2),
    tile(Tile::Cathedral, "cathedral", "Cathedral", Kind::Prestige)
        .cost(Cubes::of(5, Stone).and(3, Gold)).vp(25),

    tile(Tile::Residence, "residence", "Residence", Kind::Residence).copies(8)
        .vp(2).income(1),
];

const _: () = {
    let mut row = 0;
    while row < TILES.len() {
        assert!(TILES[row].tile as usize == row);
        row += 1;
    }
};
