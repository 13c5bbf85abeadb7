//! The table, as everybody may see it.

use gamekeeper_rules::caylus::{
    Asked, CastleView, Decision, GameResult, PendingFavors, PlayerView, SectionView, SpaceView,
    SpecialView, SupplyView, View,
};

use super::pb;
use crate::rows::message;

message! {
    View => pb::View {
        simplified_favors, turn, phase, turn_order, pass_order, placement_cursor, cursor, players,
        special, castle, road, supply, removed_neutral, residences_built, provost, bailiff,
        columns_available, pending_favors, question, result,
    }
}

message! {
    PlayerView => pb::PlayerView {
        seat, deniers, cubes, vp, workers_available, favor_markers, favor_lines_used,
        placement_price,
    }
}

message! {
    SpecialView => pb::SpecialView {
        gate, trading_post, merchants_guild, joust_field, stables, inn_left, inn_right,
    }
}

message! { CastleView => pb::CastleView { queue, batches_this_turn, sections, current_section } }
message! { SectionView => pb::SectionView { section, parts, scored } }
message! { SpaceView => pb::SpaceView { space, tile, owner, worker, pending_transform } }
message! { SupplyView => pb::SupplyView { wood, stone, prestige } }
message! { PendingFavors => pb::PendingFavors { seat, count } }
message! { GameResult => pb::GameResult { scores, winners } }

message! {
    Asked => pb::Question,
    |asked| pb::Question {
        seat: asked.seat.to_pb(),
        decision: decision(asked.decision).into(),
        space: asked.decision.space().to_pb(),
    }
}

fn decision(decision: Decision) -> pb::Decision {
    match decision {
        Decision::PlaceWorker => pb::Decision::PlaceWorker,
        Decision::GateRelocate => pb::Decision::GateRelocate,
        Decision::GuildMove => pb::Decision::GuildMove,
        Decision::Joust => pb::Decision::Joust,
        Decision::InnStay => pb::Decision::InnStay,
        Decision::BribeProvost => pb::Decision::BribeProvost,
        Decision::UseBuilding { .. } => pb::Decision::UseBuilding,
        Decision::OwnerBonus { .. } => pb::Decision::OwnerBonus,
        Decision::TakeFavor => pb::Decision::TakeFavor,
        Decision::CastleBuild => pb::Decision::CastleBuild,
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::caylus::Space;

    use super::*;

    #[test]
    fn decisions_keep_their_names() {
        let space = Space::FIRST;
        let all = [
            Decision::PlaceWorker,
            Decision::GateRelocate,
            Decision::GuildMove,
            Decision::Joust,
            Decision::InnStay,
            Decision::BribeProvost,
            Decision::UseBuilding { space },
            Decision::OwnerBonus { space },
            Decision::TakeFavor,
            Decision::CastleBuild,
        ];
        for (number, one) in (1..).zip(all) {
            let sent = decision(one);
            assert_eq!(sent as i32, number);
            assert_eq!(sent.as_str_name(), format!("DECISION_{}", one.name()));
        }
    }
}
