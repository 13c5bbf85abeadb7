//! The processes of a trial, and the faults that affect them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_store::{GameStore, MemoryStore};
use parking_lot::{Mutex, MutexGuard};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::dice::Dice;
use super::history::History;
use super::store::{Lie, Unreliable};
use super::weather::{Sky, Weather};
use crate::heart::clock::Clock;
use crate::heart::games::Games;
use crate::process::{BEGUN, shared};

/// The number of processes over one store.
const PROCESSES: usize = 3;

/// The time after which faults end, so that games come to their end.
pub(super) const TROUBLE: Duration = Duration::from_secs(90);

/// The maximum jump of a clock, in milliseconds.
const JUMP: usize = 20_000;

/// A process.
pub(super) struct Process {
    pub(super) games: Arc<Games<Goofspiel>>,
    pub(super) dead: CancellationToken,
    time: Arc<AtomicU64>,
    skew: AtomicI64,
}

/// The state of a trial.
pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) kept: Arc<MemoryStore>,
    store: Arc<Unreliable>,
    sky: Sky,
    processes: Mutex<Vec<Arc<Process>>>,
    history: Mutex<History>,
    trace: Mutex<DefaultHasher>,
    begun: Instant,
}

impl World {
    pub(super) fn new(dice: Dice, lie: Option<Lie>) -> Arc<Self> {
        let (kept, sky) = (Arc::new(MemoryStore::new()), Sky::calm());
        let store = Arc::new(Unreliable::over(&kept, &dice, &sky, lie));
        let world = Self {
            dice,
            kept,
            store,
            sky,
            processes: Mutex::default(),
            history: Mutex::default(),
            trace: Mutex::default(),
            begun: Instant::now(),
        };
        let processes = (0..PROCESSES).map(|_| world.started()).collect();
        *world.processes.lock() = processes;
        Arc::new(world)
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
    pub(super) fn note(&self, what: impl Hash) {
        let mut trace = self.trace.lock();
        (self.begun.elapsed().as_millis(), what).hash(&mut *trace);
    }

    /// Returns the knowledge of all clients.
    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock()
    }

    fn started(&self) -> Arc<Process> {
        let store: Arc<dyn GameStore> = Arc::<Unreliable>::clone(&self.store);
        self.process_over(store)
    }

    fn process_over(&self, store: Arc<dyn GameStore>) -> Arc<Process> {
        let time = Arc::new(AtomicU64::new(BEGUN));
        let mut shared = shared(store);
        Arc::get_mut(&mut shared).unwrap().clock = Clock::Set(Arc::clone(&time));
        Arc::new(Process {
            games: Arc::new(Games::new(shared)),
            dead: CancellationToken::new(),
            time,
            skew: AtomicI64::new(0),
        })
    }

    /// Starts a process with a reliable connection to the store.
    pub(super) fn reliable(&self) -> Arc<Process> {
        let store: Arc<dyn GameStore> = Arc::<MemoryStore>::clone(&self.kept);
        let process = self.process_over(store);
        self.set_clock(&process);
        process
    }

    /// Returns one of the processes, after setting its clock to the current time.
    pub(super) fn any(&self) -> Arc<Process> {
        let at = self.dice.below(PROCESSES);
        let process = Arc::clone(&self.processes.lock()[at]);
        self.set_clock(&process);
        process
    }

    fn set_clock(&self, process: &Process) {
        let passed = u64::try_from(self.begun.elapsed().as_millis()).unwrap();
        let skew = process.skew.load(Ordering::Relaxed);
        let time = (BEGUN + passed).saturating_add_signed(skew);
        process.time.store(time, Ordering::Relaxed);
    }

    /// Runs the work on a process, and returns its result. Returns `None` if the process was killed before.
    pub(super) async fn on<A, F>(&self, work: impl FnOnce(Arc<Process>) -> F) -> Option<A>
    where
        A: Send + 'static,
        F: Future<Output = A> + Send + 'static,
    {
        let process = self.any();
        let dead = process.dead.clone();
        let task = tokio::spawn(dead.run_until_cancelled_owned(work(process)));
        task.await.unwrap()
    }

    /// Ends all faults of the store.
    pub(super) fn calm(&self) {
        self.sky.becomes(Weather::CALM);
    }

    /// Kills processes, makes clocks jump and changes the fault rates, until the faults end.
    pub(super) async fn trouble(self: Arc<Self>) {
        while self.begun.elapsed() < TROUBLE {
            sleep(self.dice.up_to(1_500)).await;
            let at = self.dice.below(PROCESSES);
            match self.dice.below(4) {
                0 => {
                    let next = self.started();
                    let killed = std::mem::replace(&mut self.processes.lock()[at], next);
                    killed.dead.cancel();
                    self.note(("killed", at));
                }
                1 => {
                    let jump = self.dice.below(2 * JUMP);
                    let skew = i64::try_from(jump).unwrap() - i64::try_from(JUMP).unwrap();
                    self.processes.lock()[at]
                        .skew
                        .store(skew, Ordering::Relaxed);
                }
                _ => {
                    let weather = self.dice.below(Weather::ALL.len());
                    self.sky.becomes(Weather::ALL[weather]);
                    self.note(("weather", weather));
                }
            }
        }
        self.sky.becomes(Weather::CALM);
    }
}
