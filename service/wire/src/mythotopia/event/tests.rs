use gamekeeper_rules::mythotopia::data::{
    Border, Card, CardSet, Converter, Improvement, PointCard, Province, ProvinceSet, Sea, Slot,
    Symbol,
};
use gamekeeper_rules::mythotopia::{Building, Token, TokenSource, Zone};
use gamekeeper_rules::table::Seat;

use super::*;
use crate::contract::check_kinds;
use crate::names::tests::check_names;

const SEAT: Seat = Seat::at(1);
const MOME: Province = Province::Mome;

fn token() -> Token {
    Token {
        card: PointCard::MasterOfTheSeas,
        value: 2,
        slot: Some(Slot::FourSeas),
    }
}

fn provinces() -> ProvinceSet {
    ProvinceSet::only(MOME).with(Province::Darb)
}

fn cards() -> CardSet {
    CardSet::only(Card::province(MOME)).with(Card::improvement(Improvement::Hero))
}

fn setup() -> Vec<Event> {
    let seat = SEAT;
    vec![
        Event::ProvincesDealt {
            seat,
            provinces: provinces(),
        },
        Event::ImprovementsDisplayed {
            improvements: vec![Improvement::Hero, Improvement::Army],
        },
        Event::PointCardsLaidOut {
            cards: vec![PointCard::Runestones, PointCard::Citadel],
        },
        Event::DragonsPlaced {
            provinces: provinces(),
        },
        Event::RunestonesPlaced {
            provinces: provinces(),
        },
        Event::SetupChosen {
            seat,
            choice: Some(SetupChoice::Discard(provinces())),
        },
        Event::SetupChosen {
            seat,
            choice: Some(SetupChoice::Citadel(MOME)),
        },
        Event::SetupChosen { seat, choice: None },
        Event::ProvincesDiscarded {
            seat,
            provinces: provinces(),
        },
        Event::CitadelPlaced {
            seat,
            province: MOME,
        },
        Event::FirstPlayer { seat },
        Event::TurnBegan { seat },
    ]
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each event"
)]
fn war() -> Vec<Event> {
    let (seat, province) = (SEAT, MOME);
    let strength = |side, strength| Strength { side, strength };
    let lost = (Some(Seat::at(0)), Some(Building::City), Zone::Hand);
    vec![
        Event::Invaded {
            seat,
            target: MOME,
            origin: Some(Province::Darb),
            areas: vec![Sea::SerpentSea, Sea::BeastSea],
            armies: 3,
        },
        Event::ArmiesPlaced {
            seat,
            province,
            armies: 2,
        },
        Event::ArmiesRemoved {
            seat,
            province,
            armies: 2,
            mercenaries: 1,
        },
        Event::ShipsPlaced {
            seat,
            sea: Sea::BeastSea,
            ships: 1,
        },
        Event::ShipsRemoved {
            seat,
            sea: Sea::BeastSea,
            ships: 1,
        },
        Event::WarEnded {
            seat,
            province,
            end: WarEnd::Hero,
            strengths: vec![strength(Side::Neutral, 4), strength(Side::Player(SEAT), 5)],
            winner: Some(Side::Neutral),
        },
        Event::UnitsReturned {
            seat,
            province,
            armies: 5,
            mercenaries: 0,
        },
        Event::ProvinceCaptured {
            seat,
            province,
            loser: lost.0,
            building: lost.1,
            card_from: lost.2,
        },
        Event::ProvinceNotTaken {
            seat,
            province,
            loser: None,
            building: None,
            card_from: lost.2,
        },
        Event::UnitsBought {
            seat,
            armies: 1,
            ships: 2,
        },
    ]
}

fn decks() -> Vec<Event> {
    let seat = SEAT;
    let played = |purpose| PlayedCard {
        card: Card::province(MOME),
        zone: Zone::Reserve,
        purpose,
    };
    let purposes = [
        Purpose::Symbol(Symbol::Gold),
        Purpose::Converted(Converter::Farming, Symbol::Stone),
        Purpose::Merchant,
        Purpose::WaterMill,
        Purpose::Site,
        Purpose::Portal,
        Purpose::Transport,
        Purpose::Ability,
    ];
    vec![
        Event::CardsDrawn {
            seat,
            count: 1,
            reshuffles: 1,
            cards: Some(vec![Card::province(MOME)]),
        },
        Event::CardsDrawn {
            seat,
            count: 1,
            reshuffles: 0,
            cards: None,
        },
        Event::CardsPlayed {
            seat,
            cards: purposes.map(played).to_vec(),
        },
    ]
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each event"
)]
fn moves() -> Vec<Event> {
    let (seat, province) = (SEAT, MOME);
    let (hand, reserve) = (cards(), CardSet::EMPTY);
    let card = Card::province(MOME);
    let border = Border::between(Province::Mome, Province::Talion).unwrap();
    vec![
        Event::CardDrafted {
            seat,
            card,
            from: Zone::Display,
        },
        Event::CardsReserved {
            seat,
            cards: cards(),
        },
        Event::CardsDiscarded {
            seat,
            hand,
            reserve,
        },
        Event::CardsRemoved {
            seat,
            hand,
            reserve,
        },
        Event::CityBuilt { seat, province },
        Event::CastleBuilt { seat, province },
        Event::RoadBuilt { seat, border },
        Event::TokenExchanged { seat, from: 2 },
        Event::PatronagePaid { seat },
        Event::Passed { seat },
        Event::ArmiesMoved {
            seat,
            moves: vec![March {
                from: MOME,
                to: Province::Darb,
                count: 2,
            }],
        },
        Event::ArmyRouted {
            seat,
            province,
            owner: Seat::at(3),
        },
        Event::MercenariesHired {
            seat,
            province,
            count: 2,
        },
        Event::ArmyRaised { seat },
        Event::CardTakenBack { seat, card },
        Event::ImprovementsInspected {
            seat,
            count: 3,
            improvements: Some(vec![Improvement::Hero]),
        },
        Event::ImprovementTaken {
            seat,
            improvement: None,
        },
        Event::TokenTaken {
            seat,
            token: token(),
            source: TokenSource::Bank,
        },
        Event::TokenDeclined {
            seat,
            token: token(),
        },
        Event::GameEnded { seat },
    ]
}

#[test]
fn every_kind_is_sent() {
    check_names(WarEnd::ALL);
    let events = [setup(), decks(), war(), moves()].concat();
    let messages: Vec<_> = events.iter().map(|event| message(event, None)).collect();
    check_kinds("gamekeeper.mythotopia.v1", "Event", &messages);
    assert_eq!(
        message(&Event::Passed { seat: SEAT }, Some("x".into())).text,
        "x"
    );
}

fn sent(event: &Event) -> Kind {
    message(event, None).kind.unwrap()
}

#[test]
fn hidden_is_not_the_same_as_empty() {
    let events = setup();
    let Kind::SetupChosen(own) = sent(&events[5]) else {
        panic!()
    };
    let Kind::SetupChosen(other) = sent(&events[7]) else {
        panic!()
    };
    assert_eq!(own.choice.unwrap().provinces, [7, 26]);
    assert_eq!(other.choice, None);
    let Kind::CardsDrawn(hidden) = sent(&decks()[1]) else {
        panic!()
    };
    assert_eq!((hidden.count, hidden.cards), (1, None));
}

#[test]
fn a_war_names_its_sides() {
    let Kind::WarEnded(war) = sent(&war()[5]) else {
        panic!()
    };
    let sides: Vec<_> = war.strengths.iter().map(|s| (s.seat, s.strength)).collect();
    assert_eq!((sides, war.winner), (vec![(0, 4), (2, 5)], Some(0)));
}

#[test]
fn a_converted_card_tells_both() {
    let Kind::CardsPlayed(played) = sent(&decks()[2]) else {
        panic!()
    };
    let card = &played.cards[1];
    assert_eq!(card.symbol, Some(pb::Symbol::Stone.into()));
    assert_eq!(card.via, Some(pb::Converter::Farming.into()));
    assert_eq!(played.cards[4].symbol, None);
}
