//! Lists of games by kind (status and ruleset), in the order of creation.
//!
//! A rare ruleset or status is read from a list of its own, so a page costs what it returns. Only Redis uses these:
//! it keeps a list for each ruleset and status, and merges them by status.

use super::ListFilter;

/// The games with one status, optionally of one ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind<'a> {
    pub(super) ruleset: Option<&'a str>,
    pub(super) finished: bool,
}

impl Kind<'_> {
    /// The name of its list.
    pub(super) fn name(self) -> String {
        let status = if self.finished { "over" } else { "active" };
        match self.ruleset {
            None => status.to_owned(),
            Some(ruleset) => [status, " ", ruleset].concat(),
        }
    }
}

/// The kinds whose lists together contain every game that a filter may match, each game once. Empty: the
/// filter names neither ruleset nor status, or it names lists.
pub(super) fn asked(filter: &ListFilter) -> Vec<Kind<'_>> {
    if !filter.lists.is_empty() {
        return Vec::new();
    }
    let ruleset = filter.ruleset.as_deref();
    match (ruleset, filter.finished) {
        (None, None) => Vec::new(),
        (_, Some(finished)) => vec![Kind { ruleset, finished }],
        (Some(_), None) => [false, true]
            .map(|finished| Kind { ruleset, finished })
            .to_vec(),
    }
}
