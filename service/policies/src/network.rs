//! The network of a policy: numbers in, numbers out.

#[cfg(feature = "onnx")]
pub(crate) use self::with_onnx::Network;
#[cfg(not(feature = "onnx"))]
pub(crate) use self::without_onnx::Network;

#[cfg(feature = "onnx")]
mod with_onnx {
    use std::io::Cursor;
    use std::sync::Arc;

    use tract_onnx::prelude::{
        Datum, Framework, InferenceFact, InferenceModelExt, IntoRunnable, IntoTValue, Tensor,
        TractResult, TypedRunnableModel, tvec,
    };

    use crate::error::PolicyError;

    /// A network that is ready to run.
    pub(crate) struct Network {
        plan: Arc<TypedRunnableModel>,
        cells: usize,
        words: usize,
    }

    impl Network {
        /// Reads a network that turns this many cells into a score for each of this many words, and runs it once.
        pub(crate) fn read(bytes: &[u8], cells: usize, words: usize) -> Result<Self, PolicyError> {
            let plan = plan(bytes, cells).map_err(|error| cause(&error))?;
            let network = Self { plan, cells, words };
            network.run(&vec![0.0; cells])?;
            Ok(network)
        }

        /// Returns the scores of all words.
        pub(crate) fn run(&self, cells: &[f32]) -> Result<Vec<f32>, PolicyError> {
            let scores = self.scores(cells).map_err(|error| cause(&error))?;
            if scores.len() == self.words {
                return Ok(scores);
            }
            Err(PolicyError::Output {
                found: format!("{} numbers", scores.len()),
                words: self.words,
            })
        }

        fn scores(&self, cells: &[f32]) -> TractResult<Vec<f32>> {
            let input = Tensor::from_shape(&[1, self.cells], cells)?;
            let outputs = self.plan.run(tvec!(input.into_tvalue()))?;
            let Some(scores) = outputs.first() else {
                return Ok(Vec::new());
            };
            let scores = scores.cast_to::<f32>()?;
            Ok(scores.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())
        }
    }

    fn plan(bytes: &[u8], cells: usize) -> TractResult<Arc<TypedRunnableModel>> {
        let model = tract_onnx::onnx().model_for_read(&mut Cursor::new(bytes))?;
        let input = InferenceFact::dt_shape(f32::datum_type(), tvec!(1, cells));
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
    use crate::error::PolicyError;

    /// A network of a build that runs none: there are no values of this type.
    pub(crate) enum Network {}

    impl Network {
        pub(crate) fn read(_: &[u8], _: usize, _: usize) -> Result<Self, PolicyError> {
            Err(PolicyError::NotBuilt)
        }

        pub(crate) fn run(&self, _: &[f32]) -> Result<Vec<f32>, PolicyError> {
            match *self {}
        }
    }
}
