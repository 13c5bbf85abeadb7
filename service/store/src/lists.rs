//! The lists of games (**secondary indexes**): a closed set, identical in every store.
//!
//! A rare ruleset or status has lists of its own, so the cost of a page depends on what it returns, not on what it
//! skips. The lists that contain a game, and its position in each, follow from its row alone: a store adds the
//! positions of the new row and removes those that only the old row had, in the same step as the change of the game.

use std::iter::Peekable;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::row::{POSITION_LEN, creation_position, encode_position, named_lists};
use super::{GameId, IndexRow, ListFilter, ListPosition};

/// A list of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List<'a> {
    /// The games of all tenants or of one, in the order of creation.
    Created(Option<&'a str>, Subset<'a>),
    /// A named list of a tenant, in the order of the last change.
    Named(&'a str, &'a str),
    /// A named list that all tenants share, in the order of the last change. Its name begins with [`GLOBAL_PREFIX`].
    Global(&'a str),
    /// A timed list of a tenant, in the order of the games' times in it.
    Timed(&'a str, &'a str),
}

/// The beginning of the names of lists that contain games of all tenants.
pub const GLOBAL_PREFIX: char = '*';

/// Returns the list with this name that contains games of a tenant: the tenant's own, or a shared one.
fn named<'a>(tenant: &'a str, name: &'a str) -> List<'a> {
    if name.starts_with(GLOBAL_PREFIX) {
        List::Global(name)
    } else {
        List::Named(tenant, name)
    }
}

/// The games that a list by creation contains, of all tenants or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subset<'a> {
    /// All of them.
    All,
    /// The finished games (true) or the active games (false).
    Status(bool),
    /// The games of one ruleset that are finished (true) or active (false).
    StatusAndRuleset(bool, &'a str),
}

/// The key of a list. A hash replaces tenant and names, so that the length is fixed. If hashes collide, rows of the
/// other list are filtered out when the list is read.
pub type ListKey = [u8; 8];

/// The key of a position in a list: bytes that sort by list, then by position. They end with the id of the game.
pub type IndexKey = [u8; 8 + POSITION_LEN];

impl List<'_> {
    /// Returns the key of this list.
    pub fn key(self) -> ListKey {
        let with = |seed, name: &str| xxh3_64_with_seed(name.as_bytes(), seed);
        let scope = |tenant: Option<&str>| tenant.map_or(0, |tenant| with(1, tenant));
        let key = match self {
            List::Created(tenant, Subset::All) => scope(tenant),
            List::Created(tenant, Subset::Status(finished)) => {
                with(scope(tenant), status(finished))
            }
            List::Created(tenant, Subset::StatusAndRuleset(finished, ruleset)) => {
                with(with(scope(tenant), status(finished)), ruleset)
            }
            List::Named(tenant, name) => with(with(scope(Some(tenant)), "named"), name),
            List::Global(name) => with(with(scope(None), "named"), name),
            List::Timed(tenant, name) => with(with(scope(Some(tenant)), "timed"), name),
        };
        key.to_be_bytes()
    }

    /// Returns the key of a position in this list.
    pub fn index_key(self, position: ListPosition) -> IndexKey {
        let mut key = [0; 8 + POSITION_LEN];
        key[..8].copy_from_slice(&self.key());
        key[8..].copy_from_slice(&encode_position(position));
        key
    }

    /// Returns the position of a game in this list, provided that the list contains it.
    pub fn position_of(self, id: GameId, row: &IndexRow) -> Option<ListPosition> {
        match self {
            List::Created(..) => Some(creation_position(id, row)),
            List::Named(..) | List::Global(_) => named_lists(id, row).map(|(position, _)| position),
            List::Timed(_, name) => row.time_in(name).map(|ms| ListPosition { ms, id }),
        }
    }
}

/// The name of a status in keys.
pub fn status(finished: bool) -> &'static str {
    if finished { "over" } else { "active" }
}

/// Returns the lists that contain a game, and its position in each.
pub fn index_entries(id: GameId, row: &IndexRow) -> impl Iterator<Item = (List<'_>, ListPosition)> {
    let position = creation_position(id, row);
    let (finished, ruleset) = (row.finished, row.ruleset.as_str());
    let subsets = [
        Subset::All,
        Subset::Status(finished),
        Subset::StatusAndRuleset(finished, ruleset),
    ];
    let created = [None, Some(row.tenant.as_str())]
        .into_iter()
        .flat_map(move |tenant| subsets.map(|subset| (List::Created(tenant, subset), position)));
    let named = named_lists(id, row)
        .into_iter()
        .flat_map(move |(position, names)| {
            let name = move |name| (named(&row.tenant, name), position);
            names.iter().map(String::as_str).map(name)
        });
    let timed = row.lists.iter().flat_map(|lists| &lists.timed);
    let timed = timed.map(move |(name, ms)| {
        let list = List::Timed(&row.tenant, name);
        (list, ListPosition { ms: *ms, id })
    });
    created.chain(named).chain(timed)
}

/// Returns the keys of all positions of a game.
pub fn index_keys(id: GameId, row: &IndexRow) -> Vec<IndexKey> {
    index_entries(id, row)
        .map(|(list, position)| list.index_key(position))
        .collect()
}

/// Returns the lists that together contain every game that a filter may match, each game once.
pub fn lists_to_scan(filter: &ListFilter) -> Vec<List<'_>> {
    let tenant = filter.tenant.as_deref();
    if let (Some(tenant), Some(name)) = (tenant, filter.timed.as_deref()) {
        return vec![List::Timed(tenant, name)];
    }
    match (tenant, filter.lists.first()) {
        (None, Some(name)) if name.starts_with(GLOBAL_PREFIX) => return vec![List::Global(name)],
        (Some(tenant), Some(name)) => return vec![named(tenant, name)],
        (None | Some(_), _) => {}
    }
    let created = |subset| List::Created(tenant, subset);
    match (filter.ruleset.as_deref(), filter.finished) {
        // A named list belongs to a tenant, and this filter has none, so scan all games and compare their rows with
        // the names.
        _ if !filter.lists.is_empty() => vec![created(Subset::All)],
        (None, None) => vec![created(Subset::All)],
        (None, Some(finished)) => vec![created(Subset::Status(finished))],
        (Some(ruleset), Some(finished)) => {
            vec![created(Subset::StatusAndRuleset(finished, ruleset))]
        }
        (Some(ruleset), None) => [false, true]
            .map(|finished| created(Subset::StatusAndRuleset(finished, ruleset)))
            .to_vec(),
    }
}

/// Merges lists, each with the newest first, into one.
pub struct Merged<I: Iterator> {
    lists: Vec<Peekable<I>>,
    position: fn(&I::Item) -> ListPosition,
}

impl<I: Iterator> Merged<I> {
    /// Merges these lists by the position of each item.
    pub fn new(
        lists: impl IntoIterator<Item = I>,
        position: fn(&I::Item) -> ListPosition,
    ) -> Merged<I> {
        let lists = lists.into_iter().map(Iterator::peekable).collect();
        Merged { lists, position }
    }
}

impl<I: Iterator> Iterator for Merged<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let mut newest: Option<(ListPosition, &mut Peekable<I>)> = None;
        for list in &mut self.lists {
            if let Some(position) = list.peek().map(self.position)
                && newest.as_ref().is_none_or(|(newest, _)| *newest < position)
            {
                newest = Some((position, list));
            }
        }
        newest?.1.next()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::Lists;
    use crate::row::matches;

    fn row(tenant: &str, ruleset: &str, finished: bool, names: &[&str]) -> IndexRow {
        IndexRow {
            tenant: tenant.to_owned(),
            ruleset: ruleset.to_owned(),
            created_ms: 5,
            finished,
            lists: Some(Lists {
                changed_ms: 9,
                names: names.iter().map(|name| (*name).to_owned()).collect(),
                timed: vec![("over".to_owned(), 7)],
            }),
        }
    }

    fn rows() -> Vec<IndexRow> {
        let mut rows = Vec::new();
        for tenant in ["", "over"] {
            for ruleset in ["caylus", "dominion"] {
                for finished in [false, true] {
                    for names in [&[][..], &["a"], &["a", "over", "caylus"], &["*a"]] {
                        rows.push(row(tenant, ruleset, finished, names));
                    }
                }
            }
        }
        rows
    }

    #[test]
    fn a_game_is_in_exactly_one_of_the_lists_that_are_read_for_it() {
        let id = uuid::Uuid::from_u128(7);
        for tenant in [None, Some(""), Some("over")] {
            for ruleset in [None, Some("caylus"), Some("mythotopia")] {
                for finished in [None, Some(true), Some(false)] {
                    for names in [&[][..], &["a"], &["over"], &["*a"]] {
                        let filter = ListFilter {
                            tenant: tenant.map(str::to_owned),
                            ruleset: ruleset.map(str::to_owned),
                            finished,
                            lists: names.iter().map(|name| (*name).to_owned()).collect(),
                            ..ListFilter::default()
                        };
                        for row in rows().iter().filter(|row| matches(&filter, row)) {
                            let read = lists_to_scan(&filter).into_iter();
                            let matching = read.filter_map(|list| {
                                let mut entries = index_entries(id, row);
                                entries.find_map(|(other, position)| {
                                    (other == list).then_some(position)
                                })
                            });
                            let is_shared = names == ["*a"];
                            let ms = if names.is_empty() || tenant.is_none() && !is_shared {
                                5
                            } else {
                                9
                            };
                            assert_eq!(
                                matching.collect::<Vec<_>>(),
                                [ListPosition { ms, id }],
                                "{filter:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn no_list_has_the_key_of_another() {
        let id = uuid::Uuid::nil();
        let mut seen_keys = HashMap::new();
        let rows = rows();
        for row in &rows {
            for (list, position) in index_entries(id, row) {
                let before = seen_keys.insert(list.key(), list);
                assert!(
                    before.is_none_or(|before| before == list),
                    "{before:?} {list:?}"
                );
                assert!(list.index_key(position).starts_with(&list.key()));
                assert_eq!(list.position_of(id, row), Some(position));
            }
        }
        assert_eq!(seen_keys.len(), 30);
    }

    #[test]
    fn lists_are_merged_in_order() {
        let position = |ms| ListPosition {
            ms,
            id: uuid::Uuid::nil(),
        };
        let lists = [vec![9, 5, 1], vec![], vec![8, 7, 5]];
        let lists = lists.map(|list| list.into_iter().map(position));
        let merged: Vec<u64> = Merged::new(lists, |position| *position)
            .map(|position| position.ms)
            .collect();
        assert_eq!(merged, [9, 8, 7, 5, 5, 1]);
    }
}
