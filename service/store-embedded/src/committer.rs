//! The **group commit** thread: it makes all changes and, when they are due, packs and deletes finished games and
//! deletes expired notes.

use std::time::Duration;

use gamekeeper_store::clock::{millis, now_ms};
use gamekeeper_store::wakers::Wakers;
use gamekeeper_store::{GameId, StoreError};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::disk::Disk;
use super::fault::{During, Fault};
use super::tables::Task;
use super::writer::{Effect, Writer};

/// The maximum number of changes that share one transaction.
const GROUP: usize = 256;

/// The maximum number of finished games packed or deleted in one transaction: while callers wait for it, and
/// otherwise.
const TASKS: [usize; 2] = [1, 16];

/// How long to wait after a group that could not be written.
const PAUSE: Duration = Duration::from_secs(1);

/// A queued change.
pub(super) trait Job: Send {
    /// Applies the change to the group, or refuses it. Returns an error only if the library failed.
    fn judge(&mut self, writer: &mut Writer<'_>) -> Result<(), Fault>;

    /// Answers the caller, after the group was written or could not be written.
    fn answer(self: Box<Self>, written: Result<(), StoreError>);
}

/// A change with the channel for its answer.
pub(super) struct Asked<A, J> {
    judge: Option<J>,
    answer: Option<Result<A, StoreError>>,
    reply: oneshot::Sender<Result<A, StoreError>>,
}

impl<A, J> Asked<A, J> {
    pub(super) fn new(judge: J, reply: oneshot::Sender<Result<A, StoreError>>) -> Self {
        Asked {
            judge: Some(judge),
            answer: None,
            reply,
        }
    }
}

impl<A: Send, J: Send> Job for Asked<A, J>
where
    J: FnOnce(&mut Writer<'_>) -> Result<A, Fault>,
{
    fn judge(&mut self, writer: &mut Writer<'_>) -> Result<(), Fault> {
        let Some(judge) = self.judge.take() else {
            return Ok(());
        };
        self.answer = Some(match judge(writer) {
            Ok(answer) => Ok(answer),
            Err(fault @ Fault::Library(_)) => return Err(fault),
            Err(fault @ (Fault::Refused(_) | Fault::Damaged(..))) => {
                Err(writer.disk.told(fault, During::Work))
            }
        });
        Ok(())
    }

    fn answer(self: Box<Self>, written: Result<(), StoreError>) {
        let Asked { answer, reply, .. } = *self;
        let lost = || Err(StoreError::Unavailable("the change was not judged".into()));
        let _nobody_listens = reply.send(written.and_then(|()| answer.unwrap_or_else(lost)));
    }
}

/// The ages at which a finished game is packed and deleted. `keep_finished` is `None` if finished games are never
/// deleted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) pack_after: Duration,
    pub(super) keep_finished: Option<Duration>,
}

/// The outcome of a group of changes before it is written.
struct Judged {
    change: Option<redb::WriteTransaction>,
    effects: Vec<(GameId, Effect)>,
    /// The time of the next task, in milliseconds since the Unix epoch. Is `None` if no task is pending.
    next_ms: Option<u64>,
}

/// Makes changes until the queue is closed and empty.
pub(super) fn run(
    runtime: &Runtime,
    mut queue: mpsc::Receiver<Box<dyn Job>>,
    disk: &Disk,
    wakers: &Wakers,
    terms: Terms,
) {
    let mut next = Some(Instant::now());
    loop {
        let mut jobs = Vec::new();
        let arrived = runtime.block_on(async {
            let arrival = queue.recv_many(&mut jobs, GROUP);
            match next {
                None => Ok(arrival.await),
                Some(next) => timeout_at(next, arrival).await,
            }
        });
        if let Ok(0) = arrived {
            return;
        }
        next = write(jobs, disk, wakers, terms);
    }
}

/// Applies and writes a group, and only then wakes watchers and answers callers. Returns when to run again even if no
/// change arrives.
fn write(
    mut jobs: Vec<Box<dyn Job>>,
    disk: &Disk,
    wakers: &Wakers,
    terms: Terms,
) -> Option<Instant> {
    let judged = disk.call(During::Work, |database| {
        let mut change = database.begin_write()?;
        // Two-phase commit costs a second sync. Without it, the library could not tell damage to the last group from a
        // crash during its write, and would roll the group back.
        change.set_two_phase_commit(true);
        judge(change, &mut jobs, disk, terms)
    });
    let (written, next) = match judged {
        Err(error) => (Err(error), Some(Instant::now() + PAUSE)),
        Ok(judged) => {
            let written = judged.change.map_or(Ok(()), |change| {
                disk.call(During::Commit, |_| Ok(change.commit()?))
            });
            match &written {
                Ok(()) => take_effect(judged.effects, disk, wakers),
                Err(error) => {
                    tracing::error!(%error, changes = jobs.len(), "a write to the disk failed");
                }
            }
            let left = judged.next_ms.map(|next| next.saturating_sub(now_ms()));
            let next = left.map(|left| Instant::now() + Duration::from_millis(left));
            (written, next)
        }
    };
    for job in jobs {
        job.answer(written.clone());
    }
    next
}

fn judge(
    change: redb::WriteTransaction,
    jobs: &mut [Box<dyn Job>],
    disk: &Disk,
    terms: Terms,
) -> Result<Judged, Fault> {
    let mut writer = Writer::open(disk, &change)?;
    for job in &mut *jobs {
        job.judge(&mut writer)?;
    }
    let tasks = TASKS[usize::from(jobs.is_empty())];
    let next_ms = work(&mut writer, terms, tasks)?;
    let (effects, has_changed) = (std::mem::take(&mut writer.effects), writer.has_changed);
    drop(writer);
    let change = if has_changed {
        Some(change)
    } else {
        change.abort()?;
        None
    };
    Ok(Judged {
        change,
        effects,
        next_ms,
    })
}

/// Wakes watchers before callers are answered: a watch that begins after the answer must not be woken by this change.
fn take_effect(effects: Vec<(GameId, Effect)>, disk: &Disk, wakers: &Wakers) {
    for (id, effect) in effects {
        match effect {
            Effect::Reached(version) => wakers.reached(id, version),
            Effect::Woken => wakers.poke(id),
            Effect::Deleted => {
                disk.forget_damage(id);
                wakers.poke(id);
            }
        }
    }
}

/// Packs and deletes finished games that are due, and deletes expired notes. Returns when the next task is due, in
/// milliseconds since the Unix epoch.
fn work(writer: &mut Writer<'_>, terms: Terms, limit: usize) -> Result<Option<u64>, Fault> {
    let mut next: Option<u64> = None;
    let ages = [
        (Task::Delete, terms.keep_finished),
        (Task::Pack, Some(terms.pack_after)),
        (Task::Forget, Some(Duration::ZERO)),
    ];
    for (task, age) in ages {
        let age = age.map(millis);
        let Some(until) = age.and_then(|age| now_ms().checked_sub(age)) else {
            continue;
        };
        for ended in writer.due(task, until, limit)? {
            let done = match task {
                Task::Pack => writer.pack(ended.id),
                Task::Delete => writer.delete(ended.id).map(drop),
                Task::Forget => writer.forget(ended),
            };
            match done {
                Ok(()) => {}
                Err(fault @ Fault::Library(_)) => return Err(fault),
                // No retry: it would fail in the same way.
                Err(fault) => {
                    let (id, error) = (ended.id, writer.disk.told(fault, During::Work));
                    tracing::warn!(%id, %error, ?task, "a finished game was left as it is");
                }
            }
            writer.done(task, ended)?;
        }
        let first = writer.due(task, u64::MAX, 1)?;
        let first = first
            .first()
            .map(|first| first.ms.saturating_add(age.unwrap_or(0)));
        next = next.into_iter().chain(first).min();
    }
    Ok(next)
}
