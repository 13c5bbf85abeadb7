//! Who runs on which core.

use rustix::process::{Pid, setpriority_process};
use rustix::thread::{CpuSet, gettid, sched_getaffinity, sched_setaffinity};

/// The cores of the server and of its clients.
#[derive(Clone, Copy)]
pub(super) struct Cores {
    server: usize,
    clients: usize,
}

/// Attackers use what others leave.
const NICE: i32 = 19;

impl Cores {
    /// The first two of those that this process may use.
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

    /// Puts this thread where clients are.
    pub(super) fn of_clients(self) {
        put(None, self.clients);
    }

    /// Puts this thread where clients are, behind all others.
    pub(super) fn of_attackers(self) {
        put(None, self.clients);
        setpriority_process(Some(gettid()), NICE).expect("a lower priority");
    }
}

fn put(thread: Option<Pid>, core: usize) {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(thread, &only).expect("a core for a thread");
}
