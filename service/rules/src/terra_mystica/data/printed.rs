//! Tiles, cards and actions in words for their players, in the style of a printed text (TM-3.10 to TM-3.16, TM-P.3).

use super::cards::{BonusCard, ScoringTile};
use super::special::{PowerAction, SpecialAction};
use super::tiles::{FavorTile, TownTile};

impl FavorTile {
    /// The text of the favor tile.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Fav1 => "3 steps on the fire track.",
            Self::Fav2 => "3 steps on the water track.",
            Self::Fav3 => "3 steps on the earth track.",
            Self::Fav4 => "3 steps on the air track.",
            Self::Fav5 => {
                "2 steps on the fire track. From now on your towns need a power value of only 6."
            }
            Self::Fav6 => {
                "2 steps on the water track. Special action, once a round: 1 step on a track of your choice."
            }
            Self::Fav7 => "2 steps on the earth track. Income: 1 worker and 1 power.",
            Self::Fav8 => "2 steps on the air track. Income: 4 power.",
            Self::Fav9 => "1 step on the fire track. Income: 3 coins.",
            Self::Fav10 => {
                "1 step on the water track. Each time you build a trading house, you score 3 VP."
            }
            Self::Fav11 => {
                "1 step on the earth track. Each time you build a dwelling, you score 2 VP."
            }
            Self::Fav12 => {
                "1 step on the air track. When you pass with 1, 2, 3 or 4 trading houses, you score 2, 3, 3 or 4 VP."
            }
        }
    }
}

impl TownTile {
    /// The text of the town tile.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Tw1 => "5 VP and 6 coins.",
            Self::Tw2 => "7 VP and 2 workers.",
            Self::Tw3 => "9 VP and 1 priest.",
            Self::Tw4 => "6 VP and 8 power.",
            Self::Tw5 => "8 VP and 1 step on every cult track.",
            Self::Tw6 => "2 VP and 2 steps on every cult track. It counts as two keys.",
            Self::Tw7 => "4 VP and 1 step on your shipping track.",
            Self::Tw8 => "11 VP.",
        }
    }
}

impl BonusCard {
    /// The text of the bonus card.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Bon1 => "Income: 2 coins. Special action, once a round: 1 spade.",
            Self::Bon2 => {
                "Income: 4 coins. Special action, once a round: 1 step on a cult track of your choice."
            }
            Self::Bon3 => "Income: 6 coins.",
            Self::Bon4 => {
                "Income: 3 power. While you hold the card, your shipping reaches 1 space farther."
            }
            Self::Bon5 => "Income: 1 worker and 3 power.",
            Self::Bon6 => {
                "Income: 2 workers. When you pass, you score 4 VP for your stronghold and 4 VP for your sanctuary."
            }
            Self::Bon7 => {
                "Income: 1 worker. When you pass, you score 2 VP for each of your trading houses."
            }
            Self::Bon8 => "Income: 1 priest.",
            Self::Bon9 => {
                "Income: 2 coins. When you pass, you score 1 VP for each of your dwellings."
            }
            Self::Bon10 => {
                "Income: 3 power. When you pass, you score 3 VP for each level of your shipping track."
            }
        }
    }
}

impl ScoringTile {
    /// The text of the scoring tile.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Score1 => {
                "Each spade scores 2 VP. At the end of the round: 1 coin for each step on the earth track."
            }
            Self::Score2 => {
                "Each town scores 5 VP. At the end of the round: 1 spade for every 4 steps on the earth track."
            }
            Self::Score3 => {
                "Each dwelling scores 2 VP. At the end of the round: 1 priest for every 4 steps on the water track."
            }
            Self::Score4 => {
                "Each stronghold or sanctuary scores 5 VP. At the end of the round: 1 worker for every 2 steps on the fire track."
            }
            Self::Score5 => {
                "Each dwelling scores 2 VP. At the end of the round: 4 power for every 4 steps on the fire track."
            }
            Self::Score6 => {
                "Each trading house scores 3 VP. At the end of the round: 1 spade for every 4 steps on the water track."
            }
            Self::Score7 => {
                "Each stronghold or sanctuary scores 5 VP. At the end of the round: 1 worker for every 2 steps on the air track."
            }
            Self::Score8 => {
                "Each trading house scores 3 VP. At the end of the round: 1 spade for every 4 steps on the air track."
            }
            Self::Score9 => {
                "Each temple scores 4 VP. At the end of the round: 2 coins for each of your priests on the cult board."
            }
        }
    }
}

impl PowerAction {
    /// The text of the power action on the board.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Act1 => "For 3 power: build a bridge.",
            Self::Act2 => "For 3 power: take a priest.",
            Self::Act3 => "For 4 power: take 2 workers.",
            Self::Act4 => "For 4 power: take 7 coins.",
            Self::Act5 => {
                "For 4 power: transform with 1 free spade, and build a dwelling there at its price."
            }
            Self::Act6 => {
                "For 6 power: transform with 2 free spades, and build a dwelling there at its price."
            }
        }
    }
}

impl SpecialAction {
    /// The text of the special action.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Bon1 => "Transform with 1 free spade, and build a dwelling there at its price.",
            Self::Bon2 | Self::Fav6 => "Move 1 step on a cult track of your choice.",
            Self::ActA => "Move 2 steps on a cult track of your choice.",
            Self::ActW => "Build a dwelling for free on any empty forest space.",
            Self::ActS => "Upgrade a dwelling to a trading house for free.",
            Self::ActC => "Take two main actions in a row.",
            Self::ActG => {
                "Transform one space with 2 free spades, and build a dwelling there at its price."
            }
            Self::ActN => {
                "Turn an adjacent space into desert without spades, and build a dwelling there at its price."
            }
        }
    }
}
