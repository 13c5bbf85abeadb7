//! The manifest of a policy: what it plays, and how.

use serde::Deserialize;

use crate::error::PolicyError;

/// The manifest: a file of JSON beside the network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The number of seats.
    pub seats: usize,
    /// The hash of the layout of observations and of the vocabulary: [`layout`] of the space.
    pub layout: String,
    /// The temperature of the choice. 0, the default: the legal word with the highest score. Otherwise a word is drawn
    /// with a probability that is proportional to e to the power of score / temperature.
    #[serde(default)]
    pub temperature: f32,
    /// A description in a few words. Empty: none.
    #[serde(default)]
    pub description: String,
}

impl Manifest {
    /// Checks what needs no other file.
    pub(crate) fn check(&self) -> Result<(), PolicyError> {
        let is_usable = self.temperature.is_finite() && self.temperature >= 0.0;
        if is_usable {
            Ok(())
        } else {
            Err(PolicyError::Temperature(self.temperature))
        }
    }
}

/// Spells the version of a space, as manifests have it: 16 hexadecimal digits.
pub(crate) fn layout(version: u64) -> String {
    format!("{version:016x}")
}
