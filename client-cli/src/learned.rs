//! Learned policies: networks in files of this machine, which see what their seats know as numbers.

use std::path::Path;

use gamekeeper_learn::ActionDecoder;
use gamekeeper_policies::{LearnedPolicy, PolicyError};
use gamekeeper_proto::gamekeeper::v1::SelfPlayTensor;
use gamekeeper_rules::bots::choice_luck;
use gamekeeper_rules::table::{Seat, Seed};

use crate::failure::Failure;

/// A learned policy of the command line, which is kept as long as the program runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learned(pub(crate) &'static LearnedPolicy);

impl PartialEq for Learned {
    fn eq(&self, other: &Self) -> bool {
        let Self(policy) = self;
        (policy.id(), policy.hash()) == (other.0.id(), other.0.hash())
    }
}

impl Eq for Learned {}

impl Learned {
    /// Loads the policy of a file, whose ending can be left out.
    pub(crate) fn load(path: &str) -> Result<Self, PolicyError> {
        let policy = LearnedPolicy::load(Path::new(path))?;
        Ok(Self(Box::leak(Box::new(policy))))
    }

    /// Fails if the policy plays another ruleset, or another number of seats.
    pub(crate) fn check(self, ruleset: &str, seats: usize) -> Result<(), Failure> {
        let checked = self.0.check_plays(ruleset, seats);
        checked.map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Chooses one of the actions of a list by the numbers of the list, and returns its index. The same seed, seat and
    /// version give the same choice. Returns `None` if the list is empty.
    pub(crate) fn choose(
        self,
        numbers: &SelfPlayTensor,
        (seat, version): (u32, u64),
        seed: &Seed,
    ) -> Result<Option<usize>, Failure> {
        let Some(seat) = u8::try_from(seat).ok().and_then(Seat::new) else {
            return Ok(None);
        };
        if numbers.space_version != self.0.space().version() {
            return Err(Failure::Usage(format!(
                "the server's observations have another layout than {} was made for",
                self.0.id()
            )));
        }
        let mut decoder = decoder(numbers);
        let cells = numbers.cells.as_chunks().0.iter().copied();
        let cells = cells.map(f32::from_le_bytes).collect();
        let luck = &mut choice_luck(seed, seat, version);
        self.0
            .choose(cells, &mut decoder, luck)
            .map_err(|error| Failure::Invalid(format!("{}: {error}", self.0.id())))
    }
}

/// Returns the choice among the actions of a list, of which nothing is said.
fn decoder(numbers: &SelfPlayTensor) -> ActionDecoder {
    let mut decoder = ActionDecoder::default();
    let mut begin = 0;
    for end in &numbers.ends {
        let end = usize::try_from(*end).unwrap_or(usize::MAX);
        let sentence = numbers.words.get(begin..end).unwrap_or_default();
        let sentence = sentence.iter().filter_map(|word| u16::try_from(*word).ok());
        decoder.add_action(|words| words.extend(sentence));
        begin = end;
    }
    decoder.skip_forced();
    decoder
}
