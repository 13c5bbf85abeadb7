//! The building tiles (CAY-3.4 to CAY-3.7, CAY-3.13).

use super::goods::{Cubes, Goods, Resource};
use crate::table::ids;

ids! {
    /// A kind of building.
    Kind {
        /// Laid out at the start; nobody owns it.
        Neutral "neutral",
        /// Printed on the board; nobody owns it and it stays for the whole game.
        Fixed "fixed",
        /// Built by carpenters.
        Wood "wood",
        /// Built by masons.
        Stone "stone",
        /// Built by architects on a residence.
        Prestige "prestige",
        /// Left on the road by a transformation.
        Residence "residence",
    }
}

ids! {
    /// A building that can stand on the road, in the order of all lists.
    Tile {
        NeutralFarm "neutral_farm" "Farm",
        NeutralForest "neutral_forest" "Forest",
        NeutralSawmill "neutral_sawmill" "Sawmill",
        NeutralQuarry "neutral_quarry" "Quarry",
        NeutralMarket "neutral_market" "Marketplace",
        NeutralCarpenter "neutral_carpenter" "Carpenter",
        FixedPeddler "fixed_peddler" "Peddler",
        FixedCarpenter "fixed_carpenter" "Carpenter",
        GoldMine "gold_mine" "Gold mine",
        WoodFarmFood "wood_farm_food" "Farm (food)",
        WoodFarmCloth "wood_farm_cloth" "Farm (cloth)",
        WoodQuarry "wood_quarry" "Quarry",
        WoodSawmill "wood_sawmill" "Sawmill",
        WoodMarket "wood_market" "Marketplace",
        WoodPeddler "wood_peddler" "Peddler",
        Lawyer "lawyer" "Lawyer",
        Mason "mason" "Mason",
        StoneFarm "stone_farm" "Farm",
        Park "park" "Park",
        Workshop "workshop" "Workshop",
        Architect "architect" "Architect",
        Church "church" "Church",
        Tailor "tailor" "Tailor",
        Bank "bank" "Bank",
        Alchemist "alchemist" "Alchemist",
        Statue "statue" "Statue",
        Granary "granary" "Granary",
        Library "library" "Library",
        Weaver "weaver" "Weaver",
        Theater "theater" "Theater",
        College "college" "College",
        Monument "monument" "Monument",
        Hotel "hotel" "Hotel",
        Cathedral "cathedral" "Cathedral",
        Residence "residence" "Residence",
    }
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
    /// Returns the printed figures of the tile.
    #[must_use]
    pub const fn sheet(self) -> &'static TileSheet {
        &TILES[self.index()]
    }

    /// The kind of building.
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.sheet().kind
    }

    /// Returns whether workers can stand on it (CAY-3.6, CAY-3.7).
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

/// One trade: the goods paid and the goods gained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Trade {
    pub pay: Goods,
    pub gain: Goods,
}

/// The effect of a building on the player whose worker is activated there (CAY-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No effect: no worker ever stands here.
    None,
    /// Gain the cubes of one of these options. Compulsory.
    Produce(&'static [Cubes]),
    /// Sell one cube of any kind for this many deniers.
    SellCube(u16),
    /// Buy cubes that are not gold.
    BuyCubes {
        /// The price of each cube in deniers.
        price: u16,
        /// The maximum number of cubes bought at once; the minimum is 1.
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

/// The printed figures of a tile.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct TileSheet {
    pub tile: Tile,
    pub kind: Kind,
    /// The number of copies; residences are unlimited (CAY-3.1).
    pub copies: u8,
    /// The price in cubes of named kinds.
    pub cost: Cubes,
    /// Whether the price includes one more cube of any kind.
    pub any_cube: bool,
    /// Prestige points for the builder.
    pub vp: u16,
    /// Favors for the builder.
    pub favors: u8,
    /// Deniers for the owner in each income phase.
    pub income: u16,
    /// The effect on the player whose worker is activated here.
    pub effect: Effect,
    /// The kinds of which the owner takes one when another player's worker is activated.
    pub owner_bonus: &'static [Resource],
}

use Resource::{Cloth, Food, Gold, Stone, Wood};

const fn tile(tile: Tile, kind: Kind) -> TileSheet {
    TileSheet {
        tile,
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
    tile(Tile::NeutralFarm, Kind::Neutral)
        .produce(&[one(Food), one(Cloth)]),
    tile(Tile::NeutralForest, Kind::Neutral)
        .produce(&[one(Wood), one(Food)]),
    tile(Tile::NeutralSawmill, Kind::Neutral)
        .produce(&[one(Wood)]),
    tile(Tile::NeutralQuarry, Kind::Neutral)
        .produce(&[one(Stone)]),
    tile(Tile::NeutralMarket, Kind::Neutral)
        .effect(Effect::SellCube(4)),
    tile(Tile::NeutralCarpenter, Kind::Neutral)
        .effect(Effect::BuildCraft(Kind::Wood)),

    tile(Tile::FixedPeddler, Kind::Fixed)
        .effect(Effect::BuyCubes { price: 2, most: 1 }),
    tile(Tile::FixedCarpenter, Kind::Fixed)
        .effect(Effect::BuildCraft(Kind::Wood)),
    tile(Tile::GoldMine, Kind::Fixed)
        .produce(&[one(Gold)]),

    tile(Tile::WoodFarmFood, Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Food), one(Cloth)]),
    tile(Tile::WoodFarmCloth, Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Cloth), one(Food)]),
    tile(Tile::WoodQuarry, Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Stone)]),
    tile(Tile::WoodSawmill, Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(2)
        .produce(&[Cubes::of(2, Wood)]),
    tile(Tile::WoodMarket, Kind::Wood)
        .cost(one(Wood)).any_cube().vp(4)
        .effect(Effect::SellCube(6)),
    tile(Tile::WoodPeddler, Kind::Wood)
        .cost(one(Wood)).any_cube().vp(4)
        .effect(Effect::BuyCubes { price: 1, most: 2 }),
    tile(Tile::Lawyer, Kind::Wood)
        .cost(one(Wood).and(1, Cloth)).vp(4)
        .effect(Effect::Transform),
    tile(Tile::Mason, Kind::Wood)
        .cost(one(Wood).and(1, Food)).vp(4)
        .effect(Effect::BuildCraft(Kind::Stone)),

    tile(Tile::StoneFarm, Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(3)
        .produce(&[Cubes::of(2, Food).and(1, Cloth)]).owner_bonus(&[Food, Cloth]),
    tile(Tile::Park, Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(3)
        .produce(&[Cubes::of(2, Wood).and(1, Food)]).owner_bonus(&[Wood, Food]),
    tile(Tile::Workshop, Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(3)
        .produce(&[Cubes::of(2, Stone).and(1, Cloth)]).owner_bonus(&[Stone, Cloth]),
    tile(Tile::Architect, Kind::Stone).copies(2)
        .cost(one(Stone).and(1, Food)).vp(6)
        .effect(Effect::BuildPrestige),
    tile(Tile::Church, Kind::Stone)
        .cost(one(Stone).and(1, Cloth)).vp(3).favors(1)
        .effect(Effect::Trade(&[
            trade(Goods::deniers(2), Goods::vp(3)),
            trade(Goods::deniers(4), Goods::vp(5)),
        ])),
    tile(Tile::Tailor, Kind::Stone)
        .cost(one(Stone).and(1, Wood)).vp(6)
        .effect(Effect::Trade(&[
            trade(Goods::cubes(Cubes::of(2, Cloth)), Goods::vp(4)),
            trade(Goods::cubes(Cubes::of(3, Cloth)), Goods::vp(6)),
        ])),
    tile(Tile::Bank, Kind::Stone)
        .cost(one(Stone).and(1, Wood)).vp(6)
        .effect(Effect::Trade(&[
            trade(Goods::deniers(2), Goods::cubes(Cubes::of(1, Gold))),
            trade(Goods::deniers(5), Goods::cubes(Cubes::of(2, Gold))),
        ])),
    tile(Tile::Alchemist, Kind::Stone)
        .cost(one(Stone).and(1, Food)).vp(6)
        .effect(Effect::Alchemy),

    tile(Tile::Statue, Kind::Prestige)
        .cost(Cubes::of(2, Stone).and(1, Gold)).vp(7).favors(1),
    tile(Tile::Granary, Kind::Prestige)
        .cost(Cubes::of(3, Food).and(1, Gold)).vp(10),
    tile(Tile::Library, Kind::Prestige)
        .cost(Cubes::of(3, Wood).and(1, Gold)).vp(10).income(1),
    tile(Tile::Weaver, Kind::Prestige)
        .cost(Cubes::of(3, Cloth).and(1, Gold)).vp(12),
    tile(Tile::Theater, Kind::Prestige)
        .cost(Cubes::of(3, Wood).and(2, Gold)).vp(14).favors(1),
    tile(Tile::College, Kind::Prestige)
        .cost(Cubes::of(3, Stone).and(2, Gold)).vp(14).favors(1),
    tile(Tile::Monument, Kind::Prestige)
        .cost(Cubes::of(4, Stone).and(2, Gold)).vp(14).favors(2),
    tile(Tile::Hotel, Kind::Prestige)
        .cost(Cubes::of(3, Stone).and(2, Gold)).vp(16).income(2),
    tile(Tile::Cathedral, Kind::Prestige)
        .cost(Cubes::of(5, Stone).and(3, Gold)).vp(25),

    tile(Tile::Residence, Kind::Residence).copies(8)
        .vp(2).income(1),
];

const _: () = {
    let mut row = 0;
    while row < TILES.len() {
        assert!(TILES[row].tile.index() == row);
        row += 1;
    }
};
