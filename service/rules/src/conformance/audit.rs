//! What the suite needs to know of a ruleset.

use crate::ruleset::Ruleset;
use crate::table::{Chance, Fault, Seat, Viewer};

/// What the suite must know of a ruleset beyond the rules.
#[diagnostic::on_unimplemented(
    message = "the conformance suite knows nothing of the ruleset `{Self}`",
    note = "what it must know stands in `service/rules/src/<ruleset>/audit.rs`"
)]
pub trait Audit: Ruleset {
    /// The options of a random game with this many seats: over enough seeds every option occurs.
    fn table(seats: usize, seed: u64) -> Self::Options;

    /// Actions for this seat that must be tried in every state checked closely. Near misses of listed
    /// actions and noise are added, see [`universe`](super::universe()): only what those rarely reach
    /// belongs here, and what a recorded session must find.
    fn universe(state: &Self::State, seat: Seat) -> Vec<Self::Action>;

    /// Is the accepted action covered by this listed one? Equality, except where the rule document
    /// lists one form of several equal ones, or one way to pay for many.
    fn covers(listed: &Self::Action, accepted: &Self::Action) -> bool {
        listed == accepted
    }

    /// The invariants of the rule document that one state must keep.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    fn invariants(state: &Self::State) -> Result<(), Fault>;

    /// The invariants of the rule document about two states and the step between them.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    fn step_invariants(
        before: &Self::State,
        after: &Self::State,
        events: &[Self::Event],
    ) -> Result<(), Fault>;

    /// The same table with everything changed at random that this viewer cannot know, and nothing
    /// else. It must be a table that can occur.
    fn scramble(state: &Self::State, viewer: Viewer, chance: &mut Chance) -> Self::State;

    /// The same event with everything changed that this viewer cannot know, and nothing else.
    fn scramble_event(event: &Self::Event, viewer: Viewer, chance: &mut Chance) -> Self::Event;

    /// Does an option of this table end the turn whenever nothing must be done, although more could be done?
    fn waives(_state: &Self::State) -> bool {
        false
    }

    /// Which of the legal actions random play takes, as an index. Uniform unless a ruleset needs a
    /// policy that brings games to their end.
    fn choose(
        _state: &Self::State,
        _seat: Seat,
        legal: &[Self::Action],
        chance: &mut Chance,
    ) -> usize {
        uniform(legal.len(), chance)
    }
}

/// An index below `count`, each equally likely.
fn uniform(count: usize, chance: &mut Chance) -> usize {
    let places: Vec<u16> = (0..u16::try_from(count).unwrap_or(u16::MAX)).collect();
    let place = chance.pick("play", None, &places).map_or(0, usize::from);
    drop(chance.take_record());
    place
}
