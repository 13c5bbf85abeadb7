//! Players who reach five favors of one player in one phase.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "players look at a few actions and places only"
)]

use gamekeeper_rules::caylus::data::{FavorLine, Kind, Resource, Section, Special, Tile};
use gamekeeper_rules::caylus::{Action, FavorEffect, Phase, PlayerView, Target, View};
use gamekeeper_rules::table::{OptionalParam, Seat};

use super::players::tile;

/// Preferences of players with one patron. The first player is the patron, and the others stay out of their way. The
/// patron hoards cubes, builds six parts of the Towers and gets three favors for them; with one of these they build the
/// Monument, which brings two more. That is one favor more than there are lines.
pub(super) fn patrons(view: &View, seat: Seat, action: &Action) -> u32 {
    if seat == Seat::FIRST {
        patron(view, &view.players[0], action)
    } else {
        bystander(action)
    }
}

fn bystander(action: &Action) -> u32 {
    match action {
        Action::PlaceWorker {
            target: Some(Target::Special(special)),
        } => match special {
            Special::JoustField => 0,
            Special::TradingPost | Special::MerchantsGuild => 1,
            Special::Gate => 9,
            _ => 8,
        },
        Action::PlaceWorker { .. }
        | Action::MoveGateWorker { .. }
        | Action::TransformBuilding { .. }
        | Action::BuildCraft { .. }
        | Action::BuildCastleBatch { .. } => 0,
        Action::MoveProvost { delta } => 5 * u32::from(*delta == 0),
        Action::Decline => 3,
        _ => 2,
    }
}

fn patron(view: &View, player: &PlayerView, action: &Action) -> u32 {
    match action {
        Action::PlaceWorker {
            target: Some(target),
        } => place(view, player, *target),
        Action::TakeFavor {
            line: Some(line),
            column,
            effect,
        } => favor(view, player, (*line, *column), effect),
        Action::TransformBuilding { space: Some(space) } if !has_residence(view) => {
            90 * u32::from(tile(view, *space).is_some_and(|tile| tile.kind() == Kind::Neutral))
        }
        Action::BuildCastleBatch { second, third } if is_at_towers(view) => {
            let needs_stone = [second, third].contains(&&Some(Resource::Stone));
            let spares_stone = player.cubes.count(Resource::Stone) > 4 || !needs_stone;
            if spares_stone { 40 } else { 2 }
        }
        Action::Joust { accept: true } => 50,
        Action::Produce { .. } => 10,
        Action::FinishCastle => 5,
        // The bailiff stays slow if the provost does not move.
        Action::MoveProvost { delta } => 3 * u32::from(*delta == 0),
        Action::PassTurn => 3,
        Action::BuildPrestige { .. }
        | Action::BuildCraft { .. }
        | Action::BuildCastleBatch { .. }
        | Action::TransformBuilding { .. }
        | Action::Trade { .. }
        | Action::Alchemy { .. }
        | Action::SellCube { .. }
        | Action::BuyCubes { .. }
        | Action::MoveGateWorker { .. } => 0,
        _ => 2,
    }
}

/// Rates a favor: the marker on the buildings first, then a residence, then gold; the Monument at the very end.
fn favor(
    view: &View,
    player: &PlayerView,
    (line, column): (FavorLine, u32),
    effect: &FavorEffect,
) -> u32 {
    let is_last = view.phase == Phase::EndOfTurn && view.columns_available == 5;
    let marker = player.favor_markers[FavorLine::Buildings as usize];
    match (line, column) {
        (FavorLine::Buildings, 5) if effect.tile == OptionalParam::Known(Tile::Monument) => {
            1_000 * u32::from(is_last)
        }
        (FavorLine::Buildings, 4) if !has_residence(view) => 900,
        (FavorLine::Buildings, 0) if is_last => 0,
        (FavorLine::Buildings, 0) if marker < 4 && marker < view.columns_available => 500,
        (FavorLine::Buildings, 0) => 1,
        (FavorLine::Buildings, _) => 0,
        (FavorLine::Resources, 5) => 800,
        (FavorLine::Resources, _) => {
            300 + 4 * column + u32::from(effect.resource == OptionalParam::Known(Resource::Stone))
        }
        (FavorLine::Deniers, _) => 20 + column,
        (FavorLine::Prestige, _) => 10 + column,
    }
}

/// Rates a place for the patron's worker: first the resources that they have least of, then the castle once its last
/// section is under construction.
fn place(view: &View, player: &PlayerView, target: Target) -> u32 {
    let has = |resource| player.cubes.count(resource);
    let lacks = |resource, most: u16| match has(resource) {
        some if some < most => 60 - 3 * u32::from(some),
        _ => 4,
    };
    let space = match target {
        Target::Castle => {
            return 200 * u32::from(is_at_towers(view) && player.cubes.not_gold() > 6);
        }
        Target::Special(Special::JoustField) if has(Resource::Cloth) > 1 => return 100,
        Target::Special(Special::TradingPost) => return 30,
        Target::Special(_) => return 0,
        Target::Road(space) if space > view.provost => return 0,
        Target::Road(space) => space,
    };
    match tile(view, space) {
        Some(Tile::GoldMine) => 90,
        Some(Tile::NeutralForest | Tile::NeutralSawmill) => lacks(Resource::Wood, 6),
        Some(Tile::NeutralQuarry) => lacks(Resource::Stone, 8),
        Some(Tile::NeutralFarm) => lacks(Resource::Food, 8).max(lacks(Resource::Cloth, 8)),
        _ => 0,
    }
}

fn is_at_towers(view: &View) -> bool {
    view.castle.current_section == Some(Section::Towers)
}

/// Returns whether the patron owns a residence, on which the Monument can be built.
fn has_residence(view: &View) -> bool {
    let mut road = view.road.iter();
    road.any(|lot| lot.tile == Some(Tile::Residence) && lot.owner == Some(Seat::FIRST))
}
