//! Which refusals were met.

use std::collections::BTreeSet;

/// The number of sentences that are recorded of refusals with one reason by one paragraph.
const MAX_SENTENCES: usize = 4;

/// The number of actions that are recorded beside these.
const MAX_OTHERS: usize = 8;

/// Spreads the places of the actions that are recorded.
const STRIDE: u64 = 7_919;

/// The refusals with one reason by one paragraph.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// Without their numbers.
    sentences: BTreeSet<String>,
    /// The actions that were recorded whatever their sentence is.
    others: usize,
    /// How many actions were refused so at the last look, and at this one.
    last: u64,
    now: u64,
}

impl Met {
    /// A look begins.
    pub(super) fn begin(&mut self) {
        self.last = std::mem::take(&mut self.now);
    }

    /// One more action is refused so. Is it the one to record at this look?
    pub(super) fn is_one(&mut self, version: u64) -> bool {
        self.now += 1;
        let is_one = self.now == version * STRIDE % self.last.max(1) + 1;
        let is_wanted = is_one && self.others < MAX_OTHERS;
        self.others += usize::from(is_wanted);
        is_wanted
    }

    /// May there be something new? Not every time sentences are looked at.
    pub(super) fn may_be_new(&self, looks: bool) -> bool {
        let most = if looks { MAX_SENTENCES } else { 1 };
        self.sentences.len() < most
    }

    /// Notes a sentence. True: no other one has been like it.
    pub(super) fn is_new(&mut self, sentence: &str) -> bool {
        let letters = sentence.chars().filter(|char| !char.is_ascii_digit());
        self.sentences.insert(letters.collect())
    }
}
