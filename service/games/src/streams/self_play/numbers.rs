//! **Observations and legal actions as tensors**, for programs that learn.

use std::sync::{Arc, OnceLock};

use gamekeeper_learn::{Cell, Space, Speech};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Malformed, Wire};
use tokio::task::spawn_blocking;

use crate::heart::games::Games;
use crate::heart::problem::Problem;
use crate::heart::yielding::{STEPS, Yielder};

/// The encoder from observations to numbers.
pub(super) struct Numbers {
    space: Arc<Space>,
    form: Form,
    /// Whether the client requests the names of cells and words.
    names: bool,
}

/// The type of a cell of the tensor.
#[derive(Clone, Copy)]
enum Form {
    Floats,
    Bytes,
}

impl Numbers {
    /// Creates the encoder that a plan requests. `space` computes the observation and action spaces. Returns `None` if
    /// the plan requests no numbers.
    pub(super) async fn asked(
        show: pb::SelfPlayShow,
        space: impl Future<Output = Result<Arc<Space>, Problem>>,
    ) -> Result<Option<Self>, Problem> {
        let names = show.names;
        let form = match pb::SelfPlayNumbers::try_from(show.numbers) {
            Ok(pb::SelfPlayNumbers::Unspecified) if names => {
                return Err(Malformed::new("plan.show.names", "needs `numbers`").into());
            }
            Ok(pb::SelfPlayNumbers::Unspecified) => return Ok(None),
            Ok(pb::SelfPlayNumbers::Floats) => Form::Floats,
            Ok(pb::SelfPlayNumbers::Bytes) => Form::Bytes,
            Err(_) => return Err(Malformed::new("plan.show.numbers", "is unknown").into()),
        };
        let space = space.await?;
        Ok(Some(Self { space, form, names }))
    }

    /// Encodes the observation and action spaces as a message.
    pub(super) fn space(&self) -> pb::SelfPlaySpace {
        let named = |names: &[String]| {
            if self.names {
                names.to_vec()
            } else {
                Vec::new()
            }
        };
        pb::SelfPlaySpace {
            version: self.space.version(),
            cells: named(self.space.cells()),
            words: named(self.space.words()),
        }
    }

    /// Encodes the observation of a seat, with the events since its last decision, and its legal actions.
    pub(super) async fn tensor<W: Wire>(
        &self,
        (state, seat): (&W::State, Seat),
        happened: &[W::Event],
        actions: &[W::Action],
    ) -> pb::SelfPlayTensor {
        let mut speech = Speech::default();
        let mut yielder = Yielder::new();
        for some in actions.chunks(STEPS as usize) {
            for action in some {
                speech.add(|said| self.space.say::<W>(action, said));
            }
            yielder.yield_if_due().await;
        }
        speech.go_on();
        let mut mask = vec![0; self.space.words().len().div_ceil(8)];
        for &word in speech.next() {
            if let Some(byte) = mask.get_mut(usize::from(word / 8)) {
                *byte |= 1 << (word % 8);
            }
        }
        let cells = match self.form {
            Form::Floats => {
                let cells = self.cells::<W, f32>((state, seat), happened, speech.said());
                cells.into_iter().flat_map(f32::to_le_bytes).collect()
            }
            Form::Bytes => {
                let cells = self.cells::<W, i8>((state, seat), happened, speech.said());
                cells.into_iter().map(i8::cast_unsigned).collect()
            }
        };
        let (words, ends) = speech.sentences();
        pb::SelfPlayTensor {
            cells,
            mask,
            words: words.iter().map(|word| u32::from(*word)).collect(),
            ends: ends.to_vec(),
        }
    }

    fn cells<W: Wire, C: Cell>(
        &self,
        of: (&W::State, Seat),
        happened: &[W::Event],
        said: &[u16],
    ) -> Vec<C> {
        let mut page = self.space.page();
        self.space
            .seen::<W, C>(of, (happened.iter(), said), &mut page)
    }
}

impl<W: Wire> Games<W> {
    /// Returns the observation and action spaces for games with this many seats. Computed once, on a thread for
    /// blocking work, since it takes up to 100 ms.
    pub(super) async fn space(&self, seats: usize) -> Result<Arc<Space>, Problem> {
        let known = self.spaces.get(seats);
        if let Some(space) = known.and_then(OnceLock::get) {
            return Ok(Arc::clone(space));
        }
        let made = spawn_blocking(move || Space::new::<W>(seats)).await;
        let made = made.map_err(|error| Problem::Fault(error.to_string()))?;
        let made = Arc::new(made.map_err(|fault| Malformed::new("plan.seats", fault.to_string()))?);
        Ok(known.map_or_else(
            || Arc::clone(&made),
            |known| Arc::clone(known.get_or_init(|| Arc::clone(&made))),
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gamekeeper_rules::caylus::Caylus;
    use gamekeeper_rules::ruleset::{Ruleset, create, legal_actions};
    use gamekeeper_rules::table::{Chance, Detail, Seed};

    use super::*;
    use crate::process::{shared, store};

    /// Returns the words at the first position where the sentences differ.
    fn sayable(words: &[u32], ends: &[u32]) -> BTreeSet<u32> {
        let begins = std::iter::once(&0).chain(ends);
        let sentence = |(begin, end): (&u32, &u32)| &words[*begin as usize..*end as usize];
        let sentences: Vec<&[u32]> = begins.zip(ends).map(sentence).collect();
        let said = |at: usize| sentences.iter().map(|sentence| sentence[at]).collect();
        (0..)
            .map(said)
            .find(|said: &BTreeSet<u32>| said.len() > 1)
            .unwrap()
    }

    #[tokio::test]
    async fn a_tensor_has_every_cell_and_a_bit_for_every_word_that_can_be_said() {
        let games = Games::<Caylus>::new(shared(store()));
        let names = ["Ada", "Bob"].map(String::from);
        let options = Caylus::options(&names, &Default::default()).unwrap();
        let chance = Chance::from_seed(&Seed::from_number(1));
        let state = create::<Caylus>(&options, chance).state;
        let seat = Caylus::pending(&state)[0].seat;
        let actions = legal_actions::<Caylus>(&state, seat, Detail::Moves);
        assert!(actions.len() > 1);
        let space = games.space(2).await.unwrap();
        for (form, size) in [(Form::Floats, 4), (Form::Bytes, 1)] {
            let numbers = Numbers {
                space: Arc::clone(&space),
                form,
                names: false,
            };
            let tensor = numbers
                .tensor::<Caylus>((&state, seat), &[], &actions)
                .await;
            assert_eq!(tensor.cells.len(), size * space.cells().len());
            assert!(tensor.cells.iter().any(|cell| *cell != 0));
            assert_eq!(tensor.ends.len(), actions.len());
            let bits = 0..u32::try_from(space.words().len()).unwrap();
            let is_set = |bit: &u32| tensor.mask[*bit as usize / 8] >> (bit % 8) & 1 == 1;
            let set: BTreeSet<u32> = bits.filter(is_set).collect();
            assert_eq!(set, sayable(&tensor.words, &tensor.ends));
        }
    }
}
