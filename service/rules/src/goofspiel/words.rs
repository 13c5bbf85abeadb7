//! Actions in words.

use super::action::Action;
use super::view::View;
use crate::table::Names;

/// The action in the words of the seat that owes the decision.
pub fn action(_view: &View, action: &Action, _names: Names<'_>) -> String {
    match action {
        Action::Bid { card: Some(card) } => format!("bid the {card}"),
        Action::Bid { card: None } => String::from("bid an unknown card"),
    }
}
