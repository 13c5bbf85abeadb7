//! What a player does. Names and spaces that do not exist stay unnamed: the rules refuse them
//! (CAY-6.11).

use gamekeeper_rules::caylus::{Action, FavorEffect, FavorLine, Given, Resource, Tile};

use super::ids::{number, space, space_number, target, target_message};
use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::names::{Name, all_named};

pub(super) fn action(message: pb::Action) -> Result<Action, Malformed> {
    let kind = message
        .kind
        .ok_or_else(|| Malformed::missing("action.kind"))?;
    Ok(match kind {
        Kind::PlaceWorker(it) => Action::PlaceWorker {
            target: target(it.target),
        },
        Kind::Pass(pb::Pass {}) => Action::Pass,
        Kind::MoveGateWorker(it) => Action::MoveGateWorker {
            target: target(it.target),
        },
        Kind::RecallGateWorker(pb::RecallGateWorker {}) => Action::RecallGateWorker,
        Kind::MoveProvost(it) => Action::MoveProvost { delta: it.delta },
        Kind::Joust(it) => Action::Joust { accept: it.accept },
        Kind::InnChoice(it) => Action::InnChoice { stay: it.stay },
        Kind::Produce(it) => Action::Produce {
            option: option(it.option),
        },
        Kind::SellCube(it) => Action::SellCube {
            resource: Resource::named(it.resource),
        },
        Kind::BuyCubes(it) => Action::BuyCubes {
            resources: all_named(&it.resources),
        },
        Kind::Trade(it) => Action::Trade {
            option: option(it.option),
        },
        Kind::Alchemy(it) => Action::Alchemy {
            payment: payment(&it.payment.unwrap_or_default()),
        },
        Kind::BuildCraft(it) => Action::BuildCraft {
            tile: Tile::named(it.tile),
            any_payment: given(it.any_payment),
        },
        Kind::BuildPrestige(it) => Action::BuildPrestige {
            tile: Tile::named(it.tile),
            space: space(it.space),
        },
        Kind::TransformBuilding(it) => Action::TransformBuilding {
            space: space(it.space),
        },
        Kind::Decline(pb::Decline {}) => Action::Decline,
        Kind::ChooseOwnerBonus(it) => Action::ChooseOwnerBonus {
            resource: Resource::named(it.resource),
        },
        Kind::TakeFavor(it) => Action::TakeFavor {
            line: FavorLine::named(it.line),
            // Every column beyond the table is as locked as any other.
            column: u8::try_from(it.column).unwrap_or(u8::MAX),
            effect: it.effect.as_ref().map_or(FavorEffect::NONE, effect),
        },
        Kind::BuildCastleBatch(it) => Action::BuildCastleBatch {
            second: Resource::named(it.second),
            third: Resource::named(it.third),
        },
        Kind::FinishCastle(pb::FinishCastle {}) => Action::FinishCastle,
    })
}

/// The number of an option; nothing for one that no building has.
fn option(number: Option<u32>) -> Option<u8> {
    number.and_then(|number| u8::try_from(number).ok())
}

fn payment(message: &pb::CubePayment) -> [i32; 5] {
    let pb::CubePayment {
        food,
        wood,
        stone,
        cloth,
        gold,
    } = *message;
    [food, wood, stone, cloth, gold]
}

/// A name that may be left out.
fn given<N: Name>(number: Option<i32>) -> Given<N> {
    number.map_or(Given::Absent, |number| {
        N::named(number).map_or(Given::Unknown, Given::Known)
    })
}

fn effect(message: &pb::FavorEffect) -> FavorEffect {
    FavorEffect {
        resource: given(message.resource),
        give: given(message.give),
        take: all_named(&message.take),
        tile: given(message.tile),
        any_payment: given(message.any_payment),
        space: message.space.map_or(Given::Absent, |number| {
            space(number).map_or(Given::Unknown, Given::Known)
        }),
    }
}

pub(super) fn message(action: &Action) -> pb::Action {
    pb::Action {
        kind: Some(kind(action)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
fn kind(action: &Action) -> Kind {
    match action {
        Action::PlaceWorker { target } => Kind::PlaceWorker(pb::PlaceWorker {
            target: target.map(target_message),
        }),
        Action::Pass => Kind::Pass(pb::Pass {}),
        Action::MoveGateWorker { target } => Kind::MoveGateWorker(pb::MoveGateWorker {
            target: target.map(target_message),
        }),
        Action::RecallGateWorker => Kind::RecallGateWorker(pb::RecallGateWorker {}),
        Action::MoveProvost { delta } => Kind::MoveProvost(pb::MoveProvost { delta: *delta }),
        Action::Joust { accept } => Kind::Joust(pb::Joust { accept: *accept }),
        Action::InnChoice { stay } => Kind::InnChoice(pb::InnChoice { stay: *stay }),
        Action::Produce { option } => Kind::Produce(pb::Produce {
            option: option.map(u32::from),
        }),
        Action::SellCube { resource } => Kind::SellCube(pb::SellCube {
            resource: number(*resource),
        }),
        Action::BuyCubes { resources } => Kind::BuyCubes(pb::BuyCubes {
            resources: numbers(resources),
        }),
        Action::Trade { option } => Kind::Trade(pb::Trade {
            option: option.map(u32::from),
        }),
        Action::Alchemy { payment } => Kind::Alchemy(pb::Alchemy {
            payment: Some(payment_message(*payment)),
        }),
        Action::BuildCraft { tile, any_payment } => Kind::BuildCraft(pb::BuildCraft {
            tile: number(*tile),
            any_payment: given_number(*any_payment),
        }),
        Action::BuildPrestige { tile, space } => Kind::BuildPrestige(pb::BuildPrestige {
            tile: number(*tile),
            space: space.map_or(0, space_number),
        }),
        Action::TransformBuilding { space } => Kind::TransformBuilding(pb::TransformBuilding {
            space: space.map_or(0, space_number),
        }),
        Action::Decline => Kind::Decline(pb::Decline {}),
        Action::ChooseOwnerBonus { resource } => Kind::ChooseOwnerBonus(pb::ChooseOwnerBonus {
            resource: number(*resource),
        }),
        Action::TakeFavor {
            line,
            column,
            effect,
        } => Kind::TakeFavor(pb::TakeFavor {
            line: number(*line),
            column: u32::from(*column),
            effect: Some(effect)
                .filter(|effect| **effect != FavorEffect::NONE)
                .map(effect_message),
        }),
        Action::BuildCastleBatch { second, third } => {
            Kind::BuildCastleBatch(pb::BuildCastleBatch {
                second: number(*second),
                third: number(*third),
            })
        }
        Action::FinishCastle => Kind::FinishCastle(pb::FinishCastle {}),
    }
}

fn numbers(resources: &[Option<Resource>]) -> Vec<i32> {
    resources.iter().copied().map(number).collect()
}

fn payment_message([food, wood, stone, cloth, gold]: [i32; 5]) -> pb::CubePayment {
    pb::CubePayment {
        food,
        wood,
        stone,
        cloth,
        gold,
    }
}

fn given_number<N: Name>(given: Given<N>) -> Option<i32> {
    match given {
        Given::Absent => None,
        Given::Unknown => Some(0),
        Given::Known(name) => Some(name.number()),
    }
}

fn effect_message(effect: &FavorEffect) -> pb::FavorEffect {
    pb::FavorEffect {
        resource: given_number(effect.resource),
        give: given_number(effect.give),
        take: numbers(&effect.take),
        tile: given_number(effect.tile),
        any_payment: given_number(effect.any_payment),
        space: match effect.space {
            Given::Absent => None,
            Given::Unknown => Some(0),
            Given::Known(space) => Some(space_number(space)),
        },
    }
}

#[cfg(test)]
mod tests;
