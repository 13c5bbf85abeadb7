//! **Fallbacks**: the default actions of seats whose players have left.

use super::action::Action;
use crate::table::Fallback;
use crate::table::Try::This;

/// The fallback actions. Decisions without a row are answered with the first legal action.
pub const FALLBACKS: &[Fallback<Action>] = &[
    Fallback::of(
        "action_phase",
        "ends the Action phase",
        &[This(|| Action::EndActionPhase)],
    ),
    Fallback::of(
        "buy_phase",
        "ends the turn",
        &[This(|| Action::EndTurn { discard_top: None })],
    ),
    Fallback::of(
        "react_to_attack",
        "shows no Reaction",
        &[This(|| Action::DeclineReaction)],
    ),
    Fallback::of(
        "cellar_discard",
        "discards nothing",
        &[This(|| Action::CellarDiscard { cards: Vec::new() })],
    ),
    Fallback::of(
        "chancellor_decide",
        "keeps the draw pile",
        &[This(|| Action::ChancellorDecide {
            discard_deck: false,
        })],
    ),
    Fallback::of(
        "chapel_trash",
        "trashes nothing",
        &[This(|| Action::ChapelTrash { cards: Vec::new() })],
    ),
    Fallback::of(
        "library_decide",
        "keeps the card",
        &[This(|| Action::LibraryDecide { set_aside: false })],
    ),
    Fallback::of(
        "spy_decide",
        "puts the card back",
        &[This(|| Action::SpyDecide { discard: false })],
    ),
    Fallback::of(
        "thief_gain",
        "gains nothing",
        &[This(|| Action::ThiefGain { cards: Vec::new() })],
    ),
];
