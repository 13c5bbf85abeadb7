//! The province board: twenty buildings in five rows of four columns (KIN-3.4).

use super::enemy::EnemyKind;
use super::goods::Goods;
use crate::table::{Count, ids};

/// Rows of a province board.
pub const ROWS: usize = 5;
/// Columns of a province board.
pub const COLUMNS: usize = 4;

ids! {
    /// A building, row by row. Each needs the one before it in its row.
    Building {
        Statue "statue" "Statue",
        Chapel "chapel" "Chapel",
        Church "church" "Church",
        Cathedral "cathedral" "Cathedral",
        Inn "inn" "Inn",
        Market "market" "Market",
        Farms "farms" "Farms",
        MerchantsGuild "merchants_guild" "Merchants' Guild",
        GuardTower "guard_tower" "Guard Tower",
        Blacksmith "blacksmith" "Blacksmith",
        Barracks "barracks" "Barracks",
        WizardsGuild "wizards_guild" "Wizards' Guild",
        Palisade "palisade" "Palisade",
        Stable "stable" "Stable",
        StoneWall "stone_wall" "Stone Wall",
        Fortress "fortress" "Fortress",
        Barricade "barricade" "Barricade",
        Crane "crane" "Crane",
        TownHall "town_hall" "Town Hall",
        Embassy "embassy" "Embassy",
    }
}

const _: () = assert!(
    Building::COUNT == ROWS * COLUMNS,
    "every place has a building"
);

struct Sheet {
    cost: Goods,
    vp: u8,
    strength: i8,
    /// The kind of enemy against which the building has one more strength.
    extra: Option<EnemyKind>,
}

const fn sheet(
    (gold, wood, stone): (u8, u8, u8),
    vp: u8,
    strength: i8,
    extra: Option<EnemyKind>,
) -> Sheet {
    Sheet {
        cost: Goods::new(gold, wood, stone),
        vp,
        strength,
        extra,
    }
}

impl Building {
    #[rustfmt::skip]
    const fn sheet(self) -> Sheet {
        match self {
            Self::Statue => sheet((2, 0, 0), 3, 0, None),
            Self::Chapel => sheet((3, 0, 1), 5, 0, None),
            Self::Church => sheet((3, 1, 2), 7, 0, Some(EnemyKind::Demons)),
            Self::Cathedral => sheet((5, 0, 3), 9, 0, None),
            Self::Inn => sheet((1, 1, 0), 0, 0, None),
            Self::Market => sheet((2, 2, 0), 1, 0, None),
            Self::Farms => sheet((2, 3, 1), 2, -1, None),
            Self::MerchantsGuild => sheet((3, 1, 2), 4, 0, None),
            Self::GuardTower => sheet((1, 0, 1), 1, 1, None),
            Self::Blacksmith => sheet((1, 2, 0), 2, 1, None),
            Self::Barracks => sheet((2, 2, 1), 4, 0, None),
            Self::WizardsGuild => sheet((3, 2, 2), 6, 2, None),
            Self::Palisade => sheet((0, 2, 0), 0, 1, Some(EnemyKind::Zombies)),
            Self::Stable => sheet((1, 1, 1), 2, 0, None),
            Self::StoneWall => sheet((2, 0, 2), 2, 1, None),
            Self::Fortress => sheet((3, 0, 2), 4, 1, None),
            Self::Barricade => sheet((0, 1, 0), 0, 0, Some(EnemyKind::Goblins)),
            Self::Crane => sheet((0, 1, 1), 1, 0, None),
            Self::TownHall => sheet((2, 1, 1), 2, 0, None),
            Self::Embassy => sheet((2, 2, 2), 4, 0, None),
        }
    }

    /// The index of the row, from 0 at the top.
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

    /// The building before this one in its row, which it needs (KIN-6.62).
    #[must_use]
    pub fn before(self) -> Option<Self> {
        Self::at(self.row_index(), self.column() - 1)
    }

    /// The printed cost.
    #[must_use]
    pub const fn cost(self) -> Goods {
        self.sheet().cost
    }

    /// The price for a player with or without the Crane, which saves one gold in columns 3 and 4
    /// (KIN-6.63, KIN-7.18).
    pub const fn price(self, crane: bool) -> Goods {
        if crane && self.column() >= 3 {
            self.cost().minus(Goods::new(1, 0, 0))
        } else {
            self.cost()
        }
    }

    /// The victory points while the building stands.
    #[must_use]
    pub const fn vp(self) -> u8 {
        self.sheet().vp
    }

    /// The ability besides points and strength, in plain English. Empty if the building has none.
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

    /// The text of the building: victory points, strength, ability.
    #[must_use]
    pub fn printed(self) -> String {
        let vp = (self.vp() > 0).then(|| format!("{}.", Count(self.vp(), "victory point")));
        let against = self.extra_against().map(|kind| kind.name().to_lowercase());
        let strength = match (self.strength(), against) {
            (0, None) => None,
            (0, Some(enemies)) => Some(format!("+1 strength against {enemies}.")),
            (strength, None) => Some(format!("{strength:+} strength.")),
            (strength, Some(enemies)) => Some(format!(
                "{strength:+} strength, and 1 more against {enemies}."
            )),
        };
        let ability = Some(self.text().to_owned()).filter(|text| !text.is_empty());
        let texts: Vec<String> = [vp, strength, ability].into_iter().flatten().collect();
        texts.join(" ")
    }

    /// The strength against every enemy.
    #[must_use]
    pub const fn strength(self) -> i8 {
        self.sheet().strength
    }

    /// The kind of enemy against which the building has one more strength.
    #[must_use]
    pub const fn extra_against(self) -> Option<EnemyKind> {
        self.sheet().extra
    }

    /// The strength against this kind of enemy, the extra strength included.
    #[must_use]
    pub fn strength_against(self, kind: EnemyKind) -> i8 {
        self.strength() + i8::from(self.extra_against() == Some(kind))
    }
}
