//! The table, as everybody may see it.

use gamekeeper_rules::caylus::{
    CastleView, PendingFavors, PlayerView, Question, SectionView, SpaceView, SpecialView,
    SupplyView, View,
};

use super::pb;
use crate::rows::message;

message! {
    View => pb::View {
        simplified_favors, turn, phase, turn_order, pass_order, placement_cursor, cursor, players,
        special, castle, road, supply, removed_neutral, residences_built, provost, bailiff,
        columns_available, pending_favors, question,
    } without { pending }
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
message! { Question => pb::Question { space } }
