//! A client of all servers that retries a change until it is answered, and records the outcome.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::GameInfo;
use prost::Message;
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::sleep;
use tonic::Status;

use super::desk::{Desk, happens};
use super::shared::{Shared, Verdict, hash, logged_facts};
use super::{Outcome, TableChange, What};

/// How long a request without an answer is retried, even after the load is over.
const PERSISTENCE: Duration = Duration::from_secs(20);

/// The percentage of requests that are sent to two servers at once.
const TWINS: u32 = 10;
/// The percentage of unanswered requests that are abandoned.
const FORGOTTEN: u32 = 10;

/// A client that changes games.
#[derive(Clone)]
pub(super) struct Caller {
    /// The unique name of the client.
    pub(super) name: String,
    /// The connections of the client, one for each server.
    pub(super) desks: Vec<Desk>,
    pub(super) shared: Arc<Shared>,
}

/// The answer to a change.
pub(super) struct Answered {
    pub(super) game: String,
    /// The public facts that are in the log.
    facts: GameInfo,
    hash: u64,
}

impl Answered {
    /// Creates the answer from the public facts in a response and a hash of the rest.
    pub(super) fn of(game: Option<GameInfo>, rest: &impl Message) -> Self {
        let facts = logged_facts(game.unwrap_or_default());
        Self {
            game: facts.game_id.clone(),
            hash: hash(&facts) ^ hash(rest).rotate_left(1),
            facts,
        }
    }

    /// Returns the version that the change produced.
    pub(super) fn version(&self) -> u64 {
        self.facts.version
    }
}

pub(super) enum Settled {
    Done(Box<Answered>),
    No,
    Unchanged,
    Open,
}

impl Caller {
    pub(super) fn desk(&self) -> Desk {
        let desk = self.desks.choose(&mut crate::chance::rng());
        desk.expect("a server").clone()
    }

    /// Records the log entry that a request asks for, and sends the request as [`Caller::settle`] does.
    pub(super) async fn wish<F>(
        &self,
        game: &str,
        (id, table_change): (&str, TableChange),
        send: impl Fn(Desk) -> F,
    ) -> Option<Answered>
    where
        F: Future<Output = Result<Answered, Status>>,
    {
        let request = id.to_owned();
        let now = self.shared.recorder.now();
        let recorder = &self.shared.recorder;
        recorder.note(
            game,
            now,
            What::Wished {
                request,
                table_change,
            },
        );
        let answer = self.settle(game, id, send).await;
        if answer.is_some() {
            self.shared.came_about(table_change);
        }
        answer
    }

    /// Sends a request until it is answered or abandoned, and records the outcome.
    pub(super) async fn settle<F>(
        &self,
        game: &str,
        id: &str,
        send: impl Fn(Desk) -> F,
    ) -> Option<Answered>
    where
        F: Future<Output = Result<Answered, Status>>,
    {
        let recorder = &self.shared.recorder;
        let begun = recorder.now();
        let mut is_open = false;
        loop {
            let (first, twin) = if happens(TWINS) {
                let (first, twin) = tokio::join!(send(self.desk()), send(self.desk()));
                (first, Some(twin))
            } else {
                (send(self.desk()).await, None)
            };
            let (mut accepted, mut is_refused) = (None, false);
            for answer in [Some(first), twin].into_iter().flatten() {
                match self.settled(game, id, begun, answer) {
                    Settled::Done(answer) => accepted = Some(*answer),
                    Settled::No => is_refused = true,
                    Settled::Open => is_open = true,
                    Settled::Unchanged => {}
                }
            }
            if accepted.is_some() {
                self.shared.change_count.fetch_add(1, Ordering::Relaxed);
                return accepted;
            }
            if is_refused || happens(FORGOTTEN) || recorder.now() > begun + PERSISTENCE {
                // Of two copies sent at once, one may be refused and the other one carried out later.
                let outcome = if is_open {
                    Outcome::Unknown
                } else {
                    Outcome::Refused
                };
                self.note(game, id, begun, outcome);
                return None;
            }
            pause().await;
        }
    }

    pub(super) fn settled(
        &self,
        game: &str,
        id: &str,
        begun: Duration,
        answer: Result<Answered, Status>,
    ) -> Settled {
        let status = match answer {
            Ok(answer) => {
                self.shared.facts(&answer.facts);
                let outcome = Outcome::Done {
                    version: answer.facts.version,
                    answer: answer.hash,
                };
                self.note(&answer.game, id, begun, outcome);
                return Settled::Done(Box::new(answer));
            }
            Err(status) => status,
        };
        match self.shared.verdict(&status) {
            Verdict::Refused | Verdict::Missing => Settled::No,
            Verdict::Unchanged => Settled::Unchanged,
            Verdict::Unknown => Settled::Open,
            Verdict::Broken => {
                let what = What::Broken(format!("{id}: {status:?}"));
                self.shared.recorder.note(game, begun, what);
                Settled::Open
            }
        }
    }

    pub(super) fn note(&self, game: &str, id: &str, begun: Duration, outcome: Outcome) {
        let request = id.to_owned();
        let what = What::Change { request, outcome };
        self.shared.recorder.note(game, begun, what);
    }
}

/// Yields to other tasks for a short random time.
pub(super) async fn pause() {
    let millis = crate::chance::rng().random_range(5..40);
    sleep(Duration::from_millis(millis)).await;
}
