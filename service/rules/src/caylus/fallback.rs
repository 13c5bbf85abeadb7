//! **Fallbacks**: the default actions of seats whose players have left.

use super::action::Action;
use crate::table::Fallback;
use crate::table::Try::This;

/// The fallback actions. Decisions without a row are answered with the first legal action.
pub const FALLBACKS: &[Fallback<Action>] = &[
    Fallback::of("place_worker", "passes", &[This(|| Action::PassTurn)]),
    Fallback::of(
        "gate_relocate",
        "takes the worker back",
        &[This(|| Action::RecallGateWorker)],
    ),
    Fallback::of(
        "guild_move",
        "leaves the provost where it is",
        &[This(|| Action::MoveProvost { delta: 0 })],
    ),
    Fallback::of(
        "joust",
        "declines",
        &[This(|| Action::Joust { accept: false })],
    ),
    Fallback::of(
        "inn_stay",
        "takes the worker back",
        &[This(|| Action::InnChoice { stay: false })],
    ),
    Fallback::of(
        "bribe_provost",
        "leaves the provost where it is",
        &[This(|| Action::MoveProvost { delta: 0 })],
    ),
    Fallback::of("use_building", "declines", &[This(|| Action::Decline)]),
    Fallback::of(
        "castle_build",
        "delivers no more batches",
        &[This(|| Action::FinishCastle)],
    ),
];
