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

use super::history::SentRequest;
use super::simulated_cluster::Simulation;
use crate::authz::Caller;
use crate::errors::ServiceError;

/// The probability that a request is repeated after its response, per thousand.
const REPEATS_PER_MILLE: u32 = 250;

/// A client that plays for a seat.
pub(super) struct SimClient {
    simulation: Arc<Simulation>,
    game: GameId,
    seat: u32,
    name: String,
    requests: u32,
    /// The newest version that the client has seen.
    seen_version: Version,
}

/// Returns whether the same request is to be retried: the store failed, or concurrent writers won.
fn is_retryable(problem: &ServiceError) -> bool {
    matches!(
        problem,
        ServiceError::Store(_) | ServiceError::TooManyConflicts
    )
}

fn game_info(table: Option<raw::Table>) -> pb::GameInfo {
    table.and_then(|table| table.game).unwrap()
}

impl SimClient {
    /// Creates a game, and retries until it succeeds.
    pub(super) async fn create(simulation: &Arc<Simulation>, seats: u32, number: usize) -> GameId {
        let player = |seat| pb::Player {
            name: format!("Player {seat}"),
            ..Default::default()
        };
        let call = CreateGameRequest {
            players: (1..=seats).map(player).collect(),
            request_id: format!("game {number}"),
            seed: simulation.rng.seed(),
            ..Default::default()
        };
        loop {
            let call = call.clone();
            let created = simulation
                .run_on_any(async move |process| {
                    process
                        .games
                        .create_game(&Caller::UNAUTHENTICATED, call)
                        .await
                })
                .await;
            match created {
                Some(Ok(created)) => {
                    return Uuid::try_parse(&game_info(created.table).game_id).unwrap();
                }
                Some(Err(problem)) if !is_retryable(&problem) => panic!("{problem}"),
                Some(Err(_)) | None => back_off(simulation).await,
            }
        }
    }

    pub(super) fn new(simulation: &Arc<Simulation>, game: GameId, seat: u32, client: u32) -> Self {
        Self {
            simulation: Arc::clone(simulation),
            game,
            seat,
            name: format!("client {client} of {game}"),
            requests: 0,
            seen_version: 0,
        }
    }

    /// Plays until the game is over.
    pub(super) async fn play(mut self) {
        while !self.simulation.history().has_violations() {
            let Some(game) = self.get_game().await else {
                continue;
            };
            if game.pending.is_empty() {
                return;
            }
            if game.pending.iter().all(|pending| pending.seat != self.seat) {
                back_off(&self.simulation).await;
                continue;
            }
            if let Some(action) = self.choose().await {
                self.apply_action(action, game.version).await;
            }
        }
    }

    /// Reads the facts of the game, which must never be older than those read before.
    async fn get_game(&mut self) -> Option<pb::GameInfo> {
        let call = pb::GetGameRequest {
            game_id: self.game.to_string(),
            ..Default::default()
        };
        let response = self.simulation.run_on_any(async move |process| {
            process.games.get_game(&Caller::UNAUTHENTICATED, call).await
        });
        match response.await {
            Some(Ok(seen)) => {
                let game = game_info(seen.table);
                self.observe_version(game.version);
                Some(game)
            }
            Some(Err(problem)) if !is_retryable(&problem) => {
                self.report_violation(&format!("cannot look: {problem}"));
                None
            }
            Some(Err(_)) | None => {
                back_off(&self.simulation).await;
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
        let response = self.simulation.run_on_any(async move |process| {
            process
                .games
                .list_legal_actions(&Caller::UNAUTHENTICATED, call)
                .await
        });
        let mut actions = match response.await {
            Some(Ok(listed)) => listed.actions,
            Some(Err(_)) | None => {
                back_off(&self.simulation).await;
                return None;
            }
        };
        if actions.is_empty() {
            return None;
        }
        let index = self.simulation.rng.below(actions.len());
        actions.swap_remove(index).action
    }

    /// Sends an action until there is a response, and then perhaps once more.
    async fn apply_action(&mut self, action: raw::Action, version: Version) {
        self.requests += 1;
        let request_id = format!("{} {}", self.name, self.requests);
        let names_version = self.simulation.rng.happens(500);
        let call = ApplyActionRequest {
            game_id: self.game.to_string(),
            seat: self.seat,
            action: Some(action),
            expected_version: if names_version { version } else { 0 },
            request_id: request_id.clone(),
            ..Default::default()
        };
        let request = SentRequest {
            game: self.game,
            seat: self.seat,
            id: request_id,
        };
        self.simulation.history().sent(&request);
        let outcome = loop {
            match self.send(&call).await {
                Some(Ok(version)) => break Some(version),
                Some(Err(problem)) if !is_retryable(&problem) => break None,
                Some(Err(_)) | None => back_off(&self.simulation).await,
            }
        };
        self.simulation.record((&request.id, outcome));
        if let Some(version) = outcome {
            self.observe_version(version);
        }
        self.simulation.history().answered(&request, outcome);
        if self.simulation.rng.happens(REPEATS_PER_MILLE) {
            if outcome.is_none() {
                // A refused request leaves its id free, so the repetition may be played, unnoticed if its response is
                // lost.
                self.simulation.history().sent(&request);
            }
            let repeated = match self.send(&call).await {
                Some(Ok(version)) => Some(version),
                Some(Err(problem)) if !is_retryable(&problem) => None,
                Some(Err(_)) | None => return,
            };
            match (outcome, repeated) {
                (None, _) => self.simulation.history().answered(&request, repeated),
                (Some(_), _) if outcome != repeated => {
                    self.report_violation(&format!(
                        "{outcome:?}, and then {repeated:?}, to {}",
                        request.id
                    ));
                }
                (Some(_), _) => {}
            }
        }
    }

    async fn send(&self, call: &ApplyActionRequest) -> Option<Result<Version, ServiceError>> {
        let call = Box::new(call.clone());
        let response = self.simulation.run_on_any(async move |process| {
            process
                .games
                .apply_action(&Caller::UNAUTHENTICATED, call)
                .await
        });
        let applied = response.await?;
        Some(applied.map(|applied| game_info(applied.table).version))
    }

    fn observe_version(&mut self, version: Version) {
        if version < self.seen_version {
            self.report_violation(&format!("version {version} after {}", self.seen_version));
        }
        self.seen_version = self.seen_version.max(version);
    }

    fn report_violation(&self, what: &str) {
        self.simulation
            .history()
            .report_violation(format!("{}: {what}", self.name));
    }
}

async fn back_off(simulation: &Simulation) {
    sleep(Duration::from_millis(1) + simulation.rng.up_to(200)).await;
}

/// Watches a game to its end, and resumes on another process when the watch breaks.
pub(super) async fn watch_game(simulation: Arc<Simulation>, game: GameId) {
    let mut version = 0;
    while !simulation.history().has_violations() {
        let process = simulation.any();
        let call = pb::WatchGameRequest {
            game_id: game.to_string(),
            after_version: version,
            show: Some(pb::Show {
                events: true,
                ..Default::default()
            }),
            ..Default::default()
        };
        let dead = process.killed.clone();
        let opening = process.games.watch_game(&Caller::UNAUTHENTICATED, call);
        let Some(Ok(mut messages)) = dead.run_until_cancelled(opening).await else {
            back_off(&simulation).await;
            continue;
        };
        while let Some(Some(Ok(message))) = dead.run_until_cancelled(messages.next()).await {
            let message = WatchGameResponse::decode(&*message.bytes).unwrap();
            let is_over = message.table.as_ref().is_some_and(|table| {
                let game = table.game.as_ref();
                game.is_some_and(|game| game.pending.is_empty())
            });
            let expected = if message.table.is_some() && version > 0 {
                version + 1
            } else {
                version.max(1)
            };
            if version > 0 && message.version != expected || message.version < version {
                let flaw = format!(
                    "a watch of {game} shows {} after {version}",
                    message.version
                );
                simulation.history().report_violation(flaw);
                return;
            }
            version = message.version;
            simulation.record(("watched", version));
            if is_over {
                simulation.history().watched(game, version);
                return;
            }
        }
        back_off(&simulation).await;
    }
}
