//! The policies of an operator's folder.

use std::collections::BTreeMap;
use std::fs::read_dir;
use std::path::Path;
use std::sync::Arc;

use crate::error::PolicyError;
use crate::policy::{LearnedPolicy, id_of};

/// The ending of the files of networks.
const ENDING: &str = "onnx";

/// The policies of a folder, by their names. Those that cannot be played are kept with the reason.
#[derive(Clone, Debug, Default)]
pub struct PolicyLibrary {
    policies: Arc<BTreeMap<String, Result<Arc<LearnedPolicy>, String>>>,
}

impl PolicyLibrary {
    /// Loads all policies of a folder.
    ///
    /// # Errors
    /// If the folder cannot be read, or this build runs no learned policies.
    pub fn load(folder: &Path) -> Result<Self, PolicyError> {
        if cfg!(not(feature = "onnx")) {
            return Err(PolicyError::NotBuilt);
        }
        let failed = |error| PolicyError::Read {
            path: folder.to_owned(),
            error,
        };
        let mut policies = BTreeMap::new();
        for entry in read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                let loaded = LearnedPolicy::load(&path);
                let id = id_of(&path).unwrap_or_else(|_| path.display().to_string());
                let policy = loaded.map(Arc::new).map_err(|error| error.to_string());
                policies.insert(id, policy);
            }
        }
        Ok(Self {
            policies: Arc::new(policies),
        })
    }

    /// Returns the policy with this id, or the reason why its file cannot be played. Returns `None` if the folder has
    /// no such file.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Result<&Arc<LearnedPolicy>, &str>> {
        let found = self.policies.get(id)?;
        Some(found.as_ref().map_err(String::as_str))
    }

    /// Yields the policies that play a ruleset, by id.
    pub fn of_ruleset(&self, ruleset: &str) -> impl Iterator<Item = &LearnedPolicy> {
        let playable = self.policies.values().flatten();
        playable
            .map(|policy| &**policy)
            .filter(move |policy| policy.space().ruleset() == ruleset)
    }

    /// Yields the files that cannot be played, each with the reason.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str)> {
        let refused = self.policies.iter();
        refused.filter_map(|(id, policy)| Some((&**id, &**policy.as_ref().err()?)))
    }
}
