//! The movements of events: workers, markers, tiles, deniers and cubes. Points are no pieces.

use super::action::Target;
use super::components::{
    bailiff, castle, cubes, deniers, favor, guest, marker, provost, section, space, special, tile,
    worker, workers,
};
use super::data::{Cubes, Goods, Resource, Special, Tile};
use super::event::Event;
use crate::table::{Component, Movement, Seat};

/// Lists what an event moves, in the order of its sentence.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Movement> {
    match event {
        Event::Income { seat, deniers }
        | Event::Passed {
            seat,
            bonus: deniers,
        } => gained(*seat, of_deniers(*deniers)),
        Event::WorkerPlaced {
            seat,
            target,
            price,
            ..
        } => {
            let placed = Movement::of(worker(*seat, *target), 1_u8);
            let placed = placed.leaving(workers(*seat)).reaching(place(*target));
            [placed]
                .into_iter()
                .chain(paid(*seat, of_deniers(*price)))
                .collect()
        }
        Event::GateMoved { seat, target, .. } => {
            let moved = Movement::of(worker(*seat, *target), 1_u8);
            vec![
                moved
                    .leaving(special(Special::Gate))
                    .reaching(place(*target)),
            ]
        }
        Event::GateRecalled { seat } => vec![back(*seat, Target::Special(Special::Gate))],
        Event::TradingPostPaid { seat, deniers } => {
            let returned = back(*seat, Target::Special(Special::TradingPost));
            [returned]
                .into_iter()
                .chain(gained(*seat, of_deniers(*deniers)))
                .collect()
        }
        Event::ProvostMoved {
            seat,
            from_space,
            to_space,
            paid,
        } => {
            let moved = Movement::of(provost(), 1_u8);
            let moved = moved.leaving(space(*from_space)).reaching(space(*to_space));
            let moved = (from_space != to_space).then_some(moved);
            moved
                .into_iter()
                .chain(self::paid(*seat, of_deniers(*paid)))
                .collect()
        }
        Event::Jousted { seat, paid } => {
            let returned = back(*seat, Target::Special(Special::JoustField));
            let paid = paid.map(|paid| self::paid(*seat, paid)).unwrap_or_default();
            [returned].into_iter().chain(paid).collect()
        }
        Event::InnChanged { returned, .. } => {
            let back = returned.map(|seat| {
                let left = Movement::of(guest(seat), 1_u8).leaving(special(Special::Inn));
                left.reaching(workers(seat))
            });
            back.into_iter().collect()
        }
        Event::Produced { seat, cubes } => gained(*seat, of_cubes(*cubes)),
        Event::Traded { seat, paid, gained } => exchanged(*seat, *paid, *gained),
        Event::TileBuilt {
            seat,
            tile: built,
            space: on,
            paid,
            ..
        }
        | Event::PrestigeBuilt {
            seat,
            tile: built,
            space: on,
            paid,
            ..
        } => {
            let built = Movement::of(tile(*built), 1_u8).leaving(tile(*built));
            let built = built.reaching(space(*on));
            self::paid(*seat, of_cubes(*paid))
                .into_iter()
                .chain([built])
                .collect()
        }
        Event::TransformPaid { seat, paid, .. } => self::paid(*seat, *paid),
        Event::TransformDone {
            space: on,
            replaced,
            ..
        } => {
            vec![replaced_on(*replaced, space(*on))]
        }
        Event::OwnerBonus {
            seat,
            space: on,
            resource,
        } => {
            let kept = cubes(*seat, *resource);
            vec![Movement::of(kept, 1_u8).leaving(space(*on)).reaching(kept)]
        }
        Event::WorkerReturned { seat, space, .. } => vec![back(*seat, Target::Road(*space))],
        Event::CastleBatch {
            seat,
            section: part,
            paid,
            ..
        } => {
            let paid = self::paid(*seat, of_cubes(*paid)).into_iter();
            paid.map(|paid| paid.reaching(section(*part))).collect()
        }
        Event::CastleLeft { seats } => seats
            .iter()
            .map(|seat| back(*seat, Target::Castle))
            .collect(),
        Event::FavorTaken {
            seat,
            line,
            marker: now,
            paid,
            gained,
            marker_before,
            ..
        } => {
            let moved = Movement {
                from: (*marker_before > 0).then(|| favor(*line, *marker_before)),
                to: (*now > 0).then(|| favor(*line, *now)),
                ..Movement::of(marker(*seat, *line), 1_u8)
            };
            let moved = (now != marker_before).then_some(moved);
            moved
                .into_iter()
                .chain(exchanged(*seat, *paid, *gained))
                .collect()
        }
        Event::BailiffMoved {
            from_space,
            to_space,
        } => vec![
            Movement::of(bailiff(), 1_u8)
                .leaving(space(*from_space))
                .reaching(space(*to_space)),
            Movement::of(provost(), 1_u8).reaching(space(*to_space)),
        ],
        Event::GameCreated { .. }
        | Event::TurnStarted { .. }
        | Event::TurnOrderChanged { .. }
        | Event::BuildingActivated { .. }
        | Event::EffectDeclined { .. }
        | Event::CastlePenalty { .. }
        | Event::MostBatches { .. }
        | Event::FavorsGained { .. }
        | Event::FavorsSimplified { .. }
        | Event::FavorsLost { .. }
        | Event::SectionScoring { .. }
        | Event::SectionPenalty { .. }
        | Event::SectionScored { .. }
        | Event::FinalScored { .. }
        | Event::CastleFinished { .. } => Vec::new(),
    }
}

fn place(target: Target) -> Component {
    match target {
        Target::Castle => castle(),
        Target::Special(special) => self::special(special),
        Target::Road(space) => self::space(space),
    }
}

/// A worker returns to its player.
fn back(seat: Seat, from: Target) -> Movement {
    let left = Movement::of(worker(seat, from), 1_u8).leaving(place(from));
    left.reaching(workers(seat))
}

/// The tile that a residence replaces leaves the road.
fn replaced_on(tile: Tile, space: Component) -> Movement {
    Movement::of(self::tile(tile), 1_u8).leaving(space)
}

const fn of_deniers(deniers: u16) -> Goods {
    Goods {
        deniers,
        ..Goods::NONE
    }
}

const fn of_cubes(cubes: Cubes) -> Goods {
    Goods {
        cubes,
        ..Goods::NONE
    }
}

fn by_kind(seat: Seat, goods: Goods) -> impl Iterator<Item = (Component, u16)> {
    let kinds = Resource::ALL.into_iter();
    let kinds = kinds.map(move |kind| (cubes(seat, kind), goods.cubes.count(kind)));
    let all = [(deniers(seat), goods.deniers)].into_iter().chain(kinds);
    all.filter(|(_, count)| *count > 0)
}

fn gained(seat: Seat, goods: Goods) -> Vec<Movement> {
    let kinds = by_kind(seat, goods);
    kinds
        .map(|(kept, count)| Movement::of(kept, count).reaching(kept))
        .collect()
}

fn paid(seat: Seat, goods: Goods) -> Vec<Movement> {
    let kinds = by_kind(seat, goods);
    kinds
        .map(|(kept, count)| Movement::of(kept, count).leaving(kept))
        .collect()
}

fn exchanged(seat: Seat, paid: Goods, gained: Goods) -> Vec<Movement> {
    [self::paid(seat, paid), self::gained(seat, gained)].concat()
}
