//! The dice of one player: 0, 1 and 2 are their own, 3 and 4 are white (KIN-6.30).

use enumset::{EnumSet, EnumSetType, enum_set};

use crate::table::ids;

ids! {
    /// One of the dice that a player may roll in a season.
    #[derive(EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
    DieId {
        Own0 "own_0",
        Own1 "own_1",
        Own2 "own_2",
        KingsAid "kings_aid",
        Farms "farms",
    }
}

/// Some of the dice of one player.
pub type DiceSet = EnumSet<DieId>;

impl DieId {
    /// The three dice in the player's color.
    pub const OWN: DiceSet = enum_set!(Self::Own0 | Self::Own1 | Self::Own2);

    /// All sets of dice, in the order in which placements are listed: of two sets, the one without
    /// the highest die in which they differ comes first.
    pub fn sets() -> impl Iterator<Item = DiceSet> {
        (0..1 << Self::COUNT).map(DiceSet::from_u8_truncated)
    }

    /// The die with this number, if a player can have it.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        Self::ALL.get(index).copied()
    }

    /// The number, 0 to 4.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns whether this is a white die. Those are placed only together with an own die (KIN-7.30).
    #[must_use]
    pub const fn is_white(self) -> bool {
        match self {
            Self::Own0 | Self::Own1 | Self::Own2 => false,
            Self::KingsAid | Self::Farms => true,
        }
    }
}

/// `a +2 token`, `two +2 tokens`: the number as a word, so that it does not run into the 2.
pub fn plus2_tokens(count: impl Into<u64>) -> String {
    match count.into() {
        1 => String::from("a +2 token"),
        2 => String::from("two +2 tokens"),
        3 => String::from("three +2 tokens"),
        4 => String::from("four +2 tokens"),
        5 => String::from("five +2 tokens"),
        many => format!("{many} +2 tokens"),
    }
}

/// `1 die`, `2 dice`.
pub fn counted(dice: usize) -> String {
    match dice {
        1 => String::from("1 die"),
        _ => format!("{dice} dice"),
    }
}
