//! The choice among legal actions word by word (**autoregressive actions**).

use crate::words::Word;

/// The sentences of the legal actions, and the words said so far.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// All sentences, one after the other.
    sentences: Vec<Word>,
    /// The end of each sentence.
    ends: Vec<u32>,
    /// The sentences that are still possible.
    alive: Vec<u32>,
    /// The words of the current action so far, forced words included, which the caller was not asked for.
    said: Vec<Word>,
    /// The words that can be said now, in order.
    next: Vec<Word>,
}

impl Speech {
    /// Removes all sentences and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.sentences.clear();
        self.ends.clear();
        self.alive.clear();
        self.said.clear();
        self.next.clear();
    }

    /// Adds a sentence.
    pub fn add(&mut self, say: impl FnOnce(&mut Vec<Word>)) {
        say(&mut self.sentences);
        self.alive
            .push(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        self.ends
            .push(u32::try_from(self.sentences.len()).unwrap_or(u32::MAX));
    }

    /// Returns the index of the chosen sentence, once only one is left.
    pub(crate) fn chosen(&self) -> Option<usize> {
        match self.alive[..] {
            [one] => Some(one as usize),
            _ => None,
        }
    }

    /// Returns the words that can be said now, in order. Empty when the action is chosen.
    #[must_use]
    pub fn next(&self) -> &[Word] {
        &self.next
    }

    /// Returns the words of the current action so far, forced words included.
    #[must_use]
    pub fn said(&self) -> &[Word] {
        &self.said
    }

    /// Returns all sentences, one after the other, and the end of each.
    #[must_use]
    pub fn sentences(&self) -> (&[Word], &[u32]) {
        (&self.sentences, &self.ends)
    }

    /// Says a word. Returns false, and changes nothing, if it cannot be said now.
    pub fn say(&mut self, word: Word) -> bool {
        if self.next.binary_search(&word).is_err() {
            return false;
        }
        let at = self.said.len();
        let (sentences, ends) = (&self.sentences, &self.ends);
        self.alive
            .retain(|one| sentence(sentences, ends, *one).get(at) == Some(&word));
        self.said.push(word);
        self.go_on();
        true
    }

    /// Says forced words: those that all remaining sentences have in common.
    pub fn go_on(&mut self) {
        self.next.clear();
        let [first, others @ ..] = &self.alive[..] else {
            return;
        };
        if others.is_empty() {
            return;
        }
        loop {
            let at = self.said.len();
            let word = |one: &u32| sentence(&self.sentences, &self.ends, *one).get(at).copied();
            // No sentence is a prefix of another one, so while several are left, none is at its end.
            let Some(common) = word(first) else {
                return;
            };
            if others.iter().any(|other| word(other) != Some(common)) {
                self.next.extend(self.alive.iter().filter_map(word));
                self.next.sort_unstable();
                self.next.dedup();
                return;
            }
            self.said.push(common);
        }
    }
}

fn sentence<'a>(sentences: &'a [Word], ends: &[u32], place: u32) -> &'a [Word] {
    let place = place as usize;
    let begin = match place {
        0 => 0,
        _ => ends.get(place - 1).map_or(0, |end| *end as usize),
    };
    let end = ends.get(place).map_or(0, |end| *end as usize);
    sentences.get(begin..end).unwrap_or(&[])
}
