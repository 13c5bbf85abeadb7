//! The **holdings** of a seat: its countable resources.

use super::data::{Building, Good};
use super::stage::Stage;
use super::state::{Group, State};
use crate::table::{Holdings, Resource, Seat};

const GOODS: usize = 0;
const PLUS2: usize = GOODS + Good::COUNT;
const SOLDIER: usize = PLUS2 + 1;
const DIE: usize = SOLDIER + 1;
const POINT: usize = DIE + 1;

/// All countable resources; goods in their order.
pub const RESOURCES: &[Resource] = &[
    Resource::mass("gold", "gold"),
    Resource::mass("wood", "wood"),
    Resource::mass("stone", "stone"),
    Resource::new("plus2_token", "+2 token"),
    Resource::new("soldier", "soldier"),
    Resource::many("die", "die", "dice").without_text(),
    Resource::mass("victory_point", "VP"),
];

pub fn count(state: &State, seat: Seat, holdings: &mut Holdings) {
    let player = &state.players[seat];
    for good in Good::ALL {
        holdings.add(GOODS + good.index(), player.goods.amount(good));
    }
    holdings.add(PLUS2, player.plus2);
    holdings.add(SOLDIER, player.soldiers);
    holdings.add(DIE, i32::try_from(player.dice.pool().len()).unwrap_or(0));
    holdings.add(POINT, player.vp());
    let own = state.groups.iter().filter(|group| group.owner == seat);
    own.filter(|group| is_due(state, group))
        .for_each(|group| expect_help(state, group, holdings));
}

/// Returns whether the fixed help of this group's advisor is still to come.
///
/// # Rule KIN-6.50
fn is_due(state: &State, group: &Group) -> bool {
    match state.stage {
        Stage::Influence { .. } => true,
        Stage::Help { advisor, .. } => group.advisor > advisor,
        Stage::KingsAid
        | Stage::AidGood { .. }
        | Stage::EnvoyDeclaration
        | Stage::Roll
        | Stage::Reroll { .. }
        | Stage::Order
        | Stage::SetAside { .. }
        | Stage::Build { .. }
        | Stage::SeasonEnd { .. }
        | Stage::KingsReward
        | Stage::KingsEnvoy
        | Stage::Recruit { .. }
        | Stage::Reveal
        | Stage::Resolve { .. }
        | Stage::Strongest
        | Stage::Over => false,
    }
}

/// # Rule KIN-6.52, KIN-6.53
/// Adds the fixed help of the advisor to the certain gains; the Stable adds a soldier to soldiers.
fn expect_help(state: &State, group: &Group, holdings: &mut Holdings) {
    let help = group.advisor.help();
    let stable = help.soldiers > 0 && state.players[group.owner].has(Building::Stable);
    for good in Good::ALL {
        holdings.add_expected(GOODS + good.index(), help.goods.amount(good));
    }
    holdings.add_expected(PLUS2, help.plus2);
    holdings.add_expected(SOLDIER, help.soldiers + u8::from(stable));
    holdings.add_expected(POINT, help.vp);
}
