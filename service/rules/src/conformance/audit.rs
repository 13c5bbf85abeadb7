//! The knowledge of a ruleset that the conformance suite needs.

use super::event_reader::EventReader;
use crate::ruleset::Ruleset;
use crate::table::{Chance, Fault, Seat, Viewer, decode};

/// The knowledge of a ruleset, beyond the rules, that the suite needs to check it.
#[diagnostic::on_unimplemented(
    message = "the conformance suite knows nothing of the ruleset `{Self}`",
    note = "what it must know stands in `service/rules/src/<ruleset>/audit.rs`"
)]
pub trait Audit: Ruleset {
    /// A reader of events that keeps the view of a viewer without the rules.
    type Reader: EventReader<Self>;

    /// The refusals, decisions, actions and events that no game can reach, such as `refusal NO_WORKERS`, each with the
    /// reason.
    const UNREACHED: &'static [(&'static str, &'static str)] = &[];

    /// The rules that say how much a described table can have at most, where nothing limits a game. A game that begins
    /// close to such a bound can grow beyond it, and then goes on, but can no longer be described.
    const CEILINGS: &'static [&'static str] = &[];

    /// Returns the options of a random game with this many seats: over enough seeds every option occurs.
    fn table(seats: usize, seed: u64) -> Self::Options;

    /// Returns the actions for this seat that must be tried in every state checked closely. The suite adds near misses
    /// of listed actions and noise, see [`universe`](super::universe()). Only actions that these rarely reach belong
    /// here, and actions that a recorded session must find. By default all actions with no value or one, names that do
    /// not exist included: enough where few actions have more.
    fn universe(_state: &Self::State, _seat: Seat) -> Vec<Self::Action> {
        actions_of_one_value::<Self>()
    }

    /// Returns whether the accepted action is covered by this listed one: equality, unless the rule document lists one
    /// form of several equal actions, or one way to pay for many.
    fn covers(listed: &Self::Action, accepted: &Self::Action) -> bool {
        listed == accepted
    }

    /// Checks the invariants of the rule document that a single state must keep.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    fn invariants(state: &Self::State) -> Result<(), Fault>;

    /// Checks the invariants of the rule document about two states and the step between them.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    fn step_invariants(
        before: &Self::State,
        after: &Self::State,
        events: &[Self::Event],
    ) -> Result<(), Fault>;

    /// Randomly changes everything on the table that this viewer cannot know, and nothing else. The result must be a
    /// table that can occur: by default the same one, which only compiles if nothing is hidden.
    fn scramble(state: &Self::State, _viewer: Viewer, _chance: &mut Chance) -> Self::State {
        const {
            assert!(
                !Self::HAS_HIDDEN_INFORMATION,
                "`scramble` changes what is hidden"
            );
        };
        state.clone()
    }

    /// Randomly changes everything in the event that this viewer cannot know, and nothing else: by default nothing,
    /// which only compiles if nothing is hidden.
    fn scramble_event(event: &Self::Event, _viewer: Viewer, _chance: &mut Chance) -> Self::Event {
        const {
            assert!(
                !Self::HAS_HIDDEN_INFORMATION,
                "`scramble_event` changes what is hidden"
            );
        };
        event.clone()
    }

    /// Returns whether an option of this table ends a turn as soon as no action is compulsory, although more actions
    /// would be possible.
    fn waives(_state: &Self::State) -> bool {
        false
    }

    /// The resources that the end of a period changes by itself, such as the deniers of the income. Their amounts are
    /// checked up to the action before it.
    const RENEWED: &'static [&'static str] = &[];

    /// Returns whether a period ends with this event. Then something comes for everybody, whatever they have done, such
    /// as the income of the next round. Never, unless a ruleset knows something of the kind.
    fn ends_period(_event: &Self::Event) -> bool {
        false
    }

    /// Returns the index of the legal action that random play takes. Uniform unless a ruleset needs a policy that
    /// brings games to their end.
    fn choose(
        _state: &Self::State,
        _seat: Seat,
        legal: &[Self::Action],
        chance: &mut Chance,
    ) -> usize {
        uniform(legal.len(), chance)
    }
}

/// Returns a random index below `count`, each equally likely.
fn uniform(count: usize, chance: &mut Chance) -> usize {
    let places: Vec<u16> = (0..u16::try_from(count).unwrap_or(u16::MAX)).collect();
    let index = chance.pick("play", None, &places).map_or(0, usize::from);
    drop(chance.take_record());
    index
}

/// Returns all actions whose values take at most a name, a flag or a small number: by kind, names that exist first.
fn actions_of_one_value<R: Ruleset>() -> Vec<R::Action> {
    let kinds = (0..u8::MAX).take(R::ACTIONS.len());
    let encodings = kinds.flat_map(|kind| {
        let of_name = (0..=u8::MAX).map(move |value| vec![kind, 1, value]);
        let of_number = (0..=u8::MAX).map(move |value| vec![kind, value]);
        of_name.chain(of_number).chain([vec![kind]])
    });
    encodings.filter_map(|bytes| decode(&bytes).ok()).collect()
}
