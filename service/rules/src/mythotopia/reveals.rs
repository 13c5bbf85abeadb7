//! Which events reveal hidden information: cards of hands and decks, and the secret choices of the
//! set-up (MYT-13.3).

use super::event::{Event, PlayedCard};
use super::stage::Zone;

impl Event {
    /// Does it show a card or a choice that was hidden from somebody?
    pub(crate) fn reveals(&self) -> bool {
        let hidden = |zone: &Zone| matches!(zone, Zone::Hand | Zone::Deck);
        match self {
            Self::ProvincesDealt { .. }
            | Self::ImprovementsDisplayed { .. }
            | Self::PointCardsLaidOut { .. }
            | Self::ProvincesDiscarded { .. }
            | Self::CitadelPlaced { .. }
            | Self::CardsDrawn { .. }
            | Self::CardsReserved { .. }
            | Self::ProvinceCaptured { .. }
            | Self::ProvinceNotTaken { .. }
            | Self::CardDrafted { .. }
            | Self::ImprovementsInspected { .. }
            | Self::ImprovementTaken { .. } => true,
            Self::CardsPlayed { cards, .. } => {
                cards.iter().any(|PlayedCard { zone, .. }| hidden(zone))
            }
            Self::CardsDiscarded { hand, .. } | Self::CardsRemoved { hand, .. } => !hand.is_empty(),
            Self::DragonsPlaced { .. }
            | Self::RunestonesPlaced { .. }
            | Self::SetupChosen { .. }
            | Self::FirstPlayer { .. }
            | Self::TurnBegan { .. }
            | Self::Invaded { .. }
            | Self::ArmiesPlaced { .. }
            | Self::ArmiesRemoved { .. }
            | Self::ShipsPlaced { .. }
            | Self::ShipsRemoved { .. }
            | Self::WarEnded { .. }
            | Self::UnitsReturned { .. }
            | Self::UnitsBought { .. }
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
            | Self::GameEnded { .. } => false,
        }
    }
}
