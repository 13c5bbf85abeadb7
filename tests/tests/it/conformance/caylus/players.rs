//! Players who seek situations that random players do not reach.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "players look at a few actions and places only"
)]

use gamekeeper_rules::caylus::data::{FavorLine, Kind, Resource, Space, Special, Tile};
use gamekeeper_rules::caylus::{Action, PlayerView, Target, View};
use gamekeeper_rules::table::{OptionalParam, Seat};

/// Preferences of players who fill the road. Transformed buildings can be built again, so the supply outlasts the road.
pub(super) fn road_builders(view: &View, seat: Seat, action: &Action) -> u32 {
    let free = view.road.iter().filter(|lot| lot.tile.is_none()).count();
    match action {
        Action::TransformBuilding { space: Some(space) } if free < 10 => match tile(view, *space) {
            Some(tile) if RETURNED.contains(&tile) => 60,
            _ => 0,
        },
        Action::TransformBuilding { .. } => 0,
        Action::BuildCraft {
            tile: Some(Tile::Mason | Tile::Lawyer),
            ..
        } => 50,
        Action::BuildCraft { .. } => 35,
        Action::TakeFavor {
            line: Some(FavorLine::Buildings),
            column,
            ..
        } => 20 + *column,
        Action::TakeFavor { .. } => 10,
        Action::PlaceWorker {
            target: Some(target),
        } => fitting_place(view, &view.players[seat.index()], *target, free),
        Action::Joust { accept: true } => 8,
        Action::MoveProvost { delta } if view.provost < view.bailiff && *delta > 0 => 2,
        Action::MoveProvost { .. }
        | Action::Decline
        | Action::BuildPrestige { .. }
        | Action::BuildCastleBatch { .. } => 1,
        _ => 4,
    }
}

/// Craft buildings that road builders do not need.
const RETURNED: [Tile; 7] = [
    Tile::Architect,
    Tile::Church,
    Tile::Tailor,
    Tile::Bank,
    Tile::Alchemist,
    Tile::WoodMarket,
    Tile::WoodPeddler,
];

/// Rates a place for a road builder's worker: where they can pay, or get a resource that they lack.
fn fitting_place(view: &View, player: &PlayerView, target: Target, free: usize) -> u32 {
    let has = |resource| player.cubes.count(resource) > 0;
    let space = match target {
        Target::Road(space) => space,
        Target::Castle => return 0,
        Target::Special(Special::TradingPost) => return 9,
        // On a full road, only a favor can still ask for a building.
        Target::Special(Special::JoustField) if has(Resource::Cloth) && free < 2 => return 50,
        Target::Special(Special::JoustField) if has(Resource::Cloth) => return 9,
        Target::Special(_) => return 2,
    };
    let need = |resource| if has(resource) { 8 } else { 18 };
    let if_paid = |paid, worth| if paid { worth } else { 0 };
    let fed = has(Resource::Food);
    let worth = match tile(view, space) {
        Some(Tile::NeutralCarpenter | Tile::FixedCarpenter) => if_paid(
            fed && has(Resource::Wood) && !view.supply.wood.is_empty(),
            30,
        ),
        Some(Tile::Mason) => if_paid(
            fed && has(Resource::Stone) && !view.supply.stone.is_empty(),
            40,
        ),
        Some(Tile::Lawyer) => if_paid(free < 10 && has(Resource::Cloth), 33),
        Some(Tile::NeutralForest | Tile::NeutralSawmill | Tile::WoodSawmill) => {
            need(Resource::Wood)
        }
        Some(Tile::NeutralQuarry | Tile::WoodQuarry | Tile::Workshop) => need(Resource::Stone),
        Some(Tile::NeutralFarm | Tile::WoodFarmFood | Tile::StoneFarm | Tile::Park) => {
            need(Resource::Food)
        }
        _ => 5,
    };
    if space > view.provost {
        worth / 3
    } else {
        worth
    }
}

/// Preferences of players with one jouster. The first player jousts until a favor lets them transform a building of
/// their own, after the lawyer and with a worker on it; then they go to the lawyer, too.
pub(super) fn jousters(view: &View, seat: Seat, action: &Action) -> u32 {
    let jouster = seat == Seat::FIRST;
    match action {
        Action::PlaceWorker {
            target: Some(target),
        } => jousters_place(view, seat, *target),
        Action::Joust { accept: true } => 50,
        Action::BuildCraft {
            tile: Some(Tile::Lawyer),
            ..
        } => 70,
        Action::BuildCraft {
            tile: Some(Tile::Mason | Tile::WoodFarmCloth),
            ..
        } if jouster => 40,
        Action::BuildCraft { .. } if !jouster => 20 * u32::from(lawyer(view).is_some()),
        // Option 1 is cloth.
        Action::Produce { option: Some(1) } if jouster => 10,
        Action::TransformBuilding { space: Some(space) } => {
            2 * u32::from(tile(view, *space).is_some_and(|tile| tile.kind() == Kind::Neutral))
        }
        Action::TakeFavor {
            line: Some(FavorLine::Buildings),
            column: 4,
            effect,
        } => match effect.space {
            OptionalParam::Known(space) if is_prey(view, space) && is_occupied(view, space) => 90,
            _ => 0,
        },
        Action::TakeFavor {
            line: Some(FavorLine::Buildings),
            column: 2 | 3,
            ..
        } => 30 + 32 * u32::from(lawyer(view).is_some()),
        Action::TakeFavor {
            line: Some(FavorLine::Buildings),
            column,
            ..
        } => 60 - *column,
        _ => road_builders(view, seat, action),
    }
}

fn jousters_place(view: &View, seat: Seat, target: Target) -> u32 {
    let player = &view.players[seat.index()];
    let cloth = player.cubes.count(Resource::Cloth);
    let jouster = seat == Seat::FIRST;
    let ready =
        player.favor_markers[FavorLine::Buildings as usize] >= 3 && view.columns_available >= 4;
    let space = match target {
        Target::Special(Special::JoustField) if jouster && cloth > 0 => return 60,
        Target::Castle | Target::Special(Special::JoustField) => return 0,
        Target::Special(_) => return fitting_place(view, player, target, 28),
        Target::Road(space) => space,
    };
    match tile(view, space) {
        _ if is_prey(view, space) && space <= view.provost => 46 - 16 * u32::from(jouster),
        Some(Tile::Lawyer) => 55 * u32::from(jouster && ready),
        Some(Tile::NeutralFarm | Tile::WoodFarmCloth | Tile::StoneFarm | Tile::Workshop)
            if jouster && cloth < 5 =>
        {
            44
        }
        _ => fitting_place(view, player, target, 28),
    }
}

fn lawyer(view: &View) -> Option<Space> {
    let mut road = view.road.iter();
    let lot = road.find(|lot| lot.tile == Some(Tile::Lawyer));
    lot.map(|lot| lot.space)
}

/// Returns whether the first player could transform this building of theirs after the lawyer was used.
fn is_prey(view: &View, space: Space) -> bool {
    let craft = tile(view, space).is_some_and(|tile| {
        tile != Tile::Lawyer && matches!(tile.kind(), Kind::Wood | Kind::Stone)
    });
    let mut road = view.road.iter();
    let owns_lot = road.any(|lot| lot.space == space && lot.owner == Some(Seat::FIRST));
    craft && owns_lot && lawyer(view).is_some_and(|lawyer| lawyer < space)
}

fn is_occupied(view: &View, space: Space) -> bool {
    let mut road = view.road.iter();
    road.any(|lot| lot.space == space && lot.worker.is_some())
}

/// Preferences of players who build the castle, and choose whatever brings them prestige buildings.
pub(super) fn castle_builders(view: &View, seat: Seat, action: &Action) -> u32 {
    let player = &view.players[seat.index()];
    match action {
        Action::BuildCraft {
            tile: Some(Tile::Lawyer | Tile::Architect),
            ..
        } => 50,
        Action::TransformBuilding { .. } => 40,
        Action::BuildPrestige { .. } => 30,
        Action::PlaceWorker {
            target: Some(Target::Castle),
        } if player.cubes.not_gold() > 2 => 30,
        Action::BuildCraft { .. } => 25,
        Action::TakeFavor {
            line: Some(FavorLine::Buildings),
            column,
            ..
        } => 20 + *column,
        Action::BuildCastleBatch { .. } => 20,
        Action::TakeFavor { .. } => 18,
        Action::PlaceWorker {
            target: Some(Target::Road(_)),
        } => 10,
        Action::PlaceWorker { .. } => 5,
        Action::PassTurn => 2,
        Action::Decline | Action::FinishCastle => 1,
        _ => 4,
    }
}

pub(super) fn tile(view: &View, space: Space) -> Option<Tile> {
    view.road.iter().find(|lot| lot.space == space)?.tile
}

/// Preferences of players who make residences, gather gold, and then go to the architect.
pub(super) fn residents(view: &View, seat: Seat, action: &Action) -> u32 {
    let player = &view.players[seat.index()];
    let resident = view
        .road
        .iter()
        .any(|lot| lot.tile == Some(Tile::Residence) && lot.owner == Some(seat));
    match action {
        Action::BuildPrestige { .. } => 1_000,
        Action::TransformBuilding { space: Some(space) } => match tile(view, *space) {
            Some(tile) if tile.kind() == Kind::Neutral => 90,
            _ => 0,
        },
        Action::BuildCraft {
            tile: Some(Tile::Mason | Tile::Lawyer | Tile::Architect),
            ..
        } => 80,
        Action::BuildCraft {
            tile: Some(Tile::Alchemist | Tile::Bank | Tile::WoodFarmCloth),
            ..
        } => 60,
        Action::BuildCraft { .. } => 10,
        Action::TakeFavor {
            line: Some(FavorLine::Resources),
            column,
            ..
        } => 60 + *column,
        Action::TakeFavor { .. } => 5,
        Action::Joust { accept: true } => 50,
        Action::Alchemy { .. } | Action::Trade { .. } => 50,
        Action::MoveProvost { delta } if *delta > 0 => 6,
        Action::MoveProvost { .. } => 2,
        Action::BuildCastleBatch { .. } => 1,
        Action::PlaceWorker {
            target: Some(target),
        } => {
            let has = |resource| player.cubes.count(resource);
            let gold = has(Resource::Gold);
            let space = match target {
                Target::Castle => return 0,
                Target::Special(Special::JoustField) if has(Resource::Cloth) > 0 => return 45,
                Target::Special(Special::TradingPost) => return 9,
                Target::Special(_) => return 2,
                Target::Road(space) => *space,
            };
            let worth = match tile(view, space) {
                Some(Tile::Architect) if resident && gold > 0 => 100,
                Some(Tile::Architect) => 1,
                Some(Tile::Lawyer) if !resident && has(Resource::Cloth) > 0 => 70,
                Some(Tile::GoldMine) => 60,
                Some(Tile::Alchemist) if player.cubes.not_gold() > 4 => 50,
                Some(Tile::Bank) => 40,
                _ => fitting_place(view, player, Target::Road(space), 9),
            };
            if space > view.provost {
                worth / 3
            } else {
                worth
            }
        }
        _ => 4,
    }
}
