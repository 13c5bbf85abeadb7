//! What happened. Every event carries all facts; [`seen_by`](Event::seen_by) hides what must be hidden.

mod sentence;

use serde::{Deserialize, Serialize};

use super::action::TokenSource;
use super::data::{
    Border, Card, CardSet, Converter, Improvement, PointCard, Province, ProvinceSet, Sea, Slot,
    Symbol,
};
use crate::table::{Seat, Viewer, ids};

ids! {
    /// A building of a controlled province (MYT-7.33).
    Building {
        Town "town",
        City "city",
        Citadel "citadel",
    }
}

ids! {
    /// Where a card lies.
    Zone {
        Hand "hand",
        Deck "deck",
        Discard "discard" "discard pile",
        Reserve "reserve",
        Removed "removed" "removed cards",
        ProvincePile "province_pile" "province pile",
        Display "display",
    }
}

ids! {
    /// How a war came to its end.
    WarEnd {
        Strength "strength",
        Hero "hero" "Hero",
        Diplomat "diplomat" "Diplomat",
        EndOfGame "end_of_game" "end of the game",
    }
}

/// A side of a war.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Side {
    /// The people of a province that nobody controls.
    Neutral,
    Player(Seat),
}

/// How strong a side of a war is (MYT-4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Strength {
    pub side: Side,
    pub strength: u8,
}

/// What a card was played for (MYT-6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Purpose {
    /// For symbols of one kind, as printed.
    Symbol(Symbol),
    /// For one symbol that a converter gives; the symbol paid differs with Merchant.
    Converted(Converter, Symbol),
    /// To change the resource of the card before it.
    Merchant,
    /// To double the resource of the card before it.
    WaterMill,
    Site,
    Portal,
    /// To carry the invasion over a sea.
    Transport,
    Ability,
}

/// A card that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PlayedCard {
    pub card: Card,
    /// Where it lay: hand or reserve.
    pub zone: Zone,
    pub purpose: Purpose,
}

/// Armies that moved by road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct March {
    pub from: Province,
    pub to: Province,
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
#[allow(missing_docs, reason = "the names say it")]
pub struct Token {
    pub card: PointCard,
    pub value: u8,
    /// The slot, where the card has slots.
    pub slot: Option<Slot>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
#[rustfmt::skip]
pub enum Event {
    ProvincesDealt { seat: Seat, provinces: ProvinceSet },
    ImprovementsDisplayed {
        /// In the order of the draw.
        improvements: Vec<Improvement>,
    },
    PointCardsLaidOut {
        /// In the order of the draw.
        cards: Vec<PointCard>,
    },
    DragonsPlaced { provinces: ProvinceSet },
    RunestonesPlaced { provinces: ProvinceSet },
    SetupChosen {
        seat: Seat,
        /// What: for the seat itself alone.
        choice: Option<SetupChoice>,
    },
    ProvincesDiscarded { seat: Seat, provinces: ProvinceSet },
    CitadelPlaced { seat: Seat, province: Province },
    FirstPlayer { seat: Seat },
    TurnBegan { seat: Seat },
    CardsDrawn {
        seat: Seat,
        count: u8,
        /// The number of times that the discard pile became the deck.
        reshuffles: u8,
        /// The cards in the order of drawing: for the seat itself alone.
        cards: Option<Vec<Card>>,
    },
    CardsPlayed { seat: Seat, cards: Vec<PlayedCard> },
    Invaded {
        seat: Seat,
        target: Province,
        /// Where from; nothing with Portal.
        origin: Option<Province>,
        areas: Vec<Sea>,
        armies: u8,
    },
    ArmiesPlaced { seat: Seat, province: Province, armies: u8 },
    ArmiesRemoved { seat: Seat, province: Province, armies: u8, mercenaries: u8 },
    ShipsPlaced { seat: Seat, sea: Sea, ships: u8 },
    ShipsRemoved { seat: Seat, sea: Sea, ships: u8 },
    WarEnded {
        seat: Seat,
        province: Province,
        end: WarEnd,
        /// The strengths: the defender, then the attackers in seat order.
        strengths: Vec<Strength>,
        /// The winner; nobody with Diplomat.
        winner: Option<Side>,
    },
    UnitsReturned { seat: Seat, province: Province, armies: u8, mercenaries: u8 },
    ProvinceCaptured {
        seat: Seat,
        province: Province,
        loser: Option<Seat>,
        building: Option<Building>,
        card_from: Zone,
    },
    ProvinceNotTaken {
        seat: Seat,
        province: Province,
        /// Who lost it; nobody, if it was neutral before.
        loser: Option<Seat>,
        building: Option<Building>,
        card_from: Zone,
    },
    UnitsBought { seat: Seat, armies: u8, ships: u8 },
    CardDrafted { seat: Seat, card: Card, from: Zone },
    CardsReserved { seat: Seat, cards: CardSet },
    CardsDiscarded { seat: Seat, hand: CardSet, reserve: CardSet },
    CardsRemoved { seat: Seat, hand: CardSet, reserve: CardSet },
    CityBuilt { seat: Seat, province: Province },
    CastleBuilt { seat: Seat, province: Province },
    RoadBuilt { seat: Seat, border: Border },
    TokenExchanged { seat: Seat, from: u8 },
    PatronagePaid { seat: Seat },
    Passed { seat: Seat },
    ArmiesMoved { seat: Seat, moves: Vec<March> },
    ArmyRouted { seat: Seat, province: Province, owner: Seat },
    MercenariesHired { seat: Seat, province: Province, count: u8 },
    ArmyRaised { seat: Seat },
    CardTakenBack { seat: Seat, card: Card },
    ImprovementsInspected {
        seat: Seat,
        count: u8,
        /// Which: for the seat itself alone.
        improvements: Option<Vec<Improvement>>,
    },
    ImprovementTaken {
        seat: Seat,
        /// Which: for the seat itself alone.
        improvement: Option<Improvement>,
    },
    TokenTaken { seat: Seat, token: Token, source: TokenSource },
    TokenDeclined { seat: Seat, token: Token },
    GameEnded { seat: Seat },
}

impl Event {
    /// What a viewer may know of it (MYT-13.3). Everybody knows that it happened.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Self {
        let mut seen = self.clone();
        match &mut seen {
            Self::SetupChosen { seat, choice } => hide(choice, *seat, viewer),
            Self::CardsDrawn { seat, cards, .. } => hide(cards, *seat, viewer),
            Self::ImprovementsInspected {
                seat, improvements, ..
            } => hide(improvements, *seat, viewer),
            Self::ImprovementTaken { seat, improvement } => hide(improvement, *seat, viewer),
            Self::ProvincesDealt { .. }
            | Self::ImprovementsDisplayed { .. }
            | Self::PointCardsLaidOut { .. }
            | Self::DragonsPlaced { .. }
            | Self::RunestonesPlaced { .. }
            | Self::ProvincesDiscarded { .. }
            | Self::CitadelPlaced { .. }
            | Self::FirstPlayer { .. }
            | Self::TurnBegan { .. }
            | Self::CardsPlayed { .. }
            | Self::Invaded { .. }
            | Self::ArmiesPlaced { .. }
            | Self::ArmiesRemoved { .. }
            | Self::ShipsPlaced { .. }
            | Self::ShipsRemoved { .. }
            | Self::WarEnded { .. }
            | Self::UnitsReturned { .. }
            | Self::ProvinceCaptured { .. }
            | Self::ProvinceNotTaken { .. }
            | Self::UnitsBought { .. }
            | Self::CardDrafted { .. }
            | Self::CardsReserved { .. }
            | Self::CardsDiscarded { .. }
            | Self::CardsRemoved { .. }
            | Self::CityBuilt { .. }
            | Self::CastleBuilt { .. }
            | Self::RoadBuilt { .. }
            | Self::TokenExchanged { .. }
            | Self::PatronagePaid { .. }
            | Self::Passed { .. }
            | Self::ArmiesMoved { .. }
            | Self::ArmyRouted { .. }
            | Self::MercenariesHired { .. }
            | Self::ArmyRaised { .. }
            | Self::CardTakenBack { .. }
            | Self::TokenTaken { .. }
            | Self::TokenDeclined { .. }
            | Self::GameEnded { .. } => {}
        }
        seen
    }
}

fn hide<T>(secret: &mut Option<T>, owner: Seat, viewer: Viewer) {
    if !viewer.sees(owner) {
        *secret = None;
    }
}
