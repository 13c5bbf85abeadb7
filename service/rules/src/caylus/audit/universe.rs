//! Legal and illegal actions of every kind, misspelt ones included.

use crate::caylus::action::{Action, FavorEffect, Given, Target};
use crate::caylus::data::{FavorLine, Kind, Resource, Space, Special, Tile};
use crate::caylus::stage::Decision;
use crate::caylus::state::State;
use crate::table::Seat;

/// Everything about the kind of decision that is open; a little of everything else.
pub(crate) fn universe(state: &State, seat: Seat) -> Vec<Action> {
    let mut all = samples();
    let Some(asked) = state.asked.filter(|asked| asked.seat == seat) else {
        return all;
    };
    match asked.decision {
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

/// One action of each kind, and the yes and no of the small ones.
fn samples() -> Vec<Action> {
    let wood = Some(Resource::Wood);
    vec![
        Action::PlaceWorker {
            target: Some(Target::Castle),
        },
        Action::PlaceWorker { target: None },
        Action::Pass,
        Action::MoveGateWorker { target: None },
        Action::RecallGateWorker,
        Action::MoveProvost { delta: 0 },
        Action::MoveProvost { delta: i32::MIN },
        Action::Joust { accept: true },
        Action::Joust { accept: false },
        Action::InnChoice { stay: true },
        Action::InnChoice { stay: false },
        Action::Produce { option: Some(0) },
        Action::SellCube { resource: wood },
        Action::BuyCubes { resources: vec![] },
        Action::Trade { option: Some(0) },
        Action::Alchemy {
            payment: [i32::MAX; 5],
        },
        Action::BuildCraft {
            tile: None,
            any_payment: Given::Absent,
        },
        Action::BuildPrestige {
            tile: None,
            space: None,
        },
        Action::TransformBuilding { space: None },
        Action::Decline,
        Action::ChooseOwnerBonus { resource: wood },
        Action::TakeFavor {
            line: None,
            column: 0,
            effect: FavorEffect::NONE,
        },
        Action::BuildCastleBatch {
            second: wood,
            third: None,
        },
        Action::FinishCastle,
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

/// A parameter left out, misspelt, or any resource.
fn given_resources() -> impl Iterator<Item = Given<Resource>> + Clone {
    let known = Resource::ALL.into_iter().map(Given::Known);
    known.chain([Given::Absent, Given::Unknown])
}

fn given<T>(value: Option<T>) -> Given<T> {
    value.map_or(Given::Unknown, Given::Known)
}

/// Lists of none to three cubes, in every order.
fn cube_lists() -> Vec<Vec<Option<Resource>>> {
    let mut lists = vec![vec![]];
    for first in resources() {
        lists.push(vec![first]);
        for second in resources() {
            lists.push(vec![first, second]);
        }
        lists.push(vec![first; 3]);
    }
    lists
}

/// What a worker may do in some building.
fn uses(all: &mut Vec<Action>) {
    let options = || (0..4).map(Some).chain([None, Some(u8::MAX)]);
    all.extend(options().map(|option| Action::Produce { option }));
    all.extend(options().map(|option| Action::Trade { option }));
    all.extend(resources().map(|resource| Action::SellCube { resource }));
    let lists = cube_lists().into_iter();
    all.extend(lists.map(|resources| Action::BuyCubes { resources }));
    all.extend(payments());
    for tile in tiles() {
        all.extend(given_resources().map(|any_payment| Action::BuildCraft { tile, any_payment }));
        let prestige = tile.is_none_or(|tile| tile.kind() == Kind::Prestige);
        let build = |space| Action::BuildPrestige { tile, space };
        all.extend(spaces().filter(|_| prestige).map(build));
    }
    all.extend(spaces().map(|space| Action::TransformBuilding { space }));
}

/// Up to four cubes of each kind, five in all at most, and a negative count.
fn payments() -> impl Iterator<Item = Action> {
    (0..5_i32.pow(5))
        .map(|number| [625, 125, 25, 5, 1].map(|place| number / place % 5))
        .filter(|payment: &[i32; 5]| payment.iter().sum::<i32>() <= 5)
        .chain([[3, -1, 0, 0, 0]])
        .map(|payment| Action::Alchemy { payment })
}

fn favors(all: &mut Vec<Action>) {
    for line in FavorLine::ALL.into_iter().map(Some).chain([None]) {
        for column in 0..=6 {
            let mut effects = simple_effects();
            match (line, column) {
                (Some(FavorLine::Resources), 4) => effects.extend(exchanges()),
                (Some(FavorLine::Buildings), 2..=5) => effects.extend(building_effects()),
                _ => {}
            }
            all.extend(effects.into_iter().map(|effect| Action::TakeFavor {
                line,
                column,
                effect,
            }));
        }
    }
}

fn simple_effects() -> Vec<FavorEffect> {
    let mut effects = vec![FavorEffect::NONE];
    effects.extend(given_resources().map(|resource| FavorEffect {
        resource,
        ..FavorEffect::NONE
    }));
    effects.push(FavorEffect {
        tile: Given::Known(Tile::Mason),
        ..FavorEffect::NONE
    });
    effects.push(FavorEffect {
        space: Given::Unknown,
        ..FavorEffect::NONE
    });
    effects
}

fn exchanges() -> impl Iterator<Item = FavorEffect> {
    given_resources().flat_map(|give| {
        cube_lists().into_iter().map(move |take| FavorEffect {
            give,
            take,
            ..FavorEffect::NONE
        })
    })
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

/// The same action with its cube lists in resource order (CAY-6.2.1).
pub(crate) fn sorted(mut action: Action) -> Action {
    if let Action::BuyCubes { resources: list }
    | Action::TakeFavor {
        effect: FavorEffect { take: list, .. },
        ..
    } = &mut action
    {
        list.sort_unstable();
    }
    if let Action::BuildCastleBatch { second, third } = &mut action {
        (*second, *third) = (*second.min(third), *second.max(third));
    }
    action
}
