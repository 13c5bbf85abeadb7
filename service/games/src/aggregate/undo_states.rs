//! States of earlier versions, for take-backs that store their state in another layout.

use std::collections::BTreeMap;

use gamekeeper_store::Version;

use crate::errors::ServiceError;

/// The earlier states that take-backs of a log restore but this build cannot decode, collected while the log is
/// replayed.
pub(crate) struct UndoStates<S>(BTreeMap<Version, Option<S>>);

impl<S: Clone> UndoStates<S> {
    /// Creates an empty collection of the states of these versions.
    pub(crate) fn of_versions(versions: impl IntoIterator<Item = Version>) -> Self {
        Self(
            versions
                .into_iter()
                .map(|version| (version, None))
                .collect(),
        )
    }

    /// Returns the state of a version, if it is wanted and the replay has passed it.
    pub(crate) fn state(&self, version: Version) -> Option<S> {
        self.0.get(&version).cloned().flatten()
    }

    /// Stores the state of a version, if it is wanted.
    pub(crate) fn record(&mut self, version: Version, state: &S) {
        if let Some(state_slot) = self.0.get_mut(&version) {
            *state_slot = Some(state.clone());
        }
    }
}

/// The reason why a game cannot be advanced by an entry.
pub(crate) enum ReplayError {
    /// The entry restores a state that only a replay from the beginning gives.
    NeedsUndoState,
    /// Any other error.
    Service(ServiceError),
}

impl From<ServiceError> for ReplayError {
    fn from(problem: ServiceError) -> Self {
        Self::Service(problem)
    }
}
