//! Power actions and special actions (TM-3.10, TM-3.11).

use crate::table::ids;

ids! {
    /// A power action, shared by all, each once per round (TM-3.10).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
    PowerAction {
        Act1 "ACT1" "bridge",
        Act2 "ACT2" "priest",
        Act3 "ACT3" "2 workers",
        Act4 "ACT4" "7 coins",
        Act5 "ACT5" "1 spade",
        Act6 "ACT6" "2 spades",
    }
}

impl PowerAction {
    /// The power to spend.
    #[must_use]
    pub const fn power(self) -> u8 {
        match self {
            Self::Act1 | Self::Act2 => 3,
            Self::Act3 | Self::Act4 | Self::Act5 => 4,
            Self::Act6 => 6,
        }
    }
}

ids! {
    /// A special action, each once per round for its owner (TM-3.11).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u16")]
    SpecialAction {
        Bon1 "BON1" "spade of the bonus card",
        Bon2 "BON2" "cult step of the bonus card",
        Fav6 "FAV6" "cult step of the favor tile",
        ActA "ACTA" "two cult steps",
        ActW "ACTW" "witches' ride",
        ActS "ACTS" "free trading house",
        ActC "ACTC" "double turn",
        ActG "ACTG" "two spades",
        ActN "ACTN" "sandstorm",
    }
}

impl SpecialAction {
    /// The name in the middle of a sentence: `ACTN (sandstorm)`, `the cult step of BON2`.
    pub fn called(self) -> String {
        match self {
            Self::Bon1 => String::from("the spade of BON1"),
            Self::Bon2 | Self::Fav6 => format!("the cult step of {}", self.id()),
            Self::ActA | Self::ActW | Self::ActS | Self::ActC | Self::ActG | Self::ActN => {
                format!("{} ({self})", self.id())
            }
        }
    }
}
