//! Opening the directory of the store.

use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::RwLock;

use fjall::{Database, Keyspace, KeyspaceCreateOptions};

use super::EmbeddedConfig;
use super::errors::{During, guarded, of_fjall, of_io};
use super::journal::mend_journals;
use super::manifest::check_manifests;
use super::register::Register;
use super::tables::Tables;
use super::verify::{list_ends, list_kinds, verify};
use crate::store::StoreError;

/// Opens the tables and the register, creating them if they do not exist.
pub(super) fn open(config: &EmbeddedConfig, now_ms: u64) -> Result<(Tables, Register), StoreError> {
    let directory = &config.directory;
    let named = |error| match error {
        StoreError::Setup(why) => StoreError::Setup(format!("{}: {why}", directory.display())),
        StoreError::Damaged(why) => StoreError::Damaged(format!("{}: {why}", directory.display())),
        error @ (StoreError::Unavailable(_)
        | StoreError::OutcomeUnknown(_)
        | StoreError::Full(_)) => StoreError::Setup(error.to_string()),
    };
    guarded(|| {
        // Anyone who can read the directory can read every hand.
        let mut made = std::fs::DirBuilder::new();
        let made = made.recursive(true).mode(0o700).create(directory);
        made.map_err(|error| of_io(&error, During::Open))?;
        check_writable(directory)?;
        let is_mended = mend_journals(directory)?;
        check_manifests(directory)?;
        let tables = open_tables(config)?;
        let register = verify(&tables, directory, is_mended)?;
        list_ends(&tables, now_ms)?;
        list_kinds(&tables)?;
        Ok((tables, register))
    })
    .map_err(named)
}

/// The library would fail later, with a less helpful error.
fn check_writable(directory: &Path) -> Result<(), StoreError> {
    let probe = directory.join(".writable");
    std::fs::write(&probe, b"")
        .and_then(|()| std::fs::remove_file(&probe))
        .map_err(|error| of_io(&error, During::Open))
}

fn open_tables(config: &EmbeddedConfig) -> Result<Tables, StoreError> {
    let opened = Database::builder(&config.directory)
        .cache_size(config.cache_bytes)
        .open();
    let database = opened.map_err(|error| of_fjall(&error, During::Open))?;
    let table = |name| -> Result<Keyspace, StoreError> {
        let options = || KeyspaceCreateOptions::default().max_memtable_size(config.table_bytes);
        database
            .keyspace(name, options)
            .map_err(|error| of_fjall(&error, During::Open))
    };
    Ok(Tables {
        log: table("log")?,
        snapshots: table("snapshots")?,
        access: table("access")?,
        rows: table("rows")?,
        places: table("places")?,
        ends: table("ends")?,
        packed: table("packed")?,
        unpacked: table("unpacked")?,
        meta: table("meta")?,
        lost: RwLock::default(),
        directory: config.directory.clone(),
        reserve_bytes: config.reserve_bytes,
        database,
    })
}
