//! What happened. Everything is public (CAY-13.1).

use gamekeeper_rules::caylus::{Event, FinalScore, Space};
use gamekeeper_rules::table::{PerSeat, Seat};

use super::ids::{cubes, goods, space_number, target_message};
use super::pb::{self, event::Kind};
use crate::names::{Name, numbers};
use crate::{seat_number, seat_numbers};

pub(super) fn message(event: &Event, text: Option<String>) -> pb::Event {
    pb::Event {
        text: text.unwrap_or_default(),
        kind: Some(kind(event)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each event"
)]
fn kind(event: &Event) -> Kind {
    match event {
        Event::GameCreated {
            simplified_favors,
            neutral_order,
            turn_order,
        } => Kind::GameCreated(pb::GameCreated {
            simplified_favors: *simplified_favors,
            neutral_order: numbers(neutral_order),
            turn_order: seat_numbers(turn_order),
        }),
        Event::TurnStarted { turn } => Kind::TurnStarted(pb::TurnStarted {
            turn: u32::from(*turn),
        }),
        Event::TurnOrderChanged { turn_order } => Kind::TurnOrderChanged(pb::TurnOrderChanged {
            turn_order: seat_numbers(turn_order),
        }),
        Event::Income { seat, deniers } => Kind::Income(pb::Income {
            seat: seat_number(*seat),
            deniers: u32::from(*deniers),
        }),
        Event::WorkerPlaced {
            seat,
            target,
            price,
            owner,
        } => Kind::WorkerPlaced(pb::WorkerPlaced {
            seat: seat_number(*seat),
            target: Some(target_message(*target)),
            price: u32::from(*price),
            owner: owner.map(seat_number),
        }),
        Event::Passed { seat, bonus } => Kind::Passed(pb::Passed {
            seat: seat_number(*seat),
            bonus: u32::from(*bonus),
        }),
        Event::GateMoved {
            seat,
            target,
            owner,
        } => Kind::GateMoved(pb::GateMoved {
            seat: seat_number(*seat),
            target: Some(target_message(*target)),
            owner: owner.map(seat_number),
        }),
        Event::GateRecalled { seat } => Kind::GateRecalled(pb::GateRecalled {
            seat: seat_number(*seat),
        }),
        Event::TradingPostPaid { seat, deniers } => Kind::TradingPostPaid(pb::TradingPostPaid {
            seat: seat_number(*seat),
            deniers: u32::from(*deniers),
        }),
        Event::ProvostMoved {
            seat,
            from,
            to,
            paid,
        } => Kind::ProvostMoved(pb::ProvostMoved {
            seat: seat_number(*seat),
            from_space: space_number(*from),
            to_space: space_number(*to),
            paid: u32::from(*paid),
        }),
        Event::Jousted { seat, paid } => Kind::Jousted(pb::Jousted {
            seat: seat_number(*seat),
            paid: paid.map(goods),
        }),
        Event::InnChanged { returned, right } => Kind::InnChanged(pb::InnChanged {
            returned: returned.map(seat_number),
            right: right.map(seat_number),
        }),
        Event::BuildingActivated { seat, space, tile } => {
            Kind::BuildingActivated(pb::BuildingActivated {
                seat: seat_number(*seat),
                space: space_number(*space),
                tile: tile.number(),
            })
        }
        Event::Produced {
            seat,
            cubes: gained,
        } => Kind::Produced(pb::Produced {
            seat: seat_number(*seat),
            cubes: Some(cubes(*gained)),
        }),
        Event::Traded { seat, paid, gained } => Kind::Traded(pb::Traded {
            seat: seat_number(*seat),
            paid: Some(goods(*paid)),
            gained: Some(goods(*gained)),
        }),
        Event::EffectDeclined { seat, space } => Kind::EffectDeclined(pb::EffectDeclined {
            seat: seat_number(*seat),
            space: space_number(*space),
        }),
        Event::TileBuilt {
            seat,
            tile,
            space,
            paid,
            vp,
        } => Kind::TileBuilt(pb::TileBuilt {
            seat: seat_number(*seat),
            tile: tile.number(),
            space: space_number(*space),
            paid: Some(cubes(*paid)),
            vp: u32::from(*vp),
        }),
        Event::TransformPaid {
            seat,
            space,
            paid,
            waits_for,
        } => Kind::TransformPaid(pb::TransformPaid {
            seat: seat_number(*seat),
            space: space_number(*space),
            paid: Some(goods(*paid)),
            waits_for: waits_for.map(seat_number),
        }),
        Event::TransformDone {
            seat,
            space,
            replaced,
            vp,
        } => Kind::TransformDone(pb::TransformDone {
            seat: seat_number(*seat),
            space: space_number(*space),
            replaced: replaced.number(),
            vp: u32::from(*vp),
        }),
        Event::PrestigeBuilt {
            seat,
            tile,
            space,
            paid,
            vp,
        } => Kind::PrestigeBuilt(pb::PrestigeBuilt {
            seat: seat_number(*seat),
            tile: tile.number(),
            space: space_number(*space),
            paid: Some(cubes(*paid)),
            vp: u32::from(*vp),
        }),
        Event::OwnerBonus {
            seat,
            space,
            resource,
        } => Kind::OwnerBonus(pb::OwnerBonus {
            seat: seat_number(*seat),
            space: space_number(*space),
            resource: resource.number(),
        }),
        Event::WorkerReturned { seat, space } => Kind::WorkerReturned(pb::WorkerReturned {
            seat: seat_number(*seat),
            space: space_number(*space),
        }),
        Event::CastleBatch {
            seat,
            section,
            paid,
            vp,
        } => Kind::CastleBatch(pb::CastleBatch {
            seat: seat_number(*seat),
            section: section.number(),
            paid: Some(cubes(*paid)),
            vp: u32::from(*vp),
        }),
        Event::CastlePenalty { seat, vp } => Kind::CastlePenalty(pb::CastlePenalty {
            seat: seat_number(*seat),
            vp: u32::from(*vp),
        }),
        Event::CastleFinished { seat, batches } => Kind::CastleFinished(pb::CastleFinished {
            seat: seat_number(*seat),
            batches: u32::from(*batches),
        }),
        Event::MostBatches { seat, batches } => Kind::MostBatches(pb::MostBatches {
            seat: seat_number(*seat),
            batches: u32::from(*batches),
        }),
        Event::CastleLeft { seats } => Kind::CastleLeft(pb::CastleLeft {
            seats: seat_numbers(seats),
        }),
        Event::FavorsGained { seat, count } => Kind::FavorsGained(pb::FavorsGained {
            seat: seat_number(*seat),
            count: u32::from(*count),
        }),
        Event::FavorsSimplified { seat, count, vp } => {
            Kind::FavorsSimplified(pb::FavorsSimplified {
                seat: seat_number(*seat),
                count: u32::from(*count),
                vp: u32::from(*vp),
            })
        }
        Event::FavorTaken {
            seat,
            line,
            marker,
            column,
            paid,
            gained,
        } => Kind::FavorTaken(pb::FavorTaken {
            seat: seat_number(*seat),
            line: line.number(),
            marker: u32::from(*marker),
            column: u32::from(*column),
            paid: Some(goods(*paid)),
            gained: Some(goods(*gained)),
        }),
        Event::FavorsLost { seat, count } => Kind::FavorsLost(pb::FavorsLost {
            seat: seat_number(*seat),
            count: u32::from(*count),
        }),
        Event::BailiffMoved { from, to } => Kind::BailiffMoved(bailiff_moved(*from, *to)),
        Event::SectionScoring { section } => Kind::SectionScoring(pb::SectionScoring {
            section: section.number(),
        }),
        Event::SectionPenalty { seat, section, vp } => Kind::SectionPenalty(pb::SectionPenalty {
            seat: seat_number(*seat),
            section: section.number(),
            vp: u32::from(*vp),
        }),
        Event::SectionScored { section } => Kind::SectionScored(pb::SectionScored {
            section: section.number(),
        }),
        Event::GameEnded { scores, winners } => Kind::GameEnded(pb::GameEnded {
            scores: scores_message(scores),
            winners: seat_numbers(winners),
        }),
    }
}

fn bailiff_moved(from: Space, to: Space) -> pb::BailiffMoved {
    pb::BailiffMoved {
        from_space: space_number(from),
        to_space: space_number(to),
    }
}

/// The final scores, in seat order.
pub(super) fn scores_message(scores: &PerSeat<FinalScore>) -> Vec<pb::FinalScore> {
    let score = |(seat, score): (Seat, &FinalScore)| pb::FinalScore {
        seat: seat_number(seat),
        vp: u32::from(score.before),
        gold: u32::from(score.gold),
        cubes: u32::from(score.cubes),
        deniers: u32::from(score.deniers),
        total: u32::from(score.total()),
    };
    scores.entries().map(score).collect()
}

#[cfg(test)]
mod tests;
