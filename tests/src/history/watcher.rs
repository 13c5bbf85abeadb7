//! A client that watches a game, is cut off repeatedly, and resumes.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{GetGameRequest, WatchGameRequest};
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::{sleep, timeout};
use tonic::Status;

use super::What;
use super::desk::Desk;
use super::patience::{LONG, Patience};
use super::shared::{Shared, Table, Verdict, verdict};
use crate::dominion::SEEN;

/// Maximum silence of a stream; a longer one counts as a broken stream.
const SILENCE: Duration = Duration::from_secs(2);

/// Maximum number of messages before a watch is cut off. Under load such a watch falls behind a game whose clocks have
/// run out, because the server plays on as fast as it can.
const SHORT: usize = 40;

pub(super) struct Watcher {
    desks: Vec<Desk>,
    table: Arc<Table>,
    shared: Arc<Shared>,
}

impl Watcher {
    pub(super) fn new(desks: Vec<Desk>, table: &Arc<Table>, shared: &Arc<Shared>) -> Watcher {
        Watcher {
            desks,
            table: Arc::clone(table),
            shared: Arc::clone(shared),
        }
    }

    pub(super) async fn watch(self) {
        let mut game = String::new();
        let mut last = 0;
        while !self.shared.is_at_rest() {
            if let Some(current) = self.table.current().game
                && current != game
            {
                if !game.is_empty() {
                    self.catch_up(&game, last).await;
                }
                (game, last) = (current, 0);
            }
            if game.is_empty() {
                sleep(Duration::from_millis(20)).await;
                continue;
            }
            self.stretch(&game, &mut last, SHORT).await;
        }
        if !game.is_empty() {
            self.catch_up(&game, last).await;
        }
    }

    fn desk(&self) -> Desk {
        let desk = self.desks.choose(&mut crate::chance::rng());
        desk.expect("a server").clone()
    }

    /// Watches until the end of the log is reached.
    async fn catch_up(&self, game: &str, mut last: u64) {
        let mut patience = Patience::new();
        while !patience.is_over(last) {
            let ask = GetGameRequest {
                game_id: game.to_owned(),
                ..Default::default()
            };
            let mut desk = self.desk();
            let ask = desk.ask(ask);
            if let Ok(response) = desk.games.get_game(ask).await
                && let Some(info) = response.into_inner().table.and_then(|table| table.game)
                && info.version <= last
            {
                return;
            }
            self.stretch(game, &mut last, LONG).await;
        }
        self.shared
            .broken(game, format!("the watch got no further than {last}"));
    }

    /// Watches for a while.
    async fn stretch(&self, game: &str, last: &mut u64, most: usize) {
        let begun = self.shared.recorder.now();
        let after = *last;
        let mut versions = Vec::new();
        let ended = self.read(game, after, most, &mut versions).await;
        if let Err(status) = ended
            && matches!(verdict(&status), Verdict::Broken | Verdict::Missing)
        {
            self.shared
                .broken(game, format!("watch after {after}: {status:?}"));
        }
        if let Some(newest) = versions.last() {
            *last = *newest;
            let what = What::Watched { after, versions };
            self.shared.recorder.note(game, begun, what);
        } else {
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Reads up to this number of messages, then cuts the watch off.
    async fn read(
        &self,
        game: &str,
        after: u64,
        most: usize,
        versions: &mut Vec<u64>,
    ) -> Result<(), Status> {
        let mut desk = self.desk();
        let ask = desk.ask(WatchGameRequest {
            game_id: game.to_owned(),
            after_version: after,
            show: Some(SEEN),
            ..Default::default()
        });
        let mut stream = desk.games.watch_game(ask).await?.into_inner();
        let messages = crate::chance::rng().random_range(1..most);
        for _ in 0..messages {
            let Ok(message) = timeout(SILENCE, stream.message()).await else {
                return Ok(());
            };
            let Some(message) = message? else {
                self.shared
                    .broken(game, String::from("a watch ended without a reason"));
                return Ok(());
            };
            if let Some(entry) = &message.entry {
                self.shared.compare(game, entry);
            }
            let now = message.table.and_then(|table| table.game);
            versions.extend(now.map(|now| now.version));
        }
        Ok(())
    }
}
