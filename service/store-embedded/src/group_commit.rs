//! The **group commit** thread: it makes all changes and, when they are due, packs and deletes finished games and
//! deletes expired key-value records.

use std::time::Duration;

use gamekeeper_store::clock::{millis, now_ms};
use gamekeeper_store::metering::{self, UsedTime};
use gamekeeper_store::notifier::ChangeNotifier;
use gamekeeper_store::{GameId, StoreError};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::disk::Disk;
use super::fault::{Fault, Phase};
use super::tables::Task;
use super::writer::{PostCommit, Writer};

/// The maximum number of changes that share one transaction.
const GROUP_LIMIT: usize = 256;

/// The maximum number of finished games packed or deleted in one transaction: while callers wait for it, and
/// otherwise.
const MAINTENANCE_BATCH: [usize; 2] = [1, 16];

/// How long to wait after a group that could not be written.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A queued change.
pub(super) trait Job: Send {
    /// Applies the change to the group, or refuses it. Returns an error only if the library failed.
    fn validate(&mut self, writer: &mut Writer<'_>) -> Result<(), Fault>;

    /// Answers the caller, after the group was written or could not be written, with the processor time of the change.
    fn respond(self: Box<Self>, written: Result<(), StoreError>, time: UsedTime);
}

/// The answer to a change, with its processor time.
pub(super) type Answer<A> = (Result<A, StoreError>, UsedTime);

/// A change with the channel for its answer.
pub(super) struct QueuedChange<A, J> {
    validate: Option<J>,
    result: Option<Result<A, StoreError>>,
    reply: oneshot::Sender<Answer<A>>,
}

impl<A, J> QueuedChange<A, J> {
    pub(super) fn new(validate: J, reply: oneshot::Sender<Answer<A>>) -> Self {
        QueuedChange {
            validate: Some(validate),
            result: None,
            reply,
        }
    }
}

impl<A: Send, J: Send> Job for QueuedChange<A, J>
where
    J: FnOnce(&mut Writer<'_>) -> Result<A, Fault>,
{
    fn validate(&mut self, writer: &mut Writer<'_>) -> Result<(), Fault> {
        let Some(validate) = self.validate.take() else {
            return Ok(());
        };
        self.result = Some(match validate(writer) {
            Ok(result) => Ok(result),
            Err(fault @ Fault::Library(_)) => return Err(fault),
            Err(fault @ (Fault::Refused(_) | Fault::Damaged(..))) => {
                Err(writer.disk.classify_error(fault, Phase::Work))
            }
        });
        Ok(())
    }

    fn respond(self: Box<Self>, written: Result<(), StoreError>, time: UsedTime) {
        let QueuedChange { result, reply, .. } = *self;
        let never_validated = || Err(StoreError::Unavailable("the change was not judged".into()));
        let answer = written.and_then(|()| result.unwrap_or_else(never_validated));
        let _nobody_listens = reply.send((answer, time));
    }
}

/// The ages at which a finished game is packed and deleted. `keep_finished` is `None` if finished games are never
/// deleted.
#[derive(Clone, Copy, Debug)]
pub(super) struct RetentionPolicy {
    pub(super) pack_after: Duration,
    pub(super) keep_finished: Option<Duration>,
}

/// The outcome of a group of changes before it is written.
struct GroupResult {
    change: Option<redb::WriteTransaction>,
    post_commits: Vec<(GameId, PostCommit)>,
    /// The time of the next task, in milliseconds since the Unix epoch. Is `None` if no task is pending.
    next_ms: Option<u64>,
}

/// Makes changes until the queue is closed and empty.
pub(super) fn run(
    runtime: &Runtime,
    mut queue: mpsc::Receiver<Box<dyn Job>>,
    disk: &Disk,
    notifier: &ChangeNotifier,
    retention: RetentionPolicy,
) {
    let mut next = Some(Instant::now());
    loop {
        let mut jobs = Vec::new();
        let arrived = runtime.block_on(async {
            let arrival = queue.recv_many(&mut jobs, GROUP_LIMIT);
            match next {
                None => Ok(arrival.await),
                Some(next) => timeout_at(next, arrival).await,
            }
        });
        if let Ok(0) = arrived {
            return;
        }
        next = write(jobs, disk, notifier, retention);
    }
}

/// Applies and writes a group, and only then wakes watchers and answers callers, who pay for equal parts of the time since
/// the group before.
/// Returns when to run again even if no change arrives.
fn write(
    mut jobs: Vec<Box<dyn Job>>,
    disk: &Disk,
    notifier: &ChangeNotifier,
    retention: RetentionPolicy,
) -> Option<Instant> {
    let group = disk.call(Phase::Work, |database| {
        let mut change = database.begin_write()?;
        // Two-phase commit costs a second sync. Without it, the library could not tell damage to the last group from a
        // crash during its write, and would roll the group back.
        change.set_two_phase_commit(true);
        validate_group(change, &mut jobs, disk, retention)
    });
    let (written, next) = match group {
        Err(error) => (Err(error), Some(Instant::now() + RETRY_DELAY)),
        Ok(group) => {
            let written = group.change.map_or(Ok(()), |change| {
                disk.call(Phase::Commit, |_| Ok(change.commit()?))
            });
            match &written {
                Ok(()) => run_post_commits(group.post_commits, disk, notifier),
                Err(error) => {
                    tracing::error!(%error, changes = jobs.len(), "a write to the disk failed");
                }
            }
            let delay_ms = group.next_ms.map(|next| next.saturating_sub(now_ms()));
            let next = delay_ms.map(|delay_ms| Instant::now() + Duration::from_millis(delay_ms));
            (written, next)
        }
    };
    let time = metering::take_thread_time();
    let Some(part) = u32::try_from(jobs.len())
        .ok()
        .and_then(|count| time.checked_div(count))
    else {
        // Nobody has asked for what was packed or deleted.
        metering::record_service_time(time);
        return next;
    };
    for job in jobs {
        job.respond(written.clone(), UsedTime::new(part));
    }
    next
}

fn validate_group(
    change: redb::WriteTransaction,
    jobs: &mut [Box<dyn Job>],
    disk: &Disk,
    retention: RetentionPolicy,
) -> Result<GroupResult, Fault> {
    let mut writer = Writer::open(disk, &change)?;
    for job in &mut *jobs {
        job.validate(&mut writer)?;
    }
    let tasks = MAINTENANCE_BATCH[usize::from(jobs.is_empty())];
    let next_ms = run_maintenance(&mut writer, retention, tasks)?;
    writer.write_sums()?;
    let (post_commits, has_changed) =
        (std::mem::take(&mut writer.post_commits), writer.has_changed);
    drop(writer);
    let change = if has_changed {
        Some(change)
    } else {
        change.abort()?;
        None
    };
    Ok(GroupResult {
        change,
        post_commits,
        next_ms,
    })
}

/// Wakes watchers before callers are answered: a watch that begins after the answer must not be woken by this change.
fn run_post_commits(
    post_commits: Vec<(GameId, PostCommit)>,
    disk: &Disk,
    notifier: &ChangeNotifier,
) {
    for (id, effect) in post_commits {
        match effect {
            PostCommit::Reached(version) => notifier.notify_version(id, version),
            PostCommit::Woken => notifier.notify(id),
            PostCommit::Deleted => {
                disk.forget_damage(id);
                notifier.notify(id);
            }
        }
    }
}

/// Packs and deletes finished games that are due, and deletes expired key-value records. Returns when the next task is
/// due, in milliseconds since the Unix epoch.
fn run_maintenance(
    writer: &mut Writer<'_>,
    retention: RetentionPolicy,
    limit: usize,
) -> Result<Option<u64>, Fault> {
    let mut next: Option<u64> = None;
    let ages = [
        (Task::Delete, retention.keep_finished),
        (Task::Pack, Some(retention.pack_after)),
        (Task::Forget, Some(Duration::ZERO)),
    ];
    for (task, age) in ages {
        let age = age.map(millis);
        let Some(until) = age.and_then(|age| now_ms().checked_sub(age)) else {
            continue;
        };
        for ended in writer.due_tasks(task, until, limit)? {
            let done = match task {
                Task::Pack => writer.pack(ended.id),
                Task::Delete => writer.delete(ended.id).map(drop),
                Task::Forget => writer.expire(ended),
            };
            match done {
                Ok(()) => {}
                Err(fault @ Fault::Library(_)) => return Err(fault),
                // No retry: it would fail in the same way.
                Err(fault) => {
                    let (id, error) = (ended.id, writer.disk.classify_error(fault, Phase::Work));
                    tracing::warn!(%id, %error, ?task, "a finished game was left as it is");
                }
            }
            writer.finish_task(task, ended)?;
        }
        let first = writer.due_tasks(task, u64::MAX, 1)?;
        let first = first
            .first()
            .map(|first| first.ms.saturating_add(age.unwrap_or(0)));
        next = next.into_iter().chain(first).min();
    }
    Ok(next)
}
