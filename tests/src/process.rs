//! The resources of a process, as the operating system reports them.

use std::path::PathBuf;

/// The resources of a process at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holdings {
    /// The number of open files, including connections.
    pub files: usize,
    /// The resident memory, in KiB.
    pub resident_kib: u64,
    /// The number of threads.
    pub threads: u64,
}

/// Reads the current resources of a process.
///
/// # Panics
/// If there is no such process.
#[must_use]
pub fn holdings(pid: u32) -> Holdings {
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let status = std::fs::read_to_string(folder.join("status")).expect("a process");
    let figure = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let word = line.and_then(|line| line.split_whitespace().next());
        word.and_then(|word| word.parse().ok()).unwrap_or(0)
    };
    Holdings {
        files: std::fs::read_dir(folder.join("fd")).map_or(0, Iterator::count),
        resident_kib: figure("VmRSS:"),
        threads: figure("Threads:"),
    }
}
