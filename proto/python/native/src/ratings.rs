//! The findings of searches about actions and words.

use gamekeeper_learn::{ActionRating, WordRating};
use pyo3::pyclass;

/// The findings of `search` about an action.
#[pyclass(frozen, get_all, name = "ActionRating", module = "gamekeeper_native")]
pub(crate) struct NativeActionRating {
    words: Vec<u16>,
    count: u32,
    value: f64,
    lead: f64,
    error: f64,
}

impl From<ActionRating> for NativeActionRating {
    fn from(rating: ActionRating) -> Self {
        let ActionRating {
            words,
            count,
            value,
            lead,
            error,
        } = rating;
        Self {
            words,
            count,
            value,
            lead,
            error,
        }
    }
}

/// The findings of a tree search about a word.
#[pyclass(frozen, get_all, name = "WordRating", module = "gamekeeper_native")]
pub(crate) struct NativeWordRating {
    word: u16,
    prior: f64,
    count: u32,
    value: f64,
    error: f64,
}

impl From<WordRating> for NativeWordRating {
    fn from(rating: WordRating) -> Self {
        let WordRating {
            word,
            prior,
            count,
            value,
            error,
        } = rating;
        Self {
            word,
            prior,
            count,
            value,
            error,
        }
    }
}
