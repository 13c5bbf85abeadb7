//! Clients that play, retry requests without a response, and watch.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw::{self, ApplyActionRequest, CreateGameRequest, WatchGameResponse};
use gamekeeper_store::{GameId, Version};
use prost::Message as _;
use tokio::time::sleep;
use uuid::Uuid;

use super::history::Request;
use super::world::World;
use crate::heart::access::Caller;
use crate::heart::problem::Problem;

/// The probability that a request is repeated after its response, per thousand.
const REPEATED: u32 = 250;

/// A client that plays for a seat.
pub(super) struct Player {
    world: Arc<World>,
    game: GameId,
    seat: u32,
    name: String,
    requests: u32,
    /// The newest version that the client has seen.
    seen: Version,
}

/// Returns whether the same request is to be retried: the store failed, or concurrent writers won.
fn asks_again(problem: &Problem) -> bool {
    matches!(problem, Problem::Store(_) | Problem::Contended)
}

fn facts(table: Option<raw::Table>) -> pb::GameInfo {
    table.and_then(|table| table.game).unwrap()
}

impl Player {
    /// Creates a game, and retries until it succeeds.
    pub(super) async fn create(world: &Arc<World>, seats: u32, number: usize) -> GameId {
        let player = |seat| pb::Player {
            name: format!("Player {seat}"),
            ..Default::default()
        };
        let call = CreateGameRequest {
            players: (1..=seats).map(player).collect(),
            request_id: format!("game {number}"),
            seed: world.dice.seed(),
            ..Default::default()
        };
        loop {
            let call = call.clone();
            let created = world
                .on(async move |process| process.games.create(&Caller::OPEN, call).await)
                .await;
            match created {
                Some(Ok(created)) => {
                    return Uuid::try_parse(&facts(created.table).game_id).unwrap();
                }
                Some(Err(problem)) if !asks_again(&problem) => panic!("{problem}"),
                Some(Err(_)) | None => pause(world).await,
            }
        }
    }

    pub(super) fn new(world: &Arc<World>, game: GameId, seat: u32, client: u32) -> Self {
        Self {
            world: Arc::clone(world),
            game,
            seat,
            name: format!("client {client} of {game}"),
            requests: 0,
            seen: 0,
        }
    }

    /// Plays until the game is over.
    pub(super) async fn play(mut self) {
        while !self.world.history().is_flawed() {
            let Some(game) = self.look().await else {
                continue;
            };
            if game.pending.is_empty() {
                return;
            }
            if game.pending.iter().all(|pending| pending.seat != self.seat) {
                pause(&self.world).await;
                continue;
            }
            if let Some(action) = self.choose().await {
                self.act(action, game.version).await;
            }
        }
    }

    /// Reads the facts of the game, which must never be older than those read before.
    async fn look(&mut self) -> Option<pb::GameInfo> {
        let call = pb::GetGameRequest {
            game_id: self.game.to_string(),
            ..Default::default()
        };
        let looked = self
            .world
            .on(async move |process| process.games.look(&Caller::OPEN, call).await);
        match looked.await {
            Some(Ok(seen)) => {
                let game = facts(seen.table);
                self.saw(game.version);
                Some(game)
            }
            Some(Err(problem)) if !asks_again(&problem) => {
                self.flaw(&format!("cannot look: {problem}"));
                None
            }
            Some(Err(_)) | None => {
                pause(&self.world).await;
                None
            }
        }
    }

    /// Chooses an action that is legal now.
    async fn choose(&mut self) -> Option<raw::Action> {
        let call = pb::ListLegalActionsRequest {
            game_id: self.game.to_string(),
            seat: self.seat,
            ..Default::default()
        };
        let listed = self
            .world
            .on(async move |process| process.games.legal(&Caller::OPEN, call).await);
        let mut actions = match listed.await {
            Some(Ok(listed)) => listed.actions,
            Some(Err(_)) | None => {
                pause(&self.world).await;
                return None;
            }
        };
        if actions.is_empty() {
            return None;
        }
        let at = self.world.dice.below(actions.len());
        actions.swap_remove(at).action
    }

    /// Sends an action until there is a response, and then perhaps once more.
    async fn act(&mut self, action: raw::Action, version: Version) {
        self.requests += 1;
        let request_id = format!("{} {}", self.name, self.requests);
        let names_version = self.world.dice.happens(500);
        let call = ApplyActionRequest {
            game_id: self.game.to_string(),
            seat: self.seat,
            action: Some(action),
            expected_version: if names_version { version } else { 0 },
            request_id: request_id.clone(),
            ..Default::default()
        };
        let request = Request {
            game: self.game,
            seat: self.seat,
            id: request_id,
        };
        self.world.history().sent(&request);
        let played = loop {
            match self.send(&call).await {
                Some(Ok(version)) => break Some(version),
                Some(Err(problem)) if !asks_again(&problem) => break None,
                Some(Err(_)) | None => pause(&self.world).await,
            }
        };
        self.world.note((&request.id, played));
        if let Some(version) = played {
            self.saw(version);
        }
        self.world.history().answered(&request, played);
        if self.world.dice.happens(REPEATED) {
            if played.is_none() {
                // A refused request leaves its id free, so the repetition may be played, unnoticed if its response is
                // lost.
                self.world.history().sent(&request);
            }
            let again = match self.send(&call).await {
                Some(Ok(version)) => Some(version),
                Some(Err(problem)) if !asks_again(&problem) => None,
                Some(Err(_)) | None => return,
            };
            match (played, again) {
                (None, _) => self.world.history().answered(&request, again),
                (Some(_), _) if played != again => {
                    self.flaw(&format!(
                        "{played:?}, and then {again:?}, to {}",
                        request.id
                    ));
                }
                (Some(_), _) => {}
            }
        }
    }

    async fn send(&self, call: &ApplyActionRequest) -> Option<Result<Version, Problem>> {
        let call = Box::new(call.clone());
        let applied = self
            .world
            .on(async move |process| process.games.apply(&Caller::OPEN, call).await);
        let applied = applied.await?;
        Some(applied.map(|applied| facts(applied.table).version))
    }

    fn saw(&mut self, version: Version) {
        if version < self.seen {
            self.flaw(&format!("version {version} after {}", self.seen));
        }
        self.seen = self.seen.max(version);
    }

    fn flaw(&self, what: &str) {
        self.world.history().flaw(format!("{}: {what}", self.name));
    }
}

async fn pause(world: &World) {
    sleep(Duration::from_millis(1) + world.dice.up_to(200)).await;
}

/// Watches a game to its end, and resumes on another process when the watch breaks.
pub(super) async fn watch(world: Arc<World>, game: GameId) {
    let mut at = 0;
    while !world.history().is_flawed() {
        let process = world.any();
        let call = pb::WatchGameRequest {
            game_id: game.to_string(),
            after_version: at,
            show: Some(pb::Show {
                events: true,
                ..Default::default()
            }),
            ..Default::default()
        };
        let dead = process.dead.clone();
        let opening = process.games.watch(&Caller::OPEN, call);
        let Some(Ok(mut messages)) = dead.run_until_cancelled(opening).await else {
            pause(&world).await;
            continue;
        };
        while let Some(Some(Ok(message))) = dead.run_until_cancelled(messages.next()).await {
            let read = WatchGameResponse::decode(&*message.bytes).unwrap();
            let is_over = read.table.as_ref().is_some_and(|table| {
                let game = table.game.as_ref();
                game.is_some_and(|game| game.pending.is_empty())
            });
            let next = if read.table.is_some() && at > 0 {
                at + 1
            } else {
                at.max(1)
            };
            if at > 0 && read.version != next || read.version < at {
                let flaw = format!("a watch of {game} shows {} after {at}", read.version);
                world.history().flaw(flaw);
                return;
            }
            at = read.version;
            world.note(("watched", at));
            if is_over {
                world.history().watched(game, at);
                return;
            }
        }
        pause(&world).await;
    }
}
