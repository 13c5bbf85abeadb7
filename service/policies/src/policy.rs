//! A learned policy that is ready to choose.

use std::fmt;
use std::fs::read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use gamekeeper_learn::{
    ActionDecoder, DirtyCells, EventCounts, Fault, MAX_ACTIONS, Space, WordChoice, WordPolicy,
    space_of,
};
use gamekeeper_rules::ruleset::visit_legal;
use gamekeeper_rules::table::{Chance, Detail, Seat};
use gamekeeper_wire::Wire;
use sha2::{Digest, Sha256};

use crate::PREFIX;
use crate::choice::{choose_word, push_priors};
use crate::error::PolicyError;
use crate::manifest::{Manifest, layout};
use crate::network::Network;

/// The maximum length of a name, without the prefix.
const MAX_NAME: usize = 64;

/// A learned policy.
pub struct LearnedPolicy {
    id: String,
    hash: String,
    manifest: Manifest,
    space: Arc<Space>,
    network: Network,
}

impl fmt::Debug for LearnedPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, hash, .. } = self;
        write!(formatter, "{id} {hash}")
    }
}

/// Returns the id of the policy in a file: the prefix, and the name of the file without its ending.
///
/// # Errors
/// If the file is not called as policies are.
pub(crate) fn id_of(path: &Path) -> Result<String, PolicyError> {
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"-_".contains(&letter);
    let name =
        name.filter(|name| (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_letter));
    let name = name.ok_or_else(|| PolicyError::Name(path.to_owned()))?;
    Ok(format!("{PREFIX}{name}"))
}

impl LearnedPolicy {
    /// Loads the policy of a network, whose ending can be left out; its manifest stands beside it.
    ///
    /// # Errors
    /// If a file cannot be read, the manifest names another ruleset or layout than this build has, the network cannot
    /// be run, or this build runs none.
    pub fn load(path: &Path) -> Result<Self, PolicyError> {
        let id = id_of(path)?;
        let path = &path.with_extension("onnx");
        let manifest_path = path.with_extension("json");
        let bytes_of = |path: &Path| {
            read(path).map_err(|error| PolicyError::Read {
                path: path.to_owned(),
                error,
            })
        };
        let manifest_bytes = bytes_of(&manifest_path)?;
        let manifest: Manifest =
            serde_json::from_slice(&manifest_bytes).map_err(|error| PolicyError::Manifest {
                path: manifest_path,
                error,
            })?;
        manifest.check()?;
        let network_bytes = bytes_of(path)?;
        let hash = Sha256::new()
            .chain_update(&manifest_bytes)
            .chain_update(&network_bytes);
        let space = space_of(&manifest.ruleset, manifest.seats)?;
        let here = layout(space.version());
        if manifest.layout != here {
            return Err(PolicyError::Layout {
                ruleset: space.ruleset(),
                seats: space.seats(),
                made_for: manifest.layout,
                here,
            });
        }
        Ok(Self {
            id,
            hash: const_hex::encode(hash.finalize()),
            network: Network::read(&network_bytes, &space)?,
            manifest,
            space,
        })
    }

    /// Returns its name, with the prefix: `policy:kingsburg`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the SHA-256 of its manifest followed by its network, as hexadecimal digits.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns its description, which may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.manifest.description
    }

    /// Returns the meaning of the numbers that it sees, and of its words: a ruleset, and a number of seats.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Fails if it plays another ruleset, or another number of seats.
    ///
    /// # Errors
    /// Names what it plays.
    pub fn check_plays(&self, ruleset: &str, seats: usize) -> Result<(), PolicyError> {
        let space = &self.space;
        if (space.ruleset(), space.seats()) == (ruleset, seats) {
            return Ok(());
        }
        let game = |ruleset, seats| format!("{ruleset} with {seats} seats");
        Err(PolicyError::OtherGame {
            policy: self.id.clone(),
            plays: game(space.ruleset(), space.seats()),
            wanted: game(ruleset, seats),
        })
    }

    /// Chooses an action of a seat at a table, by what the seat knows: its view, the events since its last decision,
    /// and its legal actions. The same luck gives the same action. Returns `None` if the seat owes no decision.
    ///
    /// # Errors
    /// If the policy plays another ruleset, or its network fails.
    pub fn choose_action<W: Wire>(
        &self,
        (state, seat): (&W::State, Seat),
        events: &EventCounts,
        luck: &mut Chance,
    ) -> Result<Option<W::Action>, PolicyError> {
        self.check_plays(W::INFO.id, self.space.seats())?;
        let space = &self.space;
        let (mut actions, mut decoder) = (
            legal_as_in_training::<W>(state, seat),
            ActionDecoder::default(),
        );
        for action in &actions {
            decoder.add_action(|words| space.push_words::<W>(action, words));
        }
        decoder.skip_forced();
        let said = decoder.prefix().to_vec();
        let cells =
            space.observe::<W, f32>((state, seat), (events, &said), &mut space.row_buffer());
        let chosen = self.choose(cells, &mut decoder, luck)?;
        Ok(chosen.map(|index| actions.swap_remove(index)))
    }

    /// Chooses one of the legal actions, word by word, and returns its index. `cells` is the observation of the seat
    /// with the words of the decoder that are said. Returns `None` if there are no legal actions.
    ///
    /// # Errors
    /// If the network fails.
    pub fn choose(
        &self,
        mut cells: Vec<f32>,
        decoder: &mut ActionDecoder,
        luck: &mut Chance,
    ) -> Result<Option<usize>, PolicyError> {
        let mut dirty = DirtyCells::default();
        while !decoder.next_words().is_empty() {
            let word = self.choose_word(&cells, decoder.next_words(), luck)?;
            let before = decoder.prefix().len();
            decoder.push(word);
            let said = (decoder.prefix(), before);
            self.space.update_prefix(said, &mut cells, &mut dirty);
        }
        Ok(decoder.chosen())
    }

    /// Chooses one of the legal words by an observation.
    ///
    /// # Errors
    /// If the network fails, or gives no number for any of the words.
    pub fn choose_word(
        &self,
        cells: &[f32],
        words: &[u16],
        luck: &mut Chance,
    ) -> Result<u16, PolicyError> {
        let scores = self.network.run(cells)?.scores;
        let chosen = choose_word(&scores, words, self.manifest.temperature, luck);
        chosen.ok_or(PolicyError::NoScore)
    }

    /// Returns the fault of a game that cannot go on, since this policy failed.
    #[must_use]
    pub fn fault(&self, error: &PolicyError) -> Fault {
        Fault::Learned {
            policy: self.id.clone(),
            reason: error.to_string(),
        }
    }

    /// Rates positions for a tree search. Their observations stand one after the other, and so do their masks.
    ///
    /// # Errors
    /// If the network fails, gives no values, or gives no number for any legal word of a position.
    pub fn evaluate(&self, cells: &[f32], masks: &[i8]) -> Result<Evaluation, PolicyError> {
        let answers = self.network.run(cells)?;
        if answers.values.is_empty() && !cells.is_empty() {
            return Err(PolicyError::NoValues(self.space.seats()));
        }
        let mut priors = Vec::with_capacity(answers.scores.len());
        let words = self.space.words().len();
        let rows = answers.scores.chunks_exact(words);
        for (scores, mask) in rows.zip(masks.chunks_exact(words)) {
            push_priors(scores, mask, &mut priors).ok_or(PolicyError::NoScore)?;
        }
        let values = answers.values;
        Ok(Evaluation { priors, values })
    }
}

/// The ratings of positions, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// A prior for each word: in proportion to e to the power of its score, and 0 for words that are not legal.
    pub priors: Vec<f32>,
    /// A value for each seat, counted from the one that looks.
    pub values: Vec<f32>,
}

impl WordPolicy for LearnedPolicy {
    fn choose_words(
        &self,
        cells: &[f32],
        choices: &mut [WordChoice<'_>],
    ) -> Result<Vec<u16>, Fault> {
        let failed = |error| self.fault(&error);
        let scores = self.network.run(cells).map_err(failed)?.scores;
        let rows = scores.chunks_exact(self.space.words().len());
        let temperature = self.manifest.temperature;
        let chosen = rows.zip(choices).map(|(scores, choice)| {
            let chosen = choose_word(scores, choice.words, temperature, choice.luck);
            chosen.ok_or_else(|| failed(PolicyError::NoScore))
        });
        chosen.collect()
    }
}

/// Lists the legal actions of a seat as games for training list them.
fn legal_as_in_training<W: Wire>(state: &W::State, seat: Seat) -> Vec<W::Action> {
    let mut actions = Vec::new();
    let _cut = visit_legal::<W>(state, seat, Detail::Moves, &mut |action| {
        actions.push(action);
        if actions.len() < MAX_ACTIONS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    actions
}
