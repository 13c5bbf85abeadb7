//! Calls that end early and servers that stop return the right status, and leave nothing half done.

use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{
    Client, Table, assert_planned_end, choose, facts, reason, reason_of,
};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::waiting::until_metric;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{sleep, timeout};
use tonic::transport::{self, Endpoint};
use tonic::{Code, IntoRequest, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

/// Maximum time for every wait.
const SOON: Duration = Duration::from_secs(30);

/// A server whose store can be paused, and a game on it.
struct Setup {
    redis: RedisServer,
    server: Gamekeeperd,
    client: Client,
    table: Table,
}

async fn setup(flags: &[&str]) -> Setup {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let common = ["--store=redis", &address, "--admin-listen=127.0.0.1:0"];
    let flags: Vec<&str> = common.iter().chain(flags).copied().collect();
    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let table = Table::begin(&mut client).await;
    Setup {
        redis,
        server,
        client,
        table,
    }
}

impl Setup {
    async fn next_action(&mut self) -> v1::ApplyActionRequest {
        let game_id = self.table.game.game_id.clone();
        let seat = self.table.game.pending[0].seat;
        let ask = v1::ListLegalActionsRequest {
            game_id: game_id.clone(),
            seat,
            ..Default::default()
        };
        let legal = self.client.list_legal_actions(ask).await.unwrap();
        v1::ApplyActionRequest {
            game_id,
            seat,
            action: Some(choose(&legal.into_inner().actions)),
            request_id: String::from("the action"),
            ..Default::default()
        }
    }

    /// Sends an action, which cannot be answered while Redis is paused.
    fn send(&self, act: impl IntoRequest<v1::ApplyActionRequest>) -> JoinHandle<Answer> {
        let mut client = self.client.clone();
        let act = act.into_request();
        tokio::spawn(async move {
            client
                .apply_action(act)
                .await
                .map(tonic::Response::into_inner)
        })
    }

    /// Checks by a retry that the action was played once, as version 2.
    async fn check_played_once(&mut self, act: v1::ApplyActionRequest) {
        let again = self.client.apply_action(act.clone()).await.unwrap();
        assert_eq!(facts(again.into_inner().table).version, 2);
        let ask = v1::ListEventsRequest {
            game_id: act.game_id.clone(),
            ..Default::default()
        };
        let log = self.client.list_events(ask).await.unwrap().into_inner();
        let versions: Vec<u64> = log.entries.iter().map(|entry| entry.version).collect();
        assert_eq!(versions, [1, 2]);
        let ask = v1::GetGameRequest {
            game_id: act.game_id,
            ..Default::default()
        };
        let response = self.client.get_game(ask).await.unwrap().into_inner();
        self.table.game = facts(response.table);
        self.table.play(&mut self.client, 10).await.unwrap();
    }

    fn health(&self) -> HealthClient<transport::Channel> {
        let admin = Endpoint::from_shared(format!("http://{}", self.server.admin()));
        HealthClient::new(admin.unwrap().connect_lazy())
    }
}

type Answer = Result<v1::ApplyActionResponse, Status>;

fn late() -> (Code, String) {
    (Code::DeadlineExceeded, String::from("DEADLINE"))
}

#[tokio::test]
async fn an_action_that_passes_the_servers_deadline_is_played_once_or_not_at_all() {
    let mut setup = setup(&["--deadline=2s"]).await;
    let act = setup.next_action().await;
    setup.redis.pause();
    let answer = setup.send(act.clone()).await.unwrap();
    setup.redis.resume();
    assert_eq!(reason(&answer.unwrap_err()), late());
    setup.check_played_once(act).await;
}

#[tokio::test]
async fn an_action_that_passes_its_callers_deadline_is_played_once_or_not_at_all() {
    let mut setup = setup(&[]).await;
    let act = setup.next_action().await;
    let mut hasty = Request::new(act.clone());
    hasty.set_timeout(Duration::from_millis(200));
    setup.redis.pause();
    let answer = setup.send(hasty).await.unwrap();
    setup.redis.resume();
    // The client enforces the deadline too; both report the same status.
    let status = answer.unwrap_err();
    let is_late = status.code() == Code::DeadlineExceeded || status.code() == Code::Cancelled;
    assert!(is_late, "{status:?}");
    assert!(
        reason_of(&status).is_none_or(|reason| reason == "DEADLINE"),
        "{status:?}"
    );
    setup.check_played_once(act).await;
}

#[tokio::test]
async fn an_action_whose_caller_goes_away_is_played_once_or_not_at_all() {
    let mut setup = setup(&[]).await;
    let act = setup.next_action().await;
    setup.redis.pause();
    let sent = setup.send(act.clone());
    // The call is canceled at whatever point it has reached.
    sleep(Duration::from_millis(100)).await;
    sent.abort();
    assert!(sent.await.unwrap_err().is_cancelled());
    setup.redis.resume();
    setup.check_played_once(act).await;
}

/// **Graceful shutdown**: readiness fails first, watches end with their version, the call in flight is answered, and
/// the process exits.
#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_finishes_what_it_has_begun() {
    let mut setup = setup(&["--drain=60s"]).await;
    let act = setup.next_action().await;
    let ask = v1::WatchGameRequest {
        game_id: act.game_id.clone(),
        ..Default::default()
    };
    let watch = setup.client.watch_game(ask).await.unwrap();
    let mut watch = watch.into_inner();
    let start = watch.message().await.unwrap().unwrap();
    assert!(start.table.is_some(), "{start:?}");
    // A health watch does not delay the shutdown either.
    let ask_health = HealthCheckRequest::default();
    let mut beside = HealthClient::new(setup.server.channel());
    let beside = beside.watch(ask_health.clone()).await.unwrap();
    let mut beside = beside.into_inner();
    let health = beside.message().await.unwrap().unwrap();
    assert_eq!(health.status(), ServingStatus::Serving);

    setup.redis.pause();
    let begun = setup.send(act.clone());
    until_metric(&setup.server, "gamekeeper_calls_in_flight 1").await;
    setup.server.ask_to_stop();
    let turned = async {
        loop {
            let health = setup.health().check(ask_health.clone()).await.unwrap();
            if health.into_inner().status() == ServingStatus::NotServing {
                break;
            }
        }
    };
    timeout(SOON, turned).await.expect("readiness turns");
    let ended = timeout(SOON, watch.message()).await.expect("an end");
    let ended = ended.unwrap_err();
    assert_planned_end(&ended, "SHUTDOWN");
    let details = ended.get_error_details();
    assert_eq!(details.error_info().unwrap().metadata["version"], "1");
    assert!(!begun.is_finished(), "the call waits for its store");
    setup.redis.resume();
    let answer = begun.await.unwrap().expect("the call is finished");
    assert_eq!(facts(answer.table).version, 2);
    let mut last = health;
    while let Ok(Some(health)) = beside.message().await {
        last = health;
    }
    assert_eq!(last.status(), ServingStatus::NotServing);
    let Setup { mut server, .. } = setup;
    let gone = timeout(SOON, spawn_blocking(move || server.wait())).await;
    assert!(gone.expect("it is gone").unwrap(), "it ended well");
}

/// A call that cannot be completed delays the exit by no more than the drain time.
#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_waits_no_longer_than_the_drain_time() {
    let mut setup = setup(&["--drain=500ms", "--deadline=300s"]).await;
    let act = setup.next_action().await;
    setup.redis.pause();
    let begun = setup.send(act);
    until_metric(&setup.server, "gamekeeper_calls_in_flight 1").await;
    assert!(!begun.is_finished());
    let Setup {
        redis, mut server, ..
    } = setup;
    let started = Instant::now();
    let gone = timeout(SOON, spawn_blocking(move || server.stop())).await;
    assert!(gone.expect("it is gone").unwrap(), "it ended well");
    let took = started.elapsed();
    assert!(took >= Duration::from_millis(500), "{took:?}");
    begun.await.unwrap().unwrap_err();
    drop(redis);
}

/// A peer that is connected but does not respond.
#[tokio::test]
async fn a_silent_peer_does_not_hold_up_a_stopping_server() {
    use tokio::io::AsyncWriteExt;

    let mut server = Gamekeeperd::start(&["--store=memory", "--drain=300s"]);
    let mut silent = tokio::net::TcpStream::connect(server.address())
        .await
        .unwrap();
    let hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    silent.write_all(hello).await.unwrap();
    sleep(Duration::from_millis(200)).await;
    let stopped = spawn_blocking(move || server.stop());
    let stopped = timeout(SOON, stopped)
        .await
        .expect("long before the end of the drain time");
    assert!(stopped.unwrap());
}
