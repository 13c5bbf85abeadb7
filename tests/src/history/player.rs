//! A client that plays: whatever is due, on any server, and again when there was no answer.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;
use prost::Message;
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::sleep;
use tonic::Status;

use super::desk::{Desk, happens};
use super::load::{Current, Shared, Table, Verdict, hash};
use super::operations::{self, Look};
use super::{Outcome, What, packed};
use crate::dominion::{choose, players};

/// A request without an answer is sent again for this long, also when the load is over.
const PERSISTENCE: Duration = Duration::from_secs(20);

/// How many of a hundred requests are sent to two servers at once.
const TWINS: u32 = 10;
/// How many of a hundred unanswered requests are given up.
const FORGOTTEN: u32 = 10;
/// How many of a hundred turns an old request is sent again.
const REPEATED: u32 = 10;
/// How many of a hundred changes go through the service of all rulesets.
const PACKED: u32 = 30;
/// The percentage of turns with a call other than an action.
const LOOKS: u32 = 30;

pub(super) struct Player {
    name: String,
    /// One for each server.
    desks: Vec<Desk>,
    table: Arc<Table>,
    shared: Arc<Shared>,
    /// How many requests were made.
    requests: u32,
    /// Those that were answered OK.
    past: Vec<pb::ApplyActionRequest>,
}

/// What an answer tells of a change.
struct Answered {
    game: String,
    version: u64,
    hash: u64,
}

fn answered(game: Option<&GameInfo>, answer: &impl Message) -> Answered {
    Answered {
        game: game.map(|game| game.game_id.clone()).unwrap_or_default(),
        version: game.map_or(0, |game| game.version),
        hash: hash(answer),
    }
}

async fn create(mut desk: Desk, request: pb::CreateGameRequest) -> Result<Answered, Status> {
    let mut answer = if happens(PACKED) {
        packed::create(desk, request).await?
    } else {
        let ask = desk.ask_hastily(request);
        desk.own.create_game(ask).await?.into_inner()
    };
    // Tokens may have been replaced when a creation is answered again.
    answer.seat_tokens.clear();
    answer.spectator_token.clear();
    Ok(answered(answer.game.as_ref(), &answer))
}

async fn apply(mut desk: Desk, request: pb::ApplyActionRequest) -> Result<Answered, Status> {
    let answer = if happens(PACKED) {
        packed::apply(desk, request).await?
    } else {
        let ask = desk.ask_hastily(request);
        desk.own.apply_action(ask).await?.into_inner()
    };
    Ok(answered(answer.game.as_ref(), &answer))
}

impl Player {
    pub(super) fn new(
        name: String,
        desks: Vec<Desk>,
        table: &Arc<Table>,
        shared: &Arc<Shared>,
    ) -> Player {
        Player {
            name,
            desks,
            table: Arc::clone(table),
            shared: Arc::clone(shared),
            requests: 0,
            past: Vec::new(),
        }
    }

    pub(super) async fn play(mut self) {
        while !self.shared.is_over() {
            let current = self.table.current();
            let Some(game) = current.game.clone() else {
                self.begin(current.round).await;
                continue;
            };
            match self.turn(&game).await {
                Ok(Turn::Over) => self.table.end(current.round),
                Ok(Turn::Taken) => {}
                Err(status) => self.failed(&current, &game, &status).await,
            }
            if happens(LOOKS) {
                let look = Look::new(self.desk(), &game, &self.shared);
                if let Err(status) = operations::any(look).await {
                    self.failed(&current, &game, &status).await;
                }
            }
            if happens(REPEATED) {
                self.repeat(&game).await;
            }
        }
    }

    /// A call about the game of a round came to nothing.
    async fn failed(&self, current: &Current, game: &str, status: &Status) {
        match self.shared.verdict(status) {
            Verdict::Broken => self.shared.broken(game, format!("{status:?}")),
            Verdict::Missing => self.table.end(current.round),
            Verdict::Refused | Verdict::Unchanged | Verdict::Unknown => {}
        }
        pause().await;
    }

    fn desk(&self) -> Desk {
        let desk = self.desks.choose(&mut rand::rng());
        desk.expect("a server").clone()
    }

    /// Creates the game of a round. All players do, with the same request: there is one game.
    async fn begin(&mut self, round: u32) {
        let (run, number) = (self.shared.run, self.table.number);
        let request = pb::CreateGameRequest {
            players: players(&["Ada", "Bob"]),
            request_id: format!("{run:016x} table {number} round {round}"),
            ..Default::default()
        };
        let id = request.request_id.clone();
        let send = |desk| create(desk, request.clone());
        if let Some(answer) = self.settle("", &id, send).await {
            self.table.begin(round, &answer.game);
        }
    }

    /// Looks, and does what is due.
    async fn turn(&mut self, game: &str) -> Result<Turn, Status> {
        let begun = self.shared.recorder.now();
        let ask = pb::GetGameRequest {
            game_id: game.to_owned(),
            ..Default::default()
        };
        let mut desk = self.desk();
        let ask = desk.ask_hastily(ask);
        let found = desk.own.get_game(ask).await?.into_inner();
        let info = found.game.unwrap_or_default();
        let read = What::Read(info.version);
        self.shared.recorder.note(game, begun, read);
        let Some(seat) = info.pending.first().map(|pending| pending.seat) else {
            return Ok(Turn::Over);
        };
        let begun = self.shared.recorder.now();
        let ask = pb::ListLegalActionsRequest {
            game_id: game.to_owned(),
            seat,
            ..Default::default()
        };
        let mut desk = self.desk();
        let ask = desk.ask_hastily(ask);
        let legal = desk.own.list_legal_actions(ask).await?.into_inner();
        let read = What::Read(legal.version);
        self.shared.recorder.note(game, begun, read);
        if legal.actions.is_empty() {
            return Ok(Turn::Taken);
        }
        self.act(game, seat, &legal).await;
        Ok(Turn::Taken)
    }

    async fn act(&mut self, game: &str, seat: u32, legal: &pb::ListLegalActionsResponse) {
        self.requests += 1;
        let request = pb::ApplyActionRequest {
            game_id: game.to_owned(),
            seat,
            action: Some(choose(&legal.actions)),
            expected_version: if happens(50) { legal.version } else { 0 },
            request_id: format!("{:016x} {} {}", self.shared.run, self.name, self.requests),
            ..Default::default()
        };
        let id = request.request_id.clone();
        let send = |desk| apply(desk, request.clone());
        if self.settle(game, &id, send).await.is_some() {
            self.past.push(request);
        }
    }

    /// Sends a request until there is an answer, or it is forgotten; notes what came of it.
    async fn settle<F>(&self, game: &str, id: &str, send: impl Fn(Desk) -> F) -> Option<Answered>
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
            let (mut found, mut is_refused) = (None, false);
            for answer in [Some(first), twin].into_iter().flatten() {
                match self.settled(game, id, begun, answer) {
                    Settled::Done(answer) => found = Some(answer),
                    Settled::No => is_refused = true,
                    Settled::Open => is_open = true,
                    Settled::Unchanged => {}
                }
            }
            if found.is_some() {
                self.shared.done.fetch_add(1, Ordering::Relaxed);
                return found;
            }
            if is_refused || happens(FORGOTTEN) || recorder.now() > begun + PERSISTENCE {
                // Of two that were sent at once, one may be refused and the other be played later.
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

    fn settled(
        &self,
        game: &str,
        id: &str,
        begun: Duration,
        answer: Result<Answered, Status>,
    ) -> Settled {
        let status = match answer {
            Ok(answer) => {
                let (version, hash) = (answer.version, answer.hash);
                let outcome = Outcome::Done {
                    version,
                    answer: hash,
                };
                self.note(&answer.game, id, begun, outcome);
                return Settled::Done(answer);
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

    fn note(&self, game: &str, id: &str, begun: Duration, outcome: Outcome) {
        let request = id.to_owned();
        let what = What::Change { request, outcome };
        self.shared.recorder.note(game, begun, what);
    }

    /// Sends an old request of this game once more.
    async fn repeat(&self, game: &str) {
        let Some(request) = self.past.choose(&mut rand::rng()).cloned() else {
            return;
        };
        if request.game_id == game {
            let begun = self.shared.recorder.now();
            let id = request.request_id.clone();
            let answer = apply(self.desk(), request).await;
            match self.settled(game, &id, begun, answer) {
                Settled::No => self.note(game, &id, begun, Outcome::Refused),
                Settled::Open => self.note(game, &id, begun, Outcome::Unknown),
                Settled::Done(_) | Settled::Unchanged => {}
            }
        }
    }
}

enum Turn {
    Taken,
    /// There is nothing left to do.
    Over,
}

enum Settled {
    Done(Answered),
    No,
    Unchanged,
    Open,
}

/// Lets others do something.
async fn pause() {
    let millis = rand::rng().random_range(5..40);
    sleep(Duration::from_millis(millis)).await;
}
