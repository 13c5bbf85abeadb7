//! What happened. Every event carries all facts; [`seen_by`](Event::seen_by) hides what must be hidden.

mod facts;
mod sentence;

pub use facts::{
    Building, March, PlayedCard, Purpose, SetupChoice, Side, Strength, Token, WarEnd, Zone,
};

use serde::{Deserialize, Serialize};

use super::action::TokenSource;
use super::data::{Border, Card, CardSet, Improvement, PointCard, Province, ProvinceSet, Sea};
use crate::table::{Seat, Viewer};

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// Set-up: a seat was dealt provinces.
    ProvincesDealt {
        /// Whose.
        seat: Seat,
        /// The provinces.
        provinces: ProvinceSet,
    },
    /// Set-up: the improvements on display.
    ImprovementsDisplayed {
        /// In the order of the draw.
        improvements: Vec<Improvement>,
    },
    /// Set-up: the variable point cards in play.
    PointCardsLaidOut {
        /// In the order of the draw.
        cards: Vec<PointCard>,
    },
    /// Set-up: dragons.
    DragonsPlaced {
        /// Where.
        provinces: ProvinceSet,
    },
    /// Set-up: runestones.
    RunestonesPlaced {
        /// Where.
        provinces: ProvinceSet,
    },
    /// A secret choice was made.
    SetupChosen {
        /// Who chose.
        seat: Seat,
        /// What: for the seat itself alone.
        choice: Option<SetupChoice>,
    },
    /// A revealed choice: provinces given away.
    ProvincesDiscarded {
        /// Whose.
        seat: Seat,
        /// The provinces.
        provinces: ProvinceSet,
    },
    /// A revealed choice: a citadel.
    CitadelPlaced {
        /// Whose.
        seat: Seat,
        /// Where.
        province: Province,
    },
    /// Who begins.
    FirstPlayer {
        /// The first player.
        seat: Seat,
    },
    /// A turn begins.
    TurnBegan {
        /// Whose.
        seat: Seat,
    },
    /// Cards were drawn.
    CardsDrawn {
        /// Who drew.
        seat: Seat,
        /// How many.
        count: u8,
        /// The number of times that the discard pile became the deck.
        reshuffles: u8,
        /// The cards in the order of drawing: for the seat itself alone.
        cards: Option<Vec<Card>>,
    },
    /// Cards were played for an action.
    CardsPlayed {
        /// Whose.
        seat: Seat,
        /// The cards.
        cards: Vec<PlayedCard>,
    },
    /// A province was invaded.
    Invaded {
        /// By whom.
        seat: Seat,
        /// The province.
        target: Province,
        /// Where from; nothing with Portal.
        origin: Option<Province>,
        /// The sea areas on the way.
        areas: Vec<Sea>,
        /// The armies placed.
        armies: u8,
    },
    /// Armies were placed.
    ArmiesPlaced {
        /// Whose.
        seat: Seat,
        /// Where.
        province: Province,
        /// How many.
        armies: u8,
    },
    /// Armies and mercenaries were taken back.
    ArmiesRemoved {
        /// Whose.
        seat: Seat,
        /// Where.
        province: Province,
        /// Armies to the stock.
        armies: u8,
        /// Mercenaries to the supply.
        mercenaries: u8,
    },
    /// Ships were placed.
    ShipsPlaced {
        /// Whose.
        seat: Seat,
        /// Where.
        sea: Sea,
        /// How many.
        ships: u8,
    },
    /// Ships were taken back.
    ShipsRemoved {
        /// Whose.
        seat: Seat,
        /// Where.
        sea: Sea,
        /// How many.
        ships: u8,
    },
    /// A war ended.
    WarEnded {
        /// Who ended it.
        seat: Seat,
        /// Where.
        province: Province,
        /// How.
        end: WarEnd,
        /// The strengths: the defender, then the attackers in seat order.
        strengths: Vec<Strength>,
        /// The winner; nobody with Diplomat.
        winner: Option<Side>,
    },
    /// Armies and mercenaries went home after a war.
    UnitsReturned {
        /// Whose.
        seat: Seat,
        /// From where.
        province: Province,
        /// Armies to the stock.
        armies: u8,
        /// Mercenaries to the supply.
        mercenaries: u8,
    },
    /// A province was captured.
    ProvinceCaptured {
        /// By whom.
        seat: Seat,
        /// The province.
        province: Province,
        /// Who controlled it before.
        loser: Option<Seat>,
        /// The building that was taken away.
        building: Option<Building>,
        /// Where its card lay.
        card_from: Zone,
    },
    /// A war was won by somebody without a town: the province belongs to nobody now.
    ProvinceNotTaken {
        /// Who won.
        seat: Seat,
        /// The province.
        province: Province,
        /// Who lost it; nobody, if it was neutral before.
        loser: Option<Seat>,
        /// The building that was taken away.
        building: Option<Building>,
        /// Where its card lay.
        card_from: Zone,
    },
    /// Armies and ships were bought.
    UnitsBought {
        /// By whom.
        seat: Seat,
        /// Armies.
        armies: u8,
        /// Ships.
        ships: u8,
    },
    /// A card was drafted.
    CardDrafted {
        /// By whom.
        seat: Seat,
        /// The card.
        card: Card,
        /// From the display or from the removed cards.
        from: Zone,
    },
    /// Cards were put into the reserve.
    CardsReserved {
        /// Whose.
        seat: Seat,
        /// The cards.
        cards: CardSet,
    },
    /// Cards were discarded.
    CardsDiscarded {
        /// Whose.
        seat: Seat,
        /// From the hand.
        hand: CardSet,
        /// From the reserve.
        reserve: CardSet,
    },
    /// Cards were removed from a deck.
    CardsRemoved {
        /// Whose.
        seat: Seat,
        /// From the hand.
        hand: CardSet,
        /// From the reserve.
        reserve: CardSet,
    },
    /// A city was built.
    CityBuilt {
        /// By whom.
        seat: Seat,
        /// Where.
        province: Province,
    },
    /// A castle was built.
    CastleBuilt {
        /// By whom.
        seat: Seat,
        /// Where.
        province: Province,
    },
    /// A road was built.
    RoadBuilt {
        /// By whom.
        seat: Seat,
        /// Where.
        border: Border,
    },
    /// A token was exchanged for the next higher one.
    TokenExchanged {
        /// Whose.
        seat: Seat,
        /// The value given.
        from: u8,
    },
    /// Patronage was paid.
    PatronagePaid {
        /// By whom.
        seat: Seat,
    },
    /// An action was passed.
    Passed {
        /// By whom.
        seat: Seat,
    },
    /// Armies moved by road.
    ArmiesMoved {
        /// Whose.
        seat: Seat,
        /// The moves.
        moves: Vec<March>,
    },
    /// Marauders sent an army home.
    ArmyRouted {
        /// Who played Marauders.
        seat: Seat,
        /// From where.
        province: Province,
        /// Whose army.
        owner: Seat,
    },
    /// Mercenaries were hired.
    MercenariesHired {
        /// By whom.
        seat: Seat,
        /// Where.
        province: Province,
        /// How many.
        count: u8,
    },
    /// Militia brought an army from the pool to the stock.
    ArmyRaised {
        /// Whose.
        seat: Seat,
    },
    /// A card came back from the discard pile to the hand.
    CardTakenBack {
        /// Whose.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Improvements were looked at.
    ImprovementsInspected {
        /// By whom.
        seat: Seat,
        /// How many.
        count: u8,
        /// Which: for the seat itself alone.
        improvements: Option<Vec<Improvement>>,
    },
    /// One of the improvements looked at was taken.
    ImprovementTaken {
        /// By whom.
        seat: Seat,
        /// Which: for the seat itself alone.
        improvement: Option<Improvement>,
    },
    /// A token was taken.
    TokenTaken {
        /// By whom.
        seat: Seat,
        /// The token.
        token: Token,
        /// From the card or from the bank.
        source: TokenSource,
    },
    /// A token was declined.
    TokenDeclined {
        /// By whom.
        seat: Seat,
        /// The token.
        token: Token,
    },
    /// The game is over.
    GameEnded {
        /// The winner.
        seat: Seat,
    },
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
