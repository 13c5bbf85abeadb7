//! The bounded loop that runs automatic steps.

use std::ops::ControlFlow;

/// A number of automatic steps that no game takes between two decisions.
pub const SETTLE_LIMIT: u32 = 100_000;

/// Runs `step` until it breaks: at the next decision, or at the end of the game.
///
/// # Panics
/// Panics after [`SETTLE_LIMIT`] steps. That is a bug of a ruleset, never the fault of a player; the caller's state is
/// a copy that is discarded.
pub fn settle<S>(state: &mut S, mut step: impl FnMut(&mut S) -> ControlFlow<()>) {
    for _ in 0..SETTLE_LIMIT {
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
pub fn broken(rule: &'static str, found: impl std::fmt::Debug) -> ! {
    panic!("{rule} is broken: {found:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_at_the_first_decision() {
        let mut steps = 0;
        settle(&mut steps, |steps| {
            *steps += 1;
            if *steps == 7 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(steps, 7);
    }

    #[test]
    #[should_panic(expected = "do not come to a decision")]
    fn never_runs_forever() {
        settle(&mut (), |()| ControlFlow::Continue(()));
    }
}
