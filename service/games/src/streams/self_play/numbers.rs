//! What a seat knows and what it can do as numbers, for programs that learn.

use std::sync::{Arc, OnceLock};

use gamekeeper_learn::{Cell, Space, Speech};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Malformed, Wire};
use tokio::task::spawn_blocking;

use crate::heart::games::Games;
use crate::heart::problem::Problem;
use crate::heart::yielding::{STEPS, Yielder};

/// How observations become numbers.
pub(super) struct Numbers {
    space: Arc<Space>,
    form: Form,
    /// Does the caller want their names?
    names: bool,
}

/// The type of a cell.
#[derive(Clone, Copy)]
enum Form {
    Floats,
    Bytes,
}

impl Numbers {
    /// The numbers that a plan asks for, if it asks for any. `space` makes what they mean.
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

    /// What the numbers mean.
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

    /// What a seat knows, what happened since its last decision included, and its legal actions.
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
    /// What numbers mean for games with this many seats. Made once, beside the threads that serve calls: it takes up to
    /// 100 ms.
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
