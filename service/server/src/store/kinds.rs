//! Lists of games by kind (status and ruleset), in the order of creation.
//!
//! A rare ruleset or status is read from a list of its own, so a page costs what it returns. A game is in
//! two of them: that of its status, and that of its ruleset and status. Redis keeps only the latter and
//! merges them by status.

use std::iter::Peekable;

use super::{IndexRow, ListFilter, Place};

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

/// The kinds of a game.
pub(super) fn of(row: &IndexRow) -> [Kind<'_>; 2] {
    let finished = row.finished;
    [None, Some(row.ruleset.as_str())].map(|ruleset| Kind { ruleset, finished })
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

/// Merges lists, each with the newest first, into one.
pub(super) struct Merged<I: Iterator> {
    lists: Vec<Peekable<I>>,
    place: fn(&I::Item) -> Place,
}

impl<I: Iterator> Merged<I> {
    /// Merges these lists by the place of each item.
    pub(super) fn new(
        lists: impl IntoIterator<Item = I>,
        place: fn(&I::Item) -> Place,
    ) -> Merged<I> {
        let lists = lists.into_iter().map(Iterator::peekable).collect();
        Merged { lists, place }
    }
}

impl<I: Iterator> Iterator for Merged<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let mut newest: Option<(Place, &mut Peekable<I>)> = None;
        for list in &mut self.lists {
            if let Some(place) = list.peek().map(self.place)
                && newest.as_ref().is_none_or(|(newest, _)| *newest < place)
            {
                newest = Some((place, list));
            }
        }
        newest?.1.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_in_one_list_of_those_that_have_what_is_asked_for() {
        let row = |ruleset: &str, finished| IndexRow {
            tenant: String::new(),
            ruleset: ruleset.to_owned(),
            created_ms: 0,
            finished,
            lists: None,
        };
        let rows = [("caylus", true), ("caylus", false), ("dominion", true)];
        for finished in [None, Some(true), Some(false)] {
            for ruleset in [None, Some("caylus"), Some("mythotopia")] {
                let filter = ListFilter {
                    ruleset: ruleset.map(str::to_owned),
                    finished,
                    ..ListFilter::default()
                };
                let asked = asked(&filter);
                assert_eq!(asked.is_empty(), finished.is_none() && ruleset.is_none());
                for row in rows.map(|(ruleset, finished)| row(ruleset, finished)) {
                    let kinds = of(&row);
                    let lists = asked.iter().filter(|kind| kinds.contains(kind)).count();
                    let is_asked_for = crate::store::row::matches(&filter, &row);
                    assert_eq!(lists, usize::from(is_asked_for && !asked.is_empty()));
                }
            }
        }
    }

    #[test]
    fn lists_are_merged_in_order() {
        let place = |ms| Place {
            ms,
            id: uuid::Uuid::nil(),
        };
        let lists = [vec![9, 5, 1], vec![], vec![8, 7, 5]];
        let lists = lists.map(|list| list.into_iter().map(place));
        let merged: Vec<u64> = Merged::new(lists, |place| *place)
            .map(|place| place.ms)
            .collect();
        assert_eq!(merged, [9, 8, 7, 5, 5, 1]);
    }
}
