//! **Fallbacks**: the default actions of seats whose players have left.

use super::action::{Action, TokenSource};
use crate::table::Fallback;
use crate::table::Try::This;

/// The fallback action of each decision.
pub const FALLBACKS: &[Fallback<Action>] = &[
    Fallback::first("setup_discard"),
    Fallback::first("setup_citadel"),
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
    Fallback::first("choose_philosopher_card"),
];
