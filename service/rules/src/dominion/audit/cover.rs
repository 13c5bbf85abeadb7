//! Equality of actions: cards are compared regardless of their order (DOM-14.3).

use crate::dominion::action::Action;

/// Returns whether the accepted action equals the listed one.
pub fn same_move(listed: &Action, accepted: &Action) -> bool {
    sorted(listed) == sorted(accepted)
}

/// Returns the action with its cards in canonical order.
fn sorted(action: &Action) -> Action {
    let mut action = action.clone();
    match &mut action {
        Action::PlayTreasures { cards }
        | Action::CellarDiscard { cards }
        | Action::ChapelTrash { cards }
        | Action::MilitiaDiscard { cards }
        | Action::ThiefGain { cards } => cards.sort_unstable(),
        _ => {}
    }
    action
}
