//! What happened, already cut to what its viewer may know.

use enumset::EnumSet;
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
        CardDrafted { seat, card, from_zone },
        CardsReserved { seat, cards },
        CardsDiscarded { seat, hand, reserve },
        CardsRemoved { seat, hand, reserve },
        CityBuilt { seat, province },
        CastleBuilt { seat, province },
        RoadBuilt { seat, border },
        TokenExchanged { seat, from_value },
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
    }
}

message! { March => pb::March { from_province, to_province, count } }
message! {
    Strength => pb::Strength,
    |it| { seat: it.side, value: it.strength }
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
    |choice| {
        provinces: match choice {
            SetupChoice::Discard(provinces) => *provinces,
            SetupChoice::Citadel(province) => EnumSet::only(*province),
        },
        citadel: matches!(choice, SetupChoice::Citadel(_)),
    }
}

message! {
    PlayedCard => pb::PlayedCard,
    |played| {
        card: played.card, zone: played.zone, purpose: played.purpose,
        symbol: if let Purpose::Symbol(symbol) | Purpose::Converted(_, symbol) = played.purpose { Some(symbol) } else { None },
        via: if let Purpose::Converted(via, _) = played.purpose { Some(via) } else { None },
    }
}

impl ToPb<i32> for Purpose {
    fn to_pb(&self) -> i32 {
        match self {
            Self::Symbol(_) | Self::Converted(..) => pb::Purpose::Symbol,
            Self::Merchant => pb::Purpose::Merchant,
            Self::WaterMill => pb::Purpose::WaterMill,
            Self::Site => pb::Purpose::Site,
            Self::Portal => pb::Purpose::Portal,
            Self::Transport => pb::Purpose::Transport,
            Self::Ability => pb::Purpose::Ability,
        }
        .into()
    }
}
