//! Reading of lists, newest first: sorted sets give candidates, and the rows of the games confirm them.

use gamekeeper_store::lists::{List, Part, lists_of};
use gamekeeper_store::row::place_of;
use gamekeeper_store::{
    GameId, IndexRow, LOOKED_AT, ListFilter, ListPage, ListedGame, Place, StoreError, row,
};
use redis::Value;
use uuid::Uuid;

use super::errors::damaged;
use super::keys::Group;
use super::link::Link;
use super::lists::Since;
use super::rows::{Confirmed, YOUNG_MS, confirm};
use super::scripts::Scripts;
use super::{lists, reply};

/// The maximum number of places read at once.
pub(super) const BATCH: usize = 256;

/// A place before all others.
const OLDEST: Place = Place {
    ms: 0,
    id: Uuid::nil(),
};

/// A place after all others.
pub(super) const NEWEST: Place = Place {
    ms: u64::MAX,
    id: Uuid::nil(),
};

/// Returns a page of the games that a filter selects, newest first.
pub(super) async fn page(
    link: &Link,
    scripts: &Scripts,
    filter: &ListFilter,
    after: Option<Place>,
    limit: usize,
    now_ms: u64,
) -> Result<ListPage, StoreError> {
    let (from, until) = row::bounds(filter, after);
    let reader = Reader {
        link,
        scripts,
        lists: lists_of(filter),
        from,
        sweeps: false,
    };
    let (mut page, mut after, mut looked_at) = (ListPage::default(), until, 0);
    let mut wanted = limit.saturating_add(1).clamp(16, BATCH);
    loop {
        let batch = reader.batch(after, wanted, now_ms).await?;
        for (place, row) in batch.places.iter().zip(batch.rows) {
            if page.games.len() >= limit {
                return Ok(page);
            }
            page.next = Some(*place);
            if let Some(row) = row.filter(|row| row::matches(filter, row)) {
                page.games.push(ListedGame { id: place.id, row });
            }
        }
        looked_at += wanted;
        wanted = (4 * wanted).min(BATCH);
        match batch.next {
            Some(next) => after = next,
            None => {
                page.next = None;
                return Ok(page);
            }
        }
        if page.games.len() >= limit || looked_at >= LOOKED_AT {
            return Ok(page);
        }
    }
}

/// Reads lists that together contain some games, each game once: one list, or the active and then the finished games.
/// A game that is just ending is added to the second list before it leaves the first, so a reader that takes them in
/// this order never misses it.
pub(super) struct Reader<'a> {
    pub(super) link: &'a Link,
    pub(super) scripts: &'a Scripts,
    pub(super) lists: Vec<List<'a>>,
    /// The oldest place to read.
    pub(super) from: Place,
    /// Whether the reader cleans up the list.
    pub(super) sweeps: bool,
}

/// Consecutive places, newest first.
pub(super) struct Batch {
    pub(super) places: Vec<Place>,
    /// The row of each game. A row is `None` if the game does not belong at its place or cannot be shown.
    pub(super) rows: Vec<Option<IndexRow>>,
    /// Games that exist without a readable row.
    pub(super) damaged: Vec<GameId>,
    /// The place before which the next batch starts. Is `None` at the end of the lists.
    pub(super) next: Option<Place>,
}

impl<'a> Reader<'a> {
    /// Creates a reader that reads one whole list and cleans it up.
    pub(super) fn whole(link: &'a Link, scripts: &'a Scripts, list: List<'a>) -> Reader<'a> {
        Reader {
            link,
            scripts,
            lists: vec![list],
            from: OLDEST,
            sweeps: true,
        }
    }

    /// Returns the next places before `until`, about `wanted` of them or fewer. Removes the places of games that do
    /// not belong there, except young places, whose rows may be about to be written.
    pub(super) async fn batch(
        &self,
        until: Place,
        wanted: usize,
        now_ms: u64,
    ) -> Result<Batch, StoreError> {
        let mut found = Vec::with_capacity(self.lists.len());
        for list in &self.lists {
            found.push(self.places(*list, until, wanted).await?);
        }
        let (places, next) = merged(found);
        let belongs =
            |place: Place, row: &IndexRow| self.lists.iter().any(|list| belongs(*list, place, row));
        let confirmed = confirm(self.link, &places, self.young_from(now_ms), belongs).await?;
        let Confirmed {
            rows,
            stale,
            damaged,
        } = confirmed;
        for list in &self.lists {
            let stale = stale.iter();
            let stale = stale.map(|place| (*list, place.id, Since::found(*list, *place)));
            lists::remove(self.link, self.scripts, &stale.collect::<Vec<_>>()).await?;
        }
        self.correct(&places, &rows).await?;
        Ok(Batch {
            places,
            rows,
            damaged,
            next,
        })
    }

    /// Corrects places in a timed list to the times in the rows: a refused or abandoned change may have left another
    /// time.
    async fn correct(&self, places: &[Place], rows: &[Option<IndexRow>]) -> Result<(), StoreError> {
        let [list @ List::Timed(..)] = self.lists[..] else {
            return Ok(());
        };
        for (place, row) in places.iter().zip(rows) {
            let right = row.as_ref().and_then(|row| list.where_is(place.id, row));
            if let Some(right) = right.filter(|right| right != place) {
                lists::correct(self.link, list, right).await?;
            }
        }
        Ok(())
    }

    /// Returns the time from which on places may belong to games that are still being created or changed. The times in
    /// a timed list are deadlines, which do not tell the age of a place, so only a sweep removes places there. A game
    /// that loses its place to a sweep gets it again with its next change.
    fn young_from(&self, now_ms: u64) -> Option<u64> {
        let is_timed = matches!(self.lists[..], [List::Timed(..)]);
        match (is_timed, self.sweeps) {
            (false, _) => Some(now_ms.saturating_sub(YOUNG_MS)),
            (true, true) => Some(u64::MAX),
            (true, false) => None,
        }
    }

    /// Returns the next places of a list, newest first, and whether these are the last.
    async fn places(
        &self,
        list: List<'_>,
        until: Place,
        wanted: usize,
    ) -> Result<(Vec<Place>, bool), StoreError> {
        let keys = [Group::of(list).key(list)];
        let latest = match until.ms {
            u64::MAX => String::from("+inf"),
            ms => ms.to_string(),
        };
        let (earliest, count) = (self.from.ms.to_string(), wanted.to_string());
        let (mut skipped, mut foreign) = (0, 0);
        loop {
            let skip = skipped.to_string();
            let args = [&latest, &earliest, &skip, &count].map(String::as_bytes);
            let call = self.scripts.listed.call(&keys, &args);
            let members = read_members(call.ask(self.link, None).await?)?;
            let is_last = members.len() < wanted;
            skipped += members.len();
            let others = members.iter().filter(|member| member.is_none()).count();
            if others > 0 {
                let list = &keys[0];
                tracing::warn!(%list, others, "a list has members that are not games");
            }
            foreign += others;
            if foreign > LOOKED_AT {
                return Err(damaged("a list has too many members that are not games"));
            }
            // Games with the same time as `until` may have been on the page before.
            let places = members.into_iter().flatten().filter(|place| *place < until);
            let places: Vec<Place> = places.collect();
            if is_last || !places.is_empty() {
                return Ok((places, is_last));
            }
        }
    }
}

/// Whether a game with this row may have this place in this list. A finished game has left the lists of active games
/// for good; an active game may have a place among the finished ones because it is about to end.
fn belongs(list: List<'_>, place: Place, row: &IndexRow) -> bool {
    match list {
        List::Named(tenant, name) => {
            row.tenant == tenant && row.list_names().iter().any(|listed| listed == name)
        }
        List::Shared(name) => row.list_names().iter().any(|listed| listed == name),
        List::Timed(tenant, name) => row.tenant == tenant && row.time_in(name).is_some(),
        List::Created(tenant, part) => {
            let is_of_part = match part {
                Part::All => true,
                Part::Status(finished) => finished || !row.finished,
                Part::Kind(finished, ruleset) => {
                    (finished || !row.finished) && row.ruleset == ruleset
                }
            };
            let is_of_tenant = tenant.is_none_or(|tenant| tenant == row.tenant);
            is_of_part && is_of_tenant && place_of(place.id, row) == place
        }
    }
}

/// Merges the places of several lists, each read down to some place, and returns where they continue.
fn merged(found: Vec<(Vec<Place>, bool)>) -> (Vec<Place>, Option<Place>) {
    // A list that was not read to its end may have unread places below this one.
    let unfinished = found.iter().filter(|(_, is_last)| !is_last);
    let end = unfinished
        .filter_map(|(places, _)| places.last())
        .max()
        .copied();
    let mut places: Vec<Place> = found.into_iter().flat_map(|(places, _)| places).collect();
    if let Some(end) = end {
        places.retain(|place| *place >= end);
    }
    places.sort_unstable_by(|one, other| other.cmp(one));
    // A game that is just ending may be in two lists.
    places.dedup();
    (places, end)
}

/// Decodes a reply of alternating games and times. An element is `None` if the member is not a game; no build writes
/// such members.
fn read_members(answer: Value) -> Result<Vec<Option<Place>>, StoreError> {
    let found = reply::list(answer)?;
    let member = |pair: &[Value]| {
        let [Value::BulkString(id), Value::BulkString(time)] = pair else {
            return Err(damaged("a reply that is not a list of games and times"));
        };
        let ms = std::str::from_utf8(time)
            .ok()
            .and_then(|ms| ms.parse().ok());
        let id = Uuid::from_slice(id).ok();
        Ok(ms.zip(id).map(|(ms, id)| Place { ms, id }))
    };
    found.chunks(2).map(member).collect()
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Lists;

    use super::*;

    fn place(ms: u64) -> Place {
        let id = Uuid::from_u128(ms.into());
        Place { ms, id }
    }

    fn merge(lists: &[(&[u64], bool)]) -> (Vec<u64>, Option<u64>) {
        let found = lists.iter().map(|(times, is_last)| {
            let places = times.iter().copied().map(place);
            (places.collect(), *is_last)
        });
        let (places, next) = merged(found.collect());
        let times = places.into_iter().map(|place| place.ms).collect();
        (times, next.map(|next| next.ms))
    }

    #[test]
    fn lists_are_read_to_the_first_place_that_may_hide_others() {
        assert_eq!(merge(&[]), (vec![], None));
        assert_eq!(merge(&[(&[2], true), (&[3], true)]), (vec![3, 2], None));
        assert_eq!(merge(&[(&[2], true), (&[2], true)]), (vec![2], None));
        let (places, next) = merge(&[(&[6, 5], false), (&[4], true)]);
        assert_eq!((places, next), (vec![6, 5], Some(5)));
        let (places, next) = merge(&[(&[6, 3], false), (&[5, 4], false)]);
        assert_eq!((places, next), (vec![6, 5, 4], Some(4)));
        let (places, next) = merge(&[(&[5, 4], true), (&[5, 4, 1], false)]);
        assert_eq!((places, next), (vec![5, 4, 1], Some(1)));
    }

    fn row(tenant: &str, ruleset: &str, finished: bool) -> IndexRow {
        IndexRow {
            tenant: tenant.to_owned(),
            ruleset: ruleset.to_owned(),
            created_ms: 5,
            finished,
            lists: Some(Lists {
                changed_ms: 6,
                names: vec![String::from("mine"), String::from("*all")],
                timed: vec![(String::from("due"), 9)],
            }),
        }
    }

    #[test]
    fn a_game_belongs_to_the_lists_by_creation_of_its_tenant_status_and_ruleset() {
        let at = place(5);
        let of = |part| List::Created(Some("red"), part);
        let kind = |finished| of(Part::Kind(finished, "caylus"));
        let (active, over) = (row("red", "caylus", false), row("red", "caylus", true));
        for list in [of(Part::All), of(Part::Status(false)), kind(false)] {
            assert!(belongs(list, at, &active), "{list:?}");
            assert!(
                !belongs(list, place(6), &active),
                "it was created at another time"
            );
            assert!(
                !belongs(list, at, &row("blue", "caylus", false)),
                "{list:?}"
            );
        }
        for list in [of(Part::Status(false)), kind(false)] {
            assert!(
                !belongs(list, at, &over),
                "a finished game has left {list:?}"
            );
        }
        for list in [of(Part::All), of(Part::Status(true)), kind(true)] {
            assert!(belongs(list, at, &over), "{list:?}");
            assert!(belongs(list, at, &active), "it may be about to end");
        }
        for finished in [true, false] {
            assert!(!belongs(
                kind(finished),
                at,
                &row("red", "dominion", finished)
            ));
            assert!(!belongs(
                kind(finished),
                place(6),
                &row("red", "caylus", finished)
            ));
        }
        let everybody = List::Created(None, Part::All);
        assert!(belongs(everybody, at, &active) && belongs(everybody, at, &row("blue", "", true)));
        assert!(!belongs(everybody, place(6), &active));
    }

    #[test]
    fn a_game_belongs_to_the_lists_that_its_row_names() {
        let (at, red) = (place(6), row("red", "caylus", false));
        let lists = [
            (List::Named("red", "mine"), true),
            (List::Named("red", "yours"), false),
            (List::Named("blue", "mine"), false),
            (List::Shared("*all"), true),
            (List::Shared("*other"), false),
            (List::Timed("red", "due"), true),
            (List::Timed("red", "mine"), false),
            (List::Timed("blue", "due"), false),
        ];
        for (list, expected) in lists {
            assert_eq!(belongs(list, at, &red), expected, "{list:?}");
        }
        let unlisted = IndexRow { lists: None, ..red };
        for (list, _) in lists {
            assert!(!belongs(list, at, &unlisted), "{list:?}");
        }
    }
}
