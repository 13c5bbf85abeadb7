//! A back end that follows the games of a user, and resumes where its stream broke.

use std::collections::BTreeMap;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::facts;
use pb::watch_games_response::Update;
use pb::{WatchGamesRequest, WatchedGame};
use tokio::time::timeout;

use super::watch::{Messages, of_user};

/// The state of a back end that follows the games of a user.
#[derive(Default)]
pub(super) struct Backend {
    pub(super) versions_by_game: BTreeMap<String, Vec<u64>>,
    pub(super) watched_games: BTreeMap<String, WatchedGame>,
}

impl Backend {
    /// Builds the request that resumes the stream.
    pub(super) fn ask(&self) -> WatchGamesRequest {
        WatchGamesRequest {
            games: self.watched_games.values().cloned().collect(),
            ..of_user("ada")
        }
    }

    /// Reads until this number of versions has arrived in total, or the stream breaks.
    pub(super) async fn read(&mut self, messages: &mut Messages, until: usize) {
        while self.version_count() < until {
            let message = timeout(Duration::from_secs(60), messages.message()).await;
            let Ok(Some(message)) = message.expect("a sign of life") else {
                return;
            };
            self.hear(message);
        }
    }

    /// Records the content of a message.
    pub(super) fn hear(&mut self, message: pb::WatchGamesResponse) {
        let Some(Update::Change(change)) = message.update else {
            return;
        };
        let game = facts(change.table);
        let versions = self
            .versions_by_game
            .entry(game.game_id.clone())
            .or_default();
        versions.push(game.version);
        let watched = WatchedGame {
            game_id: game.game_id.clone(),
            after_version: game.version,
            after_time: game.update_time,
            viewer: None,
        };
        self.watched_games.insert(game.game_id, watched);
    }

    /// Reads until this number of games has reached their last version, and checks that nothing was left out or repeated.
    pub(super) async fn read_whole(&mut self, messages: &mut Messages, games: usize, last: u64) {
        while self.versions_by_game.len() < games {
            let more = self.version_count() + 1;
            self.read(messages, more).await;
        }
        let until = self.in_all(last);
        self.read(messages, until).await;
        self.is_whole(games, last);
    }

    fn version_count(&self) -> usize {
        self.versions_by_game.values().map(Vec::len).sum()
    }

    /// Checks that every game was reported version by version, from its first reported version to the last.
    pub(super) fn is_whole(&self, games: usize, last: u64) {
        assert_eq!(self.versions_by_game.len(), games);
        for (game, versions) in &self.versions_by_game {
            let whole: Vec<u64> = (versions[0]..=last).collect();
            assert_eq!(*versions, whole, "{game}");
        }
    }

    /// Returns whether any game lacks this version, or no game was reported yet.
    pub(super) fn lacks(&self, last: u64) -> bool {
        let is_behind = |versions: &Vec<u64>| versions.last() < Some(&last);
        self.versions_by_game.is_empty() || self.versions_by_game.values().any(is_behind)
    }

    /// Returns the total number of versions to report, once each game has begun.
    pub(super) fn in_all(&self, last: u64) -> usize {
        let each = self
            .versions_by_game
            .values()
            .map(|versions| last + 1 - versions[0]);
        usize::try_from(each.sum::<u64>()).unwrap()
    }
}
