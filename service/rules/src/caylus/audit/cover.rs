//! When two actions are the same: cubes in any order (CAY-6.2.1).

use crate::caylus::action::{Action, FavorEffect};

/// Is the accepted action the listed one?
pub fn same_move(listed: &Action, accepted: &Action) -> bool {
    sorted(listed.clone()) == sorted(accepted.clone())
}

/// The same action with its cube lists in resource order (CAY-6.2.1).
fn sorted(mut action: Action) -> Action {
    if let Action::BuyCubes { resources: list }
    | Action::TakeFavor {
        effect: FavorEffect { take: list, .. },
        ..
    } = &mut action
    {
        list.sort_unstable();
    }
    if let Action::BuildCastleBatch { second, third } = &mut action {
        (*second, *third) = (*second.min(third), *second.max(third));
    }
    action
}
