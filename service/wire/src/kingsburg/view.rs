//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::kingsburg::data::Advisor;
use gamekeeper_rules::kingsburg::{
    BattleView, DiePlace, DieView, EnemyView, EnvoyView, FighterView, GroupView, PlayerView,
    Question, View,
};

use super::pb;
use crate::rows::{ToPb, message};

message! {
    View => pb::View {
        options, year, phase, step, turn_order, players, envoy, court, enemies, peeked_by, battle,
        history, question,
    } without { pending }
}
message! {
    PlayerView => pb::PlayerView {
        seat, color, vp, goods, plus2, soldiers, rows, buildings, aid_die, dice, reroll_used,
        market_used, influence_done, build_actions_left,
    }
}
message! { EnvoyView => pb::EnvoyView { holder, mode, declarer, spent } }
message! {
    GroupView => pb::GroupView {
        advisor, owner, dice, values, plus2, market_offset, via_envoy, sequence,
    }
}
message! {
    EnemyView => pb::EnemyView { year, min_strength, max_strength, card, revealed }
}
message! { BattleView => pb::BattleView { card, king_die, fighters } }
message! { FighterView => pb::FighterView { seat, strength, outcome } }

message! {
    DieView => pb::DieView,
    |view| {
        die: view.die, white: view.die.is_white(), value: view.value, place: view.place,
        advisor: advisor_at(view.place),
    }
}

impl ToPb<i32> for DiePlace {
    fn to_pb(&self) -> i32 {
        match self {
            Self::Pool => pb::DiePlace::Pool,
            Self::Court(_) => pb::DiePlace::Court,
            Self::SetAside => pb::DiePlace::SetAside,
        }
        .into()
    }
}

/// The advisor at whose space a die lies.
fn advisor_at(place: DiePlace) -> Option<Advisor> {
    match place {
        DiePlace::Court(advisor) => Some(advisor),
        DiePlace::Pool | DiePlace::SetAside => None,
    }
}

message! { Question => pb::Question { advisor, build_actions_left, goods } }
