//! The lists of games by kind, in the order of creation: sorted sets like those of all games.
//!
//! A game is added to the list of active games before it exists, and to that of finished games before it is
//! over; only then does it leave the active ones. A list of a kind therefore never lacks a game, and rows
//! confirm what it shows. This holds only if every process maintains these lists, which processes of older
//! builds do not. Each process therefore announces that it does, together with its retention time
//! (`terms`), so it is known without gaps whether all do. Once all do, one process adds all games
//! to these lists; until then, pages scan the lists of all games. Processes check this every two seconds, and each
//! page checks again that no process of an older build is announced.
//!
//! An older process can therefore hide a game only if no process sees it: it comes and goes between two checks, or
//! a change that it sent arrives after it has left. A game that it creates or ends then lacks a place here, while
//! the lists of all games have it. It is missing from pages of its kind until the hourly sweep or a cold load
//! adds it: for about an hour, or longer if a sweep fails. While no process of this build is announced, nothing is
//! known, and the lists are then filled anew.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use redis::{Cmd, Value};

use super::errors::of_read;
use super::keys::{KINDS_SINCE, KINDS_WHOLE, Scope, WANTED};
use super::link::Link;
use super::reply;
use super::scripts::Scripts;
use crate::store::kinds::{self, Kind};
use crate::store::row::{self, PLACE_LEN, encode_place};
use crate::store::{GameId, IndexRow, ListFilter, Place, StoreError};

type Member = [u8; PLACE_LEN];

/// Adds a game to the lists of its kind.
pub(super) async fn put(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    let scopes = [Scope::All, Scope::Tenant(&row.tenant)];
    try_join_all(scopes.map(|scope| put_all(link, scope, [(id, row)]))).await?;
    Ok(())
}

/// Removes a game from the lists of active games.
pub(super) async fn end(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    leave(link, id, row, &[false]).await
}

/// Removes a game from all lists of kinds.
pub(super) async fn remove(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    leave(link, id, row, &[false, true]).await
}

async fn leave(
    link: &Link,
    id: GameId,
    row: &IndexRow,
    statuses: &[bool],
) -> Result<(), StoreError> {
    let scopes = [Scope::All, Scope::Tenant(&row.tenant)];
    let left = scopes.map(|scope| leave_all(link, scope, [(id, row)], statuses));
    try_join_all(left).await?;
    Ok(())
}

/// Adds games to the lists of their kinds, and removes finished ones from the lists of active games.
pub(super) async fn sort(
    link: &Link,
    scope: Scope<'_>,
    games: &[(GameId, &IndexRow)],
) -> Result<(), StoreError> {
    let over = games.iter().filter(|(_, row)| row.finished);
    tokio::try_join!(
        put_all(link, scope, games.iter().copied()),
        leave_all(link, scope, over.copied(), &[false]),
    )?;
    Ok(())
}

async fn put_all(
    link: &Link,
    scope: Scope<'_>,
    games: impl IntoIterator<Item = (GameId, &IndexRow)>,
) -> Result<(), StoreError> {
    let mut lists: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    for (id, row) in games {
        note(&mut lists, id, row, row.finished);
    }
    if lists.is_empty() {
        return Ok(());
    }
    let mut names = redis::cmd("ZADD");
    names.arg(scope.kinds());
    let mut commands = Vec::with_capacity(1 + lists.len());
    for (name, members) in &lists {
        names.arg(0).arg(name);
        let mut command = redis::cmd("ZADD");
        command.arg(scope.kind(name));
        for member in members {
            // With equal scores, members sort by their bytes.
            command.arg(0).arg(member);
        }
        commands.push(command);
    }
    commands.push(names);
    ask_each(link, &commands).await
}

async fn leave_all(
    link: &Link,
    scope: Scope<'_>,
    games: impl IntoIterator<Item = (GameId, &IndexRow)>,
    statuses: &[bool],
) -> Result<(), StoreError> {
    let mut lists: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    for (id, row) in games {
        for finished in statuses {
            note(&mut lists, id, row, *finished);
        }
    }
    let lists = lists.into_iter();
    let commands: Vec<Cmd> = lists
        .map(|(name, members)| forget_in(&scope.kind(&name), &members))
        .collect();
    ask_each(link, &commands).await
}

fn note(lists: &mut BTreeMap<String, Vec<Member>>, id: GameId, row: &IndexRow, finished: bool) {
    let ruleset = Some(row.ruleset.as_str());
    let kind = Kind { ruleset, finished };
    let member = encode_place(row::place_of(id, row));
    lists.entry(kind.name()).or_default().push(member);
}

/// The keys of the lists that together contain every game that a filter may match. `None`: the filter names
/// neither ruleset nor status. A status has one list for each ruleset.
pub(super) async fn lists_of(
    link: &Link,
    scope: Scope<'_>,
    filter: &ListFilter,
) -> Result<Option<Vec<String>>, StoreError> {
    let asked = kinds::asked(filter);
    let names = match asked.as_slice() {
        [] => return Ok(None),
        [kind] if kind.ruleset.is_none() => {
            let status = [&kind.name(), " "].concat();
            let mut names = names(link, scope).await?;
            names.retain(|name| name.starts_with(&status));
            names
        }
        kinds => kinds.iter().map(|kind| kind.name()).collect(),
    };
    Ok(Some(names.iter().map(|name| scope.kind(name)).collect()))
}

/// The names of all kinds that have or had games.
async fn names(link: &Link, scope: Scope<'_>) -> Result<Vec<String>, StoreError> {
    let mut command = redis::cmd("ZRANGE");
    command.arg(scope.kinds()).arg(0).arg(-1);
    let names = link.ask(&command).await.map_err(|error| of_read(&error))?;
    let names = reply::list(names)?.into_iter().map(reply::bytes);
    let text = |name: bytes::Bytes| String::from_utf8_lossy(&name).into_owned();
    names.map(|name| name.map(text)).collect()
}

/// Removes places without a game from the list of all games and from every list of kinds: the kind of the
/// game is no longer known.
pub(super) async fn forget(
    link: &Link,
    scope: Scope<'_>,
    places: &[Place],
) -> Result<(), StoreError> {
    let members: Vec<Member> = places.iter().copied().map(encode_place).collect();
    let mut commands = vec![forget_in(&scope.games(), &members)];
    for name in names(link, scope).await? {
        commands.push(forget_in(&scope.kind(&name), &members));
    }
    ask_each(link, &commands).await
}

fn forget_in(list: &str, members: &[Member]) -> Cmd {
    let mut command = redis::cmd("ZREM");
    command.arg(list);
    for member in members {
        command.arg(member);
    }
    command
}

async fn ask_each(link: &Link, commands: &[Cmd]) -> Result<(), StoreError> {
    try_join_all(commands.iter().map(|command| link.ask(command)))
        .await
        .map_err(|error| of_read(&error))?;
    Ok(())
}

/// Whether it is still known that every process has maintained these lists since then and that they
/// contain all games.
pub(super) async fn are_whole(
    link: &Link,
    scripts: &Scripts,
    since: &str,
) -> Result<bool, StoreError> {
    let keys = [WANTED, KINDS_SINCE, KINDS_WHOLE].map(str::to_owned);
    let args: [&[u8]; 1] = [since.as_bytes()];
    let answer = scripts.whole.call(&keys, &args).ask(link, None).await?;
    Ok(answer == Value::Int(1))
}
