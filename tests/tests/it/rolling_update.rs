//! **Rolling update**: processes are replaced one after another while clients play and watch. The usual retries hide
//! every failure, and every watch continues without gap or repetition. The same holds for connections that are closed
//! because of their age.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{self, GameInfo};
use gamekeeper_tests::dominion::{Client, Table, ada_and_bob, assert_planned_end, choose, facts};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::retrying::{Addresses, Retrying, is_away};
use gamekeeper_tests::server::Gamekeeperd;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::codegen::http::Uri;
use tonic::transport::Endpoint;

const PROCESSES: usize = 3;
const GAMES: usize = 6;
/// Maximum time for every wait.
const PATIENCE: Duration = Duration::from_secs(120);

async fn create(client: &mut Retrying, name: &str) -> GameInfo {
    let ask = v1::CreateGameRequest {
        request_id: name.to_owned(),
        ..ada_and_bob()
    };
    let created = client
        .call(|mut client| {
            let ask = ask.clone();
            async move { client.create_game(ask).await }
        })
        .await;
    facts(created.unwrap().into_inner().table)
}

/// Plays one action. Returns `false` when the game is over.
async fn act(client: &mut Retrying, game: &mut GameInfo) -> bool {
    let Some(seat) = game.pending.first().map(|pending| pending.seat) else {
        return false;
    };
    let ask = v1::ListLegalActionsRequest {
        game_id: game.game_id.clone(),
        seat,
        ..Default::default()
    };
    let legal = client
        .call(|mut client| {
            let ask = ask.clone();
            async move { client.list_legal_actions(ask).await }
        })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(legal.version, game.version, "what was answered is not lost");
    let act = v1::ApplyActionRequest {
        game_id: game.game_id.clone(),
        seat,
        action: Some(choose(&legal.actions)),
        expected_version: game.version,
        request_id: format!("{}", game.version),
        ..Default::default()
    };
    let played = client
        .call(|mut client| {
            let act = act.clone();
            async move { client.apply_action(act).await }
        })
        .await;
    let played = facts(played.unwrap().into_inner().table);
    assert_eq!(played.version, game.version + 1, "played once");
    *game = played;
    true
}

/// Follows a game to its end, with watches that end for this cause. Returns the versions seen, and the number of times
/// that the watch was resumed.
async fn follow(mut client: Retrying, game_id: String, cause: &str) -> (Vec<u64>, usize) {
    let (mut versions, mut resumed) = (vec![1], 0);
    loop {
        let ask = v1::WatchGameRequest {
            game_id: game_id.clone(),
            after_version: *versions.last().expect("a version"),
            ..Default::default()
        };
        let watch = client
            .call(|mut client| {
                let ask = ask.clone();
                async move { client.watch_game(ask).await }
            })
            .await;
        let mut watch = watch.unwrap().into_inner();
        let ended = loop {
            match watch.message().await {
                Ok(Some(message)) => {
                    let Some(table) = message.table else {
                        continue;
                    };
                    let game = facts(Some(table));
                    versions.push(game.version);
                    if game.pending.is_empty() {
                        return (versions, resumed);
                    }
                }
                Ok(None) => panic!("a watch does not end without a reason"),
                Err(status) => break status,
            }
        };
        assert_planned_end(&ended, cause);
        resumed += 1;
        client.move_on();
    }
}

/// Play that continues while processes are replaced.
#[derive(Clone)]
struct Play {
    addresses: Addresses,
    /// The number of actions played up to now.
    played: Arc<AtomicUsize>,
    /// Whether to stop after the current games; until then, game after game is played.
    enough: Arc<AtomicBool>,
}

impl Play {
    /// Plays and follows game after game. Returns the number of hidden failures, of resumed watches and of games.
    async fn table(self, number: usize) -> (u32, usize, usize) {
        let mut client = Retrying::new(&self.addresses);
        let (mut resumptions, mut games) = (0, 0);
        while !self.enough.load(Ordering::Relaxed) {
            let mut game = create(&mut client, &format!("{number}-{games}")).await;
            let follower = Retrying::new(&self.addresses);
            let following = tokio::spawn(follow(follower, game.game_id.clone(), "SHUTDOWN"));
            while act(&mut client, &mut game).await {
                self.played.fetch_add(1, Ordering::Relaxed);
            }
            let (versions, resumed) = following.await.unwrap();
            assert_eq!(versions, (1..=game.version).collect::<Vec<_>>());
            resumptions += resumed;
            games += 1;
        }
        (client.absorbed, resumptions, games)
    }

    /// Waits until this number of further actions was played.
    async fn more(&self, count: usize) {
        let wanted = self.played.load(Ordering::Relaxed) + count;
        while self.played.load(Ordering::Relaxed) < wanted {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_update_fails_no_call_and_loses_no_watch() {
    let redis = RedisServer::start(&RedisOptions::new());
    let redis_flag = format!("--redis={}", redis.address());
    let flags = ["--store=redis", redis_flag.as_str(), "--drain=10s"];
    let play = Play {
        addresses: Addresses::default(),
        played: Arc::default(),
        enough: Arc::default(),
    };
    let mut servers: Vec<Gamekeeperd> =
        (0..PROCESSES).map(|_| Gamekeeperd::start(&flags)).collect();
    for server in &servers {
        play.addresses.add(server.address());
    }
    let tables: Vec<_> = (0..GAMES)
        .map(|number| tokio::spawn(play.clone().table(number)))
        .collect();
    let rolling = async {
        for running in &mut servers {
            play.more(GAMES * 20).await;
            // As Kubernetes does: start the new process, remove the old one from the addresses, then stop it.
            let new = Gamekeeperd::start(&flags);
            play.addresses.add(new.address());
            let mut old = std::mem::replace(running, new);
            play.addresses.remove(old.address());
            let ended = tokio::task::spawn_blocking(move || old.stop());
            assert!(ended.await.unwrap(), "an old process ends well");
        }
        play.more(GAMES * 20).await;
        play.enough.store(true, Ordering::Relaxed);
    };
    timeout(PATIENCE, rolling).await.expect("in time");
    let (mut absorbed, mut resumed) = (0, 0);
    for table in tables {
        let (failures, resumptions, games) = timeout(PATIENCE, table).await.unwrap().unwrap();
        assert!(games > 0);
        absorbed += failures;
        resumed += resumptions;
    }
    // Without failures and resumptions, the test would prove nothing.
    assert!(
        absorbed > 0 && resumed > 0,
        "{absorbed} absorbed, {resumed} resumed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_end_by_age_and_nobody_notices() {
    let server = Gamekeeperd::start(&["--store=memory", "--max-connection-age=500ms"]);
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let connect = tower::service_fn(move |uri: Uri| {
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            let address = format!(
                "{}:{}",
                uri.host().expect("a host"),
                uri.port().expect("a port")
            );
            TcpStream::connect(address).await.map(TokioIo::new)
        }
    });
    let endpoint = Endpoint::from_shared(format!("http://{}", server.address())).unwrap();
    let mut client = Client::new(server.noted(endpoint.connect_with_connector_lazy(connect)));
    let table = Table::begin(&mut client).await;
    let addresses = Addresses::default();
    addresses.add(server.address());
    let game_id = table.game.game_id.clone();
    let follower = Retrying::new(&addresses);
    let following = tokio::spawn(follow(follower, game_id.clone(), "MAX_AGE"));

    let looking = async {
        while connections.load(Ordering::Relaxed) < 4 {
            let ask = v1::GetGameRequest {
                game_id: game_id.clone(),
                ..Default::default()
            };
            if let Err(status) = client.get_game(ask).await {
                assert!(is_away(&status), "{status:?}");
            }
        }
    };
    timeout(PATIENCE, looking).await.expect("connections end");

    let mut game = table.game;
    let mut player = Retrying::new(&addresses);
    while act(&mut player, &mut game).await {}
    let (versions, resumed) = timeout(PATIENCE, following).await.unwrap().unwrap();
    assert_eq!(versions, (1..=game.version).collect::<Vec<_>>());
    assert!(resumed > 0, "a watch ends by age too");
}
