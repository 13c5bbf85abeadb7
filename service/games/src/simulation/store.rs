//! A store behind unreliable connections (**fault injection**).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use gamekeeper_store::feed::{FeedFrom, FeedRead};
use gamekeeper_store::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, ListFilter, ListPage, Loaded,
    MemoryStore, NewGame, Note, Place, StoreError, StoredEntry, Version, WakeUps,
};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{sleep, timeout};

use super::dice::Dice;
use super::weather::Sky;

/// The time after which a process stops waiting for a response of the store.
const PATIENCE: Duration = Duration::from_secs(5);

/// The probability of a lie, per thousand calls.
const LIES: u32 = 30;

/// A violation of the store's contract that the trials must detect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lie {
    /// The store reports that an entry is stored, and stores nothing.
    Forgets,
    /// The store stores an entry twice.
    Doubles,
    /// The store leaves out an entry when a process reads new ones.
    SkipsNews,
}

/// The store, as processes reach it.
pub(super) struct Unreliable {
    inner: Arc<MemoryStore>,
    dice: Dice,
    sky: Sky,
    bells: Arc<Bells>,
    steps: Arc<AtomicU64>,
    lie: Option<Lie>,
}

/// The subscribers to wake-ups, in the order in which they subscribed. Broadcast channels of the runtime would wake
/// them in a random order.
#[derive(Default)]
struct Bells(Mutex<Vec<(GameId, mpsc::UnboundedSender<Version>)>>);

impl Bells {
    fn hang(&self, id: GameId) -> mpsc::UnboundedReceiver<Version> {
        let (ring, rung) = mpsc::unbounded_channel();
        self.0.lock().push((id, ring));
        rung
    }

    fn ring(&self, id: GameId, version: Version) {
        self.0
            .lock()
            .retain(|(of, ring)| *of != id || ring.send(version).is_ok());
    }
}

impl Unreliable {
    pub(super) fn over(inner: &Arc<MemoryStore>, dice: &Dice, sky: &Sky, lie: Option<Lie>) -> Self {
        Self {
            inner: Arc::clone(inner),
            dice: dice.clone(),
            sky: sky.clone(),
            bells: Arc::default(),
            steps: Arc::default(),
            lie,
        }
    }

    /// Returns the number of calls so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Sends a call, and waits for its response. The call runs in a task of its own: it takes effect, perhaps late,
    /// even if its process is killed meanwhile.
    async fn sent<A: Send + 'static>(
        &self,
        work: impl Future<Output = Result<A, StoreError>> + Send + 'static,
    ) -> Result<A, StoreError> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        let (weather, dice) = (self.sky.now(), &self.dice);
        let [there, back] = [(); 2].map(|()| dice.up_to(weather.slow));
        let is_lost = dice.happens(weather.lost_there);
        if is_lost && dice.happens(500) {
            sleep(there).await;
            return Err(StoreError::Unavailable(String::from(
                "the call was not sent",
            )));
        }
        let is_unanswered = dice.happens(weather.lost_back);
        let (answer, answered) = oneshot::channel();
        tokio::spawn(async move {
            sleep(there).await;
            if is_lost {
                return;
            }
            let done = work.await;
            sleep(back).await;
            if !is_unanswered {
                // The process may be gone.
                let _gone = answer.send(done);
            }
        });
        let answered = timeout(PATIENCE, answered).await.ok().and_then(Result::ok);
        answered.unwrap_or_else(|| {
            let why = String::from("no answer came");
            Err(StoreError::OutcomeUnknown(why))
        })
    }

    fn lies(&self, lie: Lie) -> bool {
        self.lie == Some(lie) && self.dice.happens(LIES)
    }
}

/// Converts the error of a read, which has no outcome that could be unknown.
fn of_read(error: StoreError) -> StoreError {
    match error {
        StoreError::OutcomeUnknown(why) => StoreError::Unavailable(why),
        error @ (StoreError::Unavailable(_)
        | StoreError::Full(_)
        | StoreError::Damaged(_)
        | StoreError::Setup(_)) => error,
    }
}

#[async_trait]
impl GameStore for Unreliable {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let inner = Arc::clone(&self.inner);
        self.sent(async move { inner.create(game).await }).await
    }

    async fn load(&self, id: GameId, known: Option<Head>) -> Result<Option<Loaded>, StoreError> {
        let inner = Arc::clone(&self.inner);
        let skips = self.lies(Lie::SkipsNews);
        let load = async move {
            let mut loaded = inner.load(id, known).await?;
            if let Some(loaded) = loaded
                .as_mut()
                .filter(|loaded| skips && loaded.entries.len() > 1)
            {
                loaded.entries.remove(0);
            }
            Ok(loaded)
        };
        self.sent(load).await.map_err(of_read)
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let (inner, commit) = (Arc::clone(&self.inner), commit.clone());
        let (forgets, doubles) = (self.lies(Lie::Forgets), self.lies(Lie::Doubles));
        let bells = Arc::clone(&self.bells);
        self.sent(async move {
            if forgets {
                return Ok(Committed::Done);
            }
            let committed = inner.commit(&commit).await?;
            if committed == Committed::Done {
                bells.ring(commit.id, commit.expected.version + 1);
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
        self.sent(log).await.map_err(of_read)
    }

    async fn watch(&self, id: GameId) -> Result<WakeUps, StoreError> {
        let bells = Arc::clone(&self.bells);
        let hang = async move { Ok(bells.hang(id)) };
        let mut rung = self.sent(hang).await.map_err(of_read)?;
        let (sender, heard) = watch::channel(0);
        let (dice, sky) = (self.dice.clone(), self.sky.clone());
        tokio::spawn(async move {
            loop {
                let version = tokio::select! {
                    biased;
                    () = sender.closed() => return,
                    version = rung.recv() => version,
                };
                let (Some(version), weather) = (version, sky.now()) else {
                    return;
                };
                let late = dice.up_to(weather.slow);
                if !dice.happens(weather.unheard) {
                    sleep(late).await;
                    sender.send_replace(version);
                }
            }
        });
        Ok(heard)
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<Place>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let (inner, filter) = (Arc::clone(&self.inner), filter.clone());
        let page = async move { inner.page(&filter, after, limit).await };
        self.sent(page).await.map_err(of_read)
    }

    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        let (inner, tenant) = (Arc::clone(&self.inner), tenant.to_owned());
        let feed = async move { inner.feed(&tenant, from, limit).await };
        self.sent(feed).await.map_err(of_read)
    }

    async fn note(&self, id: GameId) -> Result<Bytes, StoreError> {
        let inner = Arc::clone(&self.inner);
        let note = async move { inner.note(id).await };
        self.sent(note).await.map_err(of_read)
    }

    async fn set_note(&self, id: GameId, expected: Bytes, note: Note) -> Result<bool, StoreError> {
        let (inner, bells) = (Arc::clone(&self.inner), Arc::clone(&self.bells));
        let set = async move {
            let is_set = inner.set_note(id, expected, note).await?;
            bells.ring(id, 0);
            Ok(is_set)
        };
        self.sent(set).await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        let bells = Arc::clone(&self.bells);
        let ring = async move {
            bells.ring(id, 0);
            Ok(())
        };
        self.sent(ring).await
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let (inner, bells) = (Arc::clone(&self.inner), Arc::clone(&self.bells));
        let delete = async move {
            let deleted = inner.delete(id).await?;
            bells.ring(id, 0);
            Ok(deleted)
        };
        self.sent(delete).await
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        let (inner, bells) = (Arc::clone(&self.inner), Arc::clone(&self.bells));
        let set = async move {
            let is_set = inner.set_access(id, expected, access, head, row).await?;
            bells.ring(id, 0);
            Ok(is_set)
        };
        self.sent(set).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let inner = Arc::clone(&self.inner);
        self.sent(async move { inner.ping().await }).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
