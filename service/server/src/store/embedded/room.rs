//! Free space on the disk.

use super::errors::{During, of_io};
use super::tables::Tables;
use crate::store::{Capacity, StoreError};

/// The bytes that all processes use on the disk, and the limit up to which this store accepts changes.
pub(super) fn room(tables: &Tables) -> Result<Capacity, StoreError> {
    let disk = rustix::fs::statvfs(&tables.directory)
        .map_err(|error| of_io(&error.into(), During::Read))?;
    let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
    let used_bytes = bytes(disk.f_blocks.saturating_sub(disk.f_bfree));
    let limit_bytes = (used_bytes + bytes(disk.f_bavail)).saturating_sub(tables.reserve_bytes);
    Ok(Capacity {
        used_bytes,
        limit_bytes,
        damaged_games: 0,
    })
}

/// Fails if the disk has less room than the reserve.
pub(super) fn check_room(tables: &Tables) -> Result<(), StoreError> {
    let disk = rustix::fs::statvfs(&tables.directory)
        .map_err(|error| of_io(&error.into(), During::Read))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free < tables.reserve_bytes {
        return Err(StoreError::Full(format!(
            "{free} bytes are left on the disk, less than the reserve of {}",
            tables.reserve_bytes
        )));
    }
    Ok(())
}
