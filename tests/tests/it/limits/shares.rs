//! **Fair shares**: no caller can take from others what they need. Any number of tokens can be issued, but all of them
//! share the account of their game and tenant.

use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::game_service_client::GameServiceClient;
use gamekeeper_tests::dominion::{Table, ada_and_bob, choose, facts};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, RED, bearing};
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status, Streaming};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use super::{eventually, exceeded, with_tokens};

async fn game_of(server: &Gamekeeperd, key: &str) -> Table {
    with_spectator(server, key).await.0
}

/// Creates a game, and returns it with the token of its spectators.
async fn with_spectator(server: &Gamekeeperd, key: &str) -> (Table, String) {
    let create = bearing(key, ada_and_bob());
    let created = server.games().create_game(create).await;
    let created = created.unwrap().into_inner();
    let spectator = created.tokens.as_ref().unwrap().spectator.clone();
    (Table::of(created), spectator)
}

/// Creates a finished game, and returns it with the token of its spectators.
async fn finished(server: &Gamekeeperd, key: &str) -> (Table, String) {
    let (table, spectator) = with_spectator(server, key).await;
    end(server, &table).await;
    (table, spectator)
}

/// Creates a finished game whose record does not fit into the send buffers.
async fn long_and_finished(server: &Gamekeeperd, key: &str) -> Table {
    let (table, _) = with_spectator(server, key).await;
    let game_id = &table.game.game_id;
    let mut games = server.games();
    for _ in 0..40 {
        let look = pb::GetGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        };
        let response = games.get_game(bearing(key, look)).await.unwrap();
        let seat = facts(response.into_inner().table).pending[0].seat;
        let list = pb::ListLegalActionsRequest {
            game_id: game_id.clone(),
            seat,
            ..Default::default()
        };
        let legal = games.list_legal_actions(bearing(key, list)).await.unwrap();
        let act = pb::ApplyActionRequest {
            game_id: game_id.clone(),
            seat,
            action: Some(choose(&legal.into_inner().actions)),
            ..Default::default()
        };
        games.apply_action(bearing(key, act)).await.unwrap();
    }
    end(server, &table).await;
    table
}

/// Ends a game for two by letting a player resign.
async fn end(server: &Gamekeeperd, table: &Table) {
    let resign = pb::ResignRequest {
        game_id: table.game.game_id.clone(),
        seat: 1,
        ..Default::default()
    };
    let resigned = server
        .games()
        .resign(bearing(table.token(1), resign))
        .await
        .unwrap();
    let game = resigned.into_inner().game.unwrap();
    assert!(game.pending.is_empty(), "{game:?}");
}

fn list(token: &str) -> Request<pb::ListGamesRequest> {
    bearing(token, pb::ListGamesRequest::default())
}

/// Lets a player fork the game, and returns the tokens of the fork, those of spectators last.
async fn tokens_of_fork(server: &Gamekeeperd, table: &Table) -> (String, Vec<String>) {
    let fork = pb::ForkGameRequest {
        game_id: table.game.game_id.clone(),
        at_version: 1,
        ..Default::default()
    };
    let forked = server
        .games()
        .fork_game(bearing(table.token(1), fork))
        .await;
    let forked = forked.unwrap().into_inner();
    let tokens = forked.tokens.unwrap();
    let seats = tokens.seats.into_iter().map(|token| token.token);
    (
        forked.game.unwrap().game_id,
        seats.chain([tokens.spectator]).collect(),
    )
}

/// Returns a client with a stream window that leaves no room for data.
fn without_room(server: &Gamekeeperd) -> GameServiceClient<Channel> {
    let narrow = Endpoint::from_shared(format!("http://{}", server.address())).unwrap();
    GameServiceClient::new(narrow.initial_stream_window_size(1).connect_lazy())
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_exports_take_no_place_of_calls() {
    let flags = ["--store=memory", "--max-in-flight=8", "--max-watches=64"];
    let (server, _keys) = with_tokens(&flags);
    let table = long_and_finished(&server, RED).await;
    let mut unread: Vec<Response<Streaming<pb::ExportGameResponse>>> = Vec::new();
    let (mut narrow, mut refused) = (without_room(&server), 0);
    for seat in [1, 2] {
        for _ in 0..40 {
            let export = pb::ExportGameRequest {
                game_id: table.game.game_id.clone(),
                with_states: true,
                ..Default::default()
            };
            match narrow.export_game(bearing(table.token(seat), export)).await {
                Ok(export) => unread.push(export),
                Err(status) => {
                    assert_eq!(exceeded(&status).0, "max_watches");
                    refused += 1;
                }
            }
        }
    }
    // There are more of them than slots for calls; a short record may have been sent ahead as a whole.
    assert!(unread.len() > 8, "{refused} were refused");
    let blue = game_of(&server, BLUE).await;
    for _ in 0..20 {
        server.games().list_games(list(BLUE)).await.unwrap();
        server.games().list_games(list(RED)).await.unwrap();
    }
    let watched = watch(&server, blue.token(1), &blue.game.game_id).await;
    watched.expect("streams of others too");
}

async fn watch(
    server: &Gamekeeperd,
    token: &str,
    game_id: &str,
) -> Result<Streaming<pb::WatchGameResponse>, Status> {
    let watch = pb::WatchGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let watched = server.games().watch_game(bearing(token, watch)).await?;
    Ok(watched.into_inner())
}

/// Opens watches until they are refused.
async fn fill(
    server: &Gamekeeperd,
    token: &str,
    game_id: &str,
) -> Vec<Streaming<pb::WatchGameResponse>> {
    let mut open = Vec::new();
    loop {
        match watch(server, token, game_id).await {
            Ok(one) => open.push(one),
            Err(status) => {
                assert_eq!(exceeded(&status).0, "max_watches");
                return open;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_leaves_watches_to_players_and_forks_bring_no_more() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-watches=96"]);
    let (table, spectator) = finished(&server, RED).await;
    let id = &table.game.game_id;
    let spectators = fill(&server, &spectator, id).await;
    assert_eq!(spectators.len(), 24, "a quarter");
    let mut of_forks = Vec::new();
    for _ in 0..3 {
        let (fork, tokens) = tokens_of_fork(&server, &table).await;
        for token in &tokens {
            of_forks.extend(fill(&server, token, &fork).await);
        }
    }
    let player = watch(&server, table.token(2), id).await;
    let _player = player.expect("the other player has a share of their own");
    let owner = watch(&server, RED, id).await;
    let _owner = owner.expect("the tenant has one beside its games");
    let all = spectators.len() + of_forks.len();
    assert!(all <= 32, "the game has a third with all forks, not {all}");
    let blue = game_of(&server, BLUE).await;
    let others = fill(&server, BLUE, &blue.game.game_id).await;
    assert!(others.len() >= 24, "{}", others.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_of_one_game_make_room_for_newcomers() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-connections=16"]);
    let (table, spectator) = with_spectator(&server, RED).await;
    let look = || pb::GetGameRequest {
        game_id: table.game.game_id.clone(),
        ..Default::default()
    };
    let mut idle = Vec::new();
    for _ in 0..40 {
        let mut client = server.games();
        let response = client.get_game(bearing(&spectator, look())).await;
        idle.extend(response.is_ok().then_some(client));
    }
    assert!(idle.len() >= 16, "known for good: {}", idle.len());
    for _ in 0..20 {
        // Each call uses a connection of its own.
        server.games().list_games(list(BLUE)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_carries_a_watch_is_not_idle() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-connections=8"]);
    let mut table = game_of(&server, RED).await;
    let mut watched = watch(&server, RED, &table.game.game_id).await.unwrap();
    assert!(watched.message().await.unwrap().is_some());
    let mut idle = Vec::new();
    for _ in 0..30 {
        let mut client = server.games();
        let _listed = client.list_games(list(RED)).await;
        idle.push(client);
    }
    drop(idle);
    sleep(Duration::from_millis(100)).await;
    table.play(&mut server.games(), 1).await.unwrap();
    let message = watched.message().await.unwrap().unwrap();
    assert_eq!(facts(message.table).version, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn watches_of_health_leave_checks_to_everybody() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-unauthenticated=24"]);
    let watches = (0..64).map(|_| async {
        let mut health = HealthClient::new(server.channel());
        let watch = health.watch(HealthCheckRequest::default()).await?;
        Ok::<_, Status>((health, watch.into_inner()))
    });
    let watches: Vec<_> = join_all(watches).await;
    let open = watches.iter().filter(|watch| watch.is_ok()).count();
    assert_eq!(open, 8, "an address has a third");
    for _ in 0..20 {
        let mut health = HealthClient::new(server.channel());
        health.check(HealthCheckRequest::default()).await.unwrap();
    }
    drop(watches);
    eventually("places are free again", || async {
        let mut health = HealthClient::new(server.channel());
        let watch = health.watch(HealthCheckRequest::default()).await;
        watch.ok().map(drop)
    })
    .await;
}
