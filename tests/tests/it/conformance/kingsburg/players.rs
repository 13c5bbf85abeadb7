//! Players who seek situations that random players do not reach.

use gamekeeper_rules::kingsburg::data::{Building, Good};
use gamekeeper_rules::kingsburg::{Action, View};
use gamekeeper_rules::table::Seat;

/// Preferences of players who seek high advisors for their goods. The first player builds towards the Cathedral, the
/// others towards the Merchants' Guild.
pub(super) fn builders(_view: &View, seat: Seat, action: &Action) -> u32 {
    match action {
        Action::Build {
            building: Some(building),
        } => building_of(seat, *building),
        Action::Influence(influence) => 10 + influence.advisor.unsigned_abs(),
        Action::ChooseAidGood { good: Some(good) }
        | Action::ChooseHelpGood { good: Some(good) }
        | Action::ChooseRewardGood { good: Some(good) } => match good {
            Good::Gold => 20,
            Good::Stone => 15,
            Good::Wood => 12,
        },
        Action::PassRecruit | Action::DeclineExchange | Action::PayLostGoods(_) => 10,
        Action::LoseBuilding {
            building: Some(building),
        } => 60 - building_of(seat, *building),
        Action::RecruitSoldier(_) | Action::TownHallSellGood { .. } => 1,
        Action::PassBuild => 3,
        Action::PassInfluence => 2,
        Action::ChooseAidGood { good: None }
        | Action::ChooseHelpGood { good: None }
        | Action::ChooseRewardGood { good: None }
        | Action::Build { building: None }
        | Action::LoseBuilding { building: None }
        | Action::DeclareEnvoy { .. }
        | Action::RerollDie { .. }
        | Action::KeepRoll
        | Action::SetAsideDie { .. }
        | Action::AlchemistExchange { .. }
        | Action::TownHallTakeToken => 8,
    }
}

fn building_of(seat: Seat, building: Building) -> u32 {
    let row = if seat == Seat::FIRST {
        Building::Cathedral.row()
    } else {
        Building::MerchantsGuild.row()
    };
    if building.row() == row { 50 } else { 0 }
}
