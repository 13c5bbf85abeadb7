//! Actions as a person would say them at this table: buildings by name, options by what they bring.

use super::action::{Action, FavorEffect, Given, Target};
use super::data::{Cubes, Effect, FavorLine, Goods, Resource, Space, Tile, Trade};
use super::view::View;
use crate::table::Commas;

/// The action as the seat that owes the decision would say it.
pub(crate) fn action(view: &View, action: &Action) -> String {
    match action {
        Action::PlaceWorker { target } => format!("place a worker: {}", place(view, *target)),
        Action::Pass => String::from("pass"),
        Action::MoveGateWorker { target } => format!("move there: {}", place(view, *target)),
        Action::RecallGateWorker => String::from("take the worker back from the gate"),
        Action::MoveProvost { delta } => move_provost(view, *delta),
        Action::Joust { accept: true } => String::from("pay 1 denier and 1 cloth for a favor"),
        Action::Joust { accept: false } => String::from("do not joust"),
        Action::InnChoice { stay: true } => String::from("stay at the inn"),
        Action::InnChoice { stay: false } => String::from("leave the inn"),
        Action::Produce { option } | Action::Trade { option } => offer(view, *option),
        Action::SellCube { resource } => format!("sell 1 {}", cube(*resource)),
        Action::BuyCubes { resources } => format!("buy {}", cubes(resources)),
        Action::Alchemy { payment } => format!("turn {} into gold", counted(payment)),
        Action::BuildCraft { tile, any_payment } => build(*tile, *any_payment),
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
            format!("build the castle: food, {}", cubes(&[*second, *third]))
        }
        Action::FinishCastle => String::from("build no more of the castle"),
    }
}

fn place(view: &View, target: Option<Target>) -> String {
    match target {
        Some(Target::Castle) => String::from("castle"),
        Some(Target::Special(special)) => special.name().to_lowercase(),
        Some(Target::Road(at)) => space(view, Some(at)),
        None => String::from("nowhere"),
    }
}

/// `3 Marketplace`, or the number alone where nothing stands.
fn space(view: &View, at: Option<Space>) -> String {
    let Some(at) = at else {
        return String::from("no space");
    };
    match tile_on(view, at) {
        Some(tile) => format!("{} {tile}", at.number()),
        None => at.number().to_string(),
    }
}

fn tile_on(view: &View, space: Space) -> Option<Tile> {
    view.road.get(space.index())?.tile
}

/// The building that the open decision is about.
fn in_use(view: &View) -> Option<Space> {
    view.question?.decision.space()
}

fn move_provost(view: &View, delta: i32) -> String {
    if delta == 0 {
        return String::from("leave the provost");
    }
    match view.provost.moved(delta) {
        Some(to) => format!("move the provost {delta:+}, to {}", space(view, Some(to))),
        None => format!("move the provost {delta:+}"),
    }
}

/// What an option of the building in use asks and gives.
fn offer(view: &View, option: Option<u8>) -> String {
    let tile = in_use(view).and_then(|space| tile_on(view, space));
    let effect = tile.map_or(Effect::None, |tile| tile.sheet().effect);
    let place = option.map_or(usize::MAX, usize::from);
    let found = match effect {
        Effect::Produce(options) => options.get(place).map(|cubes| {
            let gain = goods(Goods::cubes(*cubes));
            format!("take {gain}")
        }),
        Effect::Trade(options) => options.get(place).map(|&Trade { pay, gain }| {
            let (pay, gain) = (goods(pay), goods(gain));
            format!("give {pay} for {gain}")
        }),
        Effect::None
        | Effect::SellCube(_)
        | Effect::BuyCubes { .. }
        | Effect::BuildCraft(_)
        | Effect::BuildPrestige
        | Effect::Transform
        | Effect::Alchemy => None,
    };
    found.unwrap_or_else(|| String::from("take what is not offered"))
}

fn decline(view: &View) -> String {
    match in_use(view) {
        Some(at) => format!("do not use {}", space(view, Some(at))),
        None => String::from("decline"),
    }
}

/// `build the Lawyer: 1 wood, 1 cloth, 4 VP`. A favor may take a cube off the price.
fn build(tile: Option<Tile>, any: Given<Resource>) -> String {
    let Some(tile) = tile else {
        return String::from("build an unknown building");
    };
    let sheet = tile.sheet();
    let any = match any {
        Given::Absent => String::new(),
        Given::Unknown => format!(", 1 {} more", cube(None)),
        Given::Known(any) => format!(", 1 {any} more"),
    };
    let cost = goods(Goods::cubes(sheet.cost));
    format!("build the {tile}: {cost}{any}, {} VP", sheet.vp)
}

/// A prestige tile on the building that stands there.
fn build_on(view: &View, tile: Option<Tile>, at: Option<Space>) -> String {
    format!("{}, on {}", build(tile, Given::Absent), space(view, at))
}

fn transform(view: &View, at: Option<Space>) -> String {
    format!("turn {} into a residence", space(view, at))
}

/// `favor of Resources 2: wood`: the line and the column, and what must be chosen there.
fn favor(view: &View, line: Option<FavorLine>, column: u8, effect: &FavorEffect) -> String {
    let Some(line) = line else {
        return String::from("favor of an unknown line");
    };
    if column == 0 {
        return format!("favor of {line}: nothing");
    }
    let chosen = match (effect.give, effect.tile, effect.space, effect.resource) {
        (Given::Known(give), ..) => format!("give {give} for {}", cubes(&effect.take)),
        (_, Given::Known(tile), Given::Known(space), _) => build_on(view, Some(tile), Some(space)),
        (_, Given::Known(tile), ..) => build(Some(tile), effect.any_payment),
        (_, _, Given::Known(space), _) => transform(view, Some(space)),
        (_, _, _, Given::Known(resource)) => resource.to_string(),
        (..) => line.column(column).to_string(),
    };
    format!("favor of {line} {column}: {chosen}")
}

fn cube(resource: Option<Resource>) -> &'static str {
    resource.map_or("unknown cube", Resource::name)
}

/// `food x2, gold`: equal neighbors are counted.
fn cubes(resources: &[Option<Resource>]) -> String {
    let runs = resources.chunk_by(PartialEq::eq).map(|run| match run {
        [one] => cube(*one).to_owned(),
        [one, ..] => format!("{} x{}", cube(*one), run.len()),
        [] => String::new(),
    });
    Commas(runs).to_string()
}

fn goods(goods: Goods) -> String {
    let mut words = Vec::new();
    if goods.cubes != Cubes::NONE {
        let counts = Resource::ALL.map(|kind| i32::from(goods.cubes.count(kind)));
        words.push(counted(&counts));
    }
    if goods.deniers > 0 {
        words.push(format!("{} deniers", goods.deniers));
    }
    if goods.vp > 0 {
        words.push(format!("{} VP", goods.vp));
    }
    words.join(", ")
}

/// So many cubes of each kind, in resource order.
fn counted(counts: &[i32; 5]) -> String {
    let some = Resource::ALL.into_iter().zip(counts);
    let some = some.filter(|(_, count)| **count != 0);
    Commas(some.map(|(kind, count)| format!("{count} {kind}"))).to_string()
}
