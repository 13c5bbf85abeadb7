//! What events tell of: zones, ways to end a war, cards played, armies on the march.

use serde::{Deserialize, Serialize};

use crate::mythotopia::data::{Card, Converter, PointCard, Province, ProvinceSet, Slot, Symbol};
use crate::mythotopia::ids::ids;
use crate::table::Seat;

ids! {
    /// A building of a controlled province (MYT-7.33).
    Building {
        Town "town" "town",
        City "city" "city",
        Citadel "citadel" "citadel",
    }
}

ids! {
    /// Where a card lies.
    Zone {
        Hand "hand" "hand",
        Deck "deck" "deck",
        Discard "discard" "discard pile",
        Reserve "reserve" "reserve",
        Removed "removed" "removed cards",
        ProvincePile "province_pile" "province pile",
        Display "display" "display",
    }
}

ids! {
    /// How a war came to its end.
    WarEnd {
        Strength "strength" "strength",
        Hero "hero" "Hero",
        Diplomat "diplomat" "Diplomat",
        EndOfGame "end_of_game" "end of the game",
    }
}

/// A side of a war.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The people of a province that nobody controls.
    Neutral,
    /// A player.
    Player(Seat),
}

/// How strong a side of a war is (MYT-4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// The side.
    pub side: Side,
    /// Its strength.
    pub strength: u8,
}

/// What a card was played for (MYT-6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// For symbols of one kind, as printed.
    Symbol(Symbol),
    /// For one symbol that a converter gives; the symbol paid differs with Merchant.
    Converted(Converter, Symbol),
    /// To change the resource of the card before it.
    Merchant,
    /// To double the resource of the card before it.
    WaterMill,
    /// As site card.
    Site,
    /// As Portal.
    Portal,
    /// To carry the invasion over a sea.
    Transport,
    /// For its ability.
    Ability,
}

/// A card that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedCard {
    /// The card.
    pub card: Card,
    /// Where it lay: hand or reserve.
    pub zone: Zone,
    /// What for.
    pub purpose: Purpose,
}

/// Armies that moved by road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct March {
    /// Where they left.
    pub from: Province,
    /// Where they arrived.
    pub to: Province,
    /// How many.
    pub count: u8,
}

/// A secret choice of the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetupChoice {
    /// The provinces to give away.
    Discard(ProvinceSet),
    /// The province of the citadel.
    Citadel(Province),
}

/// A token that is awarded (MYT-6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// The point card.
    pub card: PointCard,
    /// The value.
    pub value: u8,
    /// The slot, where the card has slots.
    pub slot: Option<Slot>,
}
