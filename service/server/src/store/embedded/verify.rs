//! Checks at startup that everything acknowledged is still there.

use std::collections::HashMap;
use std::path::Path;

use bytes::Bytes;
use fjall::OwnedWriteBatch;
use uuid::Uuid;

use super::errors::{During, of_fjall, of_io};
use super::register::{Contents, Known, Register, mark_of, read};
use super::tables::{Found, Tables, kind_keys, unseal, version_in};
use crate::store::row::decode_row;
use crate::store::{GameId, Head, IndexRow, StoreError, Version};

/// The maximum number of damaged games that are logged one by one.
const NAMED: usize = 100;

/// The number of games per batch when lists are filled.
const AT_ONCE: usize = 1_024;

/// This key exists once the directory has had a register.
const HAS_REGISTER: &[u8] = b"register";

/// This key exists once finished games are listed by their end.
const HAS_ENDS: &[u8] = b"ends";

/// Compares the tables with the register, and creates a register if there is none. Games that lack data are
/// remembered with the reason.
pub(super) fn verify(
    tables: &Tables,
    directory: &Path,
    is_mended: bool,
) -> Result<Register, StoreError> {
    let in_words = |error: std::io::Error| of_io(&error, During::Open);
    let mut contents = read(directory).map_err(in_words)?;
    if contents.exists {
        contents.report_damage();
    } else {
        if has_mark(tables, HAS_REGISTER)? {
            tracing::error!(
                "the register is missing and was recreated: further losses would go unnoticed"
            );
        }
        contents = survey(tables)?;
    }
    let mut lost = HashMap::new();
    for (id, known) in &contents.games {
        if let Some(why) = missing(tables, *id, *known)? {
            lost.insert(*id, why);
        }
    }
    if is_mended {
        gaps(tables, &mut lost)?;
    }
    for (id, why) in lost.iter().take(NAMED) {
        tracing::error!(%id, why, "a game is damaged");
    }
    if !lost.is_empty() {
        tracing::error!(
            games = lost.len(),
            of = contents.games.len(),
            "games are damaged"
        );
    }
    tables.set_lost(lost);
    let register = Register::begin(directory, &contents).map_err(in_words)?;
    set_mark(tables, HAS_REGISTER)?;
    Ok(register)
}

/// Lists the games that ended before the store listed ends, as if they ended now, and schedules them for
/// packing.
pub(super) fn list_ends(tables: &Tables, now_ms: u64) -> Result<(), StoreError> {
    if has_mark(tables, HAS_ENDS)? {
        return Ok(());
    }
    for item in tables.rows.iter() {
        let key = item.key().map_err(|error| of_fjall(&error, During::Open))?;
        let row = tables.get(&tables.rows, &key);
        if let Ok(Some(row)) = row
            && decode_row(&row).is_ok_and(|row| row.finished)
            && let Ok(id) = Uuid::from_slice(&key)
        {
            let listed = tables.ends.insert(Tables::end_key(now_ms, id), []);
            let listed = listed.and_then(|()| tables.unpacked.insert(id.as_bytes(), []));
            listed.map_err(|error| of_fjall(&error, During::Open))?;
        }
    }
    set_mark(tables, HAS_ENDS)
}

/// Adds games that older builds created or ended to the lists of their kinds. This looks up every game at every
/// start: an older build may have used the directory in between, which leaves no trace.
pub(super) fn list_kinds(tables: &Tables) -> Result<(), StoreError> {
    let failed = |error| of_fjall(&error, During::Open);
    let mut rows = tables.rows.iter().peekable();
    while rows.peek().is_some() {
        let mut batch = tables.database.batch();
        for item in rows.by_ref().take(AT_ONCE) {
            let (key, sealed) = item.into_inner().map_err(failed)?;
            // A row that cannot be read is in no list.
            let row = unseal(&key, &sealed).and_then(|row| decode_row(&row));
            if let (Ok(id), Ok(row)) = (Uuid::from_slice(&key), row) {
                list_kind(tables, &mut batch, id, row)?;
            }
        }
        batch.commit().map_err(failed)?;
    }
    Ok(())
}

fn list_kind(
    tables: &Tables,
    batch: &mut OwnedWriteBatch,
    id: GameId,
    row: IndexRow,
) -> Result<(), StoreError> {
    let places = kind_keys(id, &row);
    let is_there = places
        .first()
        .map(|place| tables.places.contains_key(place));
    if is_there
        .transpose()
        .map_err(|error| of_fjall(&error, During::Open))?
        == Some(true)
    {
        return Ok(());
    }
    for place in places {
        batch.insert(&tables.places, place, []);
    }
    let finished = !row.finished;
    for place in kind_keys(id, &IndexRow { finished, ..row }) {
        batch.remove(&tables.places, place);
    }
    Ok(())
}

fn has_mark(tables: &Tables, mark: &[u8]) -> Result<bool, StoreError> {
    let found = tables.meta.contains_key(mark);
    found.map_err(|error| of_fjall(&error, During::Open))
}

fn set_mark(tables: &Tables, mark: &[u8]) -> Result<(), StoreError> {
    let set = tables.meta.insert(mark, []);
    set.map_err(|error| of_fjall(&error, During::Open))
}

/// The contents of a new register, from the tables.
fn survey(tables: &Tables) -> Result<Contents, StoreError> {
    let mut contents = Contents::default();
    let failed = |error| of_fjall(&error, During::Open);
    for item in tables.rows.iter() {
        let Ok(id) = Uuid::from_slice(&item.key().map_err(failed)?) else {
            continue;
        };
        let mut known = Known::default();
        if let Some(last) = tables.log.prefix(id.as_bytes()).next_back() {
            let key = last.key().map_err(failed)?;
            if let Ok(Some(entry)) = tables.get(&tables.log, &key) {
                known.head = Some(Head::of(version_in(&key), &entry));
            }
        } else if let Ok(Some(log)) = tables.packed_log(id) {
            let last = log.last();
            known.head = last.map(|last| Head::of(last.version, &last.bytes));
        }
        if let Ok(access) = tables.get(&tables.access, id.as_bytes()) {
            known.access = access.as_ref().map(mark_of);
        }
        contents.games.insert(id, known);
    }
    Ok(contents)
}

/// What is missing of a game, as text. `None`: nothing.
fn missing(tables: &Tables, id: GameId, known: Known) -> Result<Option<String>, StoreError> {
    if let Some(head) = known.head {
        match tables.find(id, head) {
            Ok(Found::Log | Found::Packed) => {}
            Ok(Found::Nowhere) => {
                let version = head.version;
                return Ok(Some(format!("acknowledged version {version} is gone")));
            }
            Err(StoreError::Damaged(why)) => return Ok(Some(why)),
            Err(error) => return Err(error),
        }
    }
    if let Some(mark) = known.access {
        match tables.get(&tables.access, id.as_bytes()) {
            Ok(access) if access.as_ref().map_or(mark_of(&Bytes::new()), mark_of) == mark => {}
            Ok(_) => return Ok(Some("its access record is outdated".into())),
            Err(StoreError::Damaged(why)) => return Ok(Some(why)),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Scans all logs for gaps.
fn gaps(tables: &Tables, lost: &mut HashMap<GameId, String>) -> Result<(), StoreError> {
    let mut last: Option<(GameId, Version)> = None;
    for item in tables.log.iter() {
        let key = item.key().map_err(|error| of_fjall(&error, During::Open))?;
        let Some(id) = key.first_chunk::<16>().map(|id| Uuid::from_bytes(*id)) else {
            continue;
        };
        let before = last.filter(|(game, _)| *game == id);
        let expected = before.map_or(1, |(_, version)| version + 1);
        let version = version_in(&key);
        if version != expected {
            lost.insert(id, format!("version {expected} is gone"));
        }
        last = Some((id, version));
    }
    Ok(())
}
