//! When two actions are the same: cards in any order (DOM-14.3).

use crate::dominion::action::Action;

/// Is the accepted action the listed one?
pub fn same_move(listed: &Action, accepted: &Action) -> bool {
    sorted(listed) == sorted(accepted)
}

/// The action with its cards in canonical order.
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
