//! The reasons why a file cannot be played.

use std::path::PathBuf;

use gamekeeper_learn::Fault;

/// The reason why a policy cannot be loaded or cannot choose.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// A folder or a file cannot be read.
    #[error("{}: {error}", .path.display())]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The name of a file cannot be the name of a policy.
    #[error("{}: a policy is called by 1 to 64 letters, digits, - and _", .0.display())]
    Name(PathBuf),
    /// The manifest is not JSON of this form.
    #[error("{}: {error}", .path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The reason.
        error: serde_json::Error,
    },
    /// The temperature is negative, or no number.
    #[error("the temperature {0} is not a number from 0 on")]
    Temperature(f32),
    /// The ruleset is unknown, or is played by other numbers of players.
    #[error(transparent)]
    Space(#[from] Fault),
    /// The policy was made for other observations or words.
    #[error(
        "it was made for the layout {made_for} of observations and words; here {ruleset} with {seats} seats has {here}"
    )]
    Layout {
        /// The ruleset.
        ruleset: &'static str,
        /// The number of seats.
        seats: usize,
        /// The layout of the manifest.
        made_for: String,
        /// The layout of this build.
        here: String,
    },
    /// The build runs no learned policies.
    #[error("this build runs no learned policies: it was made without the feature `onnx`")]
    NotBuilt,
    /// The network cannot be read or run.
    #[error("the network: {0}")]
    Network(String),
    /// The network has another output than one score for each word.
    #[error("the network answers with {found}, not with {words} numbers, one for each word")]
    Output {
        /// The output.
        found: String,
        /// The number of words.
        words: usize,
    },
    /// The network gave no score that is a number for any legal word.
    #[error("the network gave no number for any legal word")]
    NoScore,
    /// The network gives no values, which a tree search needs.
    #[error(
        "the network gives no values: its second output must be a row of {0} numbers, one for each seat"
    )]
    NoValues(usize),
    /// The policy plays another ruleset, or with another number of seats.
    #[error("{policy} plays {plays}, not {wanted}")]
    OtherGame {
        /// The name of the policy.
        policy: String,
        /// The ruleset that it plays, and the number of seats.
        plays: String,
        /// The ruleset that it should play, and the number of seats.
        wanted: String,
    },
}
