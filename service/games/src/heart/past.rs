//! States of earlier versions, for take-backs whose own record of them is of another layout.

use std::collections::BTreeMap;

use gamekeeper_store::Version;

use crate::heart::problem::Problem;

/// The states to which take-backs of a log return that this build cannot read: those that a replay has passed so far.
pub(crate) struct Past<S>(BTreeMap<Version, Option<S>>);

impl<S: Clone> Past<S> {
    /// Nothing is passed yet of these wanted versions.
    pub(crate) fn wanted(versions: impl IntoIterator<Item = Version>) -> Self {
        Self(
            versions
                .into_iter()
                .map(|version| (version, None))
                .collect(),
        )
    }

    /// The state of a version that is wanted and was passed.
    pub(crate) fn state(&self, version: Version) -> Option<S> {
        self.0.get(&version).cloned().flatten()
    }

    /// Keeps the state of a version, if it is wanted.
    pub(crate) fn pass(&mut self, version: Version, state: &S) {
        if let Some(kept) = self.0.get_mut(&version) {
            *kept = Some(state.clone());
        }
    }
}

/// Why a game cannot be advanced by an entry.
pub(crate) enum Stuck {
    /// Only a replay from the beginning gives the state that the entry restores.
    Past,
    /// Something else.
    Problem(Problem),
}

impl From<Problem> for Stuck {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}
