//! The assignment of threads to cores, and the time that threads wait for a core.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, getpriority_process, setpriority_process};
use rustix::thread::{CpuSet, gettid, sched_getaffinity, sched_setaffinity};

/// The core of the server, and that of its clients.
#[derive(Clone, Copy)]
pub(super) struct Cores {
    server: usize,
    clients: usize,
}

/// The niceness that attackers add to that of this process, so that they only use idle time.
const NICE: i32 = 19;

impl Cores {
    /// Returns the first two cores that this process may use.
    pub(super) fn of_machine() -> Self {
        let may = sched_getaffinity(None).expect("the cores of this process");
        let mut may = (0..CpuSet::MAX_CPU).filter(|core| may.is_set(*core));
        let server = may.next().expect("a core");
        let clients = may
            .next()
            .expect("two cores: one for the server, one for its clients");
        Self { server, clients }
    }

    pub(super) fn of_server(self, pid: u32) {
        let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
        for thread in threads.expect("a process").map_while(Result::ok) {
            let id = thread.file_name().to_string_lossy().parse().ok();
            put(id.and_then(Pid::from_raw), self.server);
        }
    }

    /// Moves the current thread to the core of the clients.
    pub(super) fn of_clients(self) {
        put(None, self.clients);
    }

    /// Moves the current thread to the core of the clients, with the lowest priority.
    pub(super) fn of_attackers(self) {
        put(None, self.clients);
        let others = getpriority_process(None).expect("the priority of this process");
        setpriority_process(Some(gettid()), others + NICE).expect("a lower priority");
    }
}

/// Returns how long the thread with this folder in `/proc` was ready to run while others used its core.
fn waited(folder: &Path) -> Duration {
    let spent = std::fs::read_to_string(folder.join("schedstat")).unwrap_or_default();
    let nanos = spent.split(' ').nth(1).and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or_default())
}

/// Returns how long the current thread was ready to run while others used its core.
pub(super) fn waited_here() -> Duration {
    waited(Path::new("/proc/thread-self"))
}

/// Returns how long the threads of a process, taken together, were ready to run while others used their core.
pub(super) fn waited_by(pid: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let threads = threads.expect("a process").map_while(Result::ok);
    threads.map(|thread| waited(&thread.path())).sum()
}

fn put(thread: Option<Pid>, core: usize) {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(thread, &only).expect("a core for a thread");
}
