//! The **forwarder**: hears of news, sends webhooks, and stores how far it came.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use super::dead_letters::DeadLetters;
use super::dispatcher::{Dispatcher, Game, Progress, Setback, Verdict};
use super::feed::Told;
use super::lists::{Candidate, Reminding, Timing, check};
use super::metrics::Metrics;
use super::news::News;
use super::receiver::{Outcome, Receiver};
use super::state::{BEGUN, CURSOR, GONE, SETTLED_MS, State};
use super::webhook::{Kind, Webhook};
use crate::failure::Failure;
use crate::output::notice;
use crate::session::Session;

/// Maximum number of webhooks that wait in memory. With more, the feed is not read on; nothing is lost.
const MAX_QUEUED: usize = 200_000;

/// The interval at which changes are stored. A crash repeats at most what was delivered since.
const COMMIT_EVERY: Duration = Duration::from_millis(200);

/// Maximum number of decisions that are looked at side by side, for reminders.
const MAX_CHECKS: usize = 8;

/// The times after which seats are reminded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReminderTimes {
    /// How long before its time runs out a seat is reminded.
    pub(super) due_soon: Duration,
    /// How long after its decision began a seat without a clock is reminded.
    pub(super) remind_after: Duration,
}

/// A seat, with the due time of its decision.
type Reminded = (String, u32, Option<u64>);

/// Everything that forwards.
pub(super) struct Forwarder<'a> {
    pub(super) session: &'a Session,
    pub(super) receiver: &'a Receiver,
    pub(super) state: State,
    pub(super) dispatcher: Dispatcher,
    pub(super) dead_letters: DeadLetters,
    pub(super) metrics: Arc<Metrics>,
    /// Is `None` if nobody is reminded.
    pub(super) reminders: Option<ReminderTimes>,
    /// Reminders that are queued, with the time of the version at which their decision was seen.
    pub(super) reminding: HashMap<Reminded, u64>,
    /// Whether the last request succeeded.
    pub(super) is_receiver_well: bool,
}

/// The end of a request.
struct Sent {
    game: Game,
    webhook: Webhook,
    outcome: Outcome,
    took: Duration,
}

/// The end of a look at a decision.
type Checked = (Candidate, Result<Reminding, Failure>);

impl<'a> Forwarder<'a> {
    /// Forwards until it is stopped, or fails for good.
    pub(super) async fn run(
        &mut self,
        mut told: mpsc::Receiver<Told>,
        mut found: mpsc::Receiver<Candidate>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Failure> {
        let mut requests = FuturesUnordered::new();
        let mut checks = FuturesUnordered::new();
        let mut tick = interval(COMMIT_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stop = std::pin::pin!(stop);
        loop {
            while let Some(attempt) = self.dispatcher.start(now_ms()) {
                requests.push(send(self.receiver, attempt.game, attempt.webhook));
            }
            let has_room = self.dispatcher.queued() < MAX_QUEUED;
            tokio::select! {
                Some(told) = told.recv(), if has_room => self.hear(told)?,
                Some(candidate) = found.recv(), if has_room && checks.len() < MAX_CHECKS => {
                    if self.is_to_check(&candidate)? {
                        checks.push(self.look(candidate));
                    }
                }
                Some(sent) = requests.next(), if !requests.is_empty() => self.finish(sent)?,
                Some((candidate, result)) = checks.next(), if !checks.is_empty() => {
                    self.remind(&candidate, result?)?;
                }
                _ = tick.tick() => {
                    self.commit()?;
                    if checks.is_empty() && has_room {
                        checks.extend(self.overdue()?.into_iter().map(|one| self.look(one)));
                    }
                }
                () = &mut stop => break,
            }
        }
        // What is under way may have been taken.
        while let Some(sent) = requests.next().await {
            self.finish(sent)?;
        }
        self.commit()
    }

    /// Stores how far the forwarder came.
    pub(super) fn commit(&mut self) -> Result<(), Failure> {
        for (game, progress) in self.dispatcher.take_changes() {
            self.state.set_progress(&game, progress.as_ref())?;
        }
        if let Some(cursor) = self.dispatcher.take_cursor() {
            self.state.set_value(CURSOR, Some(&cursor))?;
            self.state.set_value(BEGUN, None)?;
            self.state
                .set_value(SETTLED_MS, Some(&now_ms().to_string()))?;
        }
        self.metrics.set(self.dispatcher.figures());
        self.state.commit()
    }

    fn hear(&mut self, told: Told) -> Result<(), Failure> {
        self.metrics.set_heard(now_ms());
        match told {
            Told::News(news) => {
                if self.reminders.is_some() {
                    let News {
                        game,
                        played_ms,
                        waiting,
                        ..
                    } = &news;
                    self.state.set_waiting(game, *played_ms, waiting)?;
                }
                let stored = self.stored_progress(&news.game)?;
                self.dispatcher.accept(news, stored);
            }
            Told::Cursor(cursor) => self.dispatcher.advance(cursor),
            Told::Left { game, cursor } => {
                self.state.set_waiting(&game, now_ms(), &[])?;
                let stored = self.stored_progress(&game)?;
                let cursor = Some(cursor);
                let news = News {
                    game,
                    cursor,
                    ..News::default()
                };
                self.dispatcher.accept(news, stored);
            }
            Told::Expired => {
                notice(format_args!(
                    "CURSOR_EXPIRED: the feed does not go back to where it was left. It begins anew; lists tell whose turn it is."
                ));
                self.metrics.expired.inc();
                self.state.set_value(CURSOR, None)?;
                self.state.set_value(BEGUN, None)?;
            }
            Told::Begun(cursor) => {
                // Stored at once: what happens from now on is not lost with a crash before the lists are settled.
                self.state.set_value(BEGUN, Some(&cursor))?;
                self.state.commit()?;
            }
            Told::Following => {
                notice(format_args!("The feed is followed."));
                self.metrics.set_following();
            }
        }
        Ok(())
    }

    /// Reads the noted progress of a game that the dispatcher does not know.
    fn stored_progress(&mut self, game: &str) -> Result<Option<Progress>, Failure> {
        if self.dispatcher.knows(game) {
            return Ok(None);
        }
        // Changes that are not stored yet count.
        for (game, progress) in self.dispatcher.take_changes() {
            self.state.set_progress(&game, progress.as_ref())?;
        }
        self.state.progress(game)
    }

    /// Notes the end of a request.
    fn finish(&mut self, sent: Sent) -> Result<(), Failure> {
        let Sent {
            game,
            webhook,
            outcome,
            took,
        } = sent;
        self.metrics
            .attempts
            .with_label_values(&[outcome.label()])
            .inc();
        self.metrics.duration.observe(took.as_secs_f64());
        match outcome {
            Outcome::Delivered => {
                self.is_receiver_well = true;
                self.metrics
                    .delivered
                    .with_label_values(&[webhook.kind.name()])
                    .inc();
                self.note_reminder(&webhook)?;
                self.dispatcher.delivered(&game, now_ms());
            }
            Outcome::Gone => {
                let receiver = self.receiver.origin();
                self.state.set_value(GONE, Some(&self.receiver.url()))?;
                return Err(Failure::ReceiverGone { receiver });
            }
            Outcome::Failed { why, setback } => self.set_back(&game, &why, setback)?,
        }
        Ok(())
    }

    fn set_back(&mut self, game: &Game, why: &str, setback: Setback) -> Result<(), Failure> {
        if std::mem::take(&mut self.is_receiver_well) {
            notice(format_args!(
                "The receiver failed: {why}. It is tried again."
            ));
        }
        let verdict = self.dispatcher.failed(game, now_ms(), setback);
        let Verdict::GiveUp { webhook, failing } = verdict else {
            return Ok(());
        };
        self.dead_letters.write(&webhook, &failing, why)?;
        self.metrics.dead_letters.inc();
        notice(format_args!(
            "{} was given up after {} attempts, and is with the dead letters: {why}",
            webhook.id(),
            failing.attempts
        ));
        self.note_reminder(&webhook)?;
        self.dispatcher.settle(game);
        Ok(())
    }

    /// Notes that a seat was reminded, if the webhook is a reminder.
    fn note_reminder(&mut self, webhook: &Webhook) -> Result<(), Failure> {
        let Webhook {
            kind,
            game,
            seat,
            due_ms,
            ..
        } = webhook;
        let reminded = (game.clone(), *seat, *due_ms);
        let seen_ms = self
            .reminding
            .remove(&reminded)
            .filter(|_| *kind == Kind::DueSoon);
        seen_ms.map_or(Ok(()), |seen_ms| {
            self.state
                .set_reminded((game.as_str(), *seat), *due_ms, seen_ms)
        })
    }

    /// Returns the decisions without a clock of which nobody was reminded yet.
    fn overdue(&mut self) -> Result<Vec<Candidate>, Failure> {
        let Some(times) = self.reminders else {
            return Ok(Vec::new());
        };
        let until_ms = now_ms().saturating_sub(milliseconds(times.remind_after));
        // Those that are queued already are still among them.
        let all = self
            .state
            .overdue(until_ms, MAX_CHECKS + self.reminding.len())?;
        let others = all.into_iter().filter(|one| !self.is_queued(one));
        Ok(others.take(MAX_CHECKS).collect())
    }

    fn is_queued(&self, candidate: &Candidate) -> bool {
        let reminded = (candidate.game.clone(), candidate.seat, candidate.due_ms());
        self.reminding.contains_key(&reminded)
    }

    /// Returns whether a seat may have to be reminded.
    fn is_to_check(&mut self, candidate: &Candidate) -> Result<bool, Failure> {
        if self.is_queued(candidate) {
            return Ok(false);
        }
        match candidate.timing {
            Timing::NoClock { .. } => Ok(true),
            Timing::Clock { due_ms } => {
                let is_reminded =
                    self.state
                        .is_reminded(&candidate.game, candidate.seat, due_ms)?;
                Ok(!is_reminded)
            }
        }
    }

    /// Looks whether a seat is to be reminded.
    fn look(&self, candidate: Candidate) -> impl Future<Output = Checked> + use<'a> {
        let session = self.session;
        let times = self.reminders;
        async move {
            let Some(times) = times else {
                return (candidate, Ok(Reminding::Never));
            };
            let now_ms = now_ms();
            let began_before_ms = now_ms.saturating_sub(milliseconds(times.remind_after));
            let due_before_ms = now_ms.saturating_add(milliseconds(times.due_soon));
            let bounds = (began_before_ms, due_before_ms);
            let result = check(session, &candidate, bounds, now_ms).await;
            (candidate, result)
        }
    }

    /// Queues a reminder, or notes that there is none now.
    fn remind(&mut self, candidate: &Candidate, reminding: Reminding) -> Result<(), Failure> {
        match reminding {
            Reminding::Now { webhook, seen_ms } => {
                let reminded = (webhook.game.clone(), webhook.seat, webhook.due_ms);
                if self.reminding.insert(reminded, seen_ms).is_none() {
                    let stored = self.stored_progress(&webhook.game)?;
                    self.dispatcher.remind(webhook, stored);
                }
                Ok(())
            }
            Reminding::Later { since_ms } => self.state.postpone(candidate, Some(since_ms)),
            Reminding::Never => self.state.postpone(candidate, None),
        }
    }
}

async fn send(receiver: &Receiver, game: Game, webhook: Webhook) -> Sent {
    let begun = Instant::now();
    let outcome = receiver.send(&webhook).await;
    Sent {
        game,
        webhook,
        outcome,
        took: begun.elapsed(),
    }
}

/// Returns the time in milliseconds since the Unix epoch.
pub(super) fn now_ms() -> u64 {
    milliseconds(
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default(),
    )
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
