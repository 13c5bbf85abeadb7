//! The **dispatcher** of webhooks: a queue for each game, which of them may be sent now, and the cursor up to which the
//! feed is settled. It does no input or output and knows no clock: callers pass times, in milliseconds since the Unix
//! epoch.
//!
//! Webhooks of one game are sent one after the other. One that fails is tried again later and holds up its game alone.
//! Retries use at most half of the requests that may be under way at once, and a request that has taken a second no longer
//! counts, up to a limit, so that games that fail, or whose requests hang, leave room for the others.
//!
//! The cursor that is stored is that of the last feed message before the first one that is not settled. What was
//! delivered after it is noted for each game (`Progress`): after a restart, the feed tells it again.

mod progress;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

pub(super) use self::progress::{Failing, Progress};
use super::backoff::wait_after;
use super::news::News;
use super::webhook::Webhook;

/// The time after which a request no longer counts as one of those that may be under way at once, in milliseconds.
const SLOW_MS: u64 = 1_000;

/// The number of requests that may be under way in all, slow ones too, as a multiple of those that count.
const MAX_SLOW: usize = 8;

/// The id of a game.
pub(super) type Game = Arc<str>;

/// A message of the feed, until it and all before it are settled.
struct Message {
    /// The cursor after it. Is `None` for what lists told.
    cursor: Option<String>,
    /// The number of its webhooks that are not settled.
    open: usize,
    /// The game whose progress is noted for it.
    game: Option<Game>,
}

/// A webhook in the queue of its game.
struct Queued {
    webhook: Webhook,
    /// The number of its feed message. Is `None` for reminders.
    message: Option<u64>,
}

/// When the first webhook of a queue is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The queue is empty.
    Idle,
    /// As soon as there is room.
    Fresh,
    /// After a failure, not before this time.
    Retry { at_ms: u64 },
    /// A request is in progress since this time.
    InFlight { since_ms: u64, is_retry: bool },
}

struct Queue {
    webhooks: VecDeque<Queued>,
    turn: Turn,
    progress: Progress,
    /// The number of the last feed message of the game. Is `None` if there was none, but a reminder.
    last_message: Option<u64>,
}

impl Queue {
    fn new(progress: Progress) -> Self {
        Self {
            webhooks: VecDeque::new(),
            turn: Turn::Idle,
            progress,
            last_message: None,
        }
    }
}

/// A webhook that is to be sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) game: Game,
    pub(super) webhook: Webhook,
}

/// A failure of an attempt, as far as it matters for the next one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Setback {
    /// The wait that the receiver asks for.
    pub(super) retry_after: Option<Duration>,
    /// Whether there was no connection at all.
    pub(super) is_unreachable: bool,
}

/// The consequence of a failed attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The webhook is sent again later.
    Retry,
    /// The webhook was tried for as long as webhooks are: it is to be noted elsewhere, and then settled.
    GiveUp { webhook: Webhook, failing: Failing },
}

/// The figures of a dispatcher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    /// Webhooks that are not settled.
    pub(super) queued: usize,
    /// Requests under way.
    pub(super) in_flight: usize,
    /// Games whose next webhook has failed.
    pub(super) failing: usize,
    /// When the oldest webhook that is not settled happened.
    pub(super) oldest_ms: Option<u64>,
}

/// The queues of all games.
pub(super) struct Dispatcher {
    /// Requests that may be under way at once.
    capacity: usize,
    /// The time for which a webhook is tried.
    give_up_after: Duration,
    messages: VecDeque<Message>,
    /// The number of the first of these messages.
    first_message: u64,
    games: HashMap<Game, Queue>,
    fresh: VecDeque<Game>,
    retries: BTreeSet<(u64, Game)>,
    /// The games for which there was no connection to the receiver.
    unreachable: BTreeSet<Game>,
    /// The requests under way, by the time when they began.
    in_flight: BTreeSet<(u64, Game)>,
    retrying: usize,
    queued: usize,
    settled_cursor: Option<String>,
    changes: BTreeMap<Game, Option<Progress>>,
}

impl Dispatcher {
    /// Creates a dispatcher without games.
    pub(super) fn new(capacity: usize, give_up_after: Duration) -> Self {
        Self {
            capacity,
            give_up_after,
            messages: VecDeque::new(),
            first_message: 0,
            games: HashMap::new(),
            fresh: VecDeque::new(),
            retries: BTreeSet::new(),
            unreachable: BTreeSet::new(),
            in_flight: BTreeSet::new(),
            retrying: 0,
            queued: 0,
            settled_cursor: None,
            changes: BTreeMap::new(),
        }
    }

    /// Returns whether the dispatcher has the progress of a game.
    pub(super) fn knows(&self, game: &str) -> bool {
        self.games.contains_key(game)
    }

    /// Accepts a message of the feed without news of a game.
    pub(super) fn advance(&mut self, cursor: String) {
        self.push_message(Message {
            cursor: Some(cursor),
            open: 0,
            game: None,
        });
        self.settle_messages();
    }

    /// Accepts the news of a game. `stored` is the noted progress of a game that the dispatcher does not know.
    pub(super) fn accept(&mut self, news: News, stored: Option<Progress>) {
        let game: Game = news.game.as_str().into();
        let is_noted = stored.is_some() || self.knows(&game);
        if news.webhooks.is_empty() && !is_noted {
            self.push_message(Message {
                cursor: news.cursor,
                open: 0,
                game: None,
            });
            return self.settle_messages();
        }
        let queue = self
            .games
            .entry(Arc::clone(&game))
            .or_insert_with(|| Queue::new(stored.unwrap_or_default()));
        if queue.progress.is_start != news.is_start {
            queue.progress.is_start = news.is_start;
            self.changes
                .insert(Arc::clone(&game), Some(queue.progress.clone()));
        }
        let progress = queue.progress.clone();
        let webhooks = news.webhooks.into_iter();
        let open: Vec<_> = webhooks.filter(|one| !progress.has(one)).collect();
        let number = self.push_message(Message {
            cursor: news.cursor,
            open: open.len(),
            game: Some(Arc::clone(&game)),
        });
        if let Some(queue) = self.games.get_mut(&game) {
            queue.last_message = Some(number);
        }
        for webhook in open {
            self.enqueue(&game, webhook, Some(number));
        }
        self.settle_messages();
    }

    /// Accepts a reminder. It follows what is queued for its game.
    pub(super) fn remind(&mut self, webhook: Webhook, stored: Option<Progress>) {
        let game: Game = webhook.game.as_str().into();
        self.games
            .entry(Arc::clone(&game))
            .or_insert_with(|| Queue::new(stored.unwrap_or_default()));
        self.enqueue(&game, webhook, None);
    }

    /// Returns the next webhook to send, if one may be sent now.
    pub(super) fn start(&mut self, now_ms: u64) -> Option<Attempt> {
        let counted = self.in_flight.iter().rev();
        let counted = counted.take_while(|(since, _)| since.saturating_add(SLOW_MS) > now_ms);
        if counted.count() >= self.capacity || self.in_flight.len() >= MAX_SLOW * self.capacity {
            return None;
        }
        let may_retry = self.retrying < (self.capacity / 2).max(1);
        let is_due = self.retries.first().is_some_and(|(at, _)| *at <= now_ms);
        let game = match may_retry && is_due {
            true => self.retries.pop_first().map(|(_, game)| game),
            false => self.fresh.pop_front(),
        }?;
        let queue = self.games.get_mut(&game)?;
        let is_retry = matches!(queue.turn, Turn::Retry { .. });
        queue.turn = Turn::InFlight {
            since_ms: now_ms,
            is_retry,
        };
        let webhook = queue.webhooks.front()?.webhook.clone();
        self.in_flight.insert((now_ms, Arc::clone(&game)));
        self.retrying += usize::from(is_retry);
        Some(Attempt { game, webhook })
    }

    /// Notes a delivery: the next webhook of the game follows. A receiver that was unreachable for other games is tried
    /// again for them.
    pub(super) fn delivered(&mut self, game: &Game, now_ms: u64) {
        self.land(game);
        self.settle(game);
        for game in std::mem::take(&mut self.unreachable) {
            if let Some(queue) = self.games.get_mut(&game)
                && let Turn::Retry { at_ms } = queue.turn
            {
                queue.turn = Turn::Retry { at_ms: now_ms };
                self.retries.remove(&(at_ms, Arc::clone(&game)));
                self.retries.insert((now_ms, game));
            }
        }
    }

    /// Notes a failed attempt.
    pub(super) fn failed(&mut self, game: &Game, now_ms: u64, setback: Setback) -> Verdict {
        self.land(game);
        let Some(queue) = self.games.get_mut(game) else {
            return Verdict::Retry;
        };
        let Some(head) = queue.webhooks.front() else {
            return Verdict::Retry;
        };
        let id = head.webhook.id();
        let mut failing = match queue.progress.failing.take() {
            Some(failing) if failing.id == id => failing,
            Some(_) | None => Failing::new(id, now_ms),
        };
        failing.attempts = failing.attempts.saturating_add(1);
        let wait = wait_after(failing.attempts, setback.retry_after, self.give_up_after);
        failing.next_ms = now_ms.saturating_add(milliseconds(wait));
        queue.progress.failing = Some(failing.clone());
        if now_ms.saturating_sub(failing.since_ms) >= milliseconds(self.give_up_after) {
            let webhook = head.webhook.clone();
            return Verdict::GiveUp { webhook, failing };
        }
        if setback.is_unreachable {
            self.unreachable.insert(Arc::clone(game));
        }
        queue.turn = Turn::Retry {
            at_ms: failing.next_ms,
        };
        self.retries.insert((failing.next_ms, Arc::clone(game)));
        self.changes
            .insert(Arc::clone(game), Some(queue.progress.clone()));
        Verdict::Retry
    }

    /// Settles the first webhook of a game, which is not under way any more: it was delivered, or given up. What follows
    /// and says the same again, as the feed does of what a list has told, is settled with it.
    pub(super) fn settle(&mut self, game: &Game) {
        let Some(queue) = self.games.get_mut(game) else {
            return;
        };
        let Some(first) = queue.webhooks.pop_front() else {
            return;
        };
        queue.progress.failing = None;
        if first.message.is_some() {
            queue.progress.note(&first.webhook);
        }
        let mut settled = vec![first];
        while let Some(next) = queue
            .webhooks
            .pop_front_if(|next| next.message.is_some() && queue.progress.has(&next.webhook))
        {
            settled.push(next);
        }
        self.queued -= settled.len();
        self.changes
            .insert(Arc::clone(game), Some(queue.progress.clone()));
        queue.turn = Turn::Idle;
        if !queue.webhooks.is_empty() {
            queue.turn = Turn::Fresh;
            self.fresh.push_back(Arc::clone(game));
        }
        for number in settled.into_iter().filter_map(|one| one.message) {
            let at = number.checked_sub(self.first_message);
            let at = at.and_then(|at| usize::try_from(at).ok());
            if let Some(message) = at.and_then(|at| self.messages.get_mut(at)) {
                message.open -= 1;
            }
        }
        self.settle_messages();
        self.retire(game);
    }

    /// Returns the cursor up to which everything is settled, once after each change.
    pub(super) fn take_cursor(&mut self) -> Option<String> {
        self.settled_cursor.take()
    }

    /// Returns the changes of noted progress since the last call: `None` for games about which nothing is to be noted.
    pub(super) fn take_changes(&mut self) -> BTreeMap<Game, Option<Progress>> {
        std::mem::take(&mut self.changes)
    }

    /// Returns the number of webhooks that are not settled.
    pub(super) fn queued(&self) -> usize {
        self.queued
    }

    /// Counts what is queued, under way and failing.
    pub(super) fn figures(&self) -> Figures {
        let queues = self.games.values();
        let heads = queues.clone().filter_map(|queue| queue.webhooks.front());
        Figures {
            queued: self.queued,
            in_flight: self.in_flight.len(),
            failing: queues
                .filter(|queue| queue.progress.failing.is_some())
                .count(),
            oldest_ms: heads.map(|head| head.webhook.time_ms).min(),
        }
    }

    /// Appends a message and returns its number. Messages of which nothing has to be waited for become one.
    fn push_message(&mut self, message: Message) -> u64 {
        let is_empty = |message: &Message| message.open == 0 && message.game.is_none();
        match self.messages.back_mut() {
            Some(last) if is_empty(last) && is_empty(&message) => {
                last.cursor = message.cursor.or(last.cursor.take());
            }
            Some(_) | None => self.messages.push_back(message),
        }
        // There is at least one message now.
        self.first_message + self.messages.len() as u64 - 1
    }

    fn enqueue(&mut self, game: &Game, webhook: Webhook, message: Option<u64>) {
        let Some(queue) = self.games.get_mut(game) else {
            return;
        };
        queue.webhooks.push_back(Queued { webhook, message });
        self.queued += 1;
        if queue.turn != Turn::Idle {
            return;
        }
        // After a restart, a webhook that has failed before waits as long as it would have.
        let head = queue.webhooks.front().map(|head| head.webhook.id());
        match &queue.progress.failing {
            Some(failing) if Some(&failing.id) == head.as_ref() => {
                let at_ms = failing.next_ms;
                queue.turn = Turn::Retry { at_ms };
                self.retries.insert((at_ms, Arc::clone(game)));
            }
            Some(_) | None => {
                queue.turn = Turn::Fresh;
                self.fresh.push_back(Arc::clone(game));
            }
        }
    }

    /// Ends the request of a game.
    fn land(&mut self, game: &Game) {
        let Some(queue) = self.games.get_mut(game) else {
            return;
        };
        if let Turn::InFlight { since_ms, is_retry } = queue.turn {
            self.in_flight.remove(&(since_ms, Arc::clone(game)));
            self.retrying -= usize::from(is_retry);
            queue.turn = Turn::Idle;
        }
    }

    /// Drops the messages at the front that are settled; the cursor after them may be stored.
    fn settle_messages(&mut self) {
        while self.messages.front().is_some_and(|front| front.open == 0) {
            let Some(message) = self.messages.pop_front() else {
                return;
            };
            self.first_message += 1;
            if message.cursor.is_some() {
                self.settled_cursor = message.cursor;
            }
            if let Some(game) = message.game {
                self.retire(&game);
            }
        }
    }

    /// Forgets a game of which nothing is queued and all messages are settled. Its progress remains noted while it is at
    /// its first version, which the feed tells again when names or labels change.
    fn retire(&mut self, game: &Game) {
        let first = self.first_message;
        let is_over = self.games.get(game).is_some_and(|queue| {
            queue.webhooks.is_empty() && queue.last_message.is_none_or(|last| last < first)
        });
        if !is_over {
            return;
        }
        if let Some(queue) = self.games.remove(game) {
            // After a restart, a reminder may come before what the feed tells again.
            let is_untold = queue.last_message.is_none() && queue.progress.version > 0;
            let kept = Some(queue.progress).filter(|progress| progress.is_start || is_untold);
            self.changes.insert(Arc::clone(game), kept);
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
