//! Actions in words: buildings by name, options by their goods.

use super::action::{Action, FavorEffect, Target};
use super::data::{Column, Cubes, Effect, FavorLine, JOUST_PRICE, Resource, Space, Tile, Trade};
use super::event::standing;
use super::view::View;
use crate::table::{Count, JoinAnd, Names, OptionalParam};

/// The action in the words of the seat that owes the decision.
pub fn action(view: &View, action: &Action, _names: Names<'_>) -> String {
    match action {
        Action::PlaceWorker { target } => format!("place a worker {}", at(view, *target)),
        Action::PassTurn => String::from("pass"),
        Action::MoveGateWorker { target } => {
            format!("move the worker from the Gate to {}", place(view, *target))
        }
        Action::RecallGateWorker => String::from("take the worker back from the Gate"),
        Action::MoveProvost { delta } => move_provost(view, *delta),
        Action::Joust { accept: true } => format!("pay {JOUST_PRICE} for a royal favor"),
        Action::Joust { accept: false } => String::from("do not joust"),
        Action::InnChoice { stay: true } => String::from("keep the worker at the Inn"),
        Action::InnChoice { stay: false } => String::from("take the worker back from the Inn"),
        Action::Produce { option } | Action::Trade { option } => offer(view, *option),
        Action::SellCube { resource } => format!("sell 1 {}", cube(*resource)),
        Action::BuyCubes { resources } => format!("buy {}", cubes(resources)),
        Action::Alchemy { payment } => format!("turn {} into gold", counted(payment)),
        Action::BuildCraft { tile, any_payment } => build(*tile, *any_payment, None),
        Action::BuildPrestige { tile, space } => build_on(view, *tile, *space),
        Action::TransformBuilding { space } => transform(view, *space),
        Action::Decline => decline(view),
        Action::ChooseOwnerBonus { resource } => format!("take 1 {}", cube(*resource)),
        Action::TakeFavor {
            line,
            column,
            effect,
        } => favor(view, *line, *column, effect),
        Action::BuildCastleBatch { second, third } => {
            let batch = [Some(Resource::Food), *second, *third];
            format!("build a part of the castle with {}", cubes(&batch))
        }
        Action::FinishCastle => String::from("build no more parts of the castle"),
    }
}

/// `on the Marketplace (space 3)`.
fn at(view: &View, target: Option<Target>) -> String {
    match target {
        Some(Target::Road(on)) => format!("on {}", space(view, Some(on))),
        Some(target @ (Target::Castle | Target::Special(_))) => target.at(),
        None => String::from("nowhere"),
    }
}

fn place(view: &View, target: Option<Target>) -> String {
    match target {
        Some(Target::Road(on)) => space(view, Some(on)),
        Some(target @ (Target::Castle | Target::Special(_))) => target.to_string(),
        None => String::from("nowhere"),
    }
}

/// `the Marketplace (space 3)`, or the space alone if it is empty.
fn space(view: &View, at: Option<Space>) -> String {
    let Some(at) = at else {
        return String::from("no space");
    };
    match tile_on(view, at) {
        Some(tile) => standing(tile.name(), at),
        None => at.to_string(),
    }
}

fn tile_on(view: &View, space: Space) -> Option<Tile> {
    view.road.get(space.index())?.tile
}

/// The building that the open decision is about.
fn in_use(view: &View) -> Option<Space> {
    view.question?.space
}

fn move_provost(view: &View, delta: i32) -> String {
    if delta == 0 {
        return String::from("leave the provost");
    }
    let way = if delta > 0 { "forward" } else { "back" };
    let spaces = Count(delta.unsigned_abs(), "space");
    match view.provost.moved(delta) {
        Some(to) => format!(
            "move the provost {spaces} {way} to {}",
            space(view, Some(to))
        ),
        None => format!("move the provost {spaces} {way}"),
    }
}

/// The price and the gain of an option of the building in use.
fn offer(view: &View, option: Option<u8>) -> String {
    let tile = in_use(view).and_then(|space| tile_on(view, space));
    let effect = tile.map_or(Effect::None, |tile| tile.sheet().effect);
    let place = option.map_or(usize::MAX, usize::from);
    let offered = match effect {
        Effect::Produce(options) => options.get(place).map(|cubes| format!("take {cubes}")),
        Effect::Trade(options) => options
            .get(place)
            .map(|Trade { pay, gain }| format!("pay {pay} for {gain}")),
        Effect::None
        | Effect::SellCube(_)
        | Effect::BuyCubes { .. }
        | Effect::BuildCraft(_)
        | Effect::BuildPrestige
        | Effect::Transform
        | Effect::Alchemy => None,
    };
    offered.unwrap_or_else(|| String::from("take what is not offered"))
}

fn decline(view: &View) -> String {
    match in_use(view) {
        Some(at) => format!("do not use {}", space(view, Some(at))),
        None => String::from("decline"),
    }
}

/// `build the Lawyer for 1 wood and 1 cloth (4 VP)`. A favor takes a cube off the price.
fn build(tile: Option<Tile>, any: OptionalParam<Resource>, saved: Option<Resource>) -> String {
    let Some(tile) = tile else {
        return String::from("build an unknown building");
    };
    let sheet = tile.sheet();
    let mut cost = sheet.cost.without(saved.into_iter().collect());
    if let OptionalParam::Known(any) = any {
        cost += Cubes::of(1, any);
    }
    format!("build the {tile} for {cost} ({} VP)", sheet.vp)
}

/// A prestige tile on the building of that space.
fn build_on(view: &View, tile: Option<Tile>, at: Option<Space>) -> String {
    let build = build(tile, OptionalParam::Absent, None);
    format!("{build} on {}", space(view, at))
}

fn transform(view: &View, at: Option<Space>) -> String {
    format!("turn {} into a residence", space(view, at))
}

/// `use column 2 of the Resources line: gain 1 wood`, including the choices of that column.
fn favor(view: &View, line: Option<FavorLine>, column: u32, effect: &FavorEffect) -> String {
    let Some(line) = line else {
        return String::from("use an unknown line");
    };
    if column == 0 {
        return format!("move the marker of the {line} line and use no column");
    }
    let does = line.column(u8::try_from(column).unwrap_or(u8::MAX));
    let saved = if let Column::Craft(_, saved) = does {
        Some(saved)
    } else {
        None
    };
    let chosen = match (effect.give, effect.tile, effect.space, effect.resource) {
        (OptionalParam::Known(give), ..) => format!("give 1 {give} for {}", cubes(&effect.take)),
        (_, OptionalParam::Known(tile), OptionalParam::Known(space), _) => {
            build_on(view, Some(tile), Some(space))
        }
        (_, OptionalParam::Known(tile), ..) => build(Some(tile), effect.any_payment, saved),
        (_, _, OptionalParam::Known(space), _) => transform(view, Some(space)),
        (_, _, _, OptionalParam::Known(resource)) => format!("gain 1 {resource}"),
        (..) => does.to_string(),
    };
    format!("use column {column} of the {line} line: {chosen}")
}

fn cube(resource: Option<Resource>) -> &'static str {
    resource.map_or("unknown cube", Resource::name)
}

/// `2 food and 1 gold`.
fn cubes(resources: &[Option<Resource>]) -> String {
    match resources.iter().copied().collect::<Option<Cubes>>() {
        Some(cubes) => cubes.to_string(),
        None => String::from("unknown cubes"),
    }
}

/// `2 food and 1 gold`, from the counts in resource order.
fn counted(counts: &[i32; 5]) -> String {
    let some = Resource::ALL.into_iter().zip(counts);
    let some = some.filter(|(_, count)| **count != 0);
    JoinAnd(some.map(|(kind, count)| format!("{count} {kind}"))).to_string()
}
