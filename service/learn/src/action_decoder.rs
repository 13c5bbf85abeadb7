//! The choice among legal actions word by word (**autoregressive actions**).

use crate::words::Word;

/// The sentences of the legal actions, and the words said so far.
#[derive(Clone, Debug, Default)]
pub struct ActionDecoder {
    /// All sentences, one after the other.
    action_words: Vec<Word>,
    /// The end of each sentence.
    ends: Vec<u32>,
    /// The sentences that are still possible.
    candidates: Vec<u32>,
    /// The words of the current action so far, forced words included, which the caller was not asked for.
    prefix: Vec<Word>,
    /// The words that can be said now, in order.
    next_words: Vec<Word>,
}

impl ActionDecoder {
    /// Removes all sentences and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.action_words.clear();
        self.ends.clear();
        self.candidates.clear();
        self.prefix.clear();
        self.next_words.clear();
    }

    /// Adds a sentence.
    pub fn add_action(&mut self, push_words: impl FnOnce(&mut Vec<Word>)) {
        push_words(&mut self.action_words);
        self.candidates
            .push(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        self.ends
            .push(u32::try_from(self.action_words.len()).unwrap_or(u32::MAX));
    }

    /// Returns the index of the chosen sentence, once only one is left.
    #[must_use]
    pub fn chosen(&self) -> Option<usize> {
        match self.candidates[..] {
            [index] => Some(index as usize),
            _ => None,
        }
    }

    /// Returns the words that can be said now, in order. Empty when the action is chosen.
    #[must_use]
    pub fn next_words(&self) -> &[Word] {
        &self.next_words
    }

    /// Returns the words of the current action so far, forced words included.
    #[must_use]
    pub fn prefix(&self) -> &[Word] {
        &self.prefix
    }

    /// Returns all sentences, one after the other, and the end of each.
    #[must_use]
    pub fn action_words(&self) -> (&[Word], &[u32]) {
        (&self.action_words, &self.ends)
    }

    /// Says a word. Returns false, and changes nothing, if it cannot be said now.
    pub fn push(&mut self, word: Word) -> bool {
        if self.next_words.binary_search(&word).is_err() {
            return false;
        }
        let at = self.prefix.len();
        let (sentences, ends) = (&self.action_words, &self.ends);
        self.candidates
            .retain(|index| words_of(sentences, ends, *index).get(at) == Some(&word));
        self.prefix.push(word);
        self.skip_forced();
        true
    }

    /// Says forced words: those that all remaining sentences have in common.
    pub fn skip_forced(&mut self) {
        self.next_words.clear();
        let [first, others @ ..] = &self.candidates[..] else {
            return;
        };
        if others.is_empty() {
            return;
        }
        loop {
            let at = self.prefix.len();
            let word = |index: &u32| {
                words_of(&self.action_words, &self.ends, *index)
                    .get(at)
                    .copied()
            };
            // No sentence is a prefix of another one, so while several are left, none is at its end.
            let Some(common) = word(first) else {
                return;
            };
            if others.iter().any(|other| word(other) != Some(common)) {
                self.next_words
                    .extend(self.candidates.iter().filter_map(word));
                self.next_words.sort_unstable();
                self.next_words.dedup();
                return;
            }
            self.prefix.push(common);
        }
    }
}

fn words_of<'a>(sentences: &'a [Word], ends: &[u32], index: u32) -> &'a [Word] {
    let index = index as usize;
    let begin = match index {
        0 => 0,
        _ => ends.get(index - 1).map_or(0, |end| *end as usize),
    };
    let end = ends.get(index).map_or(0, |end| *end as usize);
    sentences.get(begin..end).unwrap_or(&[])
}
