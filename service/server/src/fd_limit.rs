//! The **file descriptor** limit: every connection needs one, and so do the admin port and the store.

use rustix::process::{Resource, getrlimit, setrlimit};

/// The number of descriptors reserved for the admin port and the store, but at most a quarter of all.
const RESERVED_FDS: u64 = 256;

/// Returns how many connections may be open at once, at most `requested`. Raises the process's limit of open files as
/// far as the system allows.
pub(crate) fn max_connections(requested: usize) -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current < limit.maximum || limit.maximum.is_none() {
        let raised = rustix::process::Rlimit {
            current: limit.maximum,
            ..limit
        };
        if setrlimit(Resource::Nofile, raised).is_ok() {
            limit = raised;
        }
    }
    let Some(files) = limit.current else {
        return requested;
    };
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let room = room(files, u64::try_from(open).unwrap_or(u64::MAX));
    if requested <= room {
        return requested;
    }
    tracing::warn!(
        connections = room,
        files,
        "the limit of open files (ulimit -n) has no room for --max-connections {requested}"
    );
    room
}

/// Returns how many connections fit beside the open and the reserved files.
fn room(files: u64, open: u64) -> usize {
    let room = files
        .saturating_sub(open)
        .saturating_sub(RESERVED_FDS.min(files / 4));
    usize::try_from(room).unwrap_or(usize::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_kept_for_others() {
        assert_eq!(room(1_024, 24), 744);
        assert_eq!(room(64, 20), 28);
        assert_eq!(room(16, 20), 1);
    }

    #[test]
    fn what_is_wanted_is_had_where_there_is_room() {
        assert_eq!(max_connections(3), 3);
    }
}
