//! Fallbacks for seats whose players have left.

use super::action::{Action, Transforms, Work};
use crate::table::Fallback;
use crate::table::Try::{Kind, This};

const NO_WORK: Work = Work {
    transforms: Transforms::new_const(),
    build_at: None,
};

/// The answers, by decision.
pub(crate) const FALLBACKS: &[Fallback<Action>] = &[
    Fallback::first("choose_faction"),
    Fallback::first("place_dwelling"),
    Fallback::first("choose_bonus_card"),
    Fallback::of(
        "turn",
        "ends the turn, or passes",
        &[This(|| Action::EndTurn), Kind("pass_turn")],
    ),
    Fallback::of(
        "power_decision",
        "declines the power",
        &[This(|| Action::DecidePower { accept: false })],
    ),
    Fallback::of(
        "follow_up",
        "ordains nobody, or uses no spade",
        &[
            This(|| Action::OrdainPriests { count: 0 }),
            This(|| Action::UseStrongholdSpades { work: NO_WORK }),
        ],
    ),
    Fallback::of(
        "cult_spades",
        "uses no spade",
        &[This(|| Action::UseCultSpades {
            transforms: Transforms::new_const(),
        })],
    ),
];
