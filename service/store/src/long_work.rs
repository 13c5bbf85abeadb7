//! **Long work**: work that takes longer than a turn, on threads of its own.

use std::cell::Cell;

use tokio::task::{JoinHandle, spawn_blocking};

/// The niceness of threads for long work. Threads that serve calls have 0, and get three times as much of a processor
/// that both want; above all, a call need not wait until such a thread has used up its time slice.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

thread_local! {
    /// Whether the priority of this thread was lowered.
    static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
}

/// Runs long work on a thread of the blocking pool, with a lower priority than calls have: bots that think, drawings
/// that are painted.
pub fn spawn<A: Send + 'static>(work: impl FnOnce() -> A + Send + 'static) -> JoinHandle<A> {
    spawn_blocking(|| {
        lower_priority();
        work()
    })
}

/// Lowers the priority of this thread for good: to raise it again would need a privilege.
fn lower_priority() {
    if IS_LOWERED.replace(true) {
        return;
    }
    // Elsewhere the call would be about the whole process. A thread that may not change its priority keeps it.
    #[cfg(target_os = "linux")]
    let _kept = rustix::process::setpriority_process(None, NICENESS);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn long_work_gives_way_to_calls() {
        let before = getpriority_process(None).unwrap();
        let during = spawn(|| getpriority_process(None)).await.unwrap().unwrap();
        assert_eq!(during, NICENESS.max(before));
        assert_eq!(getpriority_process(None).unwrap(), before);
    }
}
