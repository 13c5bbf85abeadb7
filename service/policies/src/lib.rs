//! **Learned policies** as bots: networks in files of the format ONNX that an operator lays into a folder.
//!
//! A policy is two files with the same name: `kingsburg.onnx`, the network, and `kingsburg.json`, its
//! [manifest](Manifest). The network turns an observation (`gamekeeper_learn`) into one score for each word; a bot says
//! the legal word with the highest score, or draws one by its scores. What the network may see is what its seat may
//! know, as numbers: nothing else reaches this crate.
//!
//! * [`PolicyLibrary`]: the policies of a folder, by name;
//! * [`LearnedPolicy`]: one of them, ready to choose.
//!
//! Values of games never come from here: a policy only chooses among legal actions, or says what it expects of a
//! position that a tree search looks at.

mod choice;
mod error;
mod library;
mod manifest;
mod network;
mod policy;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
#[cfg(test)]
mod tests;

pub use error::PolicyError;
pub use library::PolicyLibrary;
pub use manifest::Manifest;
pub use policy::{Evaluation, LearnedPolicy};

/// The beginning of the names of learned policies: `policy:kingsburg`.
pub const PREFIX: &str = "policy:";
