//! The refusals that were met while games are recorded.

use std::collections::BTreeSet;

/// Maximum number of sentences recorded for one reason and one paragraph.
const MAX_SENTENCES: usize = 4;

/// Maximum number of further actions recorded for one reason and one paragraph, whatever their sentences are.
const MAX_OTHERS: usize = 8;

/// A prime that spreads the positions of these further actions.
const STRIDE: u64 = 7_919;

/// The refusals with one reason and one paragraph.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// The sentences, without their numbers.
    sentences: BTreeSet<String>,
    /// The number of actions that were recorded whatever their sentence is.
    others: usize,
    /// The number of actions that were refused in this way at the last look, and at the current one.
    last: u64,
    now: u64,
}

impl Met {
    /// Begins a look at the refusals of a version.
    pub(super) fn begin(&mut self) {
        self.last = std::mem::take(&mut self.now);
    }

    /// Counts an action that is refused in this way. Returns `true` if it is the one to record at this look.
    pub(super) fn is_one(&mut self, version: u64) -> bool {
        self.now += 1;
        let is_one = self.now == version * STRIDE % self.last.max(1) + 1;
        let is_wanted = is_one && self.others < MAX_OTHERS;
        self.others += usize::from(is_wanted);
        is_wanted
    }

    /// Returns whether a new sentence may still be recorded. Unless sentences are looked at, only the first one is.
    pub(super) fn may_be_new(&self, looks: bool) -> bool {
        let most = if looks { MAX_SENTENCES } else { 1 };
        self.sentences.len() < most
    }

    /// Records a sentence. Returns `true` if it differs from all others in more than its numbers.
    pub(super) fn is_new(&mut self, sentence: &str) -> bool {
        let letters = sentence.chars().filter(|char| !char.is_ascii_digit());
        self.sentences.insert(letters.collect())
    }
}
