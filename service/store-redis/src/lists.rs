//! The lists of games: sorted sets of games by time, created or last changed. Their keys are separate from those of
//! the games, and in a cluster may lie on other nodes; all lists of a tenant share a slot, and so do those of all
//! tenants together.
//!
//! A list is never changed atomically with a game. A game is added to its lists, or moved to their front, before it
//! exists or its row is written, and removed from other lists afterward. A list therefore contains at least the games
//! that belong there; readers check each place against the row of its game (`reading`). Only a Redis that lost its
//! last changes can lack a game. Such a game returns to its lists with its next change of the row, when it is loaded
//! cold, or with the hourly sweep (`sweeping`).

use bytes::Bytes;
use gamekeeper_store::lists::{List, places};
use gamekeeper_store::{GameId, IndexRow, Place, StoreError};
use redis::Value;
use tokio::try_join;

use super::config::ReplicaWait;
use super::errors::{damaged, of_read};
use super::keys::{Group, Key, TENANTS};
use super::link::Link;
use super::scripts::{Change, Scripts};

/// The mode in which a game is added to lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The game may exist already, so its present places are kept.
    New {
        /// The maximum number of games of the tenant. Is `None` if there is no limit.
        max: Option<u64>,
    },
    /// The game exists and has this row: all its places are set.
    Known,
    /// The game exists and stays in the same lists by creation: only its places in other lists are set.
    Moved,
}

/// The result of adding a game to its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enlisted {
    /// All places are new.
    Added,
    /// Some places existed before.
    Before,
    /// The tenant has reached its limit.
    Full,
}

/// A place to write, and the flag of `ZADD` to write it with.
struct Entry<'a> {
    list: List<'a>,
    how: &'static str,
    time: u64,
}

/// A change of a game that is made after the game has its places.
pub(super) struct Following<'a> {
    pub(super) script: &'a Change,
    pub(super) keys: &'a [Key],
    pub(super) args: &'a [&'a [u8]],
    pub(super) wait: Option<ReplicaWait>,
}

/// Adds a game to the lists that its row names, or moves it to their front.
pub(super) async fn enlist(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    row: &IndexRow,
    how: How,
) -> Result<Enlisted, StoreError> {
    let written = Written::of(id, row, how);
    let (tenant, all, ()) = try_join!(
        write(link, scripts, &written.of_tenant),
        write(link, scripts, &written.of_all),
        name_tenant(link, written.tenant),
    )?;
    Ok(match (usize::try_from(tenant), usize::try_from(all)) {
        (Ok(tenant), Ok(all)) => written.enlisted(tenant + all),
        (Err(_), _) | (_, Err(_)) => Enlisted::Full,
    })
}

/// Adds a game to its lists like [`enlist`] and then makes a change, in one round trip unless the lists may lie on
/// other nodes. If the tenant has reached its limit, the change is not made and its answer is `Nil`.
pub(super) async fn enlist_and_change(
    link: &Link,
    scripts: &Scripts,
    (id, row, how): (GameId, &IndexRow, How),
    change: &Following<'_>,
) -> Result<(Enlisted, Value), StoreError> {
    if matches!(link, Link::Cluster(_)) {
        let enlisted = enlist(link, scripts, id, row, how).await?;
        if enlisted == Enlisted::Full {
            return Ok((enlisted, Value::Nil));
        }
        let call = change.script.alone.call(change.keys, change.args);
        return Ok((enlisted, call.change(link, change.wait).await?));
    }
    let written = Written::of(id, row, how);
    let calls = [&written.of_tenant, &written.of_all];
    let mut keys = vec![TENANTS.to_owned()];
    keys.extend(calls.iter().flat_map(|call| call.keys.clone()));
    keys.extend(change.keys.iter().map(ToString::to_string));
    let counts = calls
        .iter()
        .flat_map(|call| [call.keys.len(), call.args.len()]);
    let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
    let mut args: Vec<&[u8]> = vec![written.tenant.unwrap_or_default().as_bytes()];
    args.extend(counts.iter().map(String::as_bytes));
    args.extend(calls.iter().flat_map(|call| &call.args).map(Vec::as_slice));
    args.extend(change.args);
    let call = change.script.placed.call(&keys, &args);
    match call.change(link, change.wait).await? {
        Value::Int(-1) => Ok((Enlisted::Full, Value::Nil)),
        Value::Array(both) => match <[Value; 2]>::try_from(both) {
            Ok([Value::Int(added), answer]) => Ok((
                written.enlisted(usize::try_from(added).unwrap_or(0)),
                answer,
            )),
            Ok(_) | Err(_) => Err(damaged("an unexpected reply to places and a change")),
        },
        _ => Err(damaged("an unexpected reply to places and a change")),
    }
}

/// The places of a game, as arguments of the script `enlist`.
struct Written<'a> {
    of_tenant: Places,
    of_all: Places,
    /// The tenant, if it may have to be added to the set of tenants.
    tenant: Option<&'a str>,
    count: usize,
}

/// KEYS and ARGV of the script call that updates the places of a game in the lists of one slot. Empty if there is
/// nothing to update.
#[derive(Default)]
struct Places {
    keys: Vec<String>,
    args: Vec<Vec<u8>>,
}

impl<'a> Written<'a> {
    fn of(id: GameId, row: &'a IndexRow, how: How) -> Written<'a> {
        let entries = places(id, row).filter_map(|(list, place)| entry(list, place, how));
        let (of_tenant, of_all): (Vec<_>, Vec<_>) =
            entries.partition(|entry| Group::of(entry.list) != Group::All);
        let max = match how {
            How::New { max } => max,
            How::Known | How::Moved => None,
        };
        Written {
            count: of_tenant.len() + of_all.len(),
            of_tenant: Places::of(id, &of_tenant, (max, how)),
            of_all: Places::of(id, &of_all, (None, how)),
            tenant: (how != How::Moved).then_some(&row.tenant),
        }
    }

    fn enlisted(&self, added: usize) -> Enlisted {
        if added == self.count {
            Enlisted::Added
        } else {
            Enlisted::Before
        }
    }
}

fn entry(list: List<'_>, place: Place, how: How) -> Option<Entry<'_>> {
    let flag = match (list, how) {
        // A slower process with an older time must not move the game back.
        (List::Named(..) | List::Shared(_), _) => "GT",
        (List::Created(..) | List::Timed(..), How::New { .. }) => "NX",
        (List::Created(..), How::Known) => "CH",
        // A deadline may move to an earlier time. Readers compare the place with the row.
        (List::Timed(..), How::Known | How::Moved) => "CH",
        (List::Created(..), How::Moved) => return None,
    };
    Some(Entry {
        list,
        how: flag,
        time: place.ms,
    })
}

impl Places {
    fn of(id: GameId, entries: &[Entry<'_>], (max, how): (Option<u64>, How)) -> Places {
        let Some(first) = entries.first() else {
            return Places::default();
        };
        let group = Group::of(first.list);
        let mut keys = vec![group.names()];
        keys.extend(entries.iter().map(|entry| group.key(entry.list)));
        let max = max.map_or_else(|| String::from("-1"), |max| max.to_string());
        let mut args = vec![id.as_bytes().to_vec(), max.into_bytes()];
        for entry in entries {
            args.extend([entry.how.into(), entry.time.to_string().into_bytes()]);
        }
        // A game that only moves is already in its tenant's lists, so the set has their names.
        let is_new = |entry: &&Entry<'_>| {
            how != How::Moved || matches!(entry.list, List::Shared(_) | List::Timed(..))
        };
        let names = entries.iter().filter(is_new);
        args.extend(names.map(|entry| Group::name(entry.list).into_bytes()));
        Places { keys, args }
    }
}

/// Writes places in lists of one slot. Returns how many are new, or -1 if the tenant has reached its limit.
async fn write(link: &Link, scripts: &Scripts, places: &Places) -> Result<i64, StoreError> {
    if places.keys.is_empty() {
        return Ok(0);
    }
    let args: Vec<&[u8]> = places.args.iter().map(Vec::as_slice).collect();
    match scripts
        .enlist
        .call(&places.keys, &args)
        .ask(link, None)
        .await?
    {
        Value::Int(added) => Ok(added),
        _ => Err(damaged("an unexpected reply to places in lists")),
    }
}

async fn name_tenant(link: &Link, tenant: Option<&str>) -> Result<(), StoreError> {
    let Some(tenant) = tenant else {
        return Ok(());
    };
    let mut command = redis::cmd("ZADD");
    command.arg(TENANTS).arg(0).arg(tenant);
    let answer = link.ask(&command).await;
    answer.map(drop).map_err(|error| of_read(&error))
}

/// Removes a game from the lists that `before` names and `now` does not, or from all of them if `now` is `None`
/// because the game was deleted. A later time protects a place that another process has written since.
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
            (List::Timed(..), _) => Since::Exactly(place.ms),
            (List::Named(..) | List::Shared(_), Some(changed)) => Since::Before(changed.changed_ms),
            (List::Named(..) | List::Shared(_), None) | (List::Created(..), _) => {
                Since::Before(place.ms.saturating_add(1))
            }
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

/// The condition on which a place of a game is removed from a list: an earlier time, or exactly this time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Since {
    Before(u64),
    Exactly(u64),
}

impl Since {
    /// Returns the condition for removing a place that was found in a list.
    pub(super) fn found(list: List<'_>, place: Place) -> Since {
        match list {
            List::Timed(..) => Since::Exactly(place.ms),
            List::Created(..) | List::Named(..) | List::Shared(_) => {
                Since::Before(place.ms.saturating_add(1))
            }
        }
    }

    fn text(self) -> String {
        match self {
            Since::Before(ms) => ms.to_string(),
            Since::Exactly(ms) => format!("={ms}"),
        }
    }
}

/// Sets the place of a game in a timed list to the time in its row, if the list still contains the game.
pub(super) async fn correct(link: &Link, list: List<'_>, place: Place) -> Result<(), StoreError> {
    let mut command = redis::cmd("ZADD");
    command.arg(Group::of(list).key(list)).arg("XX");
    command.arg(place.ms).arg(place.id.as_bytes());
    let answer = link.ask(&command).await;
    answer.map(drop).map_err(|error| of_read(&error))
}

/// Removes places from lists of one slot, except those whose condition no longer holds.
pub(super) async fn remove(
    link: &Link,
    scripts: &Scripts,
    places: &[(List<'_>, GameId, Since)],
) -> Result<(), StoreError> {
    let Some((first, ..)) = places.first() else {
        return Ok(());
    };
    let group = Group::of(*first);
    let keys: Vec<String> = places.iter().map(|(list, ..)| group.key(*list)).collect();
    let pairs = places.iter().flat_map(|(_, id, since)| {
        [
            Bytes::copy_from_slice(id.as_bytes()),
            Bytes::from(since.text()),
        ]
    });
    let pairs: Vec<Bytes> = pairs.collect();
    let args: Vec<&[u8]> = pairs.iter().map(|part| &part[..]).collect();
    scripts.delist.call(&keys, &args).ask(link, None).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::Lists;
    use uuid::Uuid;

    use super::*;

    /// One place that existed before may belong to an earlier game with this id, so all places are then set again.
    #[test]
    fn a_game_has_only_new_places_if_each_of_them_is_new() {
        let mut row = IndexRow {
            tenant: String::from("red"),
            ruleset: String::from("dominion"),
            created_ms: 5,
            finished: false,
            lists: None,
        };
        let check = |row: &IndexRow| {
            let id = Uuid::from_u128(7);
            let written = Written::of(id, row, How::New { max: None });
            let places = places(id, row).count();
            assert_eq!(written.enlisted(places), Enlisted::Added);
            for fewer in 0..places {
                assert_eq!(written.enlisted(fewer), Enlisted::Before);
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
