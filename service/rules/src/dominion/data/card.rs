//! The 32 kinds of cards (DOM-3.1, DOM-3.2).

use serde::{Deserialize, Serialize};

use crate::table::ids;

ids! {
    /// A kind of card, in canonical order (DOM-3.1): basic cards first, then the kingdom by name.
    Card {
        Copper "copper" "Copper",
        Silver "silver" "Silver",
        Gold "gold" "Gold",
        Estate "estate" "Estate",
        Duchy "duchy" "Duchy",
        Province "province" "Province",
        Curse "curse" "Curse",
        Adventurer "adventurer" "Adventurer",
        Bureaucrat "bureaucrat" "Bureaucrat",
        Cellar "cellar" "Cellar",
        Chancellor "chancellor" "Chancellor",
        Chapel "chapel" "Chapel",
        CouncilRoom "council_room" "Council Room",
        Feast "feast" "Feast",
        Festival "festival" "Festival",
        Gardens "gardens" "Gardens",
        Laboratory "laboratory" "Laboratory",
        Library "library" "Library",
        Market "market" "Market",
        Militia "militia" "Militia",
        Mine "mine" "Mine",
        Moat "moat" "Moat",
        Moneylender "moneylender" "Moneylender",
        Remodel "remodel" "Remodel",
        Smithy "smithy" "Smithy",
        Spy "spy" "Spy",
        Thief "thief" "Thief",
        ThroneRoom "throne_room" "Throne Room",
        Village "village" "Village",
        Witch "witch" "Witch",
        Woodcutter "woodcutter" "Woodcutter",
        Workshop "workshop" "Workshop",
    }
}

ids! {
    /// A type printed at the foot of a card (DOM-3.1, DOM-3.2).
    CardType {
        Treasure "treasure",
        Victory "victory",
        Curse "curse",
        Action "action",
        Attack "attack",
        Reaction "reaction",
    }
}

ids! {
    /// Whether a card is in every Supply (DOM-3.1) or is one of the 25 kinds of which a kingdom
    /// has ten (DOM-3.2).
    Group {
        Basic "basic",
        Kingdom "kingdom",
    }
}

/// A number of cards of one kind: a Supply pile, or a part of a player's cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Pile {
    pub card: Card,
    pub count: u8,
}

impl Card {
    /// The bit of this card in a set of cards.
    pub const fn bit(self) -> u32 {
        1 << self as u8
    }
}
