//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::kingsburg::{
    BattleView, Decision, DiePlace, DieView, EnemyView, EnvoyView, FighterView, GroupView,
    PlayerView, Question, SeatResult, View,
};

use super::pb;
use crate::rows::message;

message! {
    View => pb::View {
        options, year, phase, step, turn_order, players, envoy, court, enemies, peeked_by, battle,
        history, question, results,
    }
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
    EnemyView => pb::EnemyView { year, least_strength, greatest_strength, card, revealed }
}
message! { BattleView => pb::BattleView { card, king_die, fighters } }
message! { FighterView => pb::FighterView { seat, strength, outcome } }
message! { SeatResult => pb::SeatResult { seat, rank, vp, goods, buildings } }

message! {
    DieView => pb::DieView,
    |view| {
        let (place, advisor) = match view.place {
            DiePlace::Pool => (pb::DiePlace::Pool, None),
            DiePlace::Court(advisor) => (pb::DiePlace::Court, Some(advisor.to_pb())),
            DiePlace::SetAside => (pb::DiePlace::SetAside, None),
        };
        pb::DieView {
            die: view.die.to_pb(),
            white: view.die.is_white(),
            value: view.value.to_pb(),
            place: place.into(),
            advisor,
        }
    }
}

message! {
    Question => pb::Question,
    |question| {
        let mut message = pb::Question {
            seat: question.seat.to_pb(),
            decision: question.decision.to_pb(),
            ..Default::default()
        };
        match question.decision {
            Decision::HelpChoice { advisor } => message.advisor = Some(advisor.to_pb()),
            Decision::Build { actions_left } => {
                message.build_actions_left = Some(actions_left.to_pb());
            }
            Decision::Recruit { goods } | Decision::LossGoods { goods } => {
                message.goods = Some(goods.to_pb());
            }
            Decision::AidGood
            | Decision::EnvoyDeclaration
            | Decision::Reroll
            | Decision::SetAside
            | Decision::Influence
            | Decision::TownHall
            | Decision::RewardGood
            | Decision::LossBuilding => {}
        }
        message
    }
}
