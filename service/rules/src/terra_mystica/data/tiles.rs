//! Favor tiles and town tiles (TM-3.13, TM-3.14, TM-P.3).

use super::cults::Cult;
use super::goods::Goods;
use crate::table::ids;

ids! {
    /// A favor tile (TM-3.13).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u16")]
    FavorTile {
        Fav1 "FAV1" "3 fire",
        Fav2 "FAV2" "3 water",
        Fav3 "FAV3" "3 earth",
        Fav4 "FAV4" "3 air",
        Fav5 "FAV5" "2 fire, towns of power 6",
        Fav6 "FAV6" "2 water, cult step action",
        Fav7 "FAV7" "2 earth, income 1 worker and 1 power",
        Fav8 "FAV8" "2 air, income 4 power",
        Fav9 "FAV9" "1 fire, income 3 coins",
        Fav10 "FAV10" "1 water, 3 VP per trading house",
        Fav11 "FAV11" "1 earth, 2 VP per dwelling",
        Fav12 "FAV12" "1 air, VP for trading houses on passing",
    }
}

impl FavorTile {
    /// VP of FAV10 for each trading house built.
    pub const TRADING_HOUSE_VP: u16 = 3;
    /// VP of FAV11 for each dwelling built.
    pub const DWELLING_VP: u16 = 2;
    /// VP of FAV12 on passing, by trading houses.
    pub const PASS_VP: [u16; 5] = [0, 2, 3, 3, 4];

    /// The number of copies.
    #[must_use]
    pub const fn copies(self) -> u8 {
        if self.index() < 4 { 1 } else { 3 }
    }

    /// The track of the tile's steps.
    #[must_use]
    pub const fn cult(self) -> Cult {
        match self {
            Self::Fav1 | Self::Fav5 | Self::Fav9 => Cult::Fire,
            Self::Fav2 | Self::Fav6 | Self::Fav10 => Cult::Water,
            Self::Fav3 | Self::Fav7 | Self::Fav11 => Cult::Earth,
            Self::Fav4 | Self::Fav8 | Self::Fav12 => Cult::Air,
        }
    }

    /// The steps of the tile.
    #[must_use]
    pub const fn steps(self) -> u8 {
        match self.index() {
            0..4 => 3,
            4..8 => 2,
            _ => 1,
        }
    }

    /// The income of the tile.
    #[must_use]
    pub const fn income(self) -> Goods {
        match self {
            Self::Fav7 => Goods::workers(1).and(Goods::power(1)),
            Self::Fav8 => Goods::power(4),
            Self::Fav9 => Goods::coins(3),
            Self::Fav1
            | Self::Fav2
            | Self::Fav3
            | Self::Fav4
            | Self::Fav5
            | Self::Fav6
            | Self::Fav10
            | Self::Fav11
            | Self::Fav12 => Goods::NONE,
        }
    }
}

ids! {
    /// A town tile (TM-3.14, TM-P.3).
    TownTile {
        Tw1 "TW1" "6 coins",
        Tw2 "TW2" "2 workers",
        Tw3 "TW3" "1 priest",
        Tw4 "TW4" "8 power",
        Tw5 "TW5" "1 step on all cults",
        Tw6 "TW6" "2 keys, 2 steps on all cults",
        Tw7 "TW7" "a shipping step",
        Tw8 "TW8" "11 VP",
    }
}

impl TownTile {
    /// The number of copies in the box.
    #[must_use]
    pub const fn copies(self) -> u8 {
        match self {
            Self::Tw6 | Self::Tw8 => 1,
            Self::Tw1 | Self::Tw2 | Self::Tw3 | Self::Tw4 | Self::Tw5 | Self::Tw7 => 2,
        }
    }

    /// Returns whether this is one of the optional tiles (TM-P.3).
    #[must_use]
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::Tw6 | Self::Tw7 | Self::Tw8)
    }

    /// The VP of the tile.
    #[must_use]
    pub const fn vp(self) -> u16 {
        match self {
            Self::Tw1 => 5,
            Self::Tw2 => 7,
            Self::Tw3 => 9,
            Self::Tw4 => 6,
            Self::Tw5 => 8,
            Self::Tw6 => 2,
            Self::Tw7 => 4,
            Self::Tw8 => 11,
        }
    }

    /// The goods that the tile gives.
    #[must_use]
    pub const fn gain(self) -> Goods {
        match self {
            Self::Tw1 => Goods::coins(6),
            Self::Tw2 => Goods::workers(2),
            Self::Tw3 => Goods::priests(1),
            Self::Tw4 => Goods::power(8),
            Self::Tw5 | Self::Tw6 | Self::Tw7 | Self::Tw8 => Goods::NONE,
        }
    }

    /// The steps that the tile gives on all four cults.
    #[must_use]
    pub const fn cult_steps(self) -> u8 {
        match self {
            Self::Tw5 => 1,
            Self::Tw6 => 2,
            Self::Tw1 | Self::Tw2 | Self::Tw3 | Self::Tw4 | Self::Tw7 | Self::Tw8 => 0,
        }
    }
}
