//! Reading of lists, newest first: sorted sets give candidates, and the rows of the games confirm them.

use gamekeeper_store::lists::{List, Subset, lists_to_scan};
use gamekeeper_store::row::creation_position;
use gamekeeper_store::{
    GameId, IndexRow, ListFilter, ListPage, ListPosition, ListedGame, SCAN_LIMIT, StoreError, row,
};
use redis::Value;
use uuid::Uuid;

use super::errors::damaged;
use super::keys::SlotGroup;
use super::link::Link;
use super::list_index::RemovalGuard;
use super::rows::{Confirmed, GRACE_PERIOD_MS, confirm};
use super::scripts::Scripts;
use super::{list_index, reply};

/// The maximum number of positions read at once.
pub(super) const BATCH: usize = 256;

/// A position before all others.
const OLDEST: ListPosition = ListPosition {
    ms: 0,
    id: Uuid::nil(),
};

/// A position after all others.
pub(super) const NEWEST: ListPosition = ListPosition {
    ms: u64::MAX,
    id: Uuid::nil(),
};

/// Returns a page of the games that a filter selects, newest first.
pub(super) async fn page(
    link: &Link,
    scripts: &Scripts,
    filter: &ListFilter,
    after: Option<ListPosition>,
    limit: usize,
    now_ms: u64,
) -> Result<ListPage, StoreError> {
    let (from, until) = row::bounds(filter, after);
    let reader = Reader {
        link,
        scripts,
        lists: lists_to_scan(filter),
        from,
        is_sweep: false,
    };
    let (mut page, mut after, mut scanned) = (ListPage::default(), until, 0);
    let mut batch_size = limit.saturating_add(1).clamp(16, BATCH);
    loop {
        let batch = reader.batch(after, batch_size, now_ms).await?;
        for (position, row) in batch.positions.iter().zip(batch.rows) {
            if page.games.len() >= limit {
                return Ok(page);
            }
            page.next = Some(*position);
            if let Some(row) = row.filter(|row| row::matches(filter, row)) {
                page.games.push(ListedGame {
                    id: position.id,
                    row,
                });
            }
        }
        scanned += batch_size;
        batch_size = (4 * batch_size).min(BATCH);
        match batch.next {
            Some(next) => after = next,
            None => {
                page.next = None;
                return Ok(page);
            }
        }
        if page.games.len() >= limit || scanned >= SCAN_LIMIT {
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
    /// The oldest position to read.
    pub(super) from: ListPosition,
    /// Whether the reader cleans up the list.
    pub(super) is_sweep: bool,
}

/// Consecutive positions, newest first.
pub(super) struct Batch {
    pub(super) positions: Vec<ListPosition>,
    /// The row of each game. A row is `None` if the game does not belong at its position or cannot be shown.
    pub(super) rows: Vec<Option<IndexRow>>,
    /// Games that exist without a readable row.
    pub(super) damaged: Vec<GameId>,
    /// The position before which the next batch starts. Is `None` at the end of the lists.
    pub(super) next: Option<ListPosition>,
}

impl<'a> Reader<'a> {
    /// Creates a reader that reads one whole list and cleans it up.
    pub(super) fn full_scan(link: &'a Link, scripts: &'a Scripts, list: List<'a>) -> Reader<'a> {
        Reader {
            link,
            scripts,
            lists: vec![list],
            from: OLDEST,
            is_sweep: true,
        }
    }

    /// Returns the next positions before `until`, about `batch_size` of them or fewer. Removes the positions of games
    /// that do not belong there, except young positions, whose rows may be about to be written.
    pub(super) async fn batch(
        &self,
        until: ListPosition,
        batch_size: usize,
        now_ms: u64,
    ) -> Result<Batch, StoreError> {
        let mut slices = Vec::with_capacity(self.lists.len());
        for list in &self.lists {
            slices.push(self.read_positions(*list, until, batch_size).await?);
        }
        let (positions, next) = merged(slices);
        let belongs = |position: ListPosition, row: &IndexRow| {
            self.lists.iter().any(|list| belongs(*list, position, row))
        };
        let confirmed = confirm(self.link, &positions, self.grace_from_ms(now_ms), belongs).await?;
        let Confirmed {
            rows,
            stale,
            damaged,
        } = confirmed;
        for list in &self.lists {
            let stale = stale.iter();
            let stale = stale.map(|position| {
                (
                    *list,
                    position.id,
                    RemovalGuard::for_position(*list, *position),
                )
            });
            list_index::remove(self.link, self.scripts, &stale.collect::<Vec<_>>()).await?;
        }
        self.fix_timed_positions(&positions, &rows).await?;
        Ok(Batch {
            positions,
            rows,
            damaged,
            next,
        })
    }

    /// Corrects positions in a timed list to the times in the rows: a refused or abandoned change may have left another
    /// time.
    async fn fix_timed_positions(
        &self,
        positions: &[ListPosition],
        rows: &[Option<IndexRow>],
    ) -> Result<(), StoreError> {
        let [list @ List::Timed(..)] = self.lists[..] else {
            return Ok(());
        };
        for (position, row) in positions.iter().zip(rows) {
            let expected = row
                .as_ref()
                .and_then(|row| list.position_of(position.id, row));
            if let Some(expected) = expected.filter(|expected| expected != position) {
                list_index::set_score(self.link, list, expected).await?;
            }
        }
        Ok(())
    }

    /// Returns the time from which on positions may belong to games that are still being created or changed. The times
    /// in a timed list are deadlines, which do not tell the age of a position, so only a sweep removes positions there.
    /// A game that loses its position to a sweep gets it again with its next change.
    fn grace_from_ms(&self, now_ms: u64) -> Option<u64> {
        let is_timed = matches!(self.lists[..], [List::Timed(..)]);
        match (is_timed, self.is_sweep) {
            (false, _) => Some(now_ms.saturating_sub(GRACE_PERIOD_MS)),
            (true, true) => Some(u64::MAX),
            (true, false) => None,
        }
    }

    /// Returns the next positions of a list, newest first, and whether these are the last.
    async fn read_positions(
        &self,
        list: List<'_>,
        until: ListPosition,
        batch_size: usize,
    ) -> Result<(Vec<ListPosition>, bool), StoreError> {
        let keys = [SlotGroup::of(list).key(list)];
        let latest = match until.ms {
            u64::MAX => String::from("+inf"),
            ms => ms.to_string(),
        };
        let (earliest, count) = (self.from.ms.to_string(), batch_size.to_string());
        let (mut skipped, mut foreign) = (0, 0);
        loop {
            let skip = skipped.to_string();
            let args = [&latest, &earliest, &skip, &count].map(String::as_bytes);
            let call = self.scripts.list_range.call(&keys, &args);
            let members = read_members(call.ask(self.link, None).await?)?;
            let is_last = members.len() < batch_size;
            skipped += members.len();
            let others = members.iter().filter(|member| member.is_none()).count();
            if others > 0 {
                let list = &keys[0];
                tracing::warn!(%list, others, "a list has members that are not games");
            }
            foreign += others;
            if foreign > SCAN_LIMIT {
                return Err(damaged("a list has too many members that are not games"));
            }
            // Games with the same time as `until` may have been on the page before.
            let positions = members
                .into_iter()
                .flatten()
                .filter(|position| *position < until);
            let positions: Vec<ListPosition> = positions.collect();
            if is_last || !positions.is_empty() {
                return Ok((positions, is_last));
            }
        }
    }
}

/// Whether a game with this row may have this position in this list. A finished game has left the lists of active games
/// for good; an active game may have a position among the finished ones because it is about to end.
fn belongs(list: List<'_>, position: ListPosition, row: &IndexRow) -> bool {
    match list {
        List::Named(tenant, name) => {
            row.tenant == tenant && row.list_names().iter().any(|listed| listed == name)
        }
        List::Global(name) => row.list_names().iter().any(|listed| listed == name),
        List::Timed(tenant, name) => row.tenant == tenant && row.time_in(name).is_some(),
        List::Created(tenant, part) => {
            let is_of_part = match part {
                Subset::All => true,
                Subset::Status(finished) => finished || !row.finished,
                Subset::StatusAndRuleset(finished, ruleset) => {
                    (finished || !row.finished) && row.ruleset == ruleset
                }
            };
            let is_of_tenant = tenant.is_none_or(|tenant| tenant == row.tenant);
            is_of_part && is_of_tenant && creation_position(position.id, row) == position
        }
    }
}

/// Merges the positions of several lists, each read down to some position, and returns where they continue.
fn merged(slices: Vec<(Vec<ListPosition>, bool)>) -> (Vec<ListPosition>, Option<ListPosition>) {
    // A list that was not read to its end may have unread positions below this one.
    let unfinished = slices.iter().filter(|(_, is_last)| !is_last);
    let end = unfinished
        .filter_map(|(positions, _)| positions.last())
        .max()
        .copied();
    let mut positions: Vec<ListPosition> = slices
        .into_iter()
        .flat_map(|(positions, _)| positions)
        .collect();
    if let Some(end) = end {
        positions.retain(|position| *position >= end);
    }
    positions.sort_unstable_by(|one, other| other.cmp(one));
    // A game that is just ending may be in two lists.
    positions.dedup();
    (positions, end)
}

/// Decodes a reply of alternating games and times. An element is `None` if the member is not a game; no build writes
/// such members.
fn read_members(reply: Value) -> Result<Vec<Option<ListPosition>>, StoreError> {
    let members = reply::list(reply)?;
    let member = |pair: &[Value]| {
        let [Value::BulkString(id), Value::BulkString(time)] = pair else {
            return Err(damaged("a reply that is not a list of games and times"));
        };
        let ms = std::str::from_utf8(time)
            .ok()
            .and_then(|ms| ms.parse().ok());
        let id = Uuid::from_slice(id).ok();
        Ok(ms.zip(id).map(|(ms, id)| ListPosition { ms, id }))
    };
    members.chunks(2).map(member).collect()
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Lists;

    use super::*;

    fn position(ms: u64) -> ListPosition {
        let id = Uuid::from_u128(ms.into());
        ListPosition { ms, id }
    }

    fn merge(lists: &[(&[u64], bool)]) -> (Vec<u64>, Option<u64>) {
        let slices = lists.iter().map(|(times, is_last)| {
            let positions = times.iter().copied().map(position);
            (positions.collect(), *is_last)
        });
        let (positions, next) = merged(slices.collect());
        let times = positions.into_iter().map(|position| position.ms).collect();
        (times, next.map(|next| next.ms))
    }

    #[test]
    fn lists_are_read_to_the_first_position_that_may_hide_others() {
        assert_eq!(merge(&[]), (vec![], None));
        assert_eq!(merge(&[(&[2], true), (&[3], true)]), (vec![3, 2], None));
        assert_eq!(merge(&[(&[2], true), (&[2], true)]), (vec![2], None));
        let (positions, next) = merge(&[(&[6, 5], false), (&[4], true)]);
        assert_eq!((positions, next), (vec![6, 5], Some(5)));
        let (positions, next) = merge(&[(&[6, 3], false), (&[5, 4], false)]);
        assert_eq!((positions, next), (vec![6, 5, 4], Some(4)));
        let (positions, next) = merge(&[(&[5, 4], true), (&[5, 4, 1], false)]);
        assert_eq!((positions, next), (vec![5, 4, 1], Some(1)));
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
        let at = position(5);
        let of = |part| List::Created(Some("red"), part);
        let kind = |finished| of(Subset::StatusAndRuleset(finished, "caylus"));
        let (active, over) = (row("red", "caylus", false), row("red", "caylus", true));
        for list in [of(Subset::All), of(Subset::Status(false)), kind(false)] {
            assert!(belongs(list, at, &active), "{list:?}");
            assert!(
                !belongs(list, position(6), &active),
                "it was created at another time"
            );
            assert!(
                !belongs(list, at, &row("blue", "caylus", false)),
                "{list:?}"
            );
        }
        for list in [of(Subset::Status(false)), kind(false)] {
            assert!(
                !belongs(list, at, &over),
                "a finished game has left {list:?}"
            );
        }
        for list in [of(Subset::All), of(Subset::Status(true)), kind(true)] {
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
                position(6),
                &row("red", "caylus", finished)
            ));
        }
        let everybody = List::Created(None, Subset::All);
        assert!(belongs(everybody, at, &active) && belongs(everybody, at, &row("blue", "", true)));
        assert!(!belongs(everybody, position(6), &active));
    }

    #[test]
    fn a_game_belongs_to_the_lists_that_its_row_names() {
        let (at, red) = (position(6), row("red", "caylus", false));
        let lists = [
            (List::Named("red", "mine"), true),
            (List::Named("red", "yours"), false),
            (List::Named("blue", "mine"), false),
            (List::Global("*all"), true),
            (List::Global("*other"), false),
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
