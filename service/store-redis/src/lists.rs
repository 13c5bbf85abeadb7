//! The lists of games: sorted sets of games by time, created or last changed. Their keys are separate from those of
//! the games, and in a cluster may lie on other nodes; all lists of a tenant share a slot, and so do those of all
//! tenants together.
//!
//! A list is never changed atomically with a game. A game is added to its lists, or moved to their front, before it
//! exists or its row is written, and removed from other lists afterward. A list therefore contains at least the games
//! that belong there; rows confirm what it shows (`reading`). Only a Redis that lost its last changes can lack a
//! game, which then returns to its lists with its next change of the row, when it is loaded cold, or with the hourly
//! sweep (`sweeping`).

use bytes::Bytes;
use gamekeeper_store::lists::{List, places};
use gamekeeper_store::{GameId, IndexRow, Place, StoreError};
use redis::Value;
use tokio::try_join;

use super::errors::{damaged, of_read};
use super::keys::{Group, TENANTS};
use super::link::Link;
use super::scripts::Scripts;

/// How a game gets its places in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The game may exist already: what it has stays.
    New {
        /// The maximum number of games of the tenant. `None`: no limit.
        max: Option<u64>,
    },
    /// The game exists and has this row: all its places.
    Known,
    /// The game exists, and is still in the same lists by creation: the others.
    Moved,
}

/// What became of the places of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enlisted {
    /// The game has new places.
    Added,
    /// Some places were there before.
    Before,
    /// The tenant has no room for another game.
    Full,
}

/// A place to write, and how.
struct Entry<'a> {
    list: List<'a>,
    how: &'static str,
    time: u64,
}

/// Adds a game to the lists that its row names, or moves it to their front.
pub(super) async fn enlist(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    row: &IndexRow,
    how: How,
) -> Result<Enlisted, StoreError> {
    let entries = places(id, row).map(|(list, place)| entry(list, place, how));
    let (of_tenant, of_all): (Vec<_>, Vec<_>) = entries
        .flatten()
        .partition(|entry| Group::of(entry.list) != Group::All);
    let max = match how {
        How::New { max } => max,
        How::Known | How::Moved => None,
    };
    let wanted = of_tenant.len() + of_all.len();
    let (tenant, all, ()) = try_join!(
        write(link, scripts, id, &of_tenant, (max, how)),
        write(link, scripts, id, &of_all, (None, how)),
        name_tenant(link, &row.tenant, how),
    )?;
    Ok(match (usize::try_from(tenant), usize::try_from(all)) {
        (Ok(tenant), Ok(all)) if tenant + all == wanted => Enlisted::Added,
        (Ok(_), _) => Enlisted::Before,
        (Err(_), _) => Enlisted::Full,
    })
}

fn entry(list: List<'_>, place: Place, how: How) -> Option<Entry<'_>> {
    let flag = match (list, how) {
        // A slower process with an older time does not move the game back.
        (List::Named(..), _) => "GT",
        (List::Created(..), How::New { .. }) => "NX",
        (List::Created(..), How::Known) => "CH",
        (List::Created(..), How::Moved) => return None,
    };
    Some(Entry {
        list,
        how: flag,
        time: place.ms,
    })
}

/// Writes places in lists of one slot. Returns how many are new, or -1 if there is no room.
async fn write(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    entries: &[Entry<'_>],
    (max, how): (Option<u64>, How),
) -> Result<i64, StoreError> {
    let Some(first) = entries.first() else {
        return Ok(0);
    };
    let group = Group::of(first.list);
    let mut keys = vec![group.names()];
    keys.extend(entries.iter().map(|entry| group.key(entry.list)));
    let max = max.map_or_else(|| String::from("-1"), |max| max.to_string());
    let times = entries.iter();
    let times: Vec<String> = times.map(|entry| entry.time.to_string()).collect();
    let mut args: Vec<&[u8]> = vec![id.as_bytes(), max.as_bytes()];
    for (entry, time) in entries.iter().zip(&times) {
        args.extend([entry.how.as_bytes(), time.as_bytes()]);
    }
    // The names of the lists of a game that only moves are known.
    let names = entries.iter().filter(|_| how != How::Moved);
    let names: Vec<String> = names.map(|entry| Group::name(entry.list)).collect();
    args.extend(names.iter().map(String::as_bytes));
    match scripts.enlist.call(&keys, &args).ask(link, None).await? {
        Value::Int(added) => Ok(added),
        _ => Err(damaged("an unexpected reply to places in lists")),
    }
}

async fn name_tenant(link: &Link, tenant: &str, how: How) -> Result<(), StoreError> {
    if how == How::Moved {
        return Ok(());
    }
    let mut command = redis::cmd("ZADD");
    command.arg(TENANTS).arg(0).arg(tenant);
    let answer = link.ask(&command).await;
    answer.map(drop).map_err(|error| of_read(&error))
}

/// Removes a game from the lists that `before` names and `now` does not; `None`: the game is deleted. If another
/// process has added the game again since, the later time keeps it there.
pub(super) async fn delist(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    before: &IndexRow,
    now: Option<&IndexRow>,
) -> Result<(), StoreError> {
    let kept: Vec<List<'_>> = now.map_or_else(Vec::new, |now| {
        places(id, now).map(|(list, _)| list).collect()
    });
    let changed = now.and_then(|now| now.lists.as_ref());
    let left = places(id, before).filter(|(list, _)| !kept.contains(list));
    let left = left.map(|(list, place)| {
        let since = match (list, changed) {
            (List::Named(..), Some(changed)) => changed.changed_ms,
            (List::Named(..), None) | (List::Created(..), _) => place.ms.saturating_add(1),
        };
        (list, id, since)
    });
    let (of_tenant, of_all): (Vec<_>, Vec<_>) =
        left.partition(|(list, ..)| Group::of(*list) != Group::All);
    try_join!(
        remove(link, scripts, &of_tenant),
        remove(link, scripts, &of_all)
    )?;
    Ok(())
}

/// Removes places of lists of one slot, unless the game has this time there or a later one.
pub(super) async fn remove(
    link: &Link,
    scripts: &Scripts,
    places: &[(List<'_>, GameId, u64)],
) -> Result<(), StoreError> {
    let Some((first, ..)) = places.first() else {
        return Ok(());
    };
    let group = Group::of(*first);
    let keys: Vec<String> = places.iter().map(|(list, ..)| group.key(*list)).collect();
    let pairs = places.iter().flat_map(|(_, id, since)| {
        [
            Bytes::copy_from_slice(id.as_bytes()),
            Bytes::from(since.to_string()),
        ]
    });
    let pairs: Vec<Bytes> = pairs.collect();
    let args: Vec<&[u8]> = pairs.iter().map(|part| &part[..]).collect();
    scripts.delist.call(&keys, &args).ask(link, None).await?;
    Ok(())
}
