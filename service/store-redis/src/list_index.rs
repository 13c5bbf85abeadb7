//! The lists of games: sorted sets of games by time, created or last changed. Their keys are separate from those of
//! the games, and in a cluster may lie on other nodes; all lists of a tenant share a slot, and so do those of all
//! tenants together.
//!
//! A list is never changed atomically with a game. A game is added to its lists, or moved to their front, before it
//! exists or its row is written, and removed from other lists afterward. A list therefore contains at least the games
//! that belong there; readers check each position against the row of its game (`reading`). Only a Redis that lost its
//! last changes can lack a game. Such a game returns to its lists with its next change of the row, when it is loaded
//! cold, or with the hourly sweep (`sweeping`).

use bytes::Bytes;
use gamekeeper_store::lists::{List, index_entries};
use gamekeeper_store::{GameId, IndexRow, ListPosition, StoreError, TenantLimit};
use redis::Value;
use tokio::try_join;

use super::config::ReplicaWait;
use super::errors::{damaged, of_read};
use super::keys::{Key, SlotGroup, TENANTS};
use super::link::Link;
use super::scripts::{ChangeScript, Scripts};

/// The mode in which a game is added to lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexMode {
    /// The game may exist already, so its present positions are kept.
    New {
        /// The maximum number of games of the tenant. Is `None` if there is no limit.
        max: Option<u64>,
        /// The size of the game, in bytes.
        size: u64,
        /// The maximum number of bytes that the tenant stores. Is `None` if there is no limit.
        max_bytes: Option<u64>,
    },
    /// The game exists and has this row: all its positions are set.
    Existing,
    /// The game exists and stays in the same lists by creation: only its positions in other lists are set.
    Moved,
}

/// The result of adding a game to its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexOutcome {
    /// All positions are new.
    Added,
    /// Some positions existed before.
    AlreadyPresent,
    /// The tenant has reached this limit.
    Full(TenantLimit),
}

/// Returns the limit that the tenant has reached, if the script `enlist` says so.
fn reached_limit(reply: i64) -> Option<TenantLimit> {
    match reply {
        -1 => Some(TenantLimit::Games),
        -2 => Some(TenantLimit::Bytes),
        _ => None,
    }
}

/// A position to write, and the flag of `ZADD` to write it with.
struct IndexWrite<'a> {
    list: List<'a>,
    zadd_flag: &'static str,
    score: u64,
}

/// A change of a game that is made after the game has its positions.
pub(super) struct BundledChange<'a> {
    pub(super) script: &'a ChangeScript,
    pub(super) keys: &'a [Key],
    pub(super) args: &'a [&'a [u8]],
    pub(super) wait: Option<ReplicaWait>,
}

/// Adds a game to the lists that its row names, or moves it to their front.
pub(super) async fn index_insert(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    row: &IndexRow,
    mode: IndexMode,
) -> Result<IndexOutcome, StoreError> {
    let writes = IndexWrites::of(id, row, mode);
    let (tenant, all, ()) = try_join!(
        write(link, scripts, &writes.of_tenant),
        write(link, scripts, &writes.of_all),
        register_tenant(link, writes.tenant),
    )?;
    if let Some(limit) = reached_limit(tenant) {
        return Ok(IndexOutcome::Full(limit));
    }
    let added = usize::try_from(tenant.saturating_add(all)).unwrap_or(0);
    Ok(writes.outcome(added))
}

/// Adds a game to its lists like [`index_insert`] and then makes a change, in one round trip unless the lists may lie
/// on other nodes. If the tenant has reached its limit, the change is not made and its answer is `Nil`.
pub(super) async fn index_insert_with_change(
    link: &Link,
    scripts: &Scripts,
    (id, row, mode): (GameId, &IndexRow, IndexMode),
    change: &BundledChange<'_>,
) -> Result<(IndexOutcome, Value), StoreError> {
    if matches!(link, Link::Cluster(_)) {
        let outcome = index_insert(link, scripts, id, row, mode).await?;
        if matches!(outcome, IndexOutcome::Full(_)) {
            return Ok((outcome, Value::Nil));
        }
        let call = change.script.standalone.call(change.keys, change.args);
        return Ok((outcome, call.change(link, change.wait).await?));
    }
    let writes = IndexWrites::of(id, row, mode);
    let calls = [&writes.of_tenant, &writes.of_all];
    let mut keys = vec![TENANTS.to_owned()];
    keys.extend(calls.iter().flat_map(|call| call.keys.clone()));
    keys.extend(change.keys.iter().map(ToString::to_string));
    let counts = calls
        .iter()
        .flat_map(|call| [call.keys.len(), call.args.len()]);
    let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
    let mut args: Vec<&[u8]> = vec![writes.tenant.unwrap_or_default().as_bytes()];
    args.extend(counts.iter().map(String::as_bytes));
    args.extend(calls.iter().flat_map(|call| &call.args).map(Vec::as_slice));
    args.extend(change.args);
    let call = change.script.with_index.call(&keys, &args);
    let unexpected = || damaged("an unexpected reply to positions and a change");
    match call.change(link, change.wait).await? {
        Value::Int(reply) => reached_limit(reply)
            .map(|limit| (IndexOutcome::Full(limit), Value::Nil))
            .ok_or_else(unexpected),
        Value::Array(both) => match <[Value; 2]>::try_from(both) {
            Ok([Value::Int(added), reply]) => {
                Ok((writes.outcome(usize::try_from(added).unwrap_or(0)), reply))
            }
            Ok(_) | Err(_) => Err(unexpected()),
        },
        _ => Err(unexpected()),
    }
}

/// The positions of a game, as arguments of the script `enlist`.
struct IndexWrites<'a> {
    of_tenant: SlotWrites,
    of_all: SlotWrites,
    /// The tenant, if it may have to be added to the set of tenants.
    tenant: Option<&'a str>,
    count: usize,
}

/// KEYS and ARGV of the script call that updates the positions of a game in the lists of one slot. Empty if there is
/// nothing to update.
#[derive(Default)]
struct SlotWrites {
    keys: Vec<String>,
    args: Vec<Vec<u8>>,
}

impl<'a> IndexWrites<'a> {
    fn of(id: GameId, row: &'a IndexRow, mode: IndexMode) -> IndexWrites<'a> {
        let entries =
            index_entries(id, row).filter_map(|(list, position)| index_write(list, position, mode));
        let (of_tenant, of_all): (Vec<_>, Vec<_>) =
            entries.partition(|entry| SlotGroup::of(entry.list) != SlotGroup::All);
        IndexWrites {
            count: of_tenant.len() + of_all.len(),
            of_tenant: SlotWrites::of(id, &of_tenant, mode),
            of_all: SlotWrites::of(id, &of_all, mode),
            tenant: (mode != IndexMode::Moved).then_some(&row.tenant),
        }
    }

    fn outcome(&self, added: usize) -> IndexOutcome {
        if added == self.count {
            IndexOutcome::Added
        } else {
            IndexOutcome::AlreadyPresent
        }
    }
}

fn index_write(list: List<'_>, position: ListPosition, mode: IndexMode) -> Option<IndexWrite<'_>> {
    let flag = match (list, mode) {
        // A slower process with an older time must not move the game back.
        (List::Named(..) | List::Global(_), _) => "GT",
        (List::Created(..) | List::Timed(..), IndexMode::New { .. }) => "NX",
        (List::Created(..), IndexMode::Existing) => "CH",
        // A deadline may move to an earlier time. Readers compare the position with the row.
        (List::Timed(..), IndexMode::Existing | IndexMode::Moved) => "CH",
        (List::Created(..), IndexMode::Moved) => return None,
    };
    Some(IndexWrite {
        list,
        zadd_flag: flag,
        score: position.ms,
    })
}

impl SlotWrites {
    fn of(id: GameId, entries: &[IndexWrite<'_>], mode: IndexMode) -> SlotWrites {
        let Some(first) = entries.first() else {
            return SlotWrites::default();
        };
        let group = SlotGroup::of(first.list);
        let mut keys = vec![group.names(), group.bytes()];
        keys.extend(entries.iter().map(|entry| group.key(entry.list)));
        let (max, size, max_bytes) = match mode {
            IndexMode::New {
                max,
                size,
                max_bytes,
            } if group != SlotGroup::All => (max, size, max_bytes),
            IndexMode::New { .. } | IndexMode::Existing | IndexMode::Moved => (None, 0, None),
        };
        let or_none =
            |max: Option<u64>| max.map_or_else(|| String::from("-1"), |max| max.to_string());
        let mut args = vec![
            id.as_bytes().to_vec(),
            or_none(max).into_bytes(),
            size.to_string().into_bytes(),
            or_none(max_bytes).into_bytes(),
        ];
        for entry in entries {
            args.extend([entry.zadd_flag.into(), entry.score.to_string().into_bytes()]);
        }
        // A game that only moves is already in its tenant's lists, so the set has their names.
        let is_new = |entry: &&IndexWrite<'_>| {
            mode != IndexMode::Moved || matches!(entry.list, List::Global(_) | List::Timed(..))
        };
        let names = entries.iter().filter(is_new);
        args.extend(names.map(|entry| SlotGroup::name(entry.list).into_bytes()));
        SlotWrites { keys, args }
    }
}

/// Writes positions in lists of one slot. Returns how many are new, or a number below 0 if the tenant has reached a
/// limit.
async fn write(link: &Link, scripts: &Scripts, writes: &SlotWrites) -> Result<i64, StoreError> {
    if writes.keys.is_empty() {
        return Ok(0);
    }
    let args: Vec<&[u8]> = writes.args.iter().map(Vec::as_slice).collect();
    match scripts
        .index_insert
        .call(&writes.keys, &args)
        .ask(link, None)
        .await?
    {
        Value::Int(added) => Ok(added),
        _ => Err(damaged("an unexpected reply to positions in lists")),
    }
}

async fn register_tenant(link: &Link, tenant: Option<&str>) -> Result<(), StoreError> {
    let Some(tenant) = tenant else {
        return Ok(());
    };
    let mut command = redis::cmd("ZADD");
    command.arg(TENANTS).arg(0).arg(tenant);
    let reply = link.ask(&command).await;
    reply.map(drop).map_err(|error| of_read(&error))
}

/// Removes a game from the lists that `before` names and `now` does not, or from all of them if `now` is `None`
/// because the game was deleted. A later time protects a position that another process has written since.
pub(super) async fn index_remove(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    before: &IndexRow,
    now: Option<&IndexRow>,
) -> Result<(), StoreError> {
    let remaining_lists: Vec<List<'_>> = now.map_or_else(Vec::new, |now| {
        index_entries(id, now).map(|(list, _)| list).collect()
    });
    let changed = now.and_then(|now| now.lists.as_ref());
    let removed = index_entries(id, before).filter(|(list, _)| !remaining_lists.contains(list));
    let removed = removed.map(|(list, position)| {
        let guard = match (list, changed) {
            (List::Timed(..), _) => RemovalGuard::Equal(position.ms),
            (List::Named(..) | List::Global(_), Some(changed)) => {
                RemovalGuard::Before(changed.changed_ms)
            }
            (List::Named(..) | List::Global(_), None) | (List::Created(..), _) => {
                RemovalGuard::Before(position.ms.saturating_add(1))
            }
        };
        (list, id, guard)
    });
    let (of_tenant, of_all): (Vec<_>, Vec<_>) =
        removed.partition(|(list, ..)| SlotGroup::of(*list) != SlotGroup::All);
    try_join!(
        remove(link, scripts, &of_tenant),
        remove(link, scripts, &of_all)
    )?;
    Ok(())
}

/// The condition on which a position of a game is removed from a list: an earlier time, or exactly this time.
#[derive(Clone, Copy, Debug)]
pub(super) enum RemovalGuard {
    Before(u64),
    Equal(u64),
}

impl RemovalGuard {
    /// Returns the condition for removing a position that was found in a list.
    pub(super) fn for_position(list: List<'_>, position: ListPosition) -> RemovalGuard {
        match list {
            List::Timed(..) => RemovalGuard::Equal(position.ms),
            List::Created(..) | List::Named(..) | List::Global(_) => {
                RemovalGuard::Before(position.ms.saturating_add(1))
            }
        }
    }

    fn text(self) -> String {
        match self {
            RemovalGuard::Before(ms) => ms.to_string(),
            RemovalGuard::Equal(ms) => format!("={ms}"),
        }
    }
}

/// Sets the position of a game in a timed list to the time in its row, if the list still contains the game.
pub(super) async fn set_score(
    link: &Link,
    list: List<'_>,
    position: ListPosition,
) -> Result<(), StoreError> {
    let mut command = redis::cmd("ZADD");
    command.arg(SlotGroup::of(list).key(list)).arg("XX");
    command.arg(position.ms).arg(position.id.as_bytes());
    let reply = link.ask(&command).await;
    reply.map(drop).map_err(|error| of_read(&error))
}

/// Removes positions from lists of one slot, except those whose condition no longer holds.
pub(super) async fn remove(
    link: &Link,
    scripts: &Scripts,
    positions: &[(List<'_>, GameId, RemovalGuard)],
) -> Result<(), StoreError> {
    let Some((first, ..)) = positions.first() else {
        return Ok(());
    };
    let group = SlotGroup::of(*first);
    let keys: Vec<String> = positions
        .iter()
        .map(|(list, ..)| group.key(*list))
        .collect();
    let pairs = positions.iter().flat_map(|(_, id, guard)| {
        [
            Bytes::copy_from_slice(id.as_bytes()),
            Bytes::from(guard.text()),
        ]
    });
    let pairs: Vec<Bytes> = pairs.collect();
    let args: Vec<&[u8]> = pairs.iter().map(|part| &part[..]).collect();
    scripts
        .index_remove
        .call(&keys, &args)
        .ask(link, None)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Lists;
    use uuid::Uuid;

    use super::*;

    /// One position that existed before may belong to an earlier game with this id, so all positions are then set
    /// again.
    #[test]
    fn a_game_is_new_only_if_all_its_index_entries_are() {
        let mut row = IndexRow {
            tenant: String::from("red"),
            ruleset: String::from("dominion"),
            created_ms: 5,
            finished: false,
            lists: None,
        };
        let check = |row: &IndexRow| {
            let id = Uuid::from_u128(7);
            let writes = IndexWrites::of(
                id,
                row,
                IndexMode::New {
                    max: None,
                    size: 0,
                    max_bytes: None,
                },
            );
            let entries = index_entries(id, row).count();
            assert_eq!(writes.outcome(entries), IndexOutcome::Added);
            for fewer in 0..entries {
                assert_eq!(writes.outcome(fewer), IndexOutcome::AlreadyPresent);
            }
        };
        check(&row);
        row.lists = Some(Lists {
            changed_ms: 6,
            names: vec![String::from("mine"), String::from("*all")],
            timed: vec![(String::from("due"), 9)],
        });
        check(&row);
    }
}
