//! A client that watches, is cut off again and again, and resumes.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use pb::watch_game_response::Update;
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::{Instant, sleep, timeout};
use tonic::Status;

use super::What;
use super::load::{Shared, Table, Verdict, verdict};
use crate::dominion::Client;

/// A stream that says nothing for this long is taken for broken.
const SILENCE: Duration = Duration::from_secs(2);

/// A watch has as long to catch up with the end.
const CATCH_UP: Duration = Duration::from_secs(30);

pub(super) struct Watcher {
    clients: Vec<Client>,
    table: Arc<Table>,
    shared: Arc<Shared>,
}

impl Watcher {
    pub(super) fn new(clients: Vec<Client>, table: &Arc<Table>, shared: &Arc<Shared>) -> Watcher {
        Watcher {
            clients,
            table: Arc::clone(table),
            shared: Arc::clone(shared),
        }
    }

    pub(super) async fn watch(self) {
        let mut game = String::new();
        let mut last = 0;
        while !self.shared.is_over() {
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
            self.stretch(&game, &mut last).await;
        }
        if !game.is_empty() {
            self.catch_up(&game, last).await;
        }
    }

    fn client(&self) -> Client {
        let client = self.clients.choose(&mut rand::rng());
        client.expect("a server").clone()
    }

    /// Goes on until the end of the log is reached.
    async fn catch_up(&self, game: &str, mut last: u64) {
        let deadline = Instant::now() + CATCH_UP;
        while Instant::now() < deadline {
            let ask = pb::GetGameRequest {
                game_id: game.to_owned(),
                ..Default::default()
            };
            if let Ok(found) = self.client().get_game(ask).await
                && let Some(info) = found.into_inner().game
                && info.version <= last
            {
                return;
            }
            self.stretch(game, &mut last).await;
        }
        self.broken(game, format!("the watch got no further than {last}"));
    }

    fn broken(&self, game: &str, what: String) {
        let now = self.shared.recorder.now();
        self.shared.recorder.note(game, now, What::Broken(what));
    }

    /// Watches for a while.
    async fn stretch(&self, game: &str, last: &mut u64) {
        let begun = self.shared.recorder.now();
        let after = *last;
        let mut versions = Vec::new();
        let ended = self.read(game, after, &mut versions).await;
        if let Err(status) = ended
            && matches!(verdict(&status), Verdict::Broken | Verdict::Missing)
        {
            self.broken(game, format!("watch after {after}: {status:?}"));
        }
        if let Some(newest) = versions.last() {
            *last = *newest;
            let what = What::Watched { after, versions };
            self.shared.recorder.note(game, begun, what);
        } else {
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Reads some messages, and then cuts the watch off.
    async fn read(&self, game: &str, after: u64, versions: &mut Vec<u64>) -> Result<(), Status> {
        let ask = pb::WatchGameRequest {
            game_id: game.to_owned(),
            after_version: after,
            ..Default::default()
        };
        let mut stream = self.client().watch_game(ask).await?.into_inner();
        let messages = rand::rng().random_range(1..40);
        for _ in 0..messages {
            let Ok(message) = timeout(SILENCE, stream.message()).await else {
                return Ok(());
            };
            let Some(message) = message? else {
                self.broken(game, String::from("a watch ended without a reason"));
                return Ok(());
            };
            match message.update {
                Some(Update::Start(start)) => {
                    versions.push(start.game.map_or(0, |game| game.version));
                }
                Some(Update::Version(version)) => {
                    let logged = version.logged.unwrap_or_default();
                    self.shared.compare(game, &logged);
                    versions.push(logged.version);
                }
                Some(Update::Bookmark(_)) | None => {}
            }
        }
        Ok(())
    }
}
