//! A load of clients that play and watch until they are stopped.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{GameStatus, GetGameRequest, ListEventsRequest};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::desk::Desk;
use super::feeds::FeedReader;
use super::many::Backend;
use super::player::Player;
use super::record::{Records, read_record};
use super::rotator::Rotator;
use super::shared::{Memory, Shared, Table};
use super::watcher::Watcher;
use super::{Call, Logs, Recorder, lists, player};
use crate::dominion::facts;
use crate::fleet::Fleet;

/// The number of games that are played at the same time.
const TABLES: u32 = 3;

/// The number of clients of each game; each plays for any seat with a pending decision.
const PLAYERS: u32 = 3;

/// The time without progress after which the system counts as broken.
const STUCK: Duration = Duration::from_secs(90);

/// A running load.
pub struct Load {
    fleet: Arc<Fleet>,
    shared: Arc<Shared>,
    tables: Vec<Arc<Table>>,
    players: Vec<JoinHandle<()>>,
    followers: Vec<JoinHandle<()>>,
}

/// The recorded calls of a load.
pub struct History {
    /// All calls.
    pub calls: Vec<Call>,
    shared: Arc<Shared>,
}

impl Load {
    /// Starts clients of a tenant that play and watch on these servers. With a key, seats and spectators have tokens,
    /// which are revoked throughout the load. With an empty key there are no tokens.
    pub async fn start(
        fleet: &Arc<Fleet>,
        recorder: &Arc<Recorder>,
        memory: Memory,
        key: &'static str,
    ) -> Load {
        let shared = Arc::new(Shared::new(recorder, memory, key));
        let (mut players, mut followers, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        if memory == Memory::Keeps {
            // A feed begins with its first reader, who is to be told of every game.
            let reader = FeedReader::begun(Desk::all(fleet, key), &shared).await;
            followers.push(tokio::spawn(reader.follow()));
        }
        for number in 0..TABLES {
            let table = Arc::new(Table::new(number));
            for name in 0..PLAYERS {
                let name = format!("{number}.{name}");
                let player = Player::new(name, Desk::all(fleet, key), &table, &shared);
                players.push(tokio::spawn(player.play()));
            }
            if memory == Memory::Keeps {
                let watcher = Watcher::new(Desk::all(fleet, key), &table, &shared);
                followers.push(tokio::spawn(watcher.watch()));
            }
            if !key.is_empty() {
                let rotator = Rotator::new(Desk::all(fleet, key), &table, &shared);
                players.push(tokio::spawn(rotator.rotate()));
            }
            tables.push(table);
        }
        if memory == Memory::Keeps {
            for follows_user in [true, false] {
                let desks = Desk::all(fleet, key);
                let backend = Backend::new(desks, tables.clone(), &shared, follows_user);
                followers.push(tokio::spawn(backend.watch()));
            }
        }
        Load {
            fleet: Arc::clone(fleet),
            shared,
            tables,
            players,
            followers,
        }
    }

    /// Waits until this number of further changes has been answered OK.
    ///
    /// # Panics
    /// If there is no progress.
    pub async fn progress(&self, changes: u64) {
        let change_count = || self.shared.change_count.load(Ordering::Relaxed);
        let enough = change_count() + changes;
        let mut last = (change_count(), Instant::now());
        while change_count() < enough {
            sleep(Duration::from_millis(5)).await;
            if change_count() > last.0 {
                last = (change_count(), Instant::now());
            }
            assert!(last.1.elapsed() < STUCK, "no progress after {}", last.0);
        }
    }

    /// Waits until every kind of entry has been requested and answered OK. Players who act at once never time out, so
    /// they pause from time to time for longer than their clocks allow.
    ///
    /// # Panics
    /// If a kind of entry does not occur in time.
    pub async fn everything(&self) {
        let begun = Instant::now();
        loop {
            let missing = self.shared.missing();
            if missing.is_empty() {
                break;
            }
            assert!(begun.elapsed() < STUCK, "nobody came to {missing:?}");
            let is_quiet = begun.elapsed().as_secs() % 4 > 1;
            self.shared.keep_quiet(is_quiet);
            sleep(Duration::from_millis(20)).await;
        }
        self.shared.keep_quiet(false);
    }

    /// Stops the load and waits for all clients.
    ///
    /// # Panics
    /// If a client does not end.
    pub async fn finish(self) -> History {
        self.progress(10).await;
        self.shared.is_over.store(true, Ordering::Relaxed);
        join(self.players).await;
        for table in &self.tables {
            let desks = Desk::all(&self.fleet, self.shared.key);
            player::bring_to_rest(table, desks, &self.shared).await;
        }
        self.shared.is_at_rest.store(true, Ordering::Relaxed);
        // Followers end by themselves if they make no progress.
        for follower in self.followers {
            follower.await.expect("no panic");
        }
        drop(self.fleet);
        History {
            calls: self.shared.recorder.calls(),
            shared: self.shared,
        }
    }
}

async fn join(clients: Vec<JoinHandle<()>>) {
    for client in clients {
        let ended = timeout(STUCK, client).await.expect("an end");
        ended.expect("no panic");
    }
}

impl History {
    /// Reads every game again on a process that has never seen it. The rules replay its log and compare every state,
    /// the watched events must be those in the log, and lists must contain the games that belong there. Returns the
    /// calls with the flaws that were found, and the records of the games.
    ///
    /// # Panics
    /// If a game cannot be read.
    pub async fn replay(&self, fleet: &Fleet, logs: &Logs) -> (Vec<Call>, Records) {
        let mut desks = Desk::all(fleet, self.shared.key);
        let desk = &mut desks[0];
        let (mut records, mut infos) = (Records::new(), Vec::new());
        for (game, log) in logs.iter().filter(|(_, log)| !log.is_empty()) {
            let ask = GetGameRequest {
                game_id: game.clone(),
                at_version: log.len() as u64,
                ..Default::default()
            };
            let ask = desk.ask(ask);
            let response = desk.games.get_game(ask).await.expect("the log replays");
            let info = facts(response.into_inner().table);
            self.shared.facts(&info);
            let is_over = info.status() == GameStatus::Finished;
            infos.push(info);
            self.events(desk, game).await;
            // With tokens, a tenant can read a record only when the game is over; without tokens, everybody can read
            // all records.
            if self.shared.key.is_empty() || is_over {
                let record = read_record(desk, game).await.expect("the record");
                records.insert(game.clone(), record);
            }
        }
        if self.shared.memory == Memory::Keeps {
            lists::check(desk, &self.shared, &infos).await;
        }
        (self.shared.recorder.calls(), records)
    }

    /// Checks that the log equals what watchers saw.
    async fn events(&self, desk: &mut Desk, game: &str) {
        let mut ask = ListEventsRequest {
            game_id: game.to_owned(),
            ..Default::default()
        };
        loop {
            let request = desk.ask(ask.clone());
            let page = desk.games.list_events(request).await.expect("events");
            let page = page.into_inner();
            for entry in &page.entries {
                self.shared.compare(game, entry);
            }
            if page.next_page_token.is_empty() {
                break;
            }
            ask.page_token = page.next_page_token;
        }
    }
}
