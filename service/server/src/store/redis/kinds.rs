//! The lists of games by what they are, in the order of creation: sorted sets like those of all games.
//!
//! A game comes into them before it exists, and into those of its end before it is over; it leaves those
//! of games that are played after that. So a list of a kind lacks none of its games, and the rows confirm
//! what it shows. That holds only if every process keeps these lists, and a process of an older build
//! does not. Each process therefore says that it does when it says how long games are to be kept
//! (`terms`), and whether they all do is known without gaps. Once they do, one of them puts all games
//! into these lists; until then, pages look at all games. The processes look every two seconds: what one of an
//! older build changes that comes and goes in between is put right within the hour.

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

/// Puts a game into the lists of what it is.
pub(super) async fn put(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    let scopes = [Scope::All, Scope::Tenant(&row.tenant)];
    try_join_all(scopes.map(|scope| put_all(link, scope, [(id, row)]))).await?;
    Ok(())
}

/// Takes a game out of the lists of those that are played.
pub(super) async fn end(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    leave(link, id, row, &[false]).await
}

/// Takes a game out of all these lists.
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

/// Puts games into the lists of what they are, and takes those that are over out of the others.
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
            // All scores are equal: members then sort by their bytes.
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

/// The lists that together have all games that a filter asks for; none: all games are asked for. Those of a
/// status are one for each ruleset.
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

/// The names of all kinds that there are or were.
async fn names(link: &Link, scope: Scope<'_>) -> Result<Vec<String>, StoreError> {
    let mut command = redis::cmd("ZRANGE");
    command.arg(scope.kinds()).arg(0).arg(-1);
    let names = link.ask(&command).await.map_err(|error| of_read(&error))?;
    let names = reply::list(names)?.into_iter().map(reply::bytes);
    let text = |name: bytes::Bytes| String::from_utf8_lossy(&name).into_owned();
    names.map(|name| name.map(text)).collect()
}

/// Takes places that lead nowhere out of all lists: nobody knows any more what was there.
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

/// Is it still known that every process has kept these lists since then, and that all games are in them?
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
