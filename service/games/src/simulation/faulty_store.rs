//! A store behind unreliable connections (**fault injection**).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use gamekeeper_store::feed::{FeedFrom, FeedRead};
use gamekeeper_store::{
    ChangeReceiver, Commit, Committed, Created, GameId, GameStore, Head, IndexRow, KvRecord,
    ListFilter, ListPage, ListPosition, Loaded, MemoryStore, NewGame, StoreError, StoredEntry,
    Version,
};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{sleep, timeout};

use super::faults::FaultInjector;
use super::rng::SimRng;

/// The time after which a process stops waiting for a response of the store.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// The probability of an injected bug, per thousand calls.
const BUG_PER_MILLE: u32 = 30;

/// A violation of the store's contract that the runs must detect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InjectedBug {
    /// The store reports that an entry is stored, and stores nothing.
    Forgets,
    /// The store stores an entry twice.
    Doubles,
    /// The store leaves out an entry when a process reads new ones.
    SkipsNews,
}

/// The store, as processes reach it.
pub(super) struct FaultyStore {
    inner: Arc<MemoryStore>,
    rng: SimRng,
    faults: FaultInjector,
    notifier: Arc<TestNotifier>,
    steps: Arc<AtomicU64>,
    bug: Option<InjectedBug>,
}

/// The subscribers to wake-ups, in the order in which they subscribed. Broadcast channels of the runtime would wake
/// them in a random order.
#[derive(Default)]
struct TestNotifier(Mutex<Vec<(GameId, mpsc::UnboundedSender<Version>)>>);

impl TestNotifier {
    fn subscribe(&self, id: GameId) -> mpsc::UnboundedReceiver<Version> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.0.lock().push((id, sender));
        receiver
    }

    fn notify(&self, id: GameId, version: Version) {
        self.0
            .lock()
            .retain(|(subscribed, sender)| *subscribed != id || sender.send(version).is_ok());
    }
}

impl FaultyStore {
    pub(super) fn over(
        inner: &Arc<MemoryStore>,
        rng: &SimRng,
        faults: &FaultInjector,
        bug: Option<InjectedBug>,
    ) -> Self {
        Self {
            inner: Arc::clone(inner),
            rng: rng.clone(),
            faults: faults.clone(),
            notifier: Arc::default(),
            steps: Arc::default(),
            bug,
        }
    }

    /// Returns the number of calls so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Sends a call, and waits for its response. The call runs in a task of its own: it takes effect, perhaps late,
    /// even if its process is killed meanwhile.
    async fn call<A: Send + 'static>(
        &self,
        work: impl Future<Output = Result<A, StoreError>> + Send + 'static,
    ) -> Result<A, StoreError> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        let (profile, rng) = (self.faults.current(), &self.rng);
        let [request_delay, response_delay] = [(); 2].map(|()| rng.up_to(profile.max_delay_ms));
        let is_lost = rng.happens(profile.lost_requests);
        if is_lost && rng.happens(500) {
            sleep(request_delay).await;
            return Err(StoreError::Unavailable(String::from(
                "the call was not sent",
            )));
        }
        let is_unanswered = rng.happens(profile.lost_responses);
        let (sender, receiver) = oneshot::channel();
        tokio::spawn(async move {
            sleep(request_delay).await;
            if is_lost {
                return;
            }
            let outcome = work.await;
            sleep(response_delay).await;
            if !is_unanswered {
                // The process may be gone.
                let _process_gone = sender.send(outcome);
            }
        });
        let response = timeout(CALL_TIMEOUT, receiver)
            .await
            .ok()
            .and_then(Result::ok);
        response.unwrap_or_else(|| {
            let why = String::from("no answer came");
            Err(StoreError::OutcomeUnknown(why))
        })
    }

    fn bug_strikes(&self, bug: InjectedBug) -> bool {
        self.bug == Some(bug) && self.rng.happens(BUG_PER_MILLE)
    }
}

/// Converts the error of a read, which has no outcome that could be unknown.
fn read_error(error: StoreError) -> StoreError {
    match error {
        StoreError::OutcomeUnknown(why) => StoreError::Unavailable(why),
        error @ (StoreError::Unavailable(_)
        | StoreError::Full(_)
        | StoreError::Damaged(_)
        | StoreError::Setup(_)) => error,
    }
}

#[async_trait]
impl GameStore for FaultyStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let inner = Arc::clone(&self.inner);
        self.call(async move { inner.create(game).await }).await
    }

    async fn load(
        &self,
        id: GameId,
        cached_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        let inner = Arc::clone(&self.inner);
        let skips = self.bug_strikes(InjectedBug::SkipsNews);
        let load = async move {
            let mut loaded = inner.load(id, cached_head).await?;
            if let Some(loaded) = loaded
                .as_mut()
                .filter(|loaded| skips && loaded.entries.len() > 1)
            {
                loaded.entries.remove(0);
            }
            Ok(loaded)
        };
        self.call(load).await.map_err(read_error)
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let (inner, commit) = (Arc::clone(&self.inner), commit.clone());
        let (forgets, doubles) = (
            self.bug_strikes(InjectedBug::Forgets),
            self.bug_strikes(InjectedBug::Doubles),
        );
        let notifier = Arc::clone(&self.notifier);
        self.call(async move {
            if forgets {
                return Ok(Committed::Done);
            }
            let committed = inner.commit(&commit).await?;
            if committed == Committed::Done {
                notifier.notify(commit.id, commit.expected.version + 1);
            }
            if doubles && committed == Committed::Done {
                let expected = Head::of(commit.expected.version + 1, &commit.entry);
                inner.commit(&Commit { expected, ..commit }).await?;
            }
            Ok(committed)
        })
        .await
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        let inner = Arc::clone(&self.inner);
        let log = async move { inner.log(id, after, limit).await };
        self.call(log).await.map_err(read_error)
    }

    async fn watch(&self, id: GameId) -> Result<ChangeReceiver, StoreError> {
        let notifier = Arc::clone(&self.notifier);
        let subscribe = async move { Ok(notifier.subscribe(id)) };
        let mut wake_ups = self.call(subscribe).await.map_err(read_error)?;
        let (sender, receiver) = watch::channel(0);
        let (rng, faults) = (self.rng.clone(), self.faults.clone());
        tokio::spawn(async move {
            loop {
                let version = tokio::select! {
                    biased;
                    () = sender.closed() => return,
                    version = wake_ups.recv() => version,
                };
                let (Some(version), profile) = (version, faults.current()) else {
                    return;
                };
                let delay = rng.up_to(profile.max_delay_ms);
                if !rng.happens(profile.lost_wake_ups) {
                    sleep(delay).await;
                    sender.send_replace(version);
                }
            }
        });
        Ok(receiver)
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let (inner, filter) = (Arc::clone(&self.inner), filter.clone());
        let page = async move { inner.page(&filter, after, limit).await };
        self.call(page).await.map_err(read_error)
    }

    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        let (inner, tenant) = (Arc::clone(&self.inner), tenant.to_owned());
        let feed = async move { inner.feed(&tenant, from, limit).await };
        self.call(feed).await.map_err(read_error)
    }

    async fn stored_bytes(&self, tenant: &str) -> Result<u64, StoreError> {
        let (inner, tenant) = (Arc::clone(&self.inner), tenant.to_owned());
        let read = async move { inner.stored_bytes(&tenant).await };
        self.call(read).await.map_err(read_error)
    }

    async fn kv_get(&self, id: GameId) -> Result<Bytes, StoreError> {
        let inner = Arc::clone(&self.inner);
        let note = async move { inner.kv_get(id).await };
        self.call(note).await.map_err(read_error)
    }

    async fn kv_compare_and_set(
        &self,
        id: GameId,
        expected: Bytes,
        note: KvRecord,
    ) -> Result<bool, StoreError> {
        let (inner, notifier) = (Arc::clone(&self.inner), Arc::clone(&self.notifier));
        let set = async move {
            let is_set = inner.kv_compare_and_set(id, expected, note).await?;
            notifier.notify(id, 0);
            Ok(is_set)
        };
        self.call(set).await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        let notifier = Arc::clone(&self.notifier);
        let notify = async move {
            notifier.notify(id, 0);
            Ok(())
        };
        self.call(notify).await
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let (inner, notifier) = (Arc::clone(&self.inner), Arc::clone(&self.notifier));
        let delete = async move {
            let deleted = inner.delete(id).await?;
            notifier.notify(id, 0);
            Ok(deleted)
        };
        self.call(delete).await
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        metadata: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        let (inner, notifier) = (Arc::clone(&self.inner), Arc::clone(&self.notifier));
        let set = async move {
            let is_set = inner.set_access(id, expected, metadata, head, row).await?;
            notifier.notify(id, 0);
            Ok(is_set)
        };
        self.call(set).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let inner = Arc::clone(&self.inner);
        self.call(async move { inner.ping().await }).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
