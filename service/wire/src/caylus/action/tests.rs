//! Every action comes back from its message.

use gamekeeper_rules::caylus::{Space, Special, Target};

use super::*;
use crate::contract::{check_kinds, kinds};

const GOLD: Option<Resource> = Some(Resource::Gold);
const UNKNOWN: Option<Resource> = None;

/// Every kind of action, in the order of the contract, each with all its shapes.
fn samples() -> Vec<Action> {
    let mut samples = placements();
    samples.extend(uses());
    samples.extend(favors());
    samples.push(Action::BuildCastleBatch {
        second: GOLD,
        third: UNKNOWN,
    });
    samples.push(Action::FinishCastle);
    samples
}

fn placements() -> Vec<Action> {
    let places = [
        Some(Target::Castle),
        Some(Target::Special(Special::Inn)),
        Some(Target::Road(Space::LAST)),
        None,
    ];
    let mut samples = places.map(|target| Action::PlaceWorker { target }).to_vec();
    samples.push(Action::Pass);
    samples.extend(places.map(|target| Action::MoveGateWorker { target }));
    samples.push(Action::RecallGateWorker);
    samples.extend([-3, 0, 3, i32::MIN].map(|delta| Action::MoveProvost { delta }));
    samples.extend([false, true].map(|accept| Action::Joust { accept }));
    samples.extend([false, true].map(|stay| Action::InnChoice { stay }));
    samples
}

fn uses() -> Vec<Action> {
    let options = [None, Some(0), Some(1), Some(255)];
    let mut samples = options.map(|option| Action::Produce { option }).to_vec();
    samples.extend([GOLD, UNKNOWN].map(|resource| Action::SellCube { resource }));
    samples.extend(
        [vec![], vec![GOLD, UNKNOWN, GOLD]].map(|resources| Action::BuyCubes { resources }),
    );
    samples.extend(options.map(|option| Action::Trade { option }));
    samples.extend([[0; 5], [1, -2, 3, 4, 5]].map(|payment| Action::Alchemy { payment }));
    let given = [Given::Absent, Given::Unknown, Given::Known(Resource::Food)];
    for tile in [Some(Tile::WoodMarket), None] {
        samples.extend(given.map(|any_payment| Action::BuildCraft { tile, any_payment }));
    }
    for space in [Some(Space::FIRST), None] {
        let tile = Some(Tile::Statue);
        samples.push(Action::BuildPrestige { tile, space });
    }
    samples.extend([Some(Space::FIRST), None].map(|space| Action::TransformBuilding { space }));
    samples.push(Action::Decline);
    samples.extend([GOLD, UNKNOWN].map(|resource| Action::ChooseOwnerBonus { resource }));
    samples
}

fn favors() -> Vec<Action> {
    let effects = [
        FavorEffect::NONE,
        FavorEffect {
            resource: Given::Known(Resource::Stone),
            ..FavorEffect::NONE
        },
        FavorEffect {
            give: Given::Known(Resource::Gold),
            take: vec![GOLD, UNKNOWN],
            ..FavorEffect::NONE
        },
        FavorEffect {
            resource: Given::Unknown,
            give: Given::Unknown,
            take: vec![],
            tile: Given::Unknown,
            any_payment: Given::Unknown,
            space: Given::Unknown,
        },
        FavorEffect {
            tile: Given::Known(Tile::Cathedral),
            any_payment: Given::Known(Resource::Wood),
            space: Given::Known(Space::LAST),
            ..FavorEffect::NONE
        },
    ];
    let lines = [Some(FavorLine::Buildings), None];
    let favors = effects.into_iter().zip([0, 1, 4, 255, 5]);
    let shapes = favors.flat_map(|(effect, column)| {
        lines.map(|line| Action::TakeFavor {
            line,
            column,
            effect: effect.clone(),
        })
    });
    shapes.collect()
}

#[test]
fn the_samples_are_all_kinds_of_the_contract() {
    let mut sampled: Vec<_> = samples().iter().map(Action::kind).collect();
    sampled.dedup();
    assert_eq!(sampled, kinds("gamekeeper.caylus.v1", "Action"));
    let sent: Vec<_> = samples().iter().map(message).collect();
    check_kinds("gamekeeper.caylus.v1", "Action", &sent);
}

#[test]
fn actions_come_back_from_their_message() {
    for sample in samples() {
        assert_eq!(action(message(&sample)), Ok(sample));
    }
}

#[test]
fn an_action_without_a_kind_is_malformed() {
    let fault = Malformed::missing("action.kind");
    assert_eq!(action(pb::Action { kind: None }), Err(fault));
}

#[test]
fn what_does_not_exist_is_left_to_the_rules() {
    let read = |kind| action(pb::Action { kind: Some(kind) }).unwrap();
    for number in [0, 29, 284, u32::MAX] {
        let kind = Kind::TransformBuilding(pb::TransformBuilding { space: number });
        assert_eq!(read(kind), Action::TransformBuilding { space: None });
        let effect = Some(pb::FavorEffect {
            space: Some(number),
            ..pb::FavorEffect::default()
        });
        let favor = pb::TakeFavor {
            line: 5,
            column: 256,
            effect,
        };
        let expected = Action::TakeFavor {
            line: None,
            column: u8::MAX,
            effect: FavorEffect {
                space: Given::Unknown,
                ..FavorEffect::NONE
            },
        };
        assert_eq!(read(Kind::TakeFavor(favor)), expected);
    }
    for resource in [0, 6, -1] {
        let sell = Kind::SellCube(pb::SellCube { resource });
        assert_eq!(read(sell), Action::SellCube { resource: None });
    }
    for option in [None, Some(256)] {
        let produce = Kind::Produce(pb::Produce { option });
        assert_eq!(read(produce), Action::Produce { option: None });
    }
    let nothing_paid = Kind::Alchemy(pb::Alchemy { payment: None });
    assert_eq!(read(nothing_paid), Action::Alchemy { payment: [0; 5] });
    let empty = Some(pb::FavorEffect::default());
    let favor = pb::TakeFavor {
        line: 1,
        column: 0,
        effect: empty,
    };
    let plain = Action::TakeFavor {
        line: Some(FavorLine::Prestige),
        column: 0,
        effect: FavorEffect::NONE,
    };
    assert_eq!(read(Kind::TakeFavor(favor)), plain);
}
