//! What happened, already cut to what its viewer may know.

use gamekeeper_rules::mythotopia::{
    Event, March, PlayedCard, Purpose, SetupChoice, Side, Strength, WarEnd,
};

use super::ids::{self, each};
use super::pb::{self, event::Kind};
use crate::names::{Name, names, numbers};
use crate::seat_number;

names! { WarEnd => pb::WarEnd { Strength, Hero, Diplomat, EndOfGame } }

pub(super) fn message(event: &Event, text: Option<String>) -> pb::Event {
    pb::Event {
        text: text.unwrap_or_default(),
        kind: Some(kind(event)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each event"
)]
fn kind(event: &Event) -> Kind {
    match event {
        Event::ProvincesDealt { seat, provinces } => Kind::ProvincesDealt(pb::ProvincesDealt {
            seat: seat_number(*seat),
            provinces: each(provinces.iter()),
        }),
        Event::ImprovementsDisplayed { improvements } => {
            Kind::ImprovementsDisplayed(pb::ImprovementsDisplayed {
                improvements: numbers(improvements),
            })
        }
        Event::PointCardsLaidOut { cards } => Kind::PointCardsLaidOut(pb::PointCardsLaidOut {
            cards: numbers(cards),
        }),
        Event::DragonsPlaced { provinces } => Kind::DragonsPlaced(pb::DragonsPlaced {
            provinces: each(provinces.iter()),
        }),
        Event::RunestonesPlaced { provinces } => Kind::RunestonesPlaced(pb::RunestonesPlaced {
            provinces: each(provinces.iter()),
        }),
        Event::SetupChosen { seat, choice } => Kind::SetupChosen(pb::SetupChosen {
            seat: seat_number(*seat),
            choice: choice.map(choice_message),
        }),
        Event::ProvincesDiscarded { seat, provinces } => {
            Kind::ProvincesDiscarded(pb::ProvincesDiscarded {
                seat: seat_number(*seat),
                provinces: each(provinces.iter()),
            })
        }
        Event::CitadelPlaced { seat, province } => Kind::CitadelPlaced(pb::CitadelPlaced {
            seat: seat_number(*seat),
            province: province.number(),
        }),
        Event::FirstPlayer { seat } => Kind::FirstPlayer(pb::FirstPlayer {
            seat: seat_number(*seat),
        }),
        Event::TurnBegan { seat } => Kind::TurnBegan(pb::TurnBegan {
            seat: seat_number(*seat),
        }),
        Event::CardsDrawn {
            seat,
            count,
            reshuffles,
            cards,
        } => Kind::CardsDrawn(pb::CardsDrawn {
            seat: seat_number(*seat),
            count: u32::from(*count),
            reshuffles: u32::from(*reshuffles),
            cards: cards.as_deref().map(ids::card_list),
        }),
        Event::CardsPlayed { seat, cards } => Kind::CardsPlayed(pb::CardsPlayed {
            seat: seat_number(*seat),
            cards: cards.iter().map(played).collect(),
        }),
        Event::Invaded {
            seat,
            target,
            origin,
            areas,
            armies,
        } => Kind::Invaded(pb::Invaded {
            seat: seat_number(*seat),
            target: target.number(),
            origin: origin.map(Name::number),
            areas: numbers(areas),
            armies: u32::from(*armies),
        }),
        Event::ArmiesPlaced {
            seat,
            province,
            armies,
        } => Kind::ArmiesPlaced(pb::ArmiesPlaced {
            seat: seat_number(*seat),
            province: province.number(),
            armies: u32::from(*armies),
        }),
        Event::ArmiesRemoved {
            seat,
            province,
            armies,
            mercenaries,
        } => Kind::ArmiesRemoved(pb::ArmiesRemoved {
            seat: seat_number(*seat),
            province: province.number(),
            armies: u32::from(*armies),
            mercenaries: u32::from(*mercenaries),
        }),
        Event::ShipsPlaced { seat, sea, ships } => Kind::ShipsPlaced(pb::ShipsPlaced {
            seat: seat_number(*seat),
            sea: sea.number(),
            ships: u32::from(*ships),
        }),
        Event::ShipsRemoved { seat, sea, ships } => Kind::ShipsRemoved(pb::ShipsRemoved {
            seat: seat_number(*seat),
            sea: sea.number(),
            ships: u32::from(*ships),
        }),
        Event::WarEnded {
            seat,
            province,
            end,
            strengths,
            winner,
        } => Kind::WarEnded(pb::WarEnded {
            seat: seat_number(*seat),
            province: province.number(),
            end: end.number(),
            strengths: strength_messages(strengths),
            winner: winner.map(side),
        }),
        Event::UnitsReturned {
            seat,
            province,
            armies,
            mercenaries,
        } => Kind::UnitsReturned(pb::UnitsReturned {
            seat: seat_number(*seat),
            province: province.number(),
            armies: u32::from(*armies),
            mercenaries: u32::from(*mercenaries),
        }),
        Event::ProvinceCaptured {
            seat,
            province,
            loser,
            building,
            card_from,
        } => Kind::ProvinceCaptured(pb::ProvinceCaptured {
            seat: seat_number(*seat),
            province: province.number(),
            loser: loser.map(seat_number),
            building: building.map(Name::number),
            card_from: card_from.number(),
        }),
        Event::ProvinceNotTaken {
            seat,
            province,
            loser,
            building,
            card_from,
        } => Kind::ProvinceNotTaken(pb::ProvinceNotTaken {
            seat: seat_number(*seat),
            province: province.number(),
            loser: loser.map(seat_number),
            building: building.map(Name::number),
            card_from: card_from.number(),
        }),
        Event::UnitsBought {
            seat,
            armies,
            ships,
        } => Kind::UnitsBought(pb::UnitsBought {
            seat: seat_number(*seat),
            armies: u32::from(*armies),
            ships: u32::from(*ships),
        }),
        Event::CardDrafted { seat, card, from } => Kind::CardDrafted(pb::CardDrafted {
            seat: seat_number(*seat),
            card: card.number(),
            from: from.number(),
        }),
        Event::CardsReserved { seat, cards } => Kind::CardsReserved(pb::CardsReserved {
            seat: seat_number(*seat),
            cards: each(cards.iter()),
        }),
        Event::CardsDiscarded {
            seat,
            hand,
            reserve,
        } => Kind::CardsDiscarded(pb::CardsDiscarded {
            seat: seat_number(*seat),
            hand: each(hand.iter()),
            reserve: each(reserve.iter()),
        }),
        Event::CardsRemoved {
            seat,
            hand,
            reserve,
        } => Kind::CardsRemoved(pb::CardsRemoved {
            seat: seat_number(*seat),
            hand: each(hand.iter()),
            reserve: each(reserve.iter()),
        }),
        Event::CityBuilt { seat, province } => Kind::CityBuilt(pb::CityBuilt {
            seat: seat_number(*seat),
            province: province.number(),
        }),
        Event::CastleBuilt { seat, province } => Kind::CastleBuilt(pb::CastleBuilt {
            seat: seat_number(*seat),
            province: province.number(),
        }),
        Event::RoadBuilt { seat, border } => Kind::RoadBuilt(pb::RoadBuilt {
            seat: seat_number(*seat),
            border: Some(ids::border(*border)),
        }),
        Event::TokenExchanged { seat, from } => Kind::TokenExchanged(pb::TokenExchanged {
            seat: seat_number(*seat),
            from: u32::from(*from),
        }),
        Event::PatronagePaid { seat } => Kind::PatronagePaid(pb::PatronagePaid {
            seat: seat_number(*seat),
        }),
        Event::Passed { seat } => Kind::Passed(pb::Passed {
            seat: seat_number(*seat),
        }),
        Event::ArmiesMoved { seat, moves } => Kind::ArmiesMoved(pb::ArmiesMoved {
            seat: seat_number(*seat),
            moves: moves.iter().map(march).collect(),
        }),
        Event::ArmyRouted {
            seat,
            province,
            owner,
        } => Kind::ArmyRouted(pb::ArmyRouted {
            seat: seat_number(*seat),
            province: province.number(),
            owner: seat_number(*owner),
        }),
        Event::MercenariesHired {
            seat,
            province,
            count,
        } => Kind::MercenariesHired(pb::MercenariesHired {
            seat: seat_number(*seat),
            province: province.number(),
            count: u32::from(*count),
        }),
        Event::ArmyRaised { seat } => Kind::ArmyRaised(pb::ArmyRaised {
            seat: seat_number(*seat),
        }),
        Event::CardTakenBack { seat, card } => Kind::CardTakenBack(pb::CardTakenBack {
            seat: seat_number(*seat),
            card: card.number(),
        }),
        Event::ImprovementsInspected {
            seat,
            count,
            improvements,
        } => Kind::ImprovementsInspected(pb::ImprovementsInspected {
            seat: seat_number(*seat),
            count: u32::from(*count),
            improvements: improvements.as_deref().map(ids::improvement_list),
        }),
        Event::ImprovementTaken { seat, improvement } => {
            Kind::ImprovementTaken(pb::ImprovementTaken {
                seat: seat_number(*seat),
                improvement: improvement.map(Name::number),
            })
        }
        Event::TokenTaken {
            seat,
            token,
            source,
        } => Kind::TokenTaken(pb::TokenTaken {
            seat: seat_number(*seat),
            token: Some(ids::token(*token)),
            source: source.number(),
        }),
        Event::TokenDeclined { seat, token } => Kind::TokenDeclined(pb::TokenDeclined {
            seat: seat_number(*seat),
            token: Some(ids::token(*token)),
        }),
        Event::GameEnded { seat } => Kind::GameEnded(pb::GameEnded {
            seat: seat_number(*seat),
        }),
    }
}

/// A side of a war: its seat, or 0 for the neutral side.
pub(super) fn side(side: Side) -> u32 {
    match side {
        Side::Neutral => 0,
        Side::Player(seat) => seat_number(seat),
    }
}

pub(super) fn strength_messages(strengths: &[Strength]) -> Vec<pb::Strength> {
    let message = |strength: &Strength| pb::Strength {
        seat: side(strength.side),
        strength: u32::from(strength.strength),
    };
    strengths.iter().map(message).collect()
}

pub(super) fn choice_message(choice: SetupChoice) -> pb::SetupChoice {
    match choice {
        SetupChoice::Discard(provinces) => pb::SetupChoice {
            provinces: each(provinces.iter()),
            citadel: false,
        },
        SetupChoice::Citadel(province) => pb::SetupChoice {
            provinces: vec![province.number()],
            citadel: true,
        },
    }
}

fn played(card: &PlayedCard) -> pb::PlayedCard {
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
        card: card.card.number(),
        zone: card.zone.number(),
        purpose: purpose.into(),
        symbol: symbol.map(Name::number),
        via: via.map(Name::number),
    }
}

fn march(step: &March) -> pb::March {
    pb::March {
        from: step.from.number(),
        to: step.to.number(),
        count: u32::from(step.count),
    }
}

#[cfg(test)]
mod tests;
