//! A back end that follows the feed of the tenant, is cut off repeatedly, and resumes by its **cursor**.
//!
//! The feed must deliver **at least once** every version of every game that was answered OK, in order within each game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::{sleep, timeout};
use tonic::{Code, Status};
use v1::watch_games_response::Update;
use v1::{GameFilter, GameInfo, WatchGamesRequest};

use super::desk::Desk;
use super::patience::{LONG, Patience};
use super::shared::{Shared, Verdict, verdict};
use crate::dominion::facts;

/// Maximum silence of a stream; a longer one counts as a broken stream.
const SILENCE: Duration = Duration::from_secs(2);

/// Maximum time until a feed begins.
const BEGIN: Duration = Duration::from_secs(60);

/// Maximum number of messages before a stream is cut off. Under load such a reader falls behind, because a feed repeats
/// some messages after each cut.
const SHORT: usize = 80;

/// A back end that follows the feed of all games.
pub(super) struct FeedReader {
    desks: Vec<Desk>,
    shared: Arc<Shared>,
    /// The next request.
    call: WatchGamesRequest,
    /// The newest reported version of each game.
    reported_versions: BTreeMap<String, u64>,
}

impl FeedReader {
    /// Begins the feed, and returns a reader that gets everything from now on.
    ///
    /// # Panics
    /// If no server answers.
    pub(super) async fn begun(desks: Vec<Desk>, shared: &Arc<Shared>) -> Self {
        let mut reader = Self {
            desks,
            shared: Arc::clone(shared),
            call: WatchGamesRequest {
                filter: Some(GameFilter::default()),
                ..Default::default()
            },
            reported_versions: BTreeMap::new(),
        };
        let begin = async {
            while reader.call.cursor.is_empty() {
                reader.stretch(2).await;
            }
        };
        timeout(BEGIN, begin).await.expect("a feed that begins");
        reader
    }

    pub(super) async fn follow(mut self) {
        while !self.shared.is_at_rest() {
            self.stretch(SHORT).await;
        }
        let mut patience = Patience::new();
        while let Some(behind) = self.behind().await {
            if patience.is_over(self.reported_versions.values().sum()) {
                let reported = self.reported_versions.get(&behind);
                let text = format!("the feed told {reported:?}, and got no further");
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

    /// Returns a game that, according to a server, has a version that the feed has not reported yet.
    async fn behind(&self) -> Option<String> {
        let calls = self.shared.recorder.calls();
        let games: BTreeSet<String> = calls.into_iter().map(|call| call.game).collect();
        for game_id in games {
            let mut desk = self.desk();
            let ask = desk.ask(v1::GetGameRequest {
                game_id: game_id.clone(),
                ..Default::default()
            });
            let newest = match desk.games.get_game(ask).await {
                Ok(response) => facts(response.into_inner().table).version,
                // The game was never created, or is deleted.
                Err(status) if matches!(status.code(), Code::NotFound | Code::InvalidArgument) => 0,
                Err(_) => return Some(game_id),
            };
            if newest > self.reported_versions.get(&game_id).copied().unwrap_or(0) {
                return Some(game_id);
            }
        }
        None
    }

    /// Follows the feed for a while.
    async fn stretch(&mut self, most: usize) {
        if let Err(status) = self.read(most).await {
            if matches!(verdict(&status), Verdict::Broken | Verdict::Missing) {
                let text = format!("a feed: {status:?}");
                self.shared.broken("any game", text);
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Reads up to this number of messages, then cuts the stream off.
    async fn read(&mut self, most: usize) -> Result<(), Status> {
        let mut desk = self.desk();
        let ask = desk.ask(self.call.clone());
        let mut stream = desk.games.watch_games(ask).await?.into_inner();
        let messages = crate::chance::rng().random_range(1..most);
        for _ in 0..messages {
            let Ok(message) = timeout(SILENCE, stream.message()).await else {
                return Ok(());
            };
            let Some(message) = message? else {
                let text = String::from("a feed ended without a reason");
                self.shared.broken("any game", text);
                return Ok(());
            };
            match message.update {
                Some(Update::Change(change)) => self.hear(facts(change.table)),
                Some(Update::Left(left)) => drop(self.reported_versions.remove(&left.game_id)),
                None => {}
            }
            self.call.cursor = message.cursor;
        }
        Ok(())
    }

    /// Checks a reported version: a feed that resumes may repeat some, but must not skip any.
    fn hear(&mut self, info: GameInfo) {
        self.shared.facts(&info);
        let reported = self.reported_versions.get(&info.game_id).copied();
        let is_next = match reported {
            Some(reported) => info.version <= reported + 1,
            // A fork begins with the versions of its origin.
            None => info.version == 1 || info.forked_from.is_some(),
        };
        if !is_next {
            let text = format!("the feed told version {} after {reported:?}", info.version);
            self.shared.broken(&info.game_id, text);
        }
        let newest = info.version.max(reported.unwrap_or(0));
        self.reported_versions.insert(info.game_id, newest);
    }
}
