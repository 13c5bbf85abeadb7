//! **Fallbacks**: the default actions of seats whose players have left.

use super::action::{Action, TokenSource};
use crate::table::Fallback;
use crate::table::Try::This;

/// The fallback actions. Decisions without a row are answered with the first legal action.
pub const FALLBACKS: &[Fallback<Action>] = &[
    Fallback::of(
        "turn",
        "ends the turn, or passes an action",
        &[This(|| Action::EndTurn), This(|| Action::PassTurn)],
    ),
    Fallback::of(
        "choose_token_source",
        "declines the token",
        &[This(|| Action::ChooseTokenSource {
            source: Some(TokenSource::None),
        })],
    ),
];
