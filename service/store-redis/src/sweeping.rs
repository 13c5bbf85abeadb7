//! **Garbage collection** of lists: removes positions of expired games, restores positions that Redis has lost, trims
//! feeds, and counts again the bytes that tenants store.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::future::try_join_all;
use gamekeeper_store::lists::{List, Subset, index_entries};
use gamekeeper_store::{GameId, IndexRow, StoreError, sizes};
use redis::Value;

use super::errors::{damaged, of_read};
use super::keys::{SlotGroup, TENANTS, keys_of};
use super::link::Link;
use super::reading::{BATCH, NEWEST, Reader};
use super::reply;
use super::scripts::Scripts;
use super::{feeding, holdings};

/// Sweeps the lists that all tenants share, then those of each tenant.
pub(super) async fn sweep_all(
    link: &Link,
    scripts: &Scripts,
    now_ms: u64,
) -> Result<(), StoreError> {
    sweep(link, scripts, SlotGroup::All, now_ms).await?;
    let mut tenants = NameScan::of(TENANTS.to_owned());
    while let Some(tenants) = tenants.next(link).await? {
        for tenant in &tenants {
            sweep(link, scripts, SlotGroup::Tenant(tenant), now_ms).await?;
            feeding::trim(link, tenant, (now_ms, scripts.feed_retention_ms)).await?;
        }
    }
    Ok(())
}

/// Sweeps the list of all games of a tenant.
pub(super) async fn sweep_tenant(
    link: &Link,
    scripts: &Scripts,
    tenant: &str,
    now_ms: u64,
) -> Result<(), StoreError> {
    let list = List::Created(Some(tenant), Subset::All);
    sweep_list(link, scripts, list, now_ms).await
}

async fn sweep(
    link: &Link,
    scripts: &Scripts,
    group: SlotGroup<'_>,
    now_ms: u64,
) -> Result<(), StoreError> {
    let mut names = NameScan::of(group.names());
    while let Some(names) = names.next(link).await? {
        for name in &names {
            let Some(list) = group.list(name) else {
                tracing::warn!(set = group.names(), name, "a name is not that of a list");
                continue;
            };
            sweep_list(link, scripts, list, now_ms).await?;
            let mut exists = redis::cmd("EXISTS");
            exists.arg(group.key(list));
            let reply = link.ask(&exists).await;
            if reply.map_err(|error| of_read(&error))? == Value::Int(0) {
                let mut forget = redis::cmd("ZREM");
                forget.arg(group.names()).arg(name);
                let done = link.ask(&forget).await;
                done.map_err(|error| of_read(&error))?;
            }
        }
    }
    Ok(())
}

async fn sweep_list(
    link: &Link,
    scripts: &Scripts,
    list: List<'_>,
    now_ms: u64,
) -> Result<(), StoreError> {
    let reader = Reader::full_scan(link, scripts, list);
    let (mut after, mut size) = (Some(NEWEST), 0);
    while let Some(before) = after {
        let batch = reader.batch(before, BATCH, now_ms).await?;
        if matches!(list, List::Created(_, Subset::All)) {
            let ids = batch.positions.iter().map(|position| position.id);
            let games = ids.zip(&batch.rows);
            let games: Vec<(GameId, &IndexRow)> = games
                .filter_map(|(id, row)| Some((id, row.as_ref()?)))
                .collect();
            restore_positions(link, &games).await?;
            if matches!(list, List::Created(Some(_), _)) {
                size += measure(link, scripts, &games).await?;
            }
        }
        after = batch.next;
    }
    if let List::Created(Some(tenant), Subset::All) = list {
        holdings::set(link, tenant, size).await?;
    }
    Ok(())
}

/// Returns the size of games.
async fn measure(
    link: &Link,
    scripts: &Scripts,
    games: &[(GameId, &IndexRow)],
) -> Result<u64, StoreError> {
    let sizes = games.iter().map(|(id, row)| async move {
        let keys = keys_of(*id);
        let reply = scripts.measure.call(&keys, &[]).ask(link, None).await?;
        Ok::<_, StoreError>(match reply {
            Value::Int(size) => {
                u64::try_from(size).unwrap_or(0) + sizes::bytes(sizes::len_of_row(*id, row))
            }
            _ => return Err(damaged("an unexpected reply to the size of a game")),
        })
    });
    Ok(try_join_all(sizes).await?.into_iter().sum())
}

/// Writes the positions of games by creation and in timed lists, as their rows say.
async fn restore_positions(link: &Link, games: &[(GameId, &IndexRow)]) -> Result<(), StoreError> {
    let mut commands = BTreeMap::new();
    for (id, row) in games {
        for (list, position) in index_entries(*id, row) {
            if matches!(list, List::Created(..) | List::Timed(..)) {
                let key = SlotGroup::of(list).key(list);
                let command = commands.entry(key).or_insert_with_key(|key| {
                    let mut command = redis::cmd("ZADD");
                    command.arg(key);
                    command
                });
                command.arg(position.ms).arg(id.as_bytes());
            }
        }
    }
    let commands: Vec<redis::Cmd> = commands.into_values().collect();
    try_join_all(commands.iter().map(|command| link.ask(command)))
        .await
        .map_err(|error| of_read(&error))?;
    Ok(())
}

/// The members of a set of names, read batch by batch.
struct NameScan {
    key: String,
    /// The start of the range that is read next. Is `None` once the set was read to its end.
    next_bound: Option<Vec<u8>>,
}

impl NameScan {
    fn of(key: String) -> NameScan {
        let next_bound = Some(b"-".to_vec());
        NameScan { key, next_bound }
    }

    /// Returns the next names, or `None` at the end of the set.
    async fn next(&mut self, link: &Link) -> Result<Option<Vec<String>>, StoreError> {
        let Some(from) = self.next_bound.take() else {
            return Ok(None);
        };
        let mut command = redis::cmd("ZRANGEBYLEX");
        command.arg(&self.key).arg(from).arg("+");
        command.arg("LIMIT").arg(0).arg(BATCH);
        let reply = link.ask(&command).await.map_err(|error| of_read(&error))?;
        let members = reply::list(reply)?.into_iter().map(reply::bytes);
        let members: Vec<Bytes> = members.collect::<Result<_, _>>()?;
        self.next_bound = bound_after(&members);
        let names = members.into_iter().filter_map(|member| {
            let name = String::from_utf8(member.into());
            if name.is_err() {
                tracing::warn!(set = self.key, "a member is not a name");
            }
            name.ok()
        });
        Ok(Some(names.collect()))
    }
}

/// Returns the start of the range after the names that were read, or `None` if there are no more.
fn bound_after(read: &[Bytes]) -> Option<Vec<u8>> {
    let last = read.last().filter(|_| read.len() >= BATCH)?;
    Some([b"(".as_slice(), last].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_on_behind_the_last_one_of_a_whole_batch() {
        let names = |count: usize| -> Vec<Bytes> {
            let names = (0..count).map(|number| Bytes::from(format!("tenant {number}")));
            names.collect()
        };
        let last = format!("(tenant {}", BATCH - 1);
        assert_eq!(bound_after(&names(BATCH)), Some(last.into_bytes()));
        for fewer in [0, 1, BATCH - 1] {
            assert_eq!(bound_after(&names(fewer)), None);
        }
    }
}
