//! The network of a policy: numbers in, numbers out.

#[cfg(feature = "onnx")]
pub(crate) use self::with_onnx::Network;
#[cfg(not(feature = "onnx"))]
pub(crate) use self::without_onnx::Network;

/// The answers of a network to rows of cells, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// A score for each word.
    pub(crate) scores: Vec<f32>,
    /// A value for each seat, counted from the one that looks. Empty if the network gives none.
    pub(crate) values: Vec<f32>,
}

#[cfg(feature = "onnx")]
mod with_onnx {
    use std::io::Cursor;
    use std::sync::Arc;

    use gamekeeper_learn::Space;
    use tract_onnx::prelude::{
        Datum, Framework, InferenceFact, InferenceModelExt, IntoRunnable, IntoTValue, TValue,
        Tensor, ToDim, TractResult, TypedRunnableModel, tvec,
    };

    use super::Answers;
    use crate::error::PolicyError;

    /// The sizes of what a network sees and answers.
    #[derive(Clone, Copy)]
    struct Sizes {
        cells: usize,
        words: usize,
        seats: usize,
    }

    /// A network that is ready to run.
    pub(crate) struct Network {
        plan: Arc<TypedRunnableModel>,
        /// Whether it takes several rows at once. Otherwise it takes one.
        is_batched: bool,
        sizes: Sizes,
    }

    impl Network {
        /// Reads a network that plays by the numbers and words of a space, and runs it once.
        pub(crate) fn read(bytes: &[u8], space: &Space) -> Result<Self, PolicyError> {
            let sizes = Sizes {
                cells: space.cells().len(),
                words: space.words().len(),
                seats: space.seats(),
            };
            let zeros = vec![0.0; 2 * sizes.cells];
            if let Ok(plan) = plan(bytes, sizes.cells, true) {
                let network = Self {
                    plan,
                    is_batched: true,
                    sizes,
                };
                if network.run(&zeros).is_ok() {
                    return Ok(network);
                }
            }
            // Exported for a single row.
            let network = Self {
                plan: plan(bytes, sizes.cells, false).map_err(|error| cause(&error))?,
                is_batched: false,
                sizes,
            };
            network.run(&zeros)?;
            Ok(network)
        }

        /// Returns the answers to one or several rows of cells.
        pub(crate) fn run(&self, cells: &[f32]) -> Result<Answers, PolicyError> {
            let row = match self.is_batched {
                true => cells.len(),
                false => self.sizes.cells,
            };
            let mut answers = Answers::default();
            for cells in cells.chunks_exact(row.max(1)) {
                self.run_at_once(cells, &mut answers)?;
            }
            Ok(answers)
        }

        fn run_at_once(&self, cells: &[f32], answers: &mut Answers) -> Result<(), PolicyError> {
            let outputs = self.outputs(cells).map_err(|error| cause(&error))?;
            let mut outputs = outputs.into_iter();
            let scores = outputs.next().unwrap_or_default();
            let rows = cells.len() / self.sizes.cells;
            if scores.len() != rows * self.sizes.words {
                return Err(PolicyError::Output {
                    found: format!("{} numbers", scores.len() / rows),
                    words: self.sizes.words,
                });
            }
            answers.scores.extend(scores);
            let values = outputs.next().unwrap_or_default();
            if values.len() == rows * self.sizes.seats {
                answers.values.extend(values);
            }
            Ok(())
        }

        fn outputs(&self, cells: &[f32]) -> TractResult<Vec<Vec<f32>>> {
            let size = self.sizes.cells;
            let input = Tensor::from_shape(&[cells.len() / size, size], cells)?;
            let outputs = self.plan.run(tvec!(input.into_tvalue()))?;
            outputs.iter().map(numbers).collect()
        }
    }

    fn numbers(output: &TValue) -> TractResult<Vec<f32>> {
        let output = output.cast_to::<f32>()?;
        Ok(output.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())
    }

    fn plan(bytes: &[u8], cells: usize, is_batched: bool) -> TractResult<Arc<TypedRunnableModel>> {
        let model = tract_onnx::onnx().model_for_read(&mut Cursor::new(bytes))?;
        let rows = match is_batched {
            true => model.sym("rows").to_dim(),
            false => 1.to_dim(),
        };
        let input = InferenceFact::dt_shape(f32::datum_type(), tvec!(rows, cells.to_dim()));
        model
            .with_input_fact(0, input)?
            .into_optimized()?
            .into_runnable()
    }

    /// Returns an error of the library, with its causes.
    fn cause(error: &tract_onnx::prelude::TractError) -> PolicyError {
        PolicyError::Network(format!("{error:#}"))
    }
}

#[cfg(not(feature = "onnx"))]
mod without_onnx {
    use gamekeeper_learn::Space;

    use super::Answers;
    use crate::error::PolicyError;

    /// A network of a build that runs none: there are no values of this type.
    pub(crate) enum Network {}

    impl Network {
        pub(crate) fn read(_: &[u8], _: &Space) -> Result<Self, PolicyError> {
            Err(PolicyError::NotBuilt)
        }

        pub(crate) fn run(&self, _: &[f32]) -> Result<Answers, PolicyError> {
            match *self {}
        }
    }
}
