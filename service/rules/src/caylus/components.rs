//! The components that actions and events touch. `picture` draws them under the same names.

use std::collections::BTreeSet;

use super::action::{Action, FavorEffect, Target};
use super::data::{Cubes, FavorLine, Goods, Resource, Section, Space, Special, Tile};
use super::event::Event;
use super::view::View;
use crate::table::{Component, MaybeKnown, OptionalParam, Seat};

/// A space of the road, with what stands on it.
pub fn space(space: Space) -> Component {
    Component::number("space", space.number())
}

/// A special building before the bridge.
pub fn special(special: Special) -> Component {
    Component::new("special", special.id())
}

/// The castle, where workers build.
pub fn castle() -> Component {
    Component::new("place", "castle")
}

pub fn section(section: Section) -> Component {
    Component::new("section", section.id())
}

/// A tile that can be built.
pub fn tile(tile: Tile) -> Component {
    Component::new("tile", tile.id())
}

/// A column of a line of the favor table.
pub fn favor(line: FavorLine, column: u8) -> Component {
    Component::piece("favor", line.id(), column)
}

/// A player's marker on a line of the favor table.
pub fn marker(seat: Seat, line: FavorLine) -> Component {
    Component::of(seat, "favor_marker", line.id())
}

pub fn provost() -> Component {
    Component::new("marker", "provost")
}

pub fn bailiff() -> Component {
    Component::new("marker", "bailiff")
}

/// A player's cubes of one kind.
pub fn cubes(seat: Seat, resource: Resource) -> Component {
    Component::of(seat, "cubes", resource.id())
}

/// The deniers of a player.
pub fn deniers(seat: Seat) -> Component {
    Component::only("deniers", seat)
}

/// The workers of a player that are not on the board.
pub fn workers(seat: Seat) -> Component {
    Component::only("workers", seat)
}

/// A worker on the board. It is named after its place: a player has at most one on each.
pub fn worker(seat: Seat, place: Target) -> Component {
    match place {
        Target::Castle => Component::of(seat, "worker", "castle"),
        Target::Special(special) => Component::of(seat, "worker", special.id()),
        Target::Road(space) => Component::numbered(seat, "worker", space.number()),
    }
}

/// The worker on the right circle of the Inn, which stays there from an earlier turn.
pub fn guest(seat: Seat) -> Component {
    Component::of(seat, "worker", "inn_right")
}

fn place(target: Target) -> Component {
    match target {
        Target::Castle => castle(),
        Target::Special(special) => self::special(special),
        Target::Road(space) => self::space(space),
    }
}

/// Lists the components that an action touches. A pass touches only the player.
pub fn action(view: &View, seat: Seat, action: &Action) -> Vec<Component> {
    let player = || vec![Component::seat(seat)];
    let in_use = view.question.and_then(|question| question.space).map(space);
    let at_work = |cubes: Vec<Component>| in_use.into_iter().chain(cubes).collect();
    match action {
        Action::PlaceWorker { target } => {
            let target = target.map(place);
            [workers(seat)].into_iter().chain(target).collect()
        }
        Action::MoveGateWorker { target } => {
            let target = target.map(place);
            [special(Special::Gate)].into_iter().chain(target).collect()
        }
        Action::RecallGateWorker => vec![special(Special::Gate)],
        Action::MoveProvost { delta } => {
            let to = view.provost.moved(*delta).map(space);
            [provost()].into_iter().chain(to).collect()
        }
        Action::Joust { .. } => vec![special(Special::JoustField)],
        Action::InnChoice { .. } => vec![special(Special::Inn)],
        Action::Produce { .. } | Action::Trade { .. } | Action::Decline => {
            in_use.map_or_else(player, |space| vec![space])
        }
        Action::SellCube { resource } => at_work(named(seat, &[*resource])),
        Action::BuyCubes { resources } => at_work(named(seat, resources)),
        Action::Alchemy { payment } => {
            let paid = Resource::ALL.into_iter().zip(payment);
            let paid = paid.filter(|(_, amount)| **amount > 0);
            at_work(paid.map(|(kind, _)| cubes(seat, kind)).collect())
        }
        Action::BuildCraft { tile, any_payment } => {
            let tile = tile.map(self::tile);
            let any = given(any_payment).map(|kind| cubes(seat, kind));
            tile.into_iter().chain(any).collect()
        }
        Action::BuildPrestige { tile, space } => {
            let tile = tile.map(self::tile);
            tile.into_iter().chain(space.map(self::space)).collect()
        }
        Action::TransformBuilding { space } => space.map(self::space).into_iter().collect(),
        Action::ChooseOwnerBonus { resource } => named(seat, &[*resource]),
        Action::TakeFavor {
            line,
            column,
            effect,
        } => line.map_or_else(Vec::new, |line| favor_taken(seat, (line, *column), effect)),
        Action::BuildCastleBatch { second, third } => {
            let paid = named(seat, &[Some(Resource::Food), *second, *third]);
            [castle()].into_iter().chain(paid).collect()
        }
        Action::FinishCastle => vec![castle()],
        Action::PassTurn => player(),
    }
}

/// Lists the marker, the column that is used, and the goods that it pays for.
fn favor_taken(
    seat: Seat,
    (line, column): (FavorLine, u32),
    effect: &FavorEffect,
) -> Vec<Component> {
    let column = u8::try_from(column).ok().filter(|column| *column > 0);
    let column = column.map(|column| favor(line, column));
    let FavorEffect {
        resource,
        give,
        take,
        tile,
        any_payment,
        space,
    } = effect;
    let kinds = [resource, give, any_payment].map(given);
    let kinds: Vec<MaybeKnown<Resource>> = kinds.into_iter().chain(take.iter().copied()).collect();
    let mut touched = vec![marker(seat, line)];
    touched.extend(column);
    touched.extend(given(tile).map(self::tile));
    touched.extend(given(space).map(self::space));
    touched.extend(named(seat, &kinds));
    touched
}

fn given<T: Copy>(given: &OptionalParam<T>) -> Option<T> {
    match given {
        OptionalParam::Known(value) => Some(*value),
        OptionalParam::Absent | OptionalParam::Unknown => None,
    }
}

/// Lists a player's cubes by kind, each kind once.
fn named(seat: Seat, kinds: &[MaybeKnown<Resource>]) -> Vec<Component> {
    let kinds: BTreeSet<Resource> = kinds.iter().copied().flatten().collect();
    kinds.into_iter().map(|kind| cubes(seat, kind)).collect()
}

fn of_cubes(seat: Seat, some: Cubes) -> Vec<Component> {
    let kinds = Resource::ALL.into_iter();
    let kinds = kinds.filter(|kind| some.count(*kind) > 0);
    kinds.map(|kind| cubes(seat, kind)).collect()
}

/// Lists the goods that are paid and gained, each kind once.
fn of_goods(seat: Seat, goods: &[Goods]) -> Vec<Component> {
    let has_deniers = goods.iter().any(|goods| goods.deniers > 0);
    let has_points = goods.iter().any(|goods| goods.vp > 0);
    let cubes: BTreeSet<Component> = goods
        .iter()
        .flat_map(|goods| of_cubes(seat, goods.cubes))
        .collect();
    let others = [
        has_deniers.then(|| deniers(seat)),
        has_points.then(|| Component::seat(seat)),
    ];
    others.into_iter().flatten().chain(cubes).collect()
}

/// Lists the components that an event touches, each once.
pub fn event(event: &Event) -> Vec<Component> {
    let touched: BTreeSet<Component> = touched_by(event).into_iter().collect();
    touched.into_iter().collect()
}

#[allow(clippy::too_many_lines, reason = "one row for each event")]
fn touched_by(event: &Event) -> Vec<Component> {
    let player = Component::seat;
    let with = |mut touched: Vec<Component>, others: Vec<Component>| {
        touched.extend(others);
        touched
    };
    match event {
        Event::GameCreated { .. } => Space::all().map(space).collect(),
        Event::TurnStarted { .. } => Vec::new(),
        Event::TurnOrderChanged { turn_order } => turn_order.iter().copied().map(player).collect(),
        Event::Income { seat, .. } => vec![deniers(*seat)],
        Event::WorkerPlaced { seat, target, .. } => {
            vec![workers(*seat), place(*target), deniers(*seat)]
        }
        Event::Passed { seat, .. }
        | Event::CastlePenalty { seat, .. }
        | Event::FavorsGained { seat, .. }
        | Event::FavorsSimplified { seat, .. }
        | Event::FavorsLost { seat, .. }
        | Event::FinalScored { seat, .. }
        | Event::MostBatches { seat, .. }
        | Event::CastleFinished { seat, .. } => vec![player(*seat)],
        Event::GateMoved { target, .. } => vec![special(Special::Gate), place(*target)],
        Event::GateRecalled { seat } => vec![special(Special::Gate), workers(*seat)],
        Event::TradingPostPaid { seat, .. } => {
            vec![
                special(Special::TradingPost),
                deniers(*seat),
                workers(*seat),
            ]
        }
        Event::ProvostMoved {
            from_space,
            to_space,
            ..
        } if from_space == to_space => vec![provost(), space(*to_space)],
        Event::ProvostMoved {
            from_space,
            to_space,
            ..
        } => vec![provost(), space(*from_space), space(*to_space)],
        Event::Jousted { seat, paid } => {
            let joust = vec![special(Special::JoustField), workers(*seat)];
            with(joust, of_goods(*seat, paid.as_slice()))
        }
        Event::InnChanged { returned, .. } => {
            let returned = returned.map(workers);
            [special(Special::Inn)]
                .into_iter()
                .chain(returned)
                .collect()
        }
        Event::BuildingActivated { space, .. } | Event::EffectDeclined { space, .. } => {
            vec![self::space(*space)]
        }
        Event::Produced { seat, cubes } => of_cubes(*seat, *cubes),
        Event::Traded { seat, paid, gained } => of_goods(*seat, &[*paid, *gained]),
        Event::TileBuilt {
            seat,
            tile,
            space,
            paid,
            ..
        }
        | Event::PrestigeBuilt {
            seat,
            tile,
            space,
            paid,
            ..
        } => {
            let built = vec![self::tile(*tile), self::space(*space)];
            with(built, of_cubes(*seat, *paid))
        }
        Event::TransformPaid {
            seat, space, paid, ..
        } => with(vec![self::space(*space)], of_goods(*seat, &[*paid])),
        Event::TransformDone { seat, space, .. } => vec![self::space(*space), player(*seat)],
        Event::OwnerBonus {
            seat,
            space,
            resource,
        } => vec![self::space(*space), cubes(*seat, *resource)],
        Event::WorkerReturned { seat, space, .. } => vec![self::space(*space), workers(*seat)],
        Event::CastleBatch {
            seat,
            section,
            paid,
            ..
        } => with(vec![self::section(*section)], of_cubes(*seat, *paid)),
        Event::CastleLeft { seats } => {
            let back = seats.iter().copied().map(workers);
            [castle()].into_iter().chain(back).collect()
        }
        Event::FavorTaken {
            seat,
            line,
            column,
            paid,
            gained,
            ..
        } => {
            let column = (*column > 0).then(|| favor(*line, *column));
            let moved = [marker(*seat, *line)].into_iter().chain(column).collect();
            with(moved, of_goods(*seat, &[*paid, *gained]))
        }
        Event::BailiffMoved {
            from_space,
            to_space,
        } => vec![bailiff(), provost(), space(*from_space), space(*to_space)],
        Event::SectionScoring { section } | Event::SectionScored { section } => {
            vec![self::section(*section)]
        }
        Event::SectionPenalty { seat, section, .. } => {
            vec![self::section(*section), player(*seat)]
        }
    }
}
