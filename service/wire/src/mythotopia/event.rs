//! What happened, already cut to what its viewer may know.

use gamekeeper_rules::mythotopia::{
    Event, March, PlayedCard, Purpose, SetupChoice, Side, Strength,
};

use super::pb::{self, event::Kind};
use crate::rows::{ToPb, message, oneof};

oneof! {
    Event => Kind in pb;
    fields {
        ProvincesDealt { seat, provinces },
        ImprovementsDisplayed { improvements },
        PointCardsLaidOut { cards },
        DragonsPlaced { provinces },
        RunestonesPlaced { provinces },
        SetupChosen { seat, choice },
        ProvincesDiscarded { seat, provinces },
        CitadelPlaced { seat, province },
        FirstPlayer { seat },
        TurnBegan { seat },
        CardsDrawn { seat, count, reshuffles, cards },
        CardsPlayed { seat, cards },
        Invaded { seat, target, origin, areas, armies },
        ArmiesPlaced { seat, province, armies },
        ArmiesRemoved { seat, province, armies, mercenaries },
        ShipsPlaced { seat, sea, ships },
        ShipsRemoved { seat, sea, ships },
        WarEnded { seat, province, end, strengths, winner },
        UnitsReturned { seat, province, armies, mercenaries },
        ProvinceCaptured { seat, province, loser, building, card_from },
        ProvinceNotTaken { seat, province, loser, building, card_from },
        UnitsBought { seat, armies, ships },
        CardDrafted { seat, card, from },
        CardsReserved { seat, cards },
        CardsDiscarded { seat, hand, reserve },
        CardsRemoved { seat, hand, reserve },
        CityBuilt { seat, province },
        CastleBuilt { seat, province },
        RoadBuilt { seat, border },
        TokenExchanged { seat, from },
        PatronagePaid { seat },
        Passed { seat },
        ArmiesMoved { seat, moves },
        ArmyRouted { seat, province, owner },
        MercenariesHired { seat, province, count },
        ArmyRaised { seat },
        CardTakenBack { seat, card },
        ImprovementsInspected { seat, count, improvements },
        ImprovementTaken { seat, improvement },
        TokenTaken { seat, token, source },
        TokenDeclined { seat, token },
        GameEnded { seat },
    }
}

message! { March => pb::March { from, to, count } }
message! {
    Strength => pb::Strength,
    |it| pb::Strength { seat: it.side.to_pb(), strength: it.strength.to_pb() }
}

/// A side of a war: its seat, or 0 for the neutral side.
impl ToPb<u32> for Side {
    fn to_pb(&self) -> u32 {
        match self {
            Self::Neutral => 0,
            Self::Player(seat) => seat.to_pb(),
        }
    }
}

message! {
    SetupChoice => pb::SetupChoice,
    |choice| match choice {
        SetupChoice::Discard(provinces) => pb::SetupChoice {
            provinces: provinces.to_pb(),
            citadel: false,
        },
        SetupChoice::Citadel(province) => pb::SetupChoice {
            provinces: vec![province.to_pb()],
            citadel: true,
        },
    }
}

message! {
    PlayedCard => pb::PlayedCard,
    |card| {
        let (purpose, symbol, via) = match card.purpose {
            Purpose::Symbol(symbol) => (pb::Purpose::Symbol, Some(symbol), None),
            Purpose::Converted(via, symbol) => (pb::Purpose::Symbol, Some(symbol), Some(via)),
            Purpose::Merchant => (pb::Purpose::Merchant, None, None),
            Purpose::WaterMill => (pb::Purpose::WaterMill, None, None),
            Purpose::Site => (pb::Purpose::Site, None, None),
            Purpose::Portal => (pb::Purpose::Portal, None, None),
            Purpose::Transport => (pb::Purpose::Transport, None, None),
            Purpose::Ability => (pb::Purpose::Ability, None, None),
        };
        pb::PlayedCard {
            card: card.card.to_pb(),
            zone: card.zone.to_pb(),
            purpose: purpose.into(),
            symbol: symbol.to_pb(),
            via: via.to_pb(),
        }
    }
}
