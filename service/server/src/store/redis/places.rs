//! Reading the lists in the order of creation, newest game first.
//!
//! No build writes a member that is not a place. It is logged, left where it is and skipped, so reading
//! continues after a member rather than after a place.

use bytes::Bytes;
use redis::Value;

use super::errors::of_read;
use super::keys::Scope;
use super::link::Link;
use super::reply;
use super::scripts::Scripts;
use crate::store::row::{decode_place, encode_place};
use crate::store::{Place, StoreError};

/// The lists from which games are read.
pub(super) enum Source<'a> {
    /// The list of all games.
    Games(Scope<'a>),
    /// The lists of some kinds, by their keys.
    Kinds(&'a Scripts, Scope<'a>, Vec<String>),
}

/// The last member that was read. Members sort by their bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position(Bytes);

/// A part of the lists.
pub(super) struct Places {
    /// The places, newest first.
    pub(super) places: Vec<Place>,
    /// Where the lists continue. `None`: they end here.
    pub(super) next: Option<Position>,
}

impl Position {
    pub(super) fn of(place: Place) -> Position {
        Position(Bytes::copy_from_slice(&encode_place(place)))
    }
}

impl Source<'_> {
    pub(super) fn scope(&self) -> Scope<'_> {
        match self {
            Source::Games(scope) | Source::Kinds(_, scope, _) => *scope,
        }
    }

    /// Reads at most `wanted` members. There may be fewer places among them, even none, although the lists
    /// continue.
    pub(super) async fn places(
        &self,
        link: &Link,
        after: Option<&Position>,
        wanted: usize,
    ) -> Result<Places, StoreError> {
        let lists = self.members(link, after, wanted).await?;
        let (members, next) = merged(lists, wanted);
        let places: Vec<Place> = members
            .iter()
            .filter_map(|member| decode_place(member))
            .collect();
        let foreign = members.len() - places.len();
        if foreign > 0 {
            let list = self.scope().games();
            tracing::warn!(%list, foreign, "a list of games, or of their kinds, has members that are not places");
        }
        Ok(Places { places, next })
    }

    /// The next members of each list, at most `wanted` of each.
    async fn members(
        &self,
        link: &Link,
        after: Option<&Position>,
        wanted: usize,
    ) -> Result<Vec<Vec<Bytes>>, StoreError> {
        let after = after.map_or_else(
            || vec![b'+'],
            |Position(member)| [b"(".as_slice(), member].concat(),
        );
        let lists = match self {
            Source::Games(scope) => {
                let mut command = redis::cmd("ZREVRANGEBYLEX");
                command.arg(scope.games()).arg(after).arg("-");
                command.arg("LIMIT").arg(0).arg(wanted);
                let found = link.ask(&command).await;
                vec![found.map_err(|error| of_read(&error))?]
            }
            Source::Kinds(_, _, lists) if lists.is_empty() => Vec::new(),
            Source::Kinds(scripts, _, lists) => {
                let wanted = wanted.to_string();
                let args: [&[u8]; 2] = [&after, wanted.as_bytes()];
                let call = scripts.kinds.call(lists, &args);
                reply::list(call.ask(link, None).await?)?
            }
        };
        lists.into_iter().map(members_of).collect()
    }
}

fn members_of(list: Value) -> Result<Vec<Bytes>, StoreError> {
    reply::list(list)?.into_iter().map(reply::bytes).collect()
}

/// The first members of lists that were read up to `wanted` members each, and where the lists continue.
fn merged(lists: Vec<Vec<Bytes>>, wanted: usize) -> (Vec<Bytes>, Option<Position>) {
    // Below this member, some list may have members that were not read.
    let full = lists.iter().filter(|list| list.len() >= wanted);
    let mut end = full.filter_map(|list| list.last()).max().cloned();
    let mut members: Vec<Bytes> = lists.into_iter().flatten().collect();
    if let Some(end) = &end {
        members.retain(|member| member >= end);
    }
    members.sort_unstable_by(|one, other| other.cmp(one));
    // A game that is just ending may be in two lists.
    members.dedup();
    if members.len() > wanted {
        members.truncate(wanted);
        end = members.last().cloned();
    }
    (members, end.map(Position))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(members: &[&'static str]) -> Vec<Bytes> {
        let bytes = |member: &&'static str| Bytes::from(*member);
        members.iter().map(bytes).collect()
    }

    fn merge(lists: &[&[&'static str]], wanted: usize) -> (Vec<Bytes>, Option<Position>) {
        merged(lists.iter().map(|members| list(members)).collect(), wanted)
    }

    fn at(member: &'static str) -> Option<Position> {
        Some(Position(Bytes::from(member)))
    }

    #[test]
    fn lists_are_read_to_the_first_member_that_may_hide_others() {
        assert_eq!(merge(&[], 2), (list(&[]), None));
        assert_eq!(merge(&[&["b"], &["c"]], 2), (list(&["c", "b"]), None));
        assert_eq!(merge(&[&["b"], &["b"]], 2), (list(&["b"]), None));
        let (members, next) = merge(&[&["f", "e"], &["d"]], 2);
        assert_eq!((members, next), (list(&["f", "e"]), at("e")));
        let (members, next) = merge(&[&["f", "c"], &["e", "d"]], 2);
        assert_eq!((members, next), (list(&["f", "e"]), at("e")));
        let (members, next) = merge(&[&["f", "e", "d"], &["c", "b", "a"]], 3);
        assert_eq!((members, next), (list(&["f", "e", "d"]), at("d")));
        let (members, next) = merge(&[&["e", "d"], &["e", "d"]], 2);
        assert_eq!((members, next), (list(&["e", "d"]), at("d")));
    }
}
