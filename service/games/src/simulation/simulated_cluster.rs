//! The processes of a run, and the faults that affect them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_store::{GameStore, MemoryStore};
use parking_lot::{Mutex, MutexGuard};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::faults::{FaultInjector, FaultProfile};
use super::faulty_store::{FaultyStore, InjectedBug};
use super::history::History;
use super::rng::SimRng;
use crate::service::game_service::GameService;
use crate::test_server::{START_MS, shared};
use crate::timing::clock::Clock;

/// The number of processes over one store.
const PROCESSES: usize = 3;

/// The time after which faults end, so that games come to their end.
pub(super) const FAULT_PERIOD: Duration = Duration::from_secs(90);

/// The maximum jump of a clock, in milliseconds.
const MAX_CLOCK_JUMP_MS: usize = 20_000;

/// A process.
pub(super) struct Process {
    pub(super) games: Arc<GameService<Goofspiel>>,
    pub(super) killed: CancellationToken,
    time: Arc<AtomicU64>,
    skew: AtomicI64,
}

/// The state of a run.
pub(super) struct Simulation {
    pub(super) rng: SimRng,
    pub(super) inner_store: Arc<MemoryStore>,
    store: Arc<FaultyStore>,
    faults: FaultInjector,
    processes: Mutex<Vec<Arc<Process>>>,
    history: Mutex<History>,
    trace: Mutex<DefaultHasher>,
    started: Instant,
}

impl Simulation {
    pub(super) fn new(rng: SimRng, bug: Option<InjectedBug>) -> Arc<Self> {
        let (inner_store, faults) = (
            Arc::new(MemoryStore::new()),
            FaultInjector::without_faults(),
        );
        let store = Arc::new(FaultyStore::over(&inner_store, &rng, &faults, bug));
        let simulation = Self {
            rng,
            inner_store,
            store,
            faults,
            processes: Mutex::default(),
            history: Mutex::default(),
            trace: Mutex::default(),
            started: Instant::now(),
        };
        let processes = (0..PROCESSES).map(|_| simulation.start_process()).collect();
        *simulation.processes.lock() = processes;
        Arc::new(simulation)
    }

    /// Returns the number of calls of the store so far.
    pub(super) fn steps(&self) -> u64 {
        self.store.steps()
    }

    /// Returns a hash of all that happened so far.
    pub(super) fn trace(&self) -> u64 {
        self.trace.lock().finish()
    }

    /// Adds an event to the trace.
    pub(super) fn record(&self, what: impl Hash) {
        let mut trace = self.trace.lock();
        (self.started.elapsed().as_millis(), what).hash(&mut *trace);
    }

    /// Returns the knowledge of all clients.
    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock()
    }

    fn start_process(&self) -> Arc<Process> {
        let store: Arc<dyn GameStore> = Arc::<FaultyStore>::clone(&self.store);
        self.process_over(store)
    }

    fn process_over(&self, store: Arc<dyn GameStore>) -> Arc<Process> {
        let time = Arc::new(AtomicU64::new(START_MS));
        let mut context = shared(store);
        Arc::get_mut(&mut context).unwrap().clock = Clock::Manual(Arc::clone(&time));
        Arc::new(Process {
            games: Arc::new(GameService::new(context)),
            killed: CancellationToken::new(),
            time,
            skew: AtomicI64::new(0),
        })
    }

    /// Starts a process with a reliable connection to the store.
    pub(super) fn reliable(&self) -> Arc<Process> {
        let store: Arc<dyn GameStore> = Arc::<MemoryStore>::clone(&self.inner_store);
        let process = self.process_over(store);
        self.set_clock(&process);
        process
    }

    /// Returns one of the processes, after setting its clock to the current time.
    pub(super) fn any(&self) -> Arc<Process> {
        let at = self.rng.below(PROCESSES);
        let process = Arc::clone(&self.processes.lock()[at]);
        self.set_clock(&process);
        process
    }

    fn set_clock(&self, process: &Process) {
        let passed = u64::try_from(self.started.elapsed().as_millis()).unwrap();
        let skew = process.skew.load(Ordering::Relaxed);
        let time = (START_MS + passed).saturating_add_signed(skew);
        process.time.store(time, Ordering::Relaxed);
    }

    /// Runs the work on a process, and returns its result. Returns `None` if the process was killed before.
    pub(super) async fn run_on_any<A, F>(&self, work: impl FnOnce(Arc<Process>) -> F) -> Option<A>
    where
        A: Send + 'static,
        F: Future<Output = A> + Send + 'static,
    {
        let process = self.any();
        let dead = process.killed.clone();
        let task = tokio::spawn(dead.run_until_cancelled_owned(work(process)));
        task.await.unwrap()
    }

    /// Ends all faults of the store.
    pub(super) fn stop_faults(&self) {
        self.faults.set(FaultProfile::NONE);
    }

    /// Kills processes, makes clocks jump and changes the fault rates, until the faults end.
    pub(super) async fn inject_faults(self: Arc<Self>) {
        while self.started.elapsed() < FAULT_PERIOD {
            sleep(self.rng.up_to(1_500)).await;
            let at = self.rng.below(PROCESSES);
            match self.rng.below(4) {
                0 => {
                    let next = self.start_process();
                    let killed = std::mem::replace(&mut self.processes.lock()[at], next);
                    killed.killed.cancel();
                    self.record(("killed", at));
                }
                1 => {
                    let jump = self.rng.below(2 * MAX_CLOCK_JUMP_MS);
                    let skew =
                        i64::try_from(jump).unwrap() - i64::try_from(MAX_CLOCK_JUMP_MS).unwrap();
                    self.processes.lock()[at]
                        .skew
                        .store(skew, Ordering::Relaxed);
                }
                _ => {
                    let profile = self.rng.below(FaultProfile::ALL.len());
                    self.faults.set(FaultProfile::ALL[profile]);
                    self.record(("weather", profile));
                }
            }
        }
        self.faults.set(FaultProfile::NONE);
    }
}
