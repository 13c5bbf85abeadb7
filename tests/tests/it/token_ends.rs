//! Tokens that end: by expiry, by being replaced, and with their game. Streams opened with them end too,
//! and show nothing that was played later.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, Table, ada_and_bob, reason};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use v1::watch_game_response::Update;
use tokio::time::{sleep, timeout};
use tonic::{Code, Status, Streaming};

/// The timeout of every wait.
const SOON: Duration = Duration::from_secs(20);

async fn create(server: &Gamekeeperd, token: &str, request_id: &str) -> v1::CreateGameResponse {
    let create = v1::CreateGameRequest {
        request_id: request_id.to_owned(),
        ..ada_and_bob()
    };
    let created = server.games().create_game(bearing(token, create)).await;
    created.unwrap().into_inner()
}

/// Opens a watch, and reads the table.
async fn watch(mut client: Client, token: &str, game_id: &str) -> Streaming<v1::WatchGameResponse> {
    let ask = v1::WatchGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let watch = client.watch_game(bearing(token, ask)).await;
    let mut watch = watch.unwrap().into_inner();
    let first = watch.message().await.unwrap().unwrap();
    assert!(matches!(first.update, Some(Update::Start(_))));
    watch
}

/// The end of a watch that must show nothing more.
async fn end_of(mut watch: Streaming<v1::WatchGameResponse>) -> Status {
    loop {
        let message = timeout(SOON, watch.message())
            .await
            .expect("an end in time");
        match message {
            Ok(Some(v1::WatchGameResponse {
                update: Some(Update::Bookmark(_)),
            })) => {}
            Ok(shown) => panic!("shows {shown:?}"),
            Err(status) => return status,
        }
    }
}

fn replaced() -> (Code, String) {
    (Code::Unauthenticated, String::from("TOKEN_REPLACED"))
}

fn bad() -> (Code, String) {
    (Code::Unauthenticated, String::from("BAD_TOKEN"))
}

fn expired() -> (Code, String) {
    (Code::Unauthenticated, String::from("TOKEN_EXPIRED"))
}

async fn look(server: &Gamekeeperd, token: &str, game_id: &str) -> Result<(), Status> {
    let ask = v1::GetGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let seen = server.games().get_game(bearing(token, ask)).await;
    seen.map(drop)
}

async fn rotate(server: &Gamekeeperd, game_id: &str, seat: u32) -> String {
    let rotate = v1::RotateSeatTokenRequest {
        game_id: game_id.to_owned(),
        seat,
        ..Default::default()
    };
    let rotated = server.games().rotate_seat_token(bearing(RED, rotate)).await;
    rotated.unwrap().into_inner().seat_token.unwrap().token
}

async fn rotate_spectators(server: &Gamekeeperd, game_id: &str) -> String {
    let rotate = v1::RotateSpectatorTokenRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let games = &mut server.games();
    let rotated = games.rotate_spectator_token(bearing(RED, rotate)).await;
    rotated.unwrap().into_inner().token
}

#[tokio::test]
async fn a_replaced_token_sees_no_version_that_was_played_later() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let keys = KeyFiles::new();
    let [one, other] = [(); 2].map(|()| keys.server_for_teams(&["--store=redis", &address]));
    let created = create(&one, RED, "").await;
    let spectator = created.spectator_token.clone();
    let mut table = Table::of(created);
    let id = table.game.game_id.clone();
    let seat = table.token(1).to_owned();
    let mut watches = Vec::new();
    for server in [&one, &other] {
        for token in [&seat, &spectator] {
            watches.push(watch(server.games(), token, &id).await);
        }
    }
    let mut still = watch(other.games(), table.token(2), &id).await;
    let fresh = [
        rotate(&one, &id, 1).await,
        rotate_spectators(&one, &id).await,
    ];
    table.set_token(1, &fresh[0]);
    table.play(&mut one.games(), 3).await.unwrap();
    for watch in watches {
        assert_eq!(reason(&end_of(watch).await), replaced());
    }
    let shown = still.message().await.unwrap().unwrap();
    assert!(matches!(shown.update, Some(Update::Version(_))));
    for old in [&seat, &spectator] {
        for server in [&one, &other] {
            assert_eq!(
                reason(&look(server, old, &id).await.unwrap_err()),
                replaced()
            );
        }
    }
    for fresh in &fresh {
        look(&other, fresh, &id).await.unwrap();
    }
}

#[tokio::test]
async fn a_replaced_token_ends_a_watch_with_nothing_to_show() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--bookmark-every=200ms"]);
    let created = create(&server, RED, "").await;
    let table = Table::of(created);
    let id = table.game.game_id.clone();
    let watch = watch(server.games(), table.token(1), &id).await;
    rotate(&server, &id, 1).await;
    assert_eq!(reason(&end_of(watch).await), replaced());
}

/// Seconds since the Unix epoch.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap().as_secs()
}

#[tokio::test]
async fn a_watch_ends_with_the_time_of_its_token() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--jwt-leeway=0s"]);
    let lasting = KeyFiles::signed("green");
    let created = create(&server, &lasting, "").await;
    let id = created.game.unwrap().game_id;
    let short = KeyFiles::signed_until("green", now() + 5);
    let watch = watch(server.games(), &short, &id).await;
    assert_eq!(reason(&end_of(watch).await), expired());
    assert_eq!(
        reason(&look(&server, &short, &id).await.unwrap_err()),
        expired()
    );
    look(&server, &lasting, &id).await.unwrap();
}

#[tokio::test]
async fn self_play_ends_with_the_time_of_its_token() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--jwt-leeway=0s"]);
    let short = KeyFiles::signed_until("green", now() + 5);
    let silent = tokio_stream::pending::<v1::SelfPlayRequest>();
    let stream = server.games().self_play(bearing(&short, silent)).await;
    let mut stream = stream.unwrap().into_inner();
    let ended = timeout(SOON, stream.message()).await.expect("in time");
    assert_eq!(reason(&ended.unwrap_err()), expired());
}

#[tokio::test]
async fn tokens_of_seats_may_have_an_end() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--seat-token-lifetime=6s"]);
    let created = create(&server, RED, "one").await;
    let spectator = created.spectator_token.clone();
    let again = create(&server, RED, "one").await;
    assert_eq!(
        again.seat_tokens, created.seat_tokens,
        "the same answer again"
    );
    let table = Table::of(created);
    let id = table.game.game_id.clone();
    for token in [table.token(1), &spectator] {
        look(&server, token, &id).await.unwrap();
    }
    let rotate = v1::RotateSeatTokenRequest {
        game_id: id.clone(),
        seat: 2,
        expire_time: Some(prost_types::Timestamp {
            seconds: i64::try_from(now()).unwrap() + 3_600,
            nanos: 0,
        }),
    };
    let mut past = rotate.clone();
    past.expire_time = Some(prost_types::Timestamp::default());
    let refused = server.games().rotate_seat_token(bearing(RED, past)).await;
    assert_eq!(reason(&refused.unwrap_err()).1, "MALFORMED");
    let longer = server.games().rotate_seat_token(bearing(RED, rotate)).await;
    let longer = longer.unwrap().into_inner().seat_token.unwrap().token;
    sleep(Duration::from_millis(6_100)).await;
    for token in [table.token(1), &spectator] {
        assert_eq!(
            reason(&look(&server, token, &id).await.unwrap_err()),
            expired()
        );
    }
    look(&server, &longer, &id).await.unwrap();
}

#[tokio::test]
async fn a_game_that_is_made_again_has_other_tokens() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory"]);
    let first = create(&server, RED, "again").await;
    let old = [
        first.seat_tokens[0].token.clone(),
        first.spectator_token.clone(),
    ];
    let id = first.game.unwrap().game_id;
    let delete = v1::DeleteGameRequest {
        game_id: id.clone(),
        ..Default::default()
    };
    let deleted = server.games().delete_game(bearing(RED, delete)).await;
    deleted.unwrap();
    let second = create(&server, RED, "again").await;
    assert_eq!(second.game.unwrap().game_id, id);
    for token in &old {
        assert_eq!(reason(&look(&server, token, &id).await.unwrap_err()), bad());
    }
    look(&server, &second.seat_tokens[0].token, &id)
        .await
        .unwrap();
}
