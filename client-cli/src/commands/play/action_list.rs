//! The legal actions of a seat as a numbered list.

use std::collections::HashSet;

use gamekeeper_proto::raw::LegalAction;
use gamekeeper_rules::table::text::{DIM, styled};

use super::steps::{self, Entry, Path};
use crate::phrase;

/// Legal actions in the order in which people read them, numbered from 1. Actions with the same name, such as two copies
/// of a card, are listed once.
pub(in crate::commands) struct ActionList<'a> {
    /// The id of the ruleset.
    ruleset: &'a str,
    actions: Vec<&'a LegalAction>,
    /// The decisions of each action, by which the list is grouped.
    paths: Vec<Path>,
}

impl<'a> ActionList<'a> {
    /// Sorts and numbers these actions.
    pub(in crate::commands) fn new(ruleset: &'a str, all: &'a [LegalAction]) -> Self {
        let mut seen = HashSet::new();
        let actions = all.iter().filter(|action| seen.insert(&action.text));
        let (actions, paths) = steps::sorted(actions).into_iter().unzip();
        Self {
            ruleset,
            actions,
            paths,
        }
    }

    /// Returns the number of actions.
    pub(in crate::commands) fn len(&self) -> usize {
        self.actions.len()
    }

    /// Returns the action with this index, from 0.
    pub(in crate::commands) fn get(&self, index: usize) -> Option<&'a LegalAction> {
        self.actions.get(index).copied()
    }

    /// Returns the lines for these actions: one for each, or folded to about this number of lines.
    pub(in crate::commands) fn entries(
        &self,
        indices: &[usize],
        lines: Option<usize>,
    ) -> Vec<Entry> {
        match lines {
            Some(lines) => steps::folded(indices, &self.paths, lines),
            None => indices.iter().copied().map(Entry::One).collect(),
        }
    }

    /// Returns the actions whose names contain every word of a text, or the only one with exactly this name.
    pub(in crate::commands) fn matching(&self, text: &str) -> Vec<usize> {
        let words: Vec<String> = text
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let fits = |index: &usize| {
            let name = self.actions[*index].text.to_lowercase();
            words.iter().all(|word| name.contains(word))
        };
        let exact = self
            .actions
            .iter()
            .position(|action| action.text.eq_ignore_ascii_case(text));
        match exact {
            Some(index) => vec![index],
            None => (0..self.actions.len()).filter(fits).collect(),
        }
    }

    /// Returns the kind as the heading of an entry, or `None` if the kind has only one action.
    pub(in crate::commands) fn heading(&self, entry: &Entry) -> Option<&str> {
        let kind = &self.actions[*entry.indices().first()?].kind;
        let mut kinds = self.actions.iter().filter(|action| action.kind == *kind);
        (kinds.nth(1).is_some() && !kind.is_empty()).then_some(kind.as_str())
    }

    /// Formats an entry with its number or range of numbers.
    pub(in crate::commands) fn line(&self, entry: &Entry) -> String {
        let digits = self.actions.len().to_string().len();
        match entry {
            Entry::One(index) => {
                let number = styled(DIM, format_args!("{:>digits$}", index + 1));
                let action = self.actions[*index];
                format!("{number} {}", action.text)
            }
            Entry::Several(indices) => {
                let texts = indices
                    .iter()
                    .map(|index| self.actions[*index].text.as_str());
                let texts: Vec<&str> = texts.collect();
                let common = steps::beginning(&texts);
                let (first, last) = (indices[0] + 1, indices[indices.len() - 1] + 1);
                let numbers = styled(DIM, format_args!("{first:>digits$}-{last}"));
                let ways = styled(DIM, format_args!("({} ways)", indices.len()));
                let common = if common.is_empty() {
                    phrase::kind_within(self.ruleset, &self.actions[indices[0]].kind)
                } else {
                    common
                };
                format!("{numbers} {common} ... {ways}")
            }
        }
    }
}
