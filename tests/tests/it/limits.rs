//! Every limit at its edge: what is just within it is accepted, one more is refused, and the refusal
//! says which limit it was and when to come back.

use std::future::Future;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::contract::{Method, Request, methods};
use gamekeeper_tests::dominion::{Table, players, reason};
use gamekeeper_tests::process::holdings;
use gamekeeper_tests::raw::{call, framed};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tonic::{Code, Status, Streaming};
use tonic_types::StatusExt;

/// What is not so by then never will be.
const SOON: Duration = Duration::from_secs(20);

/// A server that wants tokens.
fn with_tokens(flags: &[&str]) -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    let key_flags = keys.flags();
    let key_flags: Vec<&str> = key_flags.iter().map(String::as_str).collect();
    let server = Gamekeeperd::start(&[&key_flags[..], flags].concat());
    (server, keys)
}

fn create() -> pb::CreateGameRequest {
    pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    }
}

async fn new_game(server: &Gamekeeperd) -> String {
    let created = server.dominion().create_game(create()).await.unwrap();
    created.into_inner().game.unwrap().game_id
}

/// The refusal for want of room: which limit, and when to come back.
fn exceeded(status: &Status) -> (String, Duration) {
    assert_eq!(
        reason(status),
        (Code::ResourceExhausted, String::from("LIMIT_EXCEEDED"))
    );
    let details = status.get_error_details();
    let limit = details.error_info().unwrap().metadata["limit"].clone();
    let quota = details.quota_failure().expect("a QuotaFailure");
    assert_eq!(quota.violations[0].subject, limit);
    let retry = details.retry_info().expect("a RetryInfo").retry_delay;
    (limit, retry.expect("a time"))
}

/// Asks again until the answer is the one that must come.
async fn eventually<A, F: Future<Output = Option<A>>>(what: &str, ask: impl Fn() -> F) -> A {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(begun.elapsed() < SOON, "{what}");
        sleep(Duration::from_millis(20)).await;
    }
}

fn method(service: &str, name: &str) -> Method {
    let mut methods = methods().into_iter();
    let found = methods.find(|method| method.service.ends_with(service) && method.name == name);
    found.expect("a method")
}

#[tokio::test]
async fn a_request_of_64_kib_is_read_and_one_byte_more_is_not() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut channel = server.channel();
    let info = method("GamesService", "GetGameInfo");
    // A field has a key of one byte and, this long, a length of three.
    let ask = |bytes: usize| {
        let request = Request::default().text(&info, "game_id", &"x".repeat(bytes - 4));
        let request = request.into_bytes();
        assert_eq!(request.len(), bytes);
        framed(&request)
    };
    let read = call(&mut channel, &info, "", ask(65_536)).await.unwrap();
    assert_eq!(
        reason(&read.status),
        (Code::NotFound, String::from("NO_SUCH_GAME"))
    );
    let echo = read.status.get_error_details();
    assert_eq!(echo.resource_info().unwrap().resource_name, "x".repeat(64));
    let large = call(&mut channel, &info, "", ask(65_537)).await.unwrap();
    assert_eq!(
        reason(&large.status),
        (Code::ResourceExhausted, String::from("MESSAGE_TOO_LARGE"))
    );
    let details = large.status.get_error_details();
    let violations = &details.quota_failure().unwrap().violations;
    assert_eq!(violations[0].subject, "max_request_bytes");
}

#[tokio::test]
async fn pages_have_at_most_a_thousand_entries() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut channel = server.channel();
    let game_id = new_game(&server).await;
    for (service, name) in [
        ("GamesService", "ListGames"),
        ("DominionService", "ListEvents"),
        ("DominionService", "ListLegalActions"),
    ] {
        let method = method(service, name);
        let ask = |size: u64| {
            let request = Request::default().text(&method, "game_id", &game_id);
            let request = request.number(&method, "seat", 1);
            framed(&request.number(&method, "page_size", size).into_bytes())
        };
        for (size, accepted) in [
            (0, true),
            (1, true),
            (1_000, true),
            (1_001, false),
            (u64::MAX, false),
        ] {
            let answer = call(&mut channel, &method, "", ask(size)).await.unwrap();
            if accepted {
                assert_eq!(answer.status.code(), Code::Ok, "{name}, {size}");
                continue;
            }
            assert_eq!(
                reason(&answer.status),
                (Code::InvalidArgument, String::from("MALFORMED")),
                "{name}, {size}"
            );
            let details = answer.status.get_error_details();
            assert_eq!(
                details.bad_request().unwrap().field_violations[0].field,
                "page_size"
            );
        }
    }
}

#[tokio::test]
async fn texts_have_their_longest() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let named = |name: &str| pb::CreateGameRequest {
        players: players(&[name, "Bob"]),
        ..Default::default()
    };
    let identified = |id: &str| pb::CreateGameRequest {
        request_id: id.to_owned(),
        ..create()
    };
    let cases = [
        (named(&"\u{1f3b2}".repeat(64)), None),
        (named(&"\u{1f3b2}".repeat(65)), Some("players[0].name")),
        (identified(&"x".repeat(64)), None),
        (identified(&"x".repeat(65)), Some("request_id")),
        // Bytes count, not characters.
        (identified(&"\u{e9}".repeat(32)), None),
        (identified(&"\u{e9}".repeat(33)), Some("request_id")),
    ];
    for (request, field) in cases {
        match (server.dominion().create_game(request).await, field) {
            (Ok(_), None) => {}
            (Err(status), Some(field)) => {
                let details = status.get_error_details();
                assert_eq!(
                    details.bad_request().unwrap().field_violations[0].field,
                    field
                );
            }
            (answer, field) => panic!("{answer:?}, expected: {field:?}"),
        }
    }
}

type Watch = Streaming<pb::WatchGameResponse>;

/// A watch, when its first message has come.
async fn watch(
    mut client: gamekeeper_tests::dominion::Client,
    game_id: &str,
) -> Result<Watch, Status> {
    let ask = pb::WatchGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let mut watch = client.watch_game(ask).await?.into_inner();
    let first = watch.message().await?.expect("a beginning");
    assert!(matches!(
        first.update,
        Some(pb::watch_game_response::Update::Start(_))
    ));
    Ok(watch)
}

#[tokio::test]
async fn a_game_and_a_process_have_so_many_watches() {
    let flags = [
        "--store=memory",
        "--max-watches-per-game=2",
        "--max-watches=3",
    ];
    let server = Gamekeeperd::start(&flags);
    let (one, two) = (new_game(&server).await, new_game(&server).await);
    let first = watch(server.dominion(), &one).await.unwrap();
    let _second = watch(server.dominion(), &one).await.unwrap();
    let third = watch(server.dominion(), &one).await.unwrap_err();
    assert_eq!(exceeded(&third).0, "max_watches_per_game");
    let _other = watch(server.dominion(), &two).await.unwrap();
    let fourth = watch(server.dominion(), &two).await.unwrap_err();
    assert_eq!(exceeded(&fourth).0, "max_watches");
    drop(first);
    eventually("a place is free again", || async {
        watch(server.dominion(), &one).await.ok()
    })
    .await;
}

#[tokio::test]
async fn so_many_calls_are_answered_at_once() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let server = Gamekeeperd::start(&["--store=redis", &address, "--max-in-flight=2"]);
    let game_id = new_game(&server).await;
    let games = server.games();
    let ask = || {
        let (mut games, game_id) = (games.clone(), game_id.clone());
        async move {
            games
                .get_game_info(v1::GetGameInfoRequest { game_id })
                .await
        }
    };
    ask().await.unwrap();
    // Two of six fit and wait for the store; the others are refused at once.
    redis.pause();
    let mut calls: FuturesUnordered<_> = (0..6).map(|_| ask()).collect();
    for _ in 0..4 {
        let refused = calls.next().await.unwrap().unwrap_err();
        assert_eq!(exceeded(&refused).0, "max_in_flight");
    }
    redis.resume();
    while let Some(answer) = calls.next().await {
        answer.unwrap();
    }
    ask().await.unwrap();
}

#[tokio::test]
async fn so_many_calls_of_a_token_are_answered_at_once() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--max-in-flight-per-token=2"];
    let (server, _keys) = with_tokens(&flags);
    let info = |token: &'static str| {
        let ask = v1::GetGameInfoRequest {
            game_id: String::from("018f0000-0000-7000-8000-000000000000"),
        };
        let (mut games, ask) = (server.games(), bearing(token, ask));
        async move { (token, games.get_game_info(ask).await.unwrap_err()) }
    };
    assert_eq!(info(RED).await.1.code(), Code::NotFound);
    // Two of six fit and wait for the store; the others are refused at once.
    redis.pause();
    let mut calls: FuturesUnordered<_> = (0..6).map(|_| info(RED)).collect();
    for _ in 0..4 {
        let (_, refused) = calls.next().await.unwrap();
        assert_eq!(exceeded(&refused).0, "max_in_flight_per_token");
    }
    for token in [BLUE, BLUE, OPERATOR] {
        calls.push(info(token));
    }
    redis.resume();
    while let Some((token, answer)) = calls.next().await {
        assert_eq!(answer.code(), Code::NotFound, "{token} has its own");
    }
    assert_eq!(info(RED).await.1.code(), Code::NotFound);
}

#[tokio::test]
async fn a_token_has_so_many_watches() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-watches-per-token=2"]);
    let mut games = Vec::new();
    for token in [RED, BLUE] {
        let created = server
            .dominion()
            .create_game(bearing(token, create()))
            .await;
        games.push(Table::of(created.unwrap().into_inner()));
    }
    let watch = |token: &str, table: &Table| {
        let ask = pb::WatchGameRequest {
            game_id: table.game.game_id.clone(),
            ..Default::default()
        };
        let (mut client, ask) = (server.dominion(), bearing(token, ask));
        async move {
            client
                .watch_game(ask)
                .await
                .map(tonic::Response::into_inner)
        }
    };
    let first = watch(RED, &games[0]).await.unwrap();
    let _second = watch(RED, &games[0]).await.unwrap();
    let third = watch(RED, &games[0]).await.unwrap_err();
    assert_eq!(exceeded(&third).0, "max_watches_per_token");
    let seat = watch(games[0].token(1), &games[0]).await;
    let _seat = seat.expect("a seat has its own");
    let blue = watch(BLUE, &games[1]).await;
    let _blue = blue.expect("another tenant has its own");
    drop(first);
    eventually("a place is free again", || async {
        watch(RED, &games[0]).await.ok()
    })
    .await;
}

#[tokio::test]
async fn a_token_has_its_burst_and_is_told_when_to_come_back() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-rate=1", "--max-burst=12"]);
    let info = |token| {
        let ask = v1::GetGameInfoRequest {
            game_id: String::from("none"),
        };
        let (mut games, ask) = (server.games(), bearing(token, ask));
        async move { games.get_game_info(ask).await.unwrap_err() }
    };
    let begun = Instant::now();
    let mut answered = 0_u64;
    let refused = loop {
        let status = info(RED).await;
        if status.code() == Code::ResourceExhausted {
            break status;
        }
        assert_eq!(status.code(), Code::NotFound);
        answered += 1;
    };
    // One a second is made good for while the burst is used up.
    let made_good = begun.elapsed().as_secs() + 1;
    assert!((12..=12 + made_good).contains(&answered), "{answered}");
    let (limit, wait) = exceeded(&refused);
    assert_eq!(limit, "max_rate");
    assert!(
        !wait.is_zero() && wait <= Duration::from_secs(1),
        "{wait:?}"
    );
    for token in [BLUE, OPERATOR] {
        assert_eq!(
            info(token).await.code(),
            Code::NotFound,
            "others have their own"
        );
    }
    sleep(wait).await;
    assert_eq!(info(RED).await.code(), Code::NotFound, "as it was told");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_from_one_token_does_not_starve_another() {
    let flags = ["--store=memory", "--max-rate=200", "--max-burst=400"];
    let (server, _keys) = with_tokens(&flags);
    let created = server.dominion().create_game(bearing(BLUE, create())).await;
    let mut table = Table::of(created.unwrap().into_inner());
    let flood: Vec<_> = (0..32)
        .map(|_| {
            let mut games = server.games();
            tokio::spawn(async move {
                let mut refused = 0_u64;
                loop {
                    let ask = bearing(RED, v1::ListGamesRequest::default());
                    if let Err(status) = games.list_games(ask).await {
                        assert_eq!(exceeded(&status).0, "max_rate");
                        refused += 1;
                        if refused >= 50 {
                            return refused;
                        }
                    }
                }
            })
        })
        .collect();
    // While it floods: every call of another token, and of the seats of its game, is answered.
    while !flood.iter().all(tokio::task::JoinHandle::is_finished) {
        let list = bearing(BLUE, v1::ListGamesRequest::default());
        let listed = server.games().list_games(list).await.unwrap();
        assert_eq!(listed.into_inner().games.len(), 1);
        table.play(&mut server.dominion(), 2).await.unwrap();
        // The others keep to their own rate.
        sleep(Duration::from_millis(20)).await;
    }
    let refused: u64 = join_all(flood).await.into_iter().map(Result::unwrap).sum();
    assert!(refused >= 32 * 50);
    assert!(table.game.version > 2, "others played on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_has_so_many_games_on_all_processes_together() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--max-games-per-tenant=7"];
    let keys = KeyFiles::new();
    let key_flags = keys.flags();
    let key_flags: Vec<&str> = key_flags.iter().map(String::as_str).collect();
    let flags = [&key_flags[..], &flags].concat();
    let servers = [Gamekeeperd::start(&flags), Gamekeeperd::start(&flags)];
    let creations = (0..30).map(|number: usize| {
        let mut client = servers[number % 2].dominion();
        let create = pb::CreateGameRequest {
            request_id: format!("game {number}"),
            ..create()
        };
        async move { (number, client.create_game(bearing(RED, create)).await) }
    });
    let mut kept = Vec::new();
    for (number, answer) in join_all(creations).await {
        match answer {
            Ok(created) => kept.push((number, created.into_inner().game.unwrap())),
            Err(status) => assert_eq!(exceeded(&status).0, "max_games_per_tenant"),
        }
    }
    assert_eq!(kept.len(), 7);
    // What is sent again gives the first answer, although there is no room.
    let (number, game) = &kept[0];
    let again = pb::CreateGameRequest {
        request_id: format!("game {number}"),
        ..create()
    };
    let again = servers[1].dominion().create_game(bearing(RED, again)).await;
    assert_eq!(again.unwrap().into_inner().game.as_ref(), Some(game));
    let blue = servers[0]
        .dominion()
        .create_game(bearing(BLUE, create()))
        .await;
    blue.expect("another tenant has its own room");
    let delete = v1::DeleteGameRequest {
        game_id: game.game_id.clone(),
    };
    servers[0]
        .games()
        .delete_game(bearing(RED, delete))
        .await
        .unwrap();
    let next = servers[1]
        .dominion()
        .create_game(bearing(RED, create()))
        .await;
    next.expect("there is room again");
    let last = servers[0]
        .dominion()
        .create_game(bearing(RED, create()))
        .await;
    assert_eq!(exceeded(&last.unwrap_err()).0, "max_games_per_tenant");
}

/// Games that expired leave their places to others, as soon as the list is full.
#[tokio::test]
async fn places_of_games_that_are_gone_are_given_back() {
    use gamekeeper_tests::writing::new_game;
    use gamekeeperd::store::{Created, NewGame, RedisConfig, RedisTopology, StoreConfig, open};

    let redis = RedisServer::start(&RedisOptions::new());
    let address = redis.address();
    let config = RedisConfig::new(RedisTopology::Single { address });
    let store = open(StoreConfig::Redis(config)).await.unwrap();
    let game = || NewGame {
        most_of_tenant: Some(3),
        ..new_game(uuid::Uuid::now_v7())
    };
    let games = [game(), game(), game()];
    for game in &games {
        assert_eq!(store.create(game.clone()).await.unwrap(), Created::Done);
    }
    for game in &games[..2] {
        let key = |name: &str| format!("gk:{{{}}}:{name}", game.id);
        let _keys: u32 = redis.ask(&["DEL", &key("log"), &key("snapshot"), &key("row")]);
    }
    for _ in 0..2 {
        assert_eq!(store.create(game()).await.unwrap(), Created::Done);
    }
    assert_eq!(store.create(game()).await.unwrap(), Created::Full);
}

/// How many watches are opened at once.
const WATCHES: usize = 2_000;

#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_watches_are_all_told() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut tables = Vec::new();
    for _ in 0..10 {
        let created = server.dominion().create_game(create()).await.unwrap();
        tables.push(Table::of(created.into_inner()));
    }
    // So many streams share a connection as the server lets them.
    let clients: Vec<_> = (0..WATCHES / 100).map(|_| server.dominion()).collect();
    let open = (0..WATCHES).map(|number| {
        let client = clients[number % clients.len()].clone();
        let id = tables[number % tables.len()].game.game_id.clone();
        async move { watch(client, &id).await.unwrap() }
    });
    let mut watches = join_all(open).await;
    for table in &mut tables {
        table.play(&mut server.dominion(), 1).await.unwrap();
    }
    let told = watches.iter_mut().map(|watch| async {
        let message = timeout(SOON, watch.message()).await.expect("in time");
        match message.unwrap().expect("a message").update {
            Some(pb::watch_game_response::Update::Version(version)) => {
                version.logged.unwrap().version
            }
            other => panic!("{other:?}"),
        }
    });
    assert!(join_all(told).await.into_iter().all(|version| version == 2));
    let open = holdings(server.pid());
    drop(watches);
    drop(clients);
    eventually("the connections are closed", || async {
        let now = holdings(server.pid());
        (now.files + WATCHES / 100 <= open.files).then_some(())
    })
    .await;
    tables[0].play(&mut server.dominion(), 1).await.unwrap();
}

/// How many connections come and go.
const CONNECTIONS: usize = 10_000;

/// A connection that says so much, and goes.
async fn come_and_go(address: &str, number: usize) {
    use tokio::io::AsyncWriteExt;

    let mut stream = TcpStream::connect(address).await.unwrap();
    let begin: &[u8] = match number % 4 {
        0 => b"",
        1 => b"PRI * HTTP/2.0\r\n",
        // The preface of HTTP/2, and settings that are empty.
        2 => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
        _ => b"POST /gamekeeper.v1.GamesService/ListGames HTTP/1.1\r\nhost: x\r\n",
    };
    stream.write_all(begin).await.unwrap();
    // Half of them leave without a word: otherwise so many would fill the system's tables.
    stream.set_zero_linger().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_connections_come_and_go_and_leave_nothing() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let wave = async |count: usize| {
        for first in (0..count).step_by(100) {
            let connections =
                (first..first + 100).map(|number| come_and_go(server.address(), number));
            join_all(connections).await;
        }
    };
    let settled = async |most: usize| {
        eventually("the connections are closed", || async {
            let now = holdings(server.pid());
            (now.files <= most).then_some(now)
        })
        .await
    };
    // When a call is answered, all threads are there with what they need.
    new_game(&server).await;
    let files = holdings(server.pid()).files;
    // What the first connections make the server keep is no leak.
    wave(1_000).await;
    let before = settled(files).await;
    wave(CONNECTIONS).await;
    let after = settled(files).await;
    let grown = after.resident_kib.saturating_sub(before.resident_kib);
    assert!(grown < 16 * 1_024, "{before:?}, {after:?}");
    new_game(&server).await;
}
