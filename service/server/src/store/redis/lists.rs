//! The named lists of tenants: sorted sets, ordered by the last change of the games. Their keys are
//! separate from those of the games, and in a cluster may lie on another node.
//!
//! A list contains at least the games that belong there. A game is added to its lists, or moved to their
//! front, before its row is written, and removed from other lists afterward. A list is therefore only
//! a guess, which rows confirm: a game whose row does not name the list is skipped when the list
//! is read, and removed once its place is old. A list must never lack a game. Only a Redis that lost
//! its last changes can cause that; the game then returns to its lists with its next change of the row, or
//! when it is loaded cold.

use bytes::Bytes;
use redis::Value;
use uuid::Uuid;

use super::errors::{damaged, of_read};
use super::index::{self, BATCH, Sweep, first_batch};
use super::keys::{Scope, TENANTS, list_of, names_of};
use super::link::Link;
use super::reply;
use super::rows::confirm;
use super::scripts::Scripts;
use crate::store::row::{self, listed};
use crate::store::{
    GameId, IndexRow, LOOKED_AT, ListFilter, ListPage, ListedGame, Place, StoreError,
};

/// Adds a game to the lists that its row names, or moves it to their front. `are_new`: some of the names may
/// be new to the tenant.
pub(super) async fn enlist(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    row: &IndexRow,
    are_new: bool,
) -> Result<(), StoreError> {
    let Some((place, names)) = listed(id, row) else {
        return Ok(());
    };
    let mut keys = vec![names_of(&row.tenant)];
    keys.extend(names.iter().map(|name| list_of(&row.tenant, name)));
    let time = place.ms.to_string();
    let mut args: Vec<&[u8]> = vec![id.as_bytes(), time.as_bytes()];
    if are_new {
        args.extend(names.iter().map(String::as_bytes));
    }
    scripts.enlist.call(&keys, &args).ask(link, None).await?;
    Ok(())
}

/// Removes a game from the lists that `before` names and `now` does not. If another process has added the
/// game again since, the later time keeps it there.
pub(super) async fn delist(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    before: &IndexRow,
    now: Option<&IndexRow>,
) -> Result<(), StoreError> {
    let kept = now.map_or(&[][..], IndexRow::list_names);
    let left = before.list_names().iter();
    let left = left.filter(|name| !kept.contains(name));
    let keys: Vec<String> = left.map(|name| list_of(&before.tenant, name)).collect();
    if keys.is_empty() {
        return Ok(());
    }
    let since = match now.map(|now| now.lists.as_ref()) {
        Some(Some(lists)) => lists.changed_ms,
        // The game is in no list any more, or deleted.
        Some(None) | None => before
            .lists
            .as_ref()
            .map_or(0, |lists| lists.changed_ms.saturating_add(1)),
    };
    let since = since.to_string();
    let args: [&[u8]; 2] = [id.as_bytes(), since.as_bytes()];
    scripts.delist.call(&keys, &args).ask(link, None).await?;
    Ok(())
}

/// A page of the first list that a filter names, last change first.
pub(super) async fn page(
    link: &Link,
    scripts: &Scripts,
    filter: &ListFilter,
    after: Option<Place>,
    limit: usize,
    now_ms: u64,
) -> Result<ListPage, StoreError> {
    let (Some(tenant), Some(name)) = (&filter.tenant, filter.lists.first()) else {
        return Ok(ListPage::default());
    };
    let list = List {
        link,
        scripts,
        tenant,
        name,
    };
    let (from, until) = row::bounds(filter, after);
    let (mut page, mut after, mut looked_at) = (ListPage::default(), until, 0);
    let mut wanted = first_batch(limit);
    loop {
        let (places, is_last) = list.places(from, after, wanted).await?;
        let found = list.confirmed(&places, now_ms).await?;
        for (place, row) in places.iter().zip(found) {
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
        match places.last() {
            Some(last) if !is_last => after = *last,
            Some(_) | None => {
                page.next = None;
                return Ok(page);
            }
        }
        if page.games.len() >= limit || looked_at >= LOOKED_AT {
            return Ok(page);
        }
    }
}

/// Removes games that do not belong there from all named lists of a tenant, and the names of lists that are
/// now empty.
async fn tidy(link: &Link, scripts: &Scripts, tenant: &str, now_ms: u64) -> Result<(), StoreError> {
    let mut names = Names::of(names_of(tenant));
    while let Some(names) = names.next(link).await? {
        for name in &names {
            let list = List {
                link,
                scripts,
                tenant,
                name,
            };
            list.tidy(now_ms).await?;
        }
    }
    Ok(())
}

/// Sweeps all games: in the lists of all tenants, then tenant by tenant.
pub(super) async fn sweep_all(
    link: &Link,
    scripts: &Scripts,
    sweep: Sweep,
) -> Result<(), StoreError> {
    index::sweep(link, Scope::All, sweep).await?;
    let mut tenants = Names::of(TENANTS.to_owned());
    while let Some(tenants) = tenants.next(link).await? {
        for tenant in &tenants {
            index::sweep(link, Scope::Tenant(tenant), sweep).await?;
            if let Sweep::Tidy(now_ms) = sweep {
                tidy(link, scripts, tenant, now_ms).await?;
            }
        }
    }
    Ok(())
}

/// The members of a set of names, read batch by batch.
struct Names {
    key: String,
    /// The bound of the range that is read next. `None`: the set was read to its end.
    from: Option<Vec<u8>>,
}

impl Names {
    fn of(key: String) -> Names {
        let from = Some(b"-".to_vec());
        Names { key, from }
    }

    /// The next names. `None`: there are no more.
    async fn next(&mut self, link: &Link) -> Result<Option<Vec<String>>, StoreError> {
        let Some(from) = self.from.take() else {
            return Ok(None);
        };
        let mut command = redis::cmd("ZRANGEBYLEX");
        command.arg(&self.key).arg(from).arg("+");
        command.arg("LIMIT").arg(0).arg(BATCH);
        let answer = link.ask(&command).await.map_err(|error| of_read(&error))?;
        let members = reply::list(answer)?.into_iter().map(reply::bytes);
        let members: Vec<Bytes> = members.collect::<Result<_, _>>()?;
        if members.len() >= BATCH {
            let last = members.last();
            self.from = last.map(|last| [b"(".as_slice(), last].concat());
        }
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

/// A named list of a tenant.
struct List<'a> {
    link: &'a Link,
    scripts: &'a Scripts,
    tenant: &'a str,
    name: &'a str,
}

impl List<'_> {
    fn key(&self) -> String {
        list_of(self.tenant, self.name)
    }

    /// The next places, newest first, before `until` and no older than `from`, and whether they are the last.
    async fn places(
        &self,
        from: Place,
        until: Place,
        wanted: usize,
    ) -> Result<(Vec<Place>, bool), StoreError> {
        let keys = [self.key()];
        let latest = match until.ms {
            u64::MAX => String::from("+inf"),
            ms => ms.to_string(),
        };
        let (earliest, count) = (from.ms.to_string(), wanted.to_string());
        let mut skipped = 0;
        loop {
            let skip = skipped.to_string();
            let args = [&latest, &earliest, &skip, &count].map(String::as_bytes);
            let call = self.scripts.listed.call(&keys, &args);
            let members = read_members(call.ask(self.link, None).await?)?;
            let is_last = members.len() < wanted;
            skipped += members.len();
            let foreign = members.iter().filter(|member| member.is_none()).count();
            if foreign > 0 {
                let lists = names_of(self.tenant);
                tracing::warn!(%lists, foreign, "a named list has members that are not places");
            }
            // Of games changed in the same millisecond as `until`, some were on the page before.
            let places = members.into_iter().flatten().filter(|place| *place < until);
            let places: Vec<Place> = places.collect();
            if is_last || !places.is_empty() {
                return Ok((places, is_last));
            }
        }
    }

    /// The rows of these games; `None` for games that do not belong to the list. Those are removed from it,
    /// unless their places are young (their rows may be about to be written) or their rows cannot be read.
    async fn confirmed(
        &self,
        places: &[Place],
        now_ms: u64,
    ) -> Result<Vec<Option<IndexRow>>, StoreError> {
        let confirmed = confirm(self.link, places, now_ms, |_, row| self.is_of(row)).await?;
        self.forget(&confirmed.stale).await?;
        Ok(confirmed.rows)
    }

    fn is_of(&self, row: &IndexRow) -> bool {
        row.tenant == self.tenant && row.list_names().iter().any(|name| name == self.name)
    }

    async fn forget(&self, places: &[Place]) -> Result<(), StoreError> {
        if places.is_empty() {
            return Ok(());
        }
        let keys = [self.key()];
        let times: Vec<String> = places
            .iter()
            .map(|place| place.ms.saturating_add(1).to_string())
            .collect();
        let mut args: Vec<&[u8]> = Vec::with_capacity(2 * places.len());
        for (place, time) in places.iter().zip(&times) {
            args.extend([place.id.as_bytes().as_slice(), time.as_bytes()]);
        }
        let call = self.scripts.delist.call(&keys, &args);
        call.ask(self.link, None).await.map(drop)
    }

    async fn tidy(&self, now_ms: u64) -> Result<(), StoreError> {
        let end = |ms| Place {
            ms,
            id: Uuid::nil(),
        };
        let mut after = end(u64::MAX);
        loop {
            let (places, is_last) = self.places(end(0), after, BATCH).await?;
            self.confirmed(&places, now_ms).await?;
            match places.last() {
                Some(last) if !is_last => after = *last,
                Some(_) | None => break,
            }
        }
        let mut exists = redis::cmd("EXISTS");
        exists.arg(self.key());
        let answer = self.link.ask(&exists).await;
        if answer.map_err(|error| of_read(&error))? == Value::Int(0) {
            let mut forget = redis::cmd("ZREM");
            forget.arg(names_of(self.tenant)).arg(self.name);
            let done = self.link.ask(&forget).await;
            done.map_err(|error| of_read(&error))?;
        }
        Ok(())
    }
}

/// Reads a reply of alternating games and times. `None`: a member that is not a place. No build writes such members.
fn read_members(answer: Value) -> Result<Vec<Option<Place>>, StoreError> {
    let found = reply::list(answer)?;
    let member = |pair: &[Value]| {
        let [Value::BulkString(id), Value::BulkString(time)] = pair else {
            return Err(damaged("a reply that is not a list of games and times"));
        };
        Ok(place_of(id, time))
    };
    found.chunks(2).map(member).collect()
}

fn place_of(id: &[u8], time: &[u8]) -> Option<Place> {
    let ms = std::str::from_utf8(time).ok()?.parse().ok()?;
    let id = Uuid::from_slice(id).ok()?;
    Some(Place { ms, id })
}
