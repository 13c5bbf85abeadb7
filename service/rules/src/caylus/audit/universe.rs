//! Actions that the conformance suite must try: the near misses that it makes of listed actions name few places and
//! tiles.

use crate::caylus::action::{Action, FavorEffect, Target};
use crate::caylus::data::{FavorLine, Kind, Resource, Space, Special, Tile};
use crate::caylus::stage::Decision;
use crate::caylus::state::State;
use crate::table::{OptionalParam, Seat};

/// Lists many actions of the kind that answers the open decision, and a few of all others.
pub fn universe(state: &State, seat: Seat) -> Vec<Action> {
    let mut all = samples();
    let Some((_, decision)) = state.pending().filter(|&(to_act, _)| to_act == seat) else {
        return all;
    };
    match decision {
        Decision::PlaceWorker => {
            all.extend(targets().map(|target| Action::PlaceWorker { target }));
        }
        Decision::GateRelocate => {
            all.extend(targets().map(|target| Action::MoveGateWorker { target }));
        }
        Decision::GuildMove | Decision::BribeProvost => {
            all.extend((-6..=6).map(|delta| Action::MoveProvost { delta }));
        }
        Decision::Joust | Decision::InnStay => {}
        Decision::UseBuilding { .. } => uses(&mut all),
        Decision::OwnerBonus { .. } => {
            all.extend(resources().map(|resource| Action::ChooseOwnerBonus { resource }));
        }
        Decision::TakeFavor => favors(&mut all),
        Decision::CastleBuild => {
            for second in resources() {
                all.extend(resources().map(|third| Action::BuildCastleBatch { second, third }));
            }
        }
    }
    all
}

/// A few small actions of several kinds.
fn samples() -> Vec<Action> {
    vec![
        Action::PlaceWorker {
            target: Some(Target::Castle),
        },
        Action::PlaceWorker { target: None },
        Action::MoveGateWorker { target: None },
        Action::MoveProvost { delta: 0 },
        Action::MoveProvost { delta: i32::MIN },
        Action::Produce { option: Some(0) },
        Action::BuyCubes { resources: vec![] },
        Action::BuildCraft {
            tile: None,
            any_payment: OptionalParam::Absent,
        },
        Action::Decline,
        Action::TakeFavor {
            line: None,
            column: 0,
            effect: FavorEffect::NONE,
        },
        Action::BuildCastleBatch {
            second: Some(Resource::Wood),
            third: None,
        },
    ]
}

fn resources() -> impl Iterator<Item = Option<Resource>> + Clone {
    Resource::ALL.into_iter().map(Some).chain([None])
}

fn spaces() -> impl Iterator<Item = Option<Space>> {
    Space::all().map(Some).chain([None])
}

fn tiles() -> impl Iterator<Item = Option<Tile>> {
    Tile::ALL.into_iter().map(Some).chain([None])
}

fn targets() -> impl Iterator<Item = Option<Target>> {
    [Target::Castle]
        .into_iter()
        .chain(Special::ALL.map(Target::Special))
        .chain(Space::all().map(Target::Road))
        .map(Some)
        .chain([None])
}

/// Every form of an optional resource: left out, misspelled, and each resource.
fn given_resources() -> impl Iterator<Item = OptionalParam<Resource>> + Clone {
    let choices = Resource::ALL.into_iter().map(OptionalParam::Known);
    choices.chain([OptionalParam::Absent, OptionalParam::Unknown])
}

fn given<T>(value: Option<T>) -> OptionalParam<T> {
    value.map_or(OptionalParam::Unknown, OptionalParam::Known)
}

/// Adds the actions of workers in buildings.
fn uses(all: &mut Vec<Action>) {
    let options = (0..4).map(Some).chain([None]);
    all.extend(options.map(|option| Action::Produce { option }));
    all.extend(resources().map(|resource| Action::BuyCubes {
        resources: vec![resource],
    }));
    for tile in tiles() {
        all.extend(given_resources().map(|any_payment| Action::BuildCraft { tile, any_payment }));
        let prestige = tile.is_none_or(|tile| tile.kind() == Kind::Prestige);
        let build = |space| Action::BuildPrestige { tile, space };
        all.extend(spaces().filter(|_| prestige).map(build));
    }
    all.extend(spaces().map(|space| Action::TransformBuilding { space }));
}

/// Adds every favor without parameters, and with tiles and spaces where an effect needs them.
fn favors(all: &mut Vec<Action>) {
    for line in FavorLine::ALL.into_iter().map(Some).chain([None]) {
        for column in 0..=6 {
            let mut effects = vec![FavorEffect::NONE];
            if line == Some(FavorLine::Buildings) && (2..=5).contains(&column) {
                effects.extend(building_effects());
            }
            all.extend(effects.into_iter().map(|effect| Action::TakeFavor {
                line,
                column,
                effect,
            }));
        }
    }
}

fn building_effects() -> Vec<FavorEffect> {
    let mut effects = Vec::new();
    for tile in tiles() {
        effects.extend(given_resources().map(|any_payment| FavorEffect {
            tile: given(tile),
            any_payment,
            ..FavorEffect::NONE
        }));
        let prestige = tile.is_none_or(|tile| tile.kind() == Kind::Prestige);
        effects.extend(spaces().filter(|_| prestige).map(|space| FavorEffect {
            tile: given(tile),
            space: given(space),
            ..FavorEffect::NONE
        }));
    }
    effects.extend(spaces().map(|space| FavorEffect {
        space: given(space),
        ..FavorEffect::NONE
    }));
    effects
}
