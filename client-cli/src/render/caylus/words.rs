//! Actions as a person would say them at this table: buildings by name, options by what they bring.

use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use pb::action::Kind;
use pb::target::Place;

use super::names::Names;
use crate::phrase;

/// The action in words; nothing where the general words are as good.
pub(super) fn action(view: &pb::View, names: &Names, action: &pb::Action) -> Option<String> {
    Some(match action.kind.as_ref()? {
        Kind::PlaceWorker(it) => format!("place a worker: {}", place(view, names, it.target)?),
        Kind::MoveGateWorker(it) => format!("move there: {}", place(view, names, it.target)?),
        Kind::MoveProvost(it) => move_provost(view, names, it.delta),
        Kind::Joust(it) if it.accept => String::from("pay 1 denier and 1 cloth for a favor"),
        Kind::Joust(_) => String::from("do not joust"),
        Kind::InnChoice(it) if it.stay => String::from("stay at the inn"),
        Kind::InnChoice(_) => String::from("leave the inn"),
        Kind::Produce(it) => format!("take {}", offer(view, names, it.option?)?.1),
        Kind::Trade(it) => {
            let (pay, gain) = offer(view, names, it.option?)?;
            format!("give {pay} for {gain}")
        }
        Kind::SellCube(it) => format!("sell 1 {}", resource(it.resource)),
        Kind::BuyCubes(it) => format!("buy {}", resources(&it.resources)),
        Kind::Alchemy(it) => format!("turn {} into gold", payment(it.payment?)),
        Kind::BuildCraft(it) => build(names, it.tile, it.any_payment),
        Kind::BuildPrestige(it) => {
            let tile = build(names, it.tile, None);
            format!("{tile}, on space {}", it.space)
        }
        Kind::TransformBuilding(it) => {
            let space = space(view, names, it.space);
            format!("turn {space} into a residence")
        }
        Kind::ChooseOwnerBonus(it) => format!("take 1 {}", resource(it.resource)),
        Kind::TakeFavor(it) => favor(view, names, it),
        Kind::BuildCastleBatch(it) => {
            let cubes = resources(&[it.second, it.third]);
            format!("build the castle: food, {cubes}")
        }
        Kind::FinishCastle(_) => String::from("build no more of the castle"),
        Kind::Pass(_) | Kind::RecallGateWorker(_) | Kind::Decline(_) => return None,
    })
}

fn place(view: &pb::View, names: &Names, target: Option<pb::Target>) -> Option<String> {
    Some(match target?.place? {
        Place::Castle(_) => String::from("castle"),
        Place::Special(special) => {
            let name = pb::Special::try_from(special).ok()?.as_str_name();
            phrase::words(name.trim_start_matches("SPECIAL_")).to_lowercase()
        }
        Place::Space(number) => space(view, names, number),
    })
}

/// `3 Marketplace`, or the number alone where nothing stands.
fn space(view: &pb::View, names: &Names, number: u32) -> String {
    let tile = tile(view, number).map(|tile| names.tile(tile));
    format!("{number} {}", tile.unwrap_or_default())
        .trim_end()
        .to_owned()
}

fn tile(view: &pb::View, number: u32) -> Option<i32> {
    view.road.iter().find(|space| space.space == number)?.tile
}

fn move_provost(view: &pb::View, names: &Names, delta: i32) -> String {
    let to = view.provost.saturating_add_signed(delta);
    match delta {
        0 => String::from("leave the provost"),
        _ => format!("move the provost {delta:+}, to {}", space(view, names, to)),
    }
}

/// What an option of the building in use asks and gives.
fn offer(view: &pb::View, names: &Names, option: u32) -> Option<(String, String)> {
    let tile = tile(view, view.question?.space?)?;
    let offer = names.offer(tile, option)?;
    Some((goods(offer.pay?), goods(offer.gain?)))
}

/// `build the Lawyer: 1 wood, 1 cloth, 4 VP`. A favor may take a cube off the price.
fn build(names: &Names, tile: i32, any: Option<i32>) -> String {
    let name = names.tile(tile);
    let Some(info) = names.tile_info(tile) else {
        return format!("build the {name}");
    };
    let mut cost = cubes(info.cost.unwrap_or_default());
    cost.extend(any.map(|any| format!("1 {} more", resource(any))));
    format!("build the {name}: {}, {} VP", cost.join(", "), info.vp)
}

/// `favor of Resources 2: wood`: the line and the column, and what must be chosen there.
fn favor(view: &pb::View, names: &Names, favor: &pb::TakeFavor) -> String {
    let line = names.favor_line(favor.line);
    if favor.column == 0 {
        return format!("favor of {line}: nothing");
    }
    let effect = favor.effect.clone().unwrap_or_default();
    let chosen = if let Some(give) = effect.give {
        format!("give {} for {}", resource(give), resources(&effect.take))
    } else if let Some(tile) = effect.tile {
        let tile = build(names, tile, effect.any_payment);
        effect
            .space
            .map_or(tile.clone(), |space| format!("{tile}, on space {space}"))
    } else if let Some(number) = effect.space {
        format!("turn {} into a residence", space(view, names, number))
    } else if let Some(one) = effect.resource {
        resource(one)
    } else {
        names.favor_text(favor.line, favor.column)
    };
    format!("favor of {line} {}: {chosen}", favor.column)
}

fn resource(resource: i32) -> String {
    let name = pb::Resource::try_from(resource).map(|resource| resource.as_str_name());
    name.unwrap_or("?")
        .trim_start_matches("RESOURCE_")
        .to_lowercase()
}

fn resources(list: &[i32]) -> String {
    phrase::runs(list.iter().map(|one| resource(*one)))
}

fn goods(goods: pb::Goods) -> String {
    let mut words = cubes(goods.cubes.unwrap_or_default());
    if goods.deniers > 0 {
        words.push(format!("{} deniers", goods.deniers));
    }
    if goods.vp > 0 {
        words.push(format!("{} VP", goods.vp));
    }
    words.join(", ")
}

fn cubes(cubes: pb::Cubes) -> Vec<String> {
    counted([
        (i64::from(cubes.food), "food"),
        (i64::from(cubes.wood), "wood"),
        (i64::from(cubes.stone), "stone"),
        (i64::from(cubes.cloth), "cloth"),
        (i64::from(cubes.gold), "gold"),
    ])
}

fn payment(cubes: pb::CubePayment) -> String {
    counted([
        (i64::from(cubes.food), "food"),
        (i64::from(cubes.wood), "wood"),
        (i64::from(cubes.stone), "stone"),
        (i64::from(cubes.cloth), "cloth"),
        (i64::from(cubes.gold), "gold"),
    ])
    .join(", ")
}

fn counted(counts: [(i64, &str); 5]) -> Vec<String> {
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, name)| format!("{count} {name}"))
        .collect()
}
