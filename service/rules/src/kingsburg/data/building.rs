//! The province board: twenty buildings in five rows of four columns (KIN-3.4).

use serde::{Deserialize, Serialize};

use super::enemy::EnemyKind;
use super::goods::Goods;

/// Rows of a province board.
pub const ROWS: usize = 5;
/// Columns of a province board.
pub const COLUMNS: usize = 4;

/// A building, row by row. Each needs the one before it in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Building {
    /// Row 1, column 1.
    Statue,
    /// Row 1, column 2.
    Chapel,
    /// Row 1, column 3.
    Church,
    /// Row 1, column 4.
    Cathedral,
    /// Row 2, column 1.
    Inn,
    /// Row 2, column 2.
    Market,
    /// Row 2, column 3.
    Farms,
    /// Row 2, column 4.
    MerchantsGuild,
    /// Row 3, column 1.
    GuardTower,
    /// Row 3, column 2.
    Blacksmith,
    /// Row 3, column 3.
    Barracks,
    /// Row 3, column 4.
    WizardsGuild,
    /// Row 4, column 1.
    Palisade,
    /// Row 4, column 2.
    Stable,
    /// Row 4, column 3.
    StoneWall,
    /// Row 4, column 4.
    Fortress,
    /// Row 5, column 1.
    Barricade,
    /// Row 5, column 2.
    Crane,
    /// Row 5, column 3.
    TownHall,
    /// Row 5, column 4.
    Embassy,
}

struct Row {
    building: Building,
    id: &'static str,
    name: &'static str,
    cost: Goods,
    vp: u8,
    strength: i8,
    /// More strength against one kind of enemy.
    extra: Option<EnemyKind>,
}

const fn row(
    building: Building,
    (id, name): (&'static str, &'static str),
    (gold, wood, stone): (u8, u8, u8),
    vp: u8,
    strength: i8,
    extra: Option<EnemyKind>,
) -> Row {
    Row {
        building,
        id,
        name,
        cost: Goods::new(gold, wood, stone),
        vp,
        strength,
        extra,
    }
}

#[rustfmt::skip]
const BUILDINGS: [Row; Building::COUNT] = [
    row(Building::Statue, ("statue", "Statue"), (2, 0, 0), 3, 0, None),
    row(Building::Chapel, ("chapel", "Chapel"), (3, 0, 1), 5, 0, None),
    row(Building::Church, ("church", "Church"), (3, 1, 2), 7, 0, Some(EnemyKind::Demons)),
    row(Building::Cathedral, ("cathedral", "Cathedral"), (5, 0, 3), 9, 0, None),
    row(Building::Inn, ("inn", "Inn"), (1, 1, 0), 0, 0, None),
    row(Building::Market, ("market", "Market"), (2, 2, 0), 1, 0, None),
    row(Building::Farms, ("farms", "Farms"), (2, 3, 1), 2, -1, None),
    row(Building::MerchantsGuild, ("merchants_guild", "Merchants' Guild"), (3, 1, 2), 4, 0, None),
    row(Building::GuardTower, ("guard_tower", "Guard Tower"), (1, 0, 1), 1, 1, None),
    row(Building::Blacksmith, ("blacksmith", "Blacksmith"), (1, 2, 0), 2, 1, None),
    row(Building::Barracks, ("barracks", "Barracks"), (2, 2, 1), 4, 0, None),
    row(Building::WizardsGuild, ("wizards_guild", "Wizards' Guild"), (3, 2, 2), 6, 2, None),
    row(Building::Palisade, ("palisade", "Palisade"), (0, 2, 0), 0, 1, Some(EnemyKind::Zombies)),
    row(Building::Stable, ("stable", "Stable"), (1, 1, 1), 2, 0, None),
    row(Building::StoneWall, ("stone_wall", "Stone Wall"), (2, 0, 2), 2, 1, None),
    row(Building::Fortress, ("fortress", "Fortress"), (3, 0, 2), 4, 1, None),
    row(Building::Barricade, ("barricade", "Barricade"), (0, 1, 0), 0, 0, Some(EnemyKind::Goblins)),
    row(Building::Crane, ("crane", "Crane"), (0, 1, 1), 1, 0, None),
    row(Building::TownHall, ("town_hall", "Town Hall"), (2, 1, 1), 2, 0, None),
    row(Building::Embassy, ("embassy", "Embassy"), (2, 2, 2), 4, 0, None),
];

const _: () = {
    let mut at = 0;
    while at < Building::COUNT {
        assert!(
            BUILDINGS[at].building as usize == at,
            "rows in the order of the enum"
        );
        assert!(
            Building::ALL[at] as usize == at,
            "all in the order of the enum"
        );
        at += 1;
    }
};

impl Building {
    /// The number of buildings of a province board.
    pub const COUNT: usize = ROWS * COLUMNS;

    /// All buildings, row by row.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Statue,
        Self::Chapel,
        Self::Church,
        Self::Cathedral,
        Self::Inn,
        Self::Market,
        Self::Farms,
        Self::MerchantsGuild,
        Self::GuardTower,
        Self::Blacksmith,
        Self::Barracks,
        Self::WizardsGuild,
        Self::Palisade,
        Self::Stable,
        Self::StoneWall,
        Self::Fortress,
        Self::Barricade,
        Self::Crane,
        Self::TownHall,
        Self::Embassy,
    ];

    /// The place of the row, from 0 at the top.
    #[must_use]
    pub const fn row_index(self) -> usize {
        self as usize / COLUMNS
    }

    /// The row, 1 to 5.
    #[must_use]
    pub const fn row(self) -> u8 {
        self as u8 / 4 + 1
    }

    /// The column, 1 to 4.
    #[must_use]
    pub const fn column(self) -> u8 {
        self as u8 % 4 + 1
    }

    /// The building in this row (from 0) and column (from 1).
    #[must_use]
    pub fn at(row_index: usize, column: u8) -> Option<Self> {
        let in_row = usize::from(column).checked_sub(1)?;
        (row_index < ROWS && in_row < COLUMNS).then(|| Self::ALL[row_index * COLUMNS + in_row])
    }

    /// The building before it in its row, which it needs (KIN-6.62).
    #[must_use]
    pub fn before(self) -> Option<Self> {
        Self::at(self.row_index(), self.column() - 1)
    }

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        BUILDINGS[self as usize].id
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        BUILDINGS[self as usize].name
    }

    /// The printed cost.
    #[must_use]
    pub const fn cost(self) -> Goods {
        BUILDINGS[self as usize].cost
    }

    /// The victory points while it stands.
    #[must_use]
    pub const fn vp(self) -> u8 {
        BUILDINGS[self as usize].vp
    }

    /// What it does besides points and strength, in plain English; empty: nothing.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Statue => {
                "When all your dice show one value after the roll, you may roll one of them again."
            }
            Self::Chapel => "As the Statue; both together allow one re-roll a season.",
            Self::Cathedral => {
                "At the end of the game your goods are exchanged, two of any kinds for 1 VP."
            }
            Self::Inn => "At the end of every summer you get a +2 token.",
            Self::Market => "Once a season one group of your dice may count one more or one less.",
            Self::Farms => "You roll a white die in every productive season.",
            Self::MerchantsGuild => "You get 1 gold before the roll of every productive season.",
            Self::Barracks => "A soldier costs you one good.",
            Self::Stable => "Advisors who give you soldiers give you one more.",
            Self::StoneWall => "You win when you are as strong as the enemy.",
            Self::Fortress => "You get 1 VP for every victory.",
            Self::Crane => "Buildings of columns 3 and 4 cost you 1 gold less.",
            Self::TownHall => {
                "At the end of every productive season you get a +2 token, or sell a good for 1 VP."
            }
            Self::Embassy => "You get 1 VP at the end of every productive season.",
            Self::Church
            | Self::GuardTower
            | Self::Blacksmith
            | Self::WizardsGuild
            | Self::Palisade
            | Self::Barricade => "",
        }
    }

    /// The strength against every enemy.
    #[must_use]
    pub const fn strength(self) -> i8 {
        BUILDINGS[self as usize].strength
    }

    /// The kind of enemy against which it has one more strength.
    #[must_use]
    pub const fn extra_against(self) -> Option<EnemyKind> {
        BUILDINGS[self as usize].extra
    }

    /// The strength against this kind of enemy, its extra included.
    #[must_use]
    pub fn strength_against(self, kind: EnemyKind) -> i8 {
        self.strength() + i8::from(self.extra_against() == Some(kind))
    }
}
