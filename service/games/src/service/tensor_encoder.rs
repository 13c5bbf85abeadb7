//! **Observations and legal actions as tensors**, for programs that learn.

use std::sync::{Arc, OnceLock};

use gamekeeper_learn::{ActionDecoder, Element, EventCounts, Space};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::metering;
use gamekeeper_wire::{Malformed, Wire};

use crate::errors::ServiceError;
use crate::requests::number_type::NumberType;
use crate::service::game_service::GameService;
use crate::timing::yielder::{STEPS_PER_SLICE, Yielder};

/// The encoder from observations to numbers.
pub(crate) struct TensorEncoder {
    space: Arc<Space>,
    number_type: NumberType,
    /// Whether the client requests the names of cells and words.
    sends_names: bool,
}

impl TensorEncoder {
    /// Creates an encoder for these spaces.
    pub(crate) fn new(space: Arc<Space>, number_type: NumberType) -> Self {
        Self {
            space,
            number_type,
            sends_names: false,
        }
    }

    /// Creates the encoder that a plan requests. `space` computes the observation and action spaces. Returns `None` if
    /// the plan requests no numbers.
    pub(crate) async fn from_plan(
        show: pb::SelfPlayShow,
        space: impl Future<Output = Result<Arc<Space>, ServiceError>>,
    ) -> Result<Option<Self>, ServiceError> {
        let sends_names = show.names;
        let requested = NumberType::from_request(show.numbers, "plan.show.numbers")?;
        let Some(number_type) = requested else {
            if sends_names {
                return Err(Malformed::new("plan.show.names", "needs `numbers`").into());
            }
            return Ok(None);
        };
        Ok(Some(Self {
            sends_names,
            ..Self::new(space.await?, number_type)
        }))
    }

    /// Encodes the observation and action spaces as a message.
    pub(crate) fn space(&self) -> pb::SelfPlaySpace {
        let names_if_sent = |names: &[String]| {
            if self.sends_names {
                names.to_vec()
            } else {
                Vec::new()
            }
        };
        pb::SelfPlaySpace {
            version: self.space.version(),
            cells: names_if_sent(self.space.cells()),
            words: names_if_sent(self.space.words()),
            hidden_information: self.space.has_hidden_information(),
        }
    }

    /// Encodes the observation of a seat, with the events since its last decision, and its legal actions.
    pub(crate) async fn tensor<W: Wire>(
        &self,
        (state, seat): (&W::State, Seat),
        recent_events: &EventCounts,
        actions: &[W::Action],
    ) -> pb::SelfPlayTensor {
        let mut speech = ActionDecoder::default();
        let mut yielder = Yielder::new();
        for chunk in actions.chunks(STEPS_PER_SLICE as usize) {
            for action in chunk {
                speech.add_action(|words| self.space.push_words::<W>(action, words));
            }
            yielder.yield_if_due().await;
        }
        speech.skip_forced();
        let mut mask = vec![0; self.space.words().len().div_ceil(8)];
        for &word in speech.next_words() {
            if let Some(byte) = mask.get_mut(usize::from(word / 8)) {
                *byte |= 1 << (word % 8);
            }
        }
        let cells = match self.number_type {
            NumberType::F32 => {
                let cells =
                    self.encode_cells::<W, f32>((state, seat), recent_events, speech.prefix());
                cells.into_iter().flat_map(f32::to_le_bytes).collect()
            }
            NumberType::I8 => {
                let cells =
                    self.encode_cells::<W, i8>((state, seat), recent_events, speech.prefix());
                cells.into_iter().map(i8::cast_unsigned).collect()
            }
        };
        let (words, ends) = speech.action_words();
        pb::SelfPlayTensor {
            cells,
            mask,
            words: words.iter().map(|word| u32::from(*word)).collect(),
            ends: ends.to_vec(),
            space_version: 0,
        }
    }

    fn encode_cells<W: Wire, C: Element>(
        &self,
        of: (&W::State, Seat),
        recent_events: &EventCounts,
        words: &[u16],
    ) -> Vec<C> {
        let mut page = self.space.row_buffer();
        self.space
            .observe::<W, C>(of, (recent_events, words), &mut page)
    }
}

impl<W: Wire> GameService<W> {
    /// Returns the observation and action spaces for games with this many seats. Computed once, on a thread for
    /// blocking work, since it takes up to 100 ms.
    pub(crate) async fn space(&self, seats: usize) -> Result<Arc<Space>, ServiceError> {
        let cell = self.spaces.get(seats);
        if let Some(space) = cell.and_then(OnceLock::get) {
            return Ok(Arc::clone(space));
        }
        let made = metering::blocking(move || Space::new::<W>(seats)).await;
        let (space, time) = made.map_err(|error| ServiceError::Fault(error.to_string()))?;
        metering::record_time(time.take());
        let space =
            Arc::new(space.map_err(|fault| Malformed::new("plan.seats", fault.to_string()))?);
        Ok(cell.map_or_else(
            || Arc::clone(&space),
            |cell| Arc::clone(cell.get_or_init(|| Arc::clone(&space))),
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
    use crate::test_server::{shared, store};

    /// Returns the words at the first position where the sentences differ.
    fn sayable(words: &[u32], ends: &[u32]) -> BTreeSet<u32> {
        let begins = std::iter::once(&0).chain(ends);
        let sentence = |(begin, end): (&u32, &u32)| &words[*begin as usize..*end as usize];
        let sentences: Vec<&[u32]> = begins.zip(ends).map(sentence).collect();
        let words_at = |at: usize| sentences.iter().map(|sentence| sentence[at]).collect();
        (0..)
            .map(words_at)
            .find(|words: &BTreeSet<u32>| words.len() > 1)
            .unwrap()
    }

    #[tokio::test]
    async fn a_tensor_has_every_cell_and_a_bit_for_every_word_that_can_be_said() {
        let games = GameService::<Caylus>::new(shared(store()));
        let names = ["Ada", "Bob"].map(String::from);
        let options = Caylus::options(&names, &Default::default()).unwrap();
        let chance = Chance::from_seed(&Seed::from_number(1));
        let state = create::<Caylus>(&options, chance).state;
        let seat = Caylus::pending(&state)[0].seat;
        let actions = legal_actions::<Caylus>(&state, seat, Detail::Moves);
        assert!(actions.len() > 1);
        let space = games.space(2).await.unwrap();
        for (number_type, size) in [(NumberType::F32, 4), (NumberType::I8, 1)] {
            let numbers = TensorEncoder::new(Arc::clone(&space), number_type);
            let tensor = numbers
                .tensor::<Caylus>((&state, seat), &EventCounts::default(), &actions)
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
