//! The bounded loop that runs automatic steps.

use std::ops::ControlFlow;

/// A number of automatic steps that no game takes between two decisions.
pub const MAX_AUTOMATIC_STEPS: u32 = 100_000;

/// Runs `step` until it breaks: at the next decision, or at the end of the game.
///
/// # Panics
/// Panics after [`MAX_AUTOMATIC_STEPS`] steps. That is a bug of a ruleset, never the fault of a player; the caller's state is
/// a copy that is discarded.
pub fn run_to_decision<S>(state: &mut S, mut step: impl FnMut(&mut S) -> ControlFlow<()>) {
    for _ in 0..MAX_AUTOMATIC_STEPS {
        if step(state).is_break() {
            return;
        }
    }
    panic!("automatic steps do not come to a decision");
}

/// Stops because an invariant of the rules is broken: a bug of a ruleset, never the fault of a player. The
/// caller's state is a copy that is discarded.
///
/// # Panics
/// Always panics; the message names the rule and the value found.
#[cold]
pub fn invariant_violated(rule: &'static str, found: impl std::fmt::Debug) -> ! {
    panic!("{rule} is broken: {found:?}");
}
