//! Equality of actions: lists of cubes are compared regardless of their order (CAY-6.2.1).

use crate::caylus::action::{Action, FavorEffect};

/// Returns whether the accepted action equals the listed one.
pub fn same_move(listed: &Action, accepted: &Action) -> bool {
    sorted(listed.clone()) == sorted(accepted.clone())
}

/// Returns the action with its lists of cubes in resource order (CAY-6.2.1).
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
