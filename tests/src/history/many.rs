//! A client that follows many games on one stream, is cut off repeatedly, and resumes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::{sleep, timeout};
use tonic::Status;
use v1::watch_games_response::Update;
use v1::{GameInfo, GameStatus, WatchGamesRequest, WatchedGame};

use super::desk::Desk;
use super::patience::{LONG, Patience};
use super::shared::{Shared, Table, Verdict, verdict};
use super::{USERS, What};
use crate::dominion::facts;

/// Maximum silence of a stream; a longer one counts as a broken stream.
const SILENCE: Duration = Duration::from_secs(2);

/// Maximum number of messages before a stream is cut off.
const SHORT: usize = 60;

/// A number greater than the number of versions of any game.
const FAR: u64 = 1 << 32;

/// A back end that notifies its users when it is their turn.
pub(super) struct Backend {
    desks: Vec<Desk>,
    tables: Vec<Arc<Table>>,
    shared: Arc<Shared>,
    /// Whether the back end follows a user; otherwise it names the games.
    follows_user: bool,
    /// The games that are not over, with the last version of each.
    watched_games: BTreeMap<String, WatchedGame>,
    /// The games whose end was reported.
    over: BTreeSet<String>,
}

/// The versions that one stream reported for a game.
struct Heard {
    after: u64,
    versions: Vec<u64>,
    /// The public facts in the last message.
    last: Option<GameInfo>,
    /// Whether the user lost the seat.
    is_left: bool,
}

impl Backend {
    pub(super) fn new(
        desks: Vec<Desk>,
        tables: Vec<Arc<Table>>,
        shared: &Arc<Shared>,
        follows_user: bool,
    ) -> Self {
        Self {
            desks,
            tables,
            shared: Arc::clone(shared),
            follows_user,
            watched_games: BTreeMap::new(),
            over: BTreeSet::new(),
        }
    }

    pub(super) async fn watch(mut self) {
        while !self.shared.is_at_rest() {
            self.stretch(SHORT).await;
        }
        let mut patience = Patience::new();
        while let Some(behind) = self.behind().await {
            if patience.is_over(self.reached()) {
                let text = String::from("the stream of many games got no further");
                self.shared.broken(&behind, text);
                return;
            }
            self.stretch(LONG).await;
        }
    }

    fn desk(&self) -> Desk {
        let desk = self.desks.choose(&mut crate::chance::rng());
        desk.expect("a server").clone()
    }

    /// Returns a game that, according to a server, has a version that was not reported yet.
    async fn behind(&self) -> Option<String> {
        for (game_id, watched) in &self.watched_games {
            let mut desk = self.desk();
            let game_id = game_id.clone();
            let ask = desk.ask(v1::GetGameRequest {
                game_id: game_id.clone(),
                ..Default::default()
            });
            let response = desk.games.get_game(ask).await;
            let newest = response
                .ok()
                .and_then(|response| response.into_inner().table);
            let newest = newest.and_then(|table| table.game);
            if newest.is_none_or(|newest| newest.version > watched.after_version) {
                return Some(game_id);
            }
        }
        None
    }

    /// Returns a number that grows with every report. Games that are over count more than any version, because they are
    /// no longer in `known`.
    fn reached(&self) -> u64 {
        let versions = self.watched_games.values().map(|game| game.after_version);
        versions.sum::<u64>() + FAR * self.over.len() as u64
    }

    fn call(&self) -> WatchGamesRequest {
        let mut games = self.watched_games.clone();
        if !self.follows_user {
            let current = self.tables.iter().filter_map(|table| table.current().game);
            for game_id in current.filter(|game| !self.over.contains(game)) {
                games.entry(game_id.clone()).or_insert(WatchedGame {
                    game_id,
                    ..Default::default()
                });
            }
        }
        let user = if self.follows_user { USERS[0] } else { "" };
        WatchGamesRequest {
            games: games.into_values().collect(),
            user: user.to_owned(),
            ..Default::default()
        }
    }

    /// Follows the stream for a while, and records what it reports.
    async fn stretch(&mut self, most: usize) {
        let (begun, call) = (self.shared.recorder.now(), self.call());
        let mut heard = BTreeMap::new();
        for game in &call.games {
            let after = game.after_version;
            let heard_of = Heard {
                after,
                versions: Vec::new(),
                last: None,
                is_left: false,
            };
            heard.insert(game.game_id.clone(), heard_of);
        }
        if heard.is_empty() && !self.follows_user {
            sleep(Duration::from_millis(20)).await;
            return;
        }
        if let Err(status) = self.read(call, most, &mut heard).await {
            if matches!(verdict(&status), Verdict::Broken | Verdict::Missing) {
                let text = format!("a stream of many games: {status:?}");
                self.shared.broken("any game", text);
            }
            sleep(Duration::from_millis(20)).await;
        }
        for (game, heard) in heard {
            if let Some(last) = heard.last {
                let (after, versions) = (heard.after, heard.versions);
                let what = What::Watched { after, versions };
                self.shared.recorder.note(&game, begun, what);
                self.learn(last);
            }
            if heard.is_left {
                self.watched_games.remove(&game);
            }
        }
    }

    fn learn(&mut self, last: GameInfo) {
        if last.status() == GameStatus::Finished {
            self.watched_games.remove(&last.game_id);
            self.over.insert(last.game_id);
            return;
        }
        let watched = WatchedGame {
            game_id: last.game_id.clone(),
            after_version: last.version,
            after_time: last.update_time,
            viewer: None,
        };
        self.watched_games.insert(last.game_id, watched);
    }

    /// Reads up to this number of messages, then cuts the stream off.
    async fn read(
        &self,
        call: WatchGamesRequest,
        most: usize,
        heard: &mut BTreeMap<String, Heard>,
    ) -> Result<(), Status> {
        let mut desk = self.desk();
        let ask = desk.ask(call);
        let mut stream = desk.games.watch_games(ask).await?.into_inner();
        let messages = crate::chance::rng().random_range(1..most);
        for _ in 0..messages {
            let Ok(message) = timeout(SILENCE, stream.message()).await else {
                return Ok(());
            };
            let Some(message) = message? else {
                let text = String::from("a stream of many games ended without a reason");
                self.shared.broken("any game", text);
                return Ok(());
            };
            match message.update {
                Some(Update::Change(change)) => self.hear(facts(change.table), heard),
                // Filling a seat removes its user, whose stream then leaves the game. If the user gets the seat back,
                // the game is followed from scratch.
                Some(Update::Left(left)) if self.follows_user && has_lost_its_seat(&left) => {
                    if let Some(heard) = heard.get_mut(&left.game_id) {
                        heard.is_left = true;
                    }
                    return Ok(());
                }
                Some(Update::Left(left)) => {
                    let text = format!("a game of the stream was left: {left:?}");
                    self.shared.broken(&left.game_id, text);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Records a version, or the last one again with changed users or labels.
    fn hear(&self, info: GameInfo, heard: &mut BTreeMap<String, Heard>) {
        self.shared.facts(&info);
        let heard = heard.entry(info.game_id.clone()).or_insert(Heard {
            after: 0,
            versions: Vec::new(),
            last: None,
            is_left: false,
        });
        let newest = heard.versions.last().copied().unwrap_or(heard.after);
        let is_retagged = info.version == newest && heard.last.as_ref() != Some(&info);
        if !is_retagged {
            heard.versions.push(info.version);
        }
        heard.last = Some(info);
    }
}

/// Returns whether the stream left the game because the user has no seat there anymore.
fn has_lost_its_seat(left: &v1::GameLeft) -> bool {
    let problem = left.problem.as_ref();
    problem.is_none_or(|problem| problem.reason == "NOT_ALLOWED")
}
