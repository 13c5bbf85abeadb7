//! Every event has its message.

use gamekeeper_rules::caylus::{
    Cubes, FavorLine, Goods, NEUTRAL_TILES, Resource, Section, Special, Target, Tile,
};

use super::*;
use crate::contract::check_kinds;

const SEAT: Seat = Seat::FIRST;
const SPACE: Space = Space::FIRST;
const NOTHING: Goods = Goods::NONE;

/// Every kind of event, in the order of the contract.
fn samples() -> Vec<Event> {
    let mut samples = before_the_road();
    samples.extend(on_the_road());
    samples.extend(behind_the_road());
    samples
}

fn before_the_road() -> Vec<Event> {
    let order: gamekeeper_rules::caylus::SeatList = Seat::all(2).collect();
    let (seat, target, owner) = (SEAT, Target::Castle, None);
    vec![
        Event::GameCreated {
            simplified_favors: false,
            neutral_order: NEUTRAL_TILES,
            turn_order: order.clone(),
        },
        Event::TurnStarted { turn: 1 },
        Event::TurnOrderChanged { turn_order: order },
        Event::Income { seat, deniers: 2 },
        Event::WorkerPlaced {
            seat,
            target,
            price: 1,
            owner,
        },
        Event::Passed { seat, bonus: 1 },
        Event::GateMoved {
            seat,
            target: Target::Special(Special::Inn),
            owner,
        },
        Event::GateRecalled { seat },
        Event::TradingPostPaid { seat, deniers: 3 },
        Event::ProvostMoved {
            seat,
            from: SPACE,
            to: SPACE,
            paid: 0,
        },
        Event::Jousted { seat, paid: None },
        Event::InnChanged {
            returned: None,
            right: None,
        },
    ]
}

fn on_the_road() -> Vec<Event> {
    let (seat, space, tile, vp) = (SEAT, SPACE, Tile::Mason, 4);
    let paid = Cubes::of(1, Resource::Wood);
    vec![
        Event::BuildingActivated { seat, space, tile },
        Event::Produced { seat, cubes: paid },
        Event::Traded {
            seat,
            paid: NOTHING,
            gained: NOTHING,
        },
        Event::EffectDeclined { seat, space },
        Event::TileBuilt {
            seat,
            tile,
            space,
            paid,
            vp,
        },
        Event::TransformPaid {
            seat,
            space,
            paid: NOTHING,
            waits_for: None,
        },
        Event::TransformDone {
            seat,
            space,
            replaced: tile,
            vp,
        },
        Event::PrestigeBuilt {
            seat,
            tile,
            space,
            paid,
            vp,
        },
        Event::OwnerBonus {
            seat,
            space,
            resource: Resource::Food,
        },
        Event::WorkerReturned { seat, space },
    ]
}

fn behind_the_road() -> Vec<Event> {
    let (seat, section, vp) = (SEAT, Section::Walls, 4);
    vec![
        Event::CastleBatch {
            seat,
            section,
            paid: Cubes::of(1, Resource::Food),
            vp,
        },
        Event::CastlePenalty { seat, vp: 2 },
        Event::MostBatches { seat, batches: 2 },
        Event::CastleLeft {
            seats: Seat::all(2).collect(),
        },
        Event::FavorsGained { seat, count: 1 },
        Event::FavorsSimplified {
            seat,
            count: 2,
            vp: 6,
        },
        Event::FavorTaken {
            seat,
            line: FavorLine::Deniers,
            marker: 3,
            column: 2,
            paid: NOTHING,
            gained: Goods::deniers(4),
        },
        Event::FavorsLost { seat, count: 1 },
        Event::BailiffMoved {
            from: SPACE,
            to: Space::LAST,
        },
        Event::SectionScoring { section },
        Event::SectionPenalty { seat, section, vp },
        Event::SectionScored { section },
        Event::GameEnded {
            scores: PerSeat::new(2, |_| FinalScore {
                before: 10,
                gold: 6,
                cubes: 2,
                deniers: 2,
            }),
            winners: Seat::all(2).collect(),
        },
        Event::CastleFinished { seat, batches: 2 },
    ]
}

#[test]
fn every_kind_of_the_contract_is_sent() {
    let sent: Vec<_> = samples().iter().map(|event| message(event, None)).collect();
    check_kinds("gamekeeper.caylus.v1", "Event", &sent);
}

#[test]
fn a_text_is_carried_when_given() {
    for event in samples() {
        assert_eq!(message(&event, None).text, "");
        let told = message(&event, Some(event.sentence(Names::NONE)));
        assert_eq!(told.text, event.sentence(Names::NONE));
    }
}

#[test]
fn a_placement_field_by_field() {
    let event = Event::WorkerPlaced {
        seat: Seat::at(2),
        target: Target::Road(Space::LAST),
        price: 3,
        owner: Some(Seat::at(4)),
    };
    let expected = pb::WorkerPlaced {
        seat: 3,
        target: Some(pb::Target {
            place: Some(pb::target::Place::Space(28)),
        }),
        price: 3,
        owner: Some(5),
    };
    assert_eq!(kind(&event), Kind::WorkerPlaced(expected));
}

#[test]
fn a_favor_field_by_field() {
    let event = Event::FavorTaken {
        seat: Seat::at(1),
        line: FavorLine::Resources,
        marker: 4,
        column: 4,
        paid: Goods::cubes(Cubes::of(1, Resource::Gold)),
        gained: Goods::cubes(Cubes::of(2, Resource::Stone)),
    };
    let goods = |cubes| {
        Some(pb::Goods {
            cubes: Some(cubes),
            ..pb::Goods::default()
        })
    };
    let expected = pb::FavorTaken {
        seat: 2,
        line: pb::FavorLine::Resources as i32,
        marker: 4,
        column: 4,
        paid: goods(pb::Cubes {
            gold: 1,
            ..pb::Cubes::default()
        }),
        gained: goods(pb::Cubes {
            stone: 2,
            ..pb::Cubes::default()
        }),
    };
    assert_eq!(kind(&event), Kind::FavorTaken(expected));
}

#[test]
fn a_result_field_by_field() {
    let scores = PerSeat::new(2, |seat| FinalScore {
        before: 10 + u16::from(seat.number()),
        gold: 6,
        cubes: 2,
        deniers: 1,
    });
    let score = |seat, vp, total| pb::FinalScore {
        seat,
        vp,
        gold: 6,
        cubes: 2,
        deniers: 1,
        total,
    };
    let expected = [score(1, 11, 20), score(2, 12, 21)];
    assert_eq!(scores_message(&scores), expected);
}
